/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mappers that search: from a good start, as far as the budget goes.
 *
 *   inc_improve  rcb, then swaps of any two tasks.
 *   rcb_turns    bisection in all turns of the grid, of tasks and of whole nodes.
 *   anneal       rcb_turns, then annealing: first of whole nodes, then of tasks.
 *   best         the best of the mappers without a budget and of the three above.
 */
#include "taskmap_mappers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearlist.h"
#include "taskmap_anneal.h"
#include "taskmap_blocks.h"
#include "taskmap_grouped.h"
#include "taskmap_turns.h"

/*
 * Tried on jobs of 32 to 65,536 tasks: a temperature of 1.3 is best from a few hundred
 * moves an item on; up to four runs, each from the best so far, do better than one long
 * one; single tasks have little to gain once whole nodes have been annealed, and are kept
 * cooler.
 */
#define HEAT 1.3
#define HEAT_OF_TASKS 0.5
#define RUNS_MAX 4
#define MOVES_PER_RUN 2000  /* an item, at least, if there are to be several */
#define MOVES_PER_ITEM 4000 /* in a run, at most */

/* Everything a search needs beside the layout. */
typedef struct search {
	const torus_layout_t *layout;
	torus_task_graph_t *own; /* the stencil's graph, if the job has none */
	const torus_task_graph_t *graph;
	torus_hop_table_t table;
	uint32_t *near;		/* of nodes; made when first needed */
	uint32_t *trial;	/* [tasks] another mapping */
	uint32_t *node_of_task; /* the best so far, the caller's */
	double fewest;		/* its hop-bytes; INFINITY: there is none */
	torus_effort_t effort;
} search_t;

static int search_init(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		       uint32_t *node_of_task, search_t *search, torus_error_t *err)
{
	const torus_task_job_t *job = layout->job;

	search->layout = layout;
	search->graph = job->graph;
	search->node_of_task = node_of_task;
	search->fewest = INFINITY;
	torus_effort_begin(budget, &search->effort);
	if (!job->graph) {
		search->own = torus_task_graph_stencil(job->grid, err);
		search->graph = search->own;
		if (!search->own)
			return -1;
	}
	search->trial = malloc(layout->tasks * sizeof(*search->trial));
	if (!search->trial)
		return torus_fail(err, "out of memory for mapping %u tasks",
				  layout->tasks);
	return torus_hop_table_init(job, &search->table, err);
}

static void search_destroy(search_t *search)
{
	torus_task_graph_destroy(search->own);
	torus_hop_table_destroy(&search->table);
	free(search->near);
	free(search->trial);
}

/* Keep the mapping in search->trial if it is better than the best so far. */
static int keep_better(search_t *search, torus_error_t *err)
{
	torus_hop_stats_t stats;

	if (torus_hop_stats(search->layout->job, search->trial, &stats, err))
		return -1;
	if (stats.hop_bytes < search->fewest) {
		search->fewest = stats.hop_bytes;
		memcpy(search->node_of_task, search->trial,
		       search->layout->tasks * sizeof(*search->trial));
	}
	return 0;
}

/* Start from rcb, whatever the budget. */
static int start(search_t *search, torus_error_t *err)
{
	return torus_map_rcb(search->layout, search->trial, err)
		       ? -1
		       : keep_better(search, err);
}

/* rcb_turns, in at most half of what is left. */
static int turn(search_t *search, torus_error_t *err)
{
	torus_effort_t part = torus_effort_part(&search->effort, search->effort.work / 2);
	int result = torus_rcb_grouped(search->layout, search->graph, &part,
				       search->node_of_task, &search->fewest, err);

	if (!result)
		result = torus_rcb_turns(search->layout, &part, search->node_of_task,
					 &search->fewest, err);
	torus_effort_return(&search->effort, &part);
	return result;
}

static int improve_pairs(search_t *search, uint64_t seed, torus_effort_t *effort,
			 torus_error_t *err)
{
	if (torus_map_rcb(search->layout, search->trial, err) ||
	    torus_improve_pairs(search->graph, &search->table, seed, effort,
				search->trial, err))
		return -1;
	return keep_better(search, err);
}

/* Moves of [annealing]'s items that [work] pays for. */
static uint64_t moves_for(const torus_annealing_t *annealing, uint64_t work)
{
	const torus_task_graph_t *graph = annealing->graph;

	return work / (4 * (graph->first[graph->tasks] / graph->tasks + 1));
}

/* Anneal search->trial, whole nodes at a time. */
static int anneal_blocks(search_t *search, uint64_t *random, torus_effort_t *effort,
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
static int anneal_tasks(search_t *search, double heat, uint64_t *random,
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
static int anneal_once(search_t *search, uint64_t work, uint64_t *random,
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
	return result ? -1 : keep_better(search, err);
}

static int anneal(search_t *search, uint64_t seed, torus_error_t *err)
{
	const torus_layout_t *layout = search->layout;
	uint64_t items = layout->job->nodes, random = seed, runs;
	uint64_t work_per_move = 4 * (search->graph->first[layout->tasks] / items + 1);

	if (search->effort.over || layout->job->nodes == 1)
		return 0;
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
	search_t search = {0};
	int result = -1;

	if (!search_init(layout, budget, node_of_task, &search, err) &&
	    !start(&search, err))
		result = improve_pairs(&search, budget->seed, &search.effort, err);
	search_destroy(&search);
	return result;
}

int torus_map_rcb_turns(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
			uint32_t *node_of_task, torus_error_t *err)
{
	search_t search = {0};
	int result = -1;

	if (!search_init(layout, budget, node_of_task, &search, err) &&
	    !start(&search, err))
		result = turn(&search, err);
	search_destroy(&search);
	return result;
}

int torus_map_anneal(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		     uint32_t *node_of_task, torus_error_t *err)
{
	search_t search = {0};
	int result = -1;

	if (!search_init(layout, budget, node_of_task, &search, err) &&
	    !start(&search, err) && !turn(&search, err))
		result = anneal(&search, budget->seed, err);
	search_destroy(&search);
	return result;
}

/* Mappers that need no budget, and what they cost a task in distances. */
static const struct {
	int (*map)(const torus_layout_t *layout, uint32_t *node_of_task,
		   torus_error_t *err);
	uint64_t work;
} simple[] = {
	{torus_map_baseline, 5},      {torus_map_grouping, 20},
	{torus_map_row_major, 20},    {torus_map_col_major, 20},
	{torus_map_ordered, 300},     {torus_map_two_way_overlay, 100},
	{torus_map_overlay, 100},     {torus_map_corner, 20},
	{torus_map_all_corners, 200},
};

/* Try the simple mappers and inc_improve, those that search->effort allows. */
static int try_others(search_t *search, uint64_t seed, torus_error_t *err)
{
	uint64_t tasks = search->layout->tasks;
	/* Three rounds of all pairs, as many as it usually takes. */
	uint64_t pairs = 3 * tasks * 4 * (search->graph->first[tasks] + tasks);

	for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++) {
		if (!torus_effort_spend(&search->effort, tasks * simple[i].work))
			return 0;
		if (simple[i].map(search->layout, search->trial, err) ||
		    keep_better(search, err))
			return -1;
	}
	if (pairs > search->effort.work)
		return 0;
	return improve_pairs(search, seed, &search->effort, err);
}

/*
 * What anneal finds with the whole budget, then half as much again for the others; should
 * one of them be better than what anneal began with, the rest of that for annealing from
 * it.
 */
int torus_map_best(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		   uint32_t *node_of_task, torus_error_t *err)
{
	torus_mapper_budget_t more = *budget;
	uint32_t *annealed = malloc(layout->tasks * sizeof(*annealed));
	search_t search = {0};
	double turned, fewest;
	int result = -1;

	more.work /= 2;
	more.seconds /= 2;
	if (!annealed) {
		torus_fail(err, "out of memory for mapping %u tasks", layout->tasks);
		goto done;
	}
	if (search_init(layout, budget, annealed, &search, err) || start(&search, err) ||
	    turn(&search, err))
		goto done;
	turned = search.fewest;
	if (anneal(&search, budget->seed, err))
		goto done;
	fewest = search.fewest;

	search.node_of_task = node_of_task;
	search.fewest = INFINITY;
	torus_effort_begin(&more, &search.effort);
	if (try_others(&search, budget->seed, err))
		goto done;
	if (search.fewest < turned && anneal(&search, budget->seed, err))
		goto done;
	if (fewest <= search.fewest)
		memcpy(node_of_task, annealed, layout->tasks * sizeof(*annealed));
	result = 0;
done:
	search_destroy(&search);
	free(annealed);
	return result;
}
