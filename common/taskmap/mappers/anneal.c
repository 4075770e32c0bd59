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
 * large jobs; hotter ones are no better. Up to four runs, each from the best so far, are
 * better than one long run. Once whole nodes have been annealed, single tasks gain little
 * and begin at a low temperature.
 */
#define HEAT 1.6
#define HEAT_OF_TASKS 0.5
/* With fewer moves than this for each item a run cannot cool from there in good order. */
#define FEW_MOVES 500
#define HEAT_OF_FEW 0.7
#define RUNS_MAX 4
/*
 * The most moves for each item in a run: larger jobs need more of them to settle. With
 * two runs or more, each has at least half as many.
 */
#define MOVES_OF_FEW 4000
#define MOVES_PER_ITEM 125 /* for each item, times the number of items */

/*
 * The cost of preparations, in distances looked up in the same time: for an entry of the
 * graph, and for the near nodes of a node.
 */
#define WORK_PER_NEIGHBOR 8
#define WORK_PER_NODE 150

/* The number of moves of [annealing]'s items that [work] of each thread allows. */
static uint64_t moves_for(const torus_annealing_t *annealing, uint64_t work)
{
	const torus_task_graph_t *graph = annealing->graph;

	return work /
	       torus_annealing_work(annealing,
				    2 * (graph->first[graph->tasks] / graph->tasks + 1)) *
	       torus_annealing_threads(annealing);
}

static uint64_t most_moves(uint64_t items)
{
	return items * (items * MOVES_PER_ITEM > MOVES_OF_FEW ? items * MOVES_PER_ITEM
							      : MOVES_OF_FEW);
}

static double heat_for(uint64_t moves, uint32_t items)
{
	return moves < (uint64_t)items * FEW_MOVES ? HEAT_OF_FEW : HEAT;
}

/* Anneal search->trial, whole nodes at a time. */
static int anneal_blocks(torus_search_t *search, uint64_t *random, torus_effort_t *effort,
			 torus_error_t *err)
{
	const torus_task_job_t *job = search->layout->job;
	torus_annealing_t annealing = {.table = &search->table,
				       .packed = &search->packed,
				       .near = search->near,
				       .nodes = job->nodes,
				       .size = job->tasks_on_node,
				       .threads = search->threads};
	uint32_t *node_of_block = malloc(job->nodes * sizeof(*node_of_block));
	torus_task_graph_t *blocks =
		torus_task_graph_blocks(search->graph, search->trial, job->nodes, err);
	uint64_t most = most_moves(job->nodes), moves;
	int result = -1;

	if (!blocks || !node_of_block) {
		if (blocks)
			torus_fail(err, "out of memory for %u nodes", job->nodes);
		goto done;
	}
	annealing.graph = blocks;
	moves = moves_for(&annealing, effort->work);
	for (uint32_t node = 0; node < job->nodes; node++)
		node_of_block[node] = node;
	if (torus_annealing_run(&annealing, heat_for(moves, job->nodes),
				moves < most ? moves : most, random, effort,
				node_of_block, err) < 0)
		goto done;
	for (uint32_t task = 0; task < search->layout->tasks; task++)
		search->trial[task] = node_of_block[search->trial[task]];
	result = 0;
done:
	torus_task_graph_destroy(blocks);
	free(node_of_block);
	return result;
}

/* Anneal search->trial, single tasks, [after_blocks] gently. */
static int anneal_tasks(torus_search_t *search, bool after_blocks, uint64_t *random,
			torus_effort_t *effort, torus_error_t *err)
{
	torus_annealing_t annealing = {.graph = search->graph,
				       .table = &search->table,
				       .packed = &search->packed,
				       .near = search->near,
				       .nodes = search->layout->job->nodes,
				       .threads = search->threads};
	uint64_t most = most_moves(search->layout->tasks);
	uint64_t moves = moves_for(&annealing, effort->work);

	double heat =
		after_blocks ? HEAT_OF_TASKS : heat_for(moves, search->layout->tasks);

	return torus_annealing_run(&annealing, heat, moves < most ? moves : most, random,
				   effort, search->trial, err) < 0
		       ? -1
		       : 0;
}

/* One run from the best mapping so far, in [work]. */
static int anneal_once(torus_search_t *search, uint64_t work, uint64_t *random,
		       torus_error_t *err)
{
	bool blocks = search->layout->tasks > search->layout->job->nodes;
	torus_effort_t part =
		torus_effort_part(&search->effort, blocks ? work - work / 4 : 0);
	int result = 0;

	memcpy(search->trial, search->node_of_task,
	       search->layout->tasks * sizeof(*search->trial));
	if (blocks)
		result = anneal_blocks(search, random, &part, err);
	torus_effort_return(&search->effort, &part);
	if (result)
		return -1;
	part = torus_effort_part(&search->effort, blocks ? work / 4 : work);
	result = anneal_tasks(search, blocks, random, &part, err);
	torus_effort_return(&search->effort, &part);
	if (result)
		return -1;
	torus_search_keep(search);
	return 0;
}

int torus_search_anneal(torus_search_t *search, uint64_t seed, torus_error_t *err)
{
	const torus_layout_t *layout = search->layout;
	uint64_t items = layout->job->nodes, random = seed, work_per_move, runs, setup;

	if (layout->job->nodes == 1)
		return 0;
	/* For a large job the preparations alone would use up the budget. */
	setup = WORK_PER_NEIGHBOR * torus_search_neighbors(search) +
		WORK_PER_NODE * items;
	if (setup > search->effort.work / 2 ||
	    !torus_effort_spend(&search->effort, setup))
		return 0;
	if (torus_search_graph(search, err))
		return -1;
	if (!search->near)
		search->near = torus_nearlist_create(layout->job, err);
	if (!search->near || torus_hop_table_expand(layout->job, &search->table, err))
		return -1;
	if (!search->table.hops && !search->packed.node &&
	    torus_packed_init(&search->table, layout->job->nodes, &search->packed, err))
		return -1;
	work_per_move = 4 * (torus_search_neighbors(search) / items + 1);
	runs = search->effort.work / (work_per_move * most_moves(items) / 2);
	if (runs < 1)
		runs = 1;
	if (runs > RUNS_MAX)
		runs = RUNS_MAX;
	for (; runs > 0; runs--) {
		if (anneal_once(search, search->effort.work / runs, &random, err))
			return -1;
	}
	return 0;
}
