/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search's step of annealing: first of whole nodes, then of tasks. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "taskmap/mappers/search.h"
#include "taskmap/search/annealing.h"
#include "taskmap/search/nearlist.h"

/*
 * Tried on jobs of 32 to 65,536 tasks. Temperatures from 1.6 down to COLD (see
 * taskmap/search/annealing.c) give up to 2% fewer hops than from 1.3 to 0.3, most for
 * large jobs; hotter ones are no better. Several runs, as many as there are mappings to
 * start from and then from the best so far, are better than one long run. Once whole
 * nodes have been annealed, single tasks gain little and begin at a low temperature.
 */
#define HEAT 1.6
#define HEAT_OF_TASKS 0.5
/* With fewer moves than this for each item a run cannot cool from there in good order. */
#define FEW_MOVES 500
#define HEAT_OF_FEW 0.7
#define RUNS_MAX 8
/*
 * The most moves for each item in a run: larger jobs need more of them to settle. With
 * two runs or more, each has at least half as many.
 */
#define MOVES_OF_FEW 4000
#define MOVES_PER_ITEM 125 /* for each item, times the number of items */

/*
 * The mapping with the fewest hops is often not the one from which annealing finds the
 * fewest, as it changes little in how the job as a whole lies in the machine. So each of
 * search->starts is annealed by this share of the work first, unless that is less than so
 * much for each node, which would show nothing. Tried on six jobs a size, with the turns
 * of the grid for starts: the one of fewest hops ends 1.2 and 1.0% above the best one at
 * 1,024 and 2,048 tasks, the one chosen so 0.5 and 0.1%. At 128 and 256 tasks there is no
 * difference, which is why several runs begin with several starts; at 16,384, with blocks
 * of tasks, one job is better for another. Twice the share, or more of it for the better
 * half, is no better.
 */
#define SHARE_OF_START 64
#define WORK_OF_START 160

/*
 * The cost of preparations, in distances looked up in the same time: for an entry of the
 * graph, and for the near nodes of a node.
 */
#define WORK_PER_NEIGHBOR 8
#define WORK_PER_NODE 150

/* What is annealed of a search, but for the graph of the items and their sizes. */
static torus_annealing_t annealing_of(const torus_search_t *search)
{
	return (torus_annealing_t){.table = &search->table,
				   .packed = &search->packed,
				   .near = search->near,
				   .nodes = search->layout->job->nodes,
				   .threads = search->threads};
}

/* What a move takes, on average, if [items] have so many [neighbors] together. */
static uint64_t work_per_move(const torus_annealing_t *annealing, uint64_t neighbors,
			      uint64_t items)
{
	return torus_annealing_work(annealing, 2 * (neighbors / items + 1));
}

/* Whether nodes have several tasks, whose blocks are annealed first. */
static bool has_blocks(const torus_search_t *search)
{
	return search->layout->tasks > search->layout->job->nodes;
}

/* The number of moves of [annealing]'s items that [work] of each thread allows. */
static uint64_t moves_for(const torus_annealing_t *annealing, uint64_t work)
{
	const torus_task_graph_t *graph = annealing->graph;

	return work / work_per_move(annealing, graph->first[graph->tasks], graph->tasks) *
	       torus_annealing_threads(annealing);
}

static uint64_t most_moves(uint64_t items)
{
	return items * (items * MOVES_PER_ITEM > MOVES_OF_FEW ? items * MOVES_PER_ITEM
							      : MOVES_OF_FEW);
}

static double heat_for(const torus_search_t *search, uint64_t moves, uint32_t items)
{
	if (search->gentle)
		return HEAT_OF_TASKS;
	return moves < (uint64_t)items * FEW_MOVES ? HEAT_OF_FEW : HEAT;
}

/* Anneal search->trial, whole nodes at a time. */
static int anneal_blocks(torus_search_t *search, uint64_t *random, torus_effort_t *effort,
			 torus_error_t *err)
{
	const torus_task_job_t *job = search->layout->job;
	torus_annealing_t annealing = annealing_of(search);
	uint32_t *node_of_block = malloc(job->nodes * sizeof(*node_of_block));
	torus_task_graph_t *blocks =
		torus_task_graph_blocks(search->graph, search->trial, job->nodes, err);
	uint64_t most = most_moves(job->nodes), moves;
	bool *stays = search->stays ? calloc(job->nodes, sizeof(*stays)) : NULL;
	int result = -1;

	if (!blocks || !node_of_block || (search->stays && !stays)) {
		if (blocks)
			torus_fail(err, "out of memory for %u nodes", job->nodes);
		goto done;
	}
	for (uint32_t task = 0; stays && task < search->layout->tasks; task++)
		stays[search->trial[task]] |= search->stays[task];
	annealing.graph = blocks;
	annealing.size = job->tasks_on_node;
	annealing.stays = stays;
	moves = moves_for(&annealing, effort->work);
	for (uint32_t node = 0; node < job->nodes; node++)
		node_of_block[node] = node;
	if (torus_annealing_run(&annealing, heat_for(search, moves, job->nodes),
				moves < most ? moves : most, random, effort,
				node_of_block, err) < 0)
		goto done;
	for (uint32_t task = 0; task < search->layout->tasks; task++)
		search->trial[task] = node_of_block[search->trial[task]];
	result = 0;
done:
	torus_task_graph_destroy(blocks);
	free(node_of_block);
	free(stays);
	return result;
}

/* Anneal search->trial, single tasks, after blocks of them gently. */
static int anneal_tasks(torus_search_t *search, uint64_t *random, torus_effort_t *effort,
			torus_error_t *err)
{
	torus_annealing_t annealing = annealing_of(search);
	uint32_t tasks = search->layout->tasks;
	uint64_t most = most_moves(tasks), moves;

	annealing.graph = search->graph;
	annealing.stays = search->stays;
	moves = moves_for(&annealing, effort->work);
	return torus_annealing_run(&annealing,
				   has_blocks(search) ? HEAT_OF_TASKS
						      : heat_for(search, moves, tasks),
				   moves < most ? moves : most, random, effort,
				   search->trial, err) < 0
		       ? -1
		       : 0;
}

/* Run [anneal] on the search->trial, within [work]. */
static int anneal_within(torus_search_t *search, uint64_t work, uint64_t *random,
			 int (*anneal)(torus_search_t *search, uint64_t *random,
				       torus_effort_t *effort, torus_error_t *err),
			 torus_error_t *err)
{
	torus_effort_t part = torus_effort_part(&search->effort, work);
	int result = anneal(search, random, &part, err);

	torus_effort_return(&search->effort, &part);
	return result;
}

/* One run from the mapping [from], in [work]. */
static int anneal_once(torus_search_t *search, const uint32_t *from, uint64_t work,
		       uint64_t *random, torus_error_t *err)
{
	uint64_t of_blocks = has_blocks(search) ? work - work / 4 : 0;

	memcpy(search->trial, from, search->layout->tasks * sizeof(*from));
	if (of_blocks && anneal_within(search, of_blocks, random, anneal_blocks, err))
		return -1;
	if (anneal_within(search, work - of_blocks, random, anneal_tasks, err))
		return -1;
	torus_search_keep(search);
	return 0;
}

/* Anneal search->starts a little, so that the best one to begin with is the first. */
static int sort_starts(torus_search_t *search, uint64_t *random, torus_error_t *err)
{
	uint64_t work = search->effort.work / SHARE_OF_START;
	torus_starts_t before = search->starts;
	int result = 0;

	if (before.count < 2 ||
	    work < WORK_OF_START * (uint64_t)search->layout->job->nodes)
		return 0;
	search->starts = (torus_starts_t){0};
	for (uint32_t i = 0; i < before.count && !result; i++) {
		memcpy(search->trial, before.start[i].node_of_task,
		       search->layout->tasks * sizeof(*search->trial));
		result = anneal_within(search, work, random,
				       has_blocks(search) ? anneal_blocks : anneal_tasks,
				       err);
		if (!result)
			result = torus_search_start(search, err);
	}
	torus_starts_keep(&before, 0);
	return result;
}

/*
 * Prepare what annealing looks up. Returns 1 if that was all the budget allowed, 0, or -1
 * with [err] filled.
 */
static int prepare(torus_search_t *search, torus_error_t *err)
{
	const torus_task_job_t *job = search->layout->job;
	uint64_t setup = WORK_PER_NEIGHBOR * torus_search_neighbors(search) +
			 WORK_PER_NODE * (uint64_t)job->nodes;

	if (job->nodes == 1)
		return 1;
	/* For a large job the preparations alone would use up the budget. */
	if (setup > search->effort.work / 2 ||
	    !torus_effort_spend(&search->effort, setup))
		return 1;
	if (torus_search_graph(search, err))
		return -1;
	if (!search->near)
		search->near = torus_nearlist_create(job, err);
	if (!search->near || torus_hop_table_expand(job, &search->table, err))
		return -1;
	if (!search->table.hops && !search->packed.node &&
	    torus_packed_init(&search->table, job->nodes, &search->packed, err))
		return -1;
	return 0;
}

int torus_search_anneal(torus_search_t *search, uint64_t seed, torus_error_t *err)
{
	uint64_t items = search->layout->job->nodes, random = seed, runs;
	torus_annealing_t annealing;
	int result = prepare(search, err);

	if (result)
		return result < 0 ? -1 : 0;
	if (sort_starts(search, &random, err))
		return -1;
	annealing = annealing_of(search);
	runs = search->effort.work /
	       (work_per_move(&annealing, torus_search_neighbors(search), items) *
		most_moves(items) / 2);
	if (runs < 1)
		runs = 1;
	if (runs > RUNS_MAX)
		runs = RUNS_MAX;
	for (uint64_t run = 0; run < runs; run++) {
		const uint32_t *from = search->node_of_task;

		if (run < search->starts.count)
			from = search->starts.start[run].node_of_task;
		if (anneal_once(search, from, search->effort.work / (runs - run), &random,
				err))
			return -1;
	}
	torus_starts_keep(&search->starts, 0);
	return 0;
}

/* --- graphs that are no grid ------------------------------------------------ */

/*
 * Annealing that is hot enough to forget its start finds 2 to 20% fewer hops of an
 * irregular graph than several cooler ones from bisection, if it has time: so many moves
 * for each task. Of the work the latter get this share, and half where there is a grid to
 * begin with, which may be all that there is to find.
 */
#define WIDE_MOVES 600
#define SHARE_OF_STARTS 8
#define SHARE_OF_GRID 2
/* More moves for each task find next to nothing: then there are several runs, and the
 * better one counts. */
#define WIDE_MOVES_MOST 150000
/*
 * Edges lighter than this part of a heavy one, as the annealing takes it, are left out at
 * first if they are most of all: those of collective operations between the tasks of a
 * stencil, say, which make each move take as long as ten or a hundred.
 */
#define LIGHT 0.05
#define SHARE_OF_LIGHT 4

/* The graph of the heavy edges; NULL: there are not few of them. -1 with [err] filled. */
static int make_heavy(const torus_task_graph_t *graph, torus_task_graph_t **heavy,
		      torus_error_t *err)
{
	uint64_t entries = graph->first[graph->tasks], left = 0;
	double least = LIGHT * torus_annealing_heavy(graph);

	*heavy = NULL;
	for (uint64_t i = 0; graph->weight && i < entries; i++)
		left += graph->weight[i] >= least;
	if (!left || left > entries / 2)
		return 0;
	*heavy = torus_task_graph_alloc(graph->tasks, left, err);
	if (!*heavy)
		return -1;
	left = 0;
	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			if (graph->weight[i] < least)
				continue;
			(*heavy)->neighbor[left] = graph->neighbor[i];
			(*heavy)->weight[left++] = graph->weight[i];
		}
		(*heavy)->first[task + 1] = left;
	}
	return 0;
}

/* One hot run within [work], on the heavy edges first. */
static int anneal_wide(torus_search_t *search, const torus_task_graph_t *heavy,
		       uint64_t work, uint64_t *random, torus_error_t *err)
{
	torus_effort_t part = torus_effort_part(&search->effort, work);
	torus_annealing_t annealing = annealing_of(search);
	uint64_t all = heavy ? part.work / SHARE_OF_LIGHT : 0;
	torus_effort_t first = torus_effort_part(&part, part.work - all);
	uint32_t tasks = search->layout->tasks;
	double result;

	annealing.stays = search->stays;
	annealing.graph = heavy ? heavy : search->graph;
	annealing.wide = true;
	memcpy(search->trial, search->node_of_task, tasks * sizeof(*search->trial));
	result = torus_annealing_run(&annealing, HEAT, moves_for(&annealing, first.work),
				     random, &first, search->trial, err);
	torus_effort_return(&part, &first);
	if (heavy && result >= 0) {
		annealing.graph = search->graph;
		annealing.wide = false;
		result = torus_annealing_run(&annealing, 0,
					     moves_for(&annealing, part.work), random,
					     &part, search->trial, err);
	}
	torus_effort_return(&search->effort, &part);
	if (result < 0)
		return -1;
	torus_search_keep(search);
	return 0;
}

/* Anneal the starts within a share of the work. */
static int anneal_starts(torus_search_t *search, uint64_t share, uint64_t seed,
			 torus_error_t *err)
{
	torus_effort_t rest = search->effort, part;
	int result;

	part = torus_effort_part(&rest, rest.work / share);
	search->effort = part;
	result = torus_search_anneal(search, seed, err);
	part = search->effort;
	search->effort = rest;
	torus_effort_return(&search->effort, &part);
	return result;
}

int torus_search_anneal_graph(torus_search_t *search, bool has_grid, uint64_t seed,
			      torus_error_t *err)
{
	uint64_t tasks = search->layout->tasks, random = ~seed, moves, runs;
	torus_annealing_t annealing = annealing_of(search);
	torus_task_graph_t *heavy = NULL;
	int result = -1;

	if (make_heavy(search->graph, &heavy, err))
		return -1;
	annealing.graph = heavy ? heavy : search->graph;
	moves = moves_for(&annealing, search->effort.work) / tasks;
	if (search->layout->job->nodes == 1 || moves < WIDE_MOVES) {
		result = torus_search_anneal(search, seed, err);
		goto done;
	}
	if (anneal_starts(search, has_grid ? SHARE_OF_GRID : SHARE_OF_STARTS, seed, err))
		goto done;
	runs = moves / WIDE_MOVES_MOST + 1;
	if (runs > RUNS_MAX)
		runs = RUNS_MAX;
	for (uint64_t run = 0; run < runs; run++) {
		if (anneal_wide(search, heavy, search->effort.work / (runs - run),
				&random, err))
			goto done;
	}
	result = 0;
done:
	torus_task_graph_destroy(heavy);
	return result;
}
