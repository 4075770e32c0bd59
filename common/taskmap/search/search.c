/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mappers that search: from a good start, as far as the budget goes.
 *
 *   inc_improve  rcb, then swaps of any two tasks.
 *   rcb_turns    bisection in all turns of the grid, of whole nodes or of tasks.
 *   anneal       rcb_turns, then annealing: first of whole nodes, then of tasks.
 */
#include "taskmap/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "taskmap/search/nearlist.h"
#include "taskmap/search/anneal.h"
#include "taskmap/search/blocks.h"
#include "taskmap/mappers/rcb_nodes.h"
#include "taskmap/mappers/mappers.h"
#include "taskmap/mappers/rcb_turns.h"

/*
 * Tried on jobs of 32 to 65,536 tasks: temperatures from 1.6 down to COLD (see
 * taskmap/search/anneal.c) leave up to 2% fewer hops than from 1.3 to 0.3, the more the
 * larger the job, and hotter ones are no better; up to four runs, each from the best so
 * far, do better than one long one; single tasks have little to gain once whole nodes
 * have been annealed, and are kept cold.
 */
#define HEAT 1.6
#define HEAT_OF_TASKS 0.5
#define RUNS_MAX 4
#define MOVES_PER_RUN 2000  /* an item, at least, if there are to be several */
#define MOVES_PER_ITEM 4000 /* in a run, at most */

/* Distances in whose time a graph's entry is made, and a node's near nodes are found. */
#define WORK_PER_NEIGHBOR 8
#define WORK_PER_NODE 150

int torus_search_begin(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		       uint32_t *node_of_task, torus_search_t *search, torus_error_t *err)
{
	const torus_task_job_t *job = layout->job;

	search->layout = layout;
	search->graph = job->graph;
	search->node_of_task = node_of_task;
	search->fewest = INFINITY;
	torus_effort_begin(budget, &search->effort);
	search->trial = malloc(layout->tasks * sizeof(*search->trial));
	if (!search->trial)
		return torus_fail(err, "out of memory for mapping %u tasks",
				  layout->tasks);
	return torus_hop_table_init(job, &search->table, err);
}

void torus_search_end(torus_search_t *search)
{
	torus_task_graph_destroy(search->own);
	torus_hop_table_destroy(&search->table);
	free(search->near);
	free(search->trial);
}

/* See to it that search->graph is there. */
static int make_graph(torus_search_t *search, torus_error_t *err)
{
	if (search->graph)
		return 0;
	search->graph = search->own =
		torus_task_graph_stencil(search->layout->job->grid, err);
	return search->own ? 0 : -1;
}

uint64_t torus_search_neighbors(const torus_search_t *search)
{
	if (search->graph)
		return search->graph->first[search->layout->tasks];
	return 2 * torus_task_grid_edges(search->layout->job->grid);
}

void torus_search_keep(torus_search_t *search)
{
	torus_hop_stats_t stats;

	torus_hop_table_stats(search->layout->job, &search->table, search->trial, &stats);
	if (stats.hop_bytes < search->fewest) {
		search->fewest = stats.hop_bytes;
		memcpy(search->node_of_task, search->trial,
		       search->layout->tasks * sizeof(*search->trial));
	}
}

static int try_rcb(torus_search_t *search, torus_error_t *err)
{
	if (torus_map_rcb(search->layout, search->trial, err))
		return -1;
	torus_search_keep(search);
	return 0;
}

int torus_search_turns(torus_search_t *search, torus_error_t *err)
{
	torus_effort_t part = torus_effort_part(&search->effort, search->effort.work / 2);
	int result = 0;

	if (search->layout->tasks > search->layout->job->nodes) {
		result = make_graph(search, err);
		if (!result)
			result = torus_rcb_grouped(
				search->layout, &search->table, search->graph, &part,
				search->node_of_task, &search->fewest, err);
	}
	if (!result)
		result = torus_rcb_turns(search->layout, &search->table, &part,
					 search->node_of_task, &search->fewest, err);
	else if (result > 0)
		result = try_rcb(search, err);
	torus_effort_return(&search->effort, &part);
	return result;
}

int torus_search_pairs(torus_search_t *search, uint64_t seed, torus_effort_t *effort,
		       torus_error_t *err)
{
	if (make_graph(search, err) ||
	    torus_map_rcb(search->layout, search->trial, err) ||
	    torus_improve_pairs(search->graph, &search->table, seed, effort,
				search->trial, err))
		return -1;
	torus_search_keep(search);
	return 0;
}

/* Moves of [annealing]'s items that [work] pays for. */
static uint64_t moves_for(const torus_annealing_t *annealing, uint64_t work)
{
	const torus_task_graph_t *graph = annealing->graph;

	return work / (4 * (graph->first[graph->tasks] / graph->tasks + 1));
}

/* Anneal search->trial, whole nodes at a time. */
static int anneal_blocks(torus_search_t *search, uint64_t *random, torus_effort_t *effort,
			 torus_error_t *err)
{
	const torus_task_job_t *job = search->layout->job;
	torus_annealing_t annealing = {.table = &search->table,
				       .near = search->near,
				       .nodes = job->nodes,
				       .size = job->tasks_on_node};
	uint32_t *node_of_block = malloc(job->nodes * sizeof(*node_of_block));
	torus_task_graph_t *blocks =
		torus_blocks_graph(search->graph, search->trial, job->nodes, err);
	uint64_t most = (uint64_t)job->nodes * MOVES_PER_ITEM, moves;
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
	if (torus_anneal(&annealing, HEAT, moves < most ? moves : most, random, effort,
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

/* Anneal search->trial, single tasks. */
static int anneal_tasks(torus_search_t *search, double heat, uint64_t *random,
			torus_effort_t *effort, torus_error_t *err)
{
	torus_annealing_t annealing = {.graph = search->graph,
				       .table = &search->table,
				       .near = search->near,
				       .nodes = search->layout->job->nodes};
	uint64_t most = (uint64_t)search->layout->tasks * MOVES_PER_ITEM;
	uint64_t moves = moves_for(&annealing, effort->work);

	return torus_anneal(&annealing, heat, moves < most ? moves : most, random, effort,
			    search->trial, err) < 0
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
	result = anneal_tasks(search, blocks ? HEAT_OF_TASKS : HEAT, random, &part, err);
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
	/* Of a job too large for the budget nothing would be left after the preparations.
	 */
	setup = WORK_PER_NEIGHBOR * torus_search_neighbors(search) +
		WORK_PER_NODE * items;
	if (setup > search->effort.work / 2 ||
	    !torus_effort_spend(&search->effort, setup))
		return 0;
	if (make_graph(search, err))
		return -1;
	work_per_move = 4 * (torus_search_neighbors(search) / items + 1);
	if (!search->near)
		search->near = torus_nearlist_create(layout->job, err);
	if (!search->near)
		return -1;
	runs = search->effort.work / (work_per_move * items * MOVES_PER_RUN);
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

int torus_map_inc_improve(const torus_layout_t *layout,
			  const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			  torus_error_t *err)
{
	torus_search_t search = {0};
	int result = -1;

	if (!torus_search_begin(layout, budget, node_of_task, &search, err))
		result = torus_search_pairs(&search, budget->seed, &search.effort, err);
	torus_search_end(&search);
	return result;
}

int torus_map_rcb_turns(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
			uint32_t *node_of_task, torus_error_t *err)
{
	torus_search_t search = {0};
	int result = -1;

	if (!torus_search_begin(layout, budget, node_of_task, &search, err))
		result = torus_search_turns(&search, err);
	torus_search_end(&search);
	return result;
}

int torus_map_anneal(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		     uint32_t *node_of_task, torus_error_t *err)
{
	torus_search_t search = {0};
	int result = -1;

	if (!torus_search_begin(layout, budget, node_of_task, &search, err) &&
	    !torus_search_turns(&search, err))
		result = torus_search_anneal(&search, budget->seed, err);
	torus_search_end(&search);
	return result;
}
