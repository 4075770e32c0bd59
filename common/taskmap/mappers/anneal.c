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

static double heat_for(uint64_t moves, uint32_t items)
{
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
	int result = -1;

	if (!blocks || !node_of_block) {
		if (blocks)
			torus_fail(err, "out of memory for %u nodes", job->nodes);
		goto done;
	}
	annealing.graph = blocks;
	annealing.size = job->tasks_on_node;
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

/* Anneal search->trial, single tasks, after blocks of them gently. */
static int anneal_tasks(torus_search_t *search, uint64_t *random, torus_effort_t *effort,
			torus_error_t *err)
{
	torus_annealing_t annealing = annealing_of(search);
	uint32_t tasks = search->layout->tasks;
	uint64_t most = most_moves(tasks), moves;

	annealing.graph = search->graph;
	moves = moves_for(&annealing, effort->work);
	return torus_annealing_run(&annealing,
				   has_blocks(search) ? HEAT_OF_TASKS
						      : heat_for(moves, tasks),
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

int torus_search_anneal(torus_search_t *search, uint64_t seed, torus_error_t *err)
{
	const torus_layout_t *layout = search->layout;
	uint64_t items = layout->job->nodes, random = seed, runs, setup;
	torus_annealing_t annealing;

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
