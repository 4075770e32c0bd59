/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search for a good mapping, and the steps it may consist of. */
#ifndef TORUS_TASKMAP_MAPPERS_SEARCH_H
#define TORUS_TASKMAP_MAPPERS_SEARCH_H

#include "taskmap/layout.h"
#include "taskmap/graph.h"
#include "taskmap/hops.h"
#include "taskmap/search/effort.h"
#include "taskmap/search/packed.h"
#include "taskmap/search/starts.h"

/* Everything a search needs beside the layout. */
typedef struct torus_search {
	const torus_layout_t *layout;
	torus_task_graph_t *own; /* the stencil's graph, if the job has none */
	const torus_task_graph_t *graph;
	torus_hop_table_t table;
	torus_packed_t packed;	/* made with [near], unless the table lists all hops */
	uint32_t *near;		/* near nodes of each node; made when first needed */
	uint32_t *trial;	/* [tasks] another mapping */
	uint32_t *node_of_task; /* the best so far, the caller's */
	double fewest;		/* its hop-bytes; INFINITY: there is none */
	torus_starts_t starts;	/* to choose from before the first annealing */
	torus_effort_t effort;
	uint32_t threads;  /* of the budget */
	const bool *stays; /* [tasks] those that annealing leaves; NULL: none */
	bool gentle;	   /* annealing begins cool, as what is there is good */
} torus_search_t;

/*
 * Begin a search that spends [budget] and keeps its best mapping in
 * node_of_task[layout->tasks]; [search] is zeroed. To be ended by torus_search_end() in
 * any case. This and those below return 0, or -1 with [err] filled (memory).
 */
int torus_search_begin(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		       uint32_t *node_of_task, torus_search_t *search,
		       torus_error_t *err);
void torus_search_end(torus_search_t *search);

/* Make search->graph unless it is there: the stencil's, if the job has none. */
int torus_search_graph(torus_search_t *search, torus_error_t *err);

/* How many neighbours all tasks have together: twice the edges. */
uint64_t torus_search_neighbors(const torus_search_t *search);

/* Keep the mapping in search->trial if it is better than the best so far. */
void torus_search_keep(torus_search_t *search);

/* The same, and let the next annealing begin with it, or with another such mapping. */
int torus_search_start(torus_search_t *search, torus_error_t *err);

/*
 * Try rcb, whatever the budget, and rcb_turns within half of what is left: of whole nodes
 * if possible, otherwise of tasks. The next annealing may begin with any of these.
 */
int torus_search_turns(torus_search_t *search, torus_error_t *err);

/* Try inc_improve within [effort], which may be the search's own. */
int torus_search_pairs(torus_search_t *search, uint64_t seed, torus_effort_t *effort,
		       torus_error_t *err);

/*
 * Anneal the best mapping so far, or that of search->starts which a short annealing makes
 * the best, until the budget is spent or no move can help any more.
 */
int torus_search_anneal(torus_search_t *search, uint64_t seed, torus_error_t *err);

/*
 * The same for a graph that may be anything: most of the budget, if it is enough, goes
 * into annealing that is hot enough to forget what it begins with. [has_grid]: the starts
 * are those of a grid that a part of the edges lies along.
 */
int torus_search_anneal_graph(torus_search_t *search, bool has_grid, uint64_t seed,
			      torus_error_t *err);

#endif
