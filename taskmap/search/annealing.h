/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulated annealing of a mapping: see taskmap/search/annealing.c. */
#ifndef TORUS_TASKMAP_SEARCH_ANNEALING_H
#define TORUS_TASKMAP_SEARCH_ANNEALING_H

#include <stdbool.h>

#include "taskmap/graph.h"
#include "taskmap/hops.h"
#include "taskmap/search/effort.h"
#include "taskmap/search/packed.h"

/* What is annealed: the items are tasks, or blocks of tasks. */
typedef struct torus_annealing {
	const torus_task_graph_t *graph; /* of the items */
	const torus_hop_table_t *table;	 /* of the nodes */
	const torus_packed_t *packed;	 /* of the same, where they fit */
	const uint32_t *near;		 /* torus_nearlist_create() of the nodes */
	uint32_t nodes;
	const uint32_t *size; /* [items] only items of equal size swap; NULL: all
			       * are */
	const bool *stays;    /* [items] those that are not moved; NULL: none */
	uint32_t threads;     /* wanted, this one included; 0: 1 */
	bool wide;	      /* temperatures for a graph that is no grid */
} torus_annealing_t;

/* Of how many threads there is a use: each has to have enough nodes for itself. */
uint32_t torus_annealing_threads(const torus_annealing_t *annealing);

/*
 * What a swap of two items with so many [neighbors] together takes of an effort: less
 * where distances are packed or listed than where each is worked out.
 */
static inline uint64_t torus_annealing_work(const torus_annealing_t *annealing,
					    uint64_t neighbors)
{
	return annealing->packed->node || annealing->table->hops ? neighbors * 2 / 3
								 : neighbors * 2;
}

/* The weight of the edge that a unit of weight is on, on average: with a few heavy edges
 * among many light ones about that of the heavy ones. 1 without weights, or edges. */
double torus_annealing_heavy(const torus_task_graph_t *graph);

/*
 * Improve the mapping node_of_item[] by at most [moves] random swaps, of all threads
 * together, within [effort] of each of them, beginning at a temperature of [heat] times
 * the mean weight of an edge (0: only swaps that save hop-bytes), or if it is wide by the
 * distribution of weights (see annealing.c). Returns by how much
 * hop-bytes fell (0: the mapping is unchanged), or -1 with [err] filled (memory). *random
 * is the state of torus_random_next().
 */
double torus_annealing_run(const torus_annealing_t *annealing, double heat,
			   uint64_t moves, uint64_t *random, torus_effort_t *effort,
			   uint32_t *node_of_item, torus_error_t *err);

#endif
