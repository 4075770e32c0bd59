/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mapper for graphs of which no geometry is known: see graph.h. */
#include "taskmap/mappers/graph.h"

#include <stdlib.h>

#include "taskmap/mappers/points.h"
#include "taskmap/mappers/search.h"
#include "taskmap/search/graph_bisection.h"
#include "taskmap/search/graph_grid.h"
#include "taskmap/search/pairing.h"

/* With this part of the weight along the axes of a grid, the graph is taken for it, and
 * with less than that the grid is not even tried. */
#define GRID_SHARE 0.6
#define GRID_SHARE_LEAST 0.2
/* With this part along the axes, closed or not, the graph is nothing but a grid. */
#define GRID_ALONE 0.98

/* What bisecting takes for each task, in distances looked up in that time. */
#define WORK_PER_TASK 300

/* Larger graphs are not paired: it takes more than a search of half a second finds. */
#define PAIRED_MOST 4096

/*
 * Bisection of the nodes, and of the tasks by pairs of pairs: whole groups that talk
 * among themselves, such as the rows of a process grid in collective operations, get
 * whole boxes of nodes, which moves of single tasks do not find. In one turn, as the
 * tasks are on a line.
 */
static int try_pairs(torus_search_t *search, torus_error_t *err)
{
	uint32_t tasks = search->layout->tasks;
	uint32_t *position = malloc(tasks * sizeof(*position));
	double *at = malloc(tasks * sizeof(*at));
	int rc = -1;

	if (!position || !at) {
		torus_fail(err, "out of memory for pairing %u tasks", tasks);
		goto done;
	}
	if (torus_pairing(search->graph, position, err))
		goto done;
	for (uint32_t task = 0; task < tasks; task++)
		at[task] = position[task];
	rc = torus_taskmap_points(search->layout->job, 1, at, search->trial, err);
	if (rc)
		goto done;
	torus_effort_spend(&search->effort, WORK_PER_TASK * (uint64_t)tasks);
	rc = torus_search_start(search, err);
done:
	free(position);
	free(at);
	return rc;
}

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
static int map_graph(const torus_layout_t *layout, double share, double closed,
		     const torus_mapper_budget_t *budget, uint32_t *node_of_task,
		     torus_error_t *err)
{
	torus_search_t search = {0};
	int result = -1;

	if (!torus_search_begin(layout, budget, node_of_task, &search, err) &&
	    (share < GRID_SHARE_LEAST || !torus_search_turns(&search, err)) &&
	    (share >= GRID_SHARE || !try_bisection(&search, err)) &&
	    (closed >= GRID_ALONE || layout->tasks > PAIRED_MOST ||
	     !try_pairs(&search, err)))
		result = closed >= GRID_ALONE
				 ? torus_search_anneal(&search, budget->seed, err)
				 : torus_search_anneal_graph(&search, share >= GRID_SHARE,
							     budget->seed, err);
	torus_search_end(&search);
	return result;
}

int torus_taskmap_graph(const torus_task_job_t *job, const torus_mapper_budget_t *budget,
			uint32_t *node_of_task, torus_error_t *err)
{
	torus_task_grid_t grid;
	torus_task_job_t plain = *job;
	torus_layout_t layout = {0};
	double share, closed;
	int result;

	if (torus_graph_grid(job->graph, &grid, &share, &closed, err))
		return -1;
	plain.grid = &grid;
	plain.axes_kept = false;
	if (torus_task_job_check(&plain, err))
		return -1;
	result = torus_layout_init(&plain, &layout, err);
	if (!result)
		result = map_graph(&layout, share, closed, budget, node_of_task, err);
	torus_layout_destroy(&layout);
	return result;
}
