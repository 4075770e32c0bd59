/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mappers that search within a budget: each a chain of steps of search.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "taskmap/hops.h"
#include "taskmap/mappers/graph.h"
#include "taskmap/mappers/mappers.h"
#include "taskmap/mappers/search.h"

int torus_mapper_inc_improve(const torus_layout_t *layout,
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

int torus_mapper_rcb_turns(const torus_layout_t *layout,
			   const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			   torus_error_t *err)
{
	torus_search_t search = {0};
	int result = -1;

	if (!torus_search_begin(layout, budget, node_of_task, &search, err))
		result = torus_search_turns(&search, err);
	torus_search_end(&search);
	return result;
}

int torus_mapper_anneal(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
			uint32_t *node_of_task, torus_error_t *err)
{
	torus_search_t search = {0};
	int result = -1;

	if (layout->job->graph)
		return torus_taskmap_graph(layout->job, budget, node_of_task, err);
	if (!torus_search_begin(layout, budget, node_of_task, &search, err) &&
	    !torus_search_turns(&search, err))
		result = torus_search_anneal(&search, budget->seed, err);
	torus_search_end(&search);
	return result;
}

/* Mappers without a budget, and their cost for each task in distances looked up. */
static const struct {
	int (*map)(const torus_layout_t *layout, uint32_t *node_of_task,
		   torus_error_t *err);
	uint64_t work;
} simple[] = {
	{torus_mapper_baseline, 5},	 {torus_mapper_grouping, 20},
	{torus_mapper_row_major, 20},	 {torus_mapper_col_major, 20},
	{torus_mapper_ordered, 300},	 {torus_mapper_two_way_overlay, 100},
	{torus_mapper_overlay, 100},	 {torus_mapper_corner, 20},
	{torus_mapper_all_corners, 200}, {torus_mapper_rcb_longest, 120},
};

/* Try the simple mappers and inc_improve, as far as search->effort allows. */
static int try_others(torus_search_t *search, uint64_t seed, torus_error_t *err)
{
	uint64_t tasks = search->layout->tasks;

	for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++) {
		if (!torus_effort_spend(&search->effort, tasks * simple[i].work))
			return 0;
		if (simple[i].map(search->layout, search->trial, err))
			return -1;
		torus_search_keep(search);
	}
	/* inc_improve usually takes at most three rounds of all pairs. */
	if (3 * tasks * 4 * (torus_search_neighbors(search) + tasks) >
	    search->effort.work)
		return 0;
	return torus_search_pairs(search, seed, &search->effort, err);
}

/*
 * For a job with a graph: first by that alone, with the whole budget. Then by its grid,
 * which may tell where the tasks lie: annealing from what any mapper finds, with half as
 * much again.
 */
static int map_graph(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		     const torus_mapper_budget_t *more, uint32_t *annealed,
		     uint32_t *node_of_task, torus_error_t *err)
{
	torus_search_t search = {0};
	torus_hop_stats_t stats;
	int result = -1;

	if (torus_taskmap_graph(layout->job, budget, annealed, err) ||
	    torus_hop_stats(layout->job, annealed, &stats, err) ||
	    torus_search_begin(layout, more, node_of_task, &search, err) ||
	    torus_search_turns(&search, err) || try_others(&search, budget->seed, err) ||
	    torus_search_anneal(&search, budget->seed, err))
		goto done;
	if (stats.hop_bytes <= search.fewest)
		memcpy(node_of_task, annealed, layout->tasks * sizeof(*annealed));
	result = 0;
done:
	torus_search_end(&search);
	return result;
}

/*
 * First anneal, with the whole budget. Then the other mappers, with half as much again;
 * if one of them beats the mapping that anneal began with, the rest goes into annealing
 * that one.
 */
int torus_mapper_best(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		      uint32_t *node_of_task, torus_error_t *err)
{
	torus_mapper_budget_t more = *budget;
	uint32_t *annealed = malloc(layout->tasks * sizeof(*annealed));
	torus_search_t search = {0};
	double turned, fewest;
	int result = -1;

	more.work /= 2;
	more.seconds /= 2;
	if (!annealed) {
		torus_fail(err, "out of memory for mapping %u tasks", layout->tasks);
		goto done;
	}
	if (layout->job->graph) {
		result = map_graph(layout, budget, &more, annealed, node_of_task, err);
		goto done;
	}
	if (torus_search_begin(layout, budget, annealed, &search, err) ||
	    torus_search_turns(&search, err))
		goto done;
	turned = search.fewest;
	if (torus_search_anneal(&search, budget->seed, err))
		goto done;
	fewest = search.fewest;

	search.node_of_task = node_of_task;
	search.fewest = INFINITY;
	torus_effort_begin(&more, &search.effort);
	if (try_others(&search, budget->seed, err))
		goto done;
	if (search.fewest < turned && torus_search_anneal(&search, budget->seed, err))
		goto done;
	if (fewest <= search.fewest)
		memcpy(node_of_task, annealed, layout->tasks * sizeof(*annealed));
	result = 0;
done:
	torus_search_end(&search);
	free(annealed);
	return result;
}
