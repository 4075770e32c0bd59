/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mapper for graphs of which no geometry is known: see graph.h. */
#include "taskmap/mappers/graph.h"

#include "taskmap/mappers/search.h"
#include "taskmap/search/graph_bisection.h"
#include "taskmap/search/graph_grid.h"

/* With this part of the weight along the axes of a grid, the graph is taken for it, and
 * with less than that the grid is not even tried. */
#define GRID_SHARE 0.6
#define GRID_SHARE_LEAST 0.2

/* What bisecting takes for each task, in distances looked up in that time. */
#define WORK_PER_TASK 300

static int try_bisection(torus_search_t *search, torus_error_t *err)
{
	if (torus_graph_bisection(search->layout, search->trial, err))
		return -1;
	torus_effort_spend(&search->effort,
			   WORK_PER_TASK * (uint64_t)search->layout->tasks);
	return torus_search_start(search, err);
}

/*
 * Bisecting the graph takes several times as long as bisecting a grid, and where there is
 * a grid leaves twice the hops. [share]: of the weight along the axes of the layout's.
 */
static int map_graph(const torus_layout_t *layout, double share,
		     const torus_mapper_budget_t *budget, uint32_t *node_of_task,
		     torus_error_t *err)
{
	torus_search_t search = {0};
	int result = -1;

	if (!torus_search_begin(layout, budget, node_of_task, &search, err) &&
	    (share < GRID_SHARE_LEAST || !torus_search_turns(&search, err)) &&
	    (share >= GRID_SHARE || !try_bisection(&search, err)))
		result = torus_search_anneal(&search, budget->seed, err);
	torus_search_end(&search);
	return result;
}

int torus_taskmap_graph(const torus_task_job_t *job, const torus_mapper_budget_t *budget,
			uint32_t *node_of_task, torus_error_t *err)
{
	torus_task_grid_t grid;
	torus_task_job_t plain = *job;
	torus_layout_t layout = {0};
	double share;
	int result;

	if (torus_graph_grid(job->graph, &grid, &share, err))
		return -1;
	plain.grid = &grid;
	if (torus_task_job_check(&plain, err))
		return -1;
	result = torus_layout_init(&plain, &layout, err);
	if (!result)
		result = map_graph(&layout, share, budget, node_of_task, err);
	torus_layout_destroy(&layout);
	return result;
}
