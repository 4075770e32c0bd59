/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bringing task 0 to a node: torus_taskmap_first() in from.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "taskmap/hops.h"
#include "taskmap/mappers/from.h"
#include "taskmap/search/move_cost.h"

/*
 * A turn of a grid onto itself: axis by axis the task at x takes the place of the one at
 * x + [by] in a periodic axis, at length - 1 - x in one that is [mirrored]. All
 * neighbours stay neighbours.
 */
typedef struct turn {
	int32_t by[TORUS_MAX_DIMS];
	bool mirrored[TORUS_MAX_DIMS];
} turn_t;

static void coord_of(const torus_task_grid_t *grid, uint32_t task, int32_t *coord)
{
	for (int axis = 0; axis < grid->dims; axis++) {
		coord[axis] = (int32_t)(task % (uint32_t)grid->length[axis]);
		task /= (uint32_t)grid->length[axis];
	}
}

/* The task whose place the one at [coord] takes. */
static uint32_t turned(const torus_task_grid_t *grid, const turn_t *turn,
		       const int32_t *coord)
{
	uint32_t task = 0;

	for (int axis = grid->dims - 1; axis >= 0; axis--) {
		int32_t length = grid->length[axis], at = coord[axis];

		at = turn->mirrored[axis] ? length - 1 - at
					  : (at + turn->by[axis]) % length;
		task = task * (uint32_t)length + (uint32_t)at;
	}
	return task;
}

/* What to do: turn the grid, so that task 0 takes the place of [corner], which was
 * swapped with [task] before. */
typedef struct way {
	turn_t turn;
	uint32_t corner, task;
	double cost; /* of the swap, in hop-bytes */
} way_t;

/*
 * The turn number [number] of the grid that brings task 0 near to the place of [task]: a
 * bit for each axis that is not periodic says whether it is mirrored.
 */
static turn_t turn_to(const torus_task_grid_t *grid, uint32_t task, uint32_t number)
{
	int32_t coord[TORUS_MAX_DIMS];
	turn_t turn = {.by = {0}};

	coord_of(grid, task, coord);
	for (int axis = 0; axis < grid->dims; axis++) {
		if (grid->periodic[axis])
			turn.by[axis] = coord[axis];
		else
			turn.mirrored[axis] = number >> axis & 1;
	}
	return turn;
}

/* Find the cheapest way for one [task] of the node. */
static void try_task(const torus_task_job_t *job, const torus_task_graph_t *graph,
		     const torus_hop_table_t *table, const uint32_t *node_of_task,
		     uint32_t task, way_t *best)
{
	static const int32_t origin[TORUS_MAX_DIMS];
	uint32_t turns = job->graph ? 1 : UINT32_C(1) << job->grid->dims;

	for (uint32_t number = 0; number < turns; number++) {
		way_t way = {.task = task};

		if (!job->graph) {
			way.turn = turn_to(job->grid, task, number);
			way.corner = turned(job->grid, &way.turn, origin);
		}
		way.cost = way.corner == task
				   ? 0
				   : torus_move_cost_swap(graph, table, node_of_task,
							  way.corner, task);
		if (way.cost < best->cost)
			*best = way;
	}
}

/* Go the way: swap, then turn. */
static int go(const torus_task_job_t *job, const way_t *way, uint32_t *node_of_task,
	      torus_error_t *err)
{
	uint32_t tasks = torus_task_grid_tasks(job->grid), node = node_of_task[way->task];
	int32_t coord[TORUS_MAX_DIMS] = {0};
	uint32_t *before;

	node_of_task[way->task] = node_of_task[way->corner];
	node_of_task[way->corner] = node;
	if (job->graph)
		return 0;
	before = malloc(tasks * sizeof(*before));
	if (!before)
		return torus_fail(err, "out of memory for %u tasks", tasks);
	memcpy(before, node_of_task, tasks * sizeof(*before));
	for (uint32_t task = 0; task < tasks; task++) {
		node_of_task[task] = before[turned(job->grid, &way->turn, coord)];
		torus_task_grid_next(job->grid, coord);
	}
	free(before);
	return 0;
}

/* Anneal all but task 0. */
static int settle(const torus_task_job_t *job, const torus_mapper_budget_t *budget,
		  uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t tasks = torus_task_grid_tasks(job->grid);
	bool *stays = calloc(tasks, sizeof(*stays));
	int result;

	if (!stays)
		return torus_fail(err, "out of memory for %u tasks", tasks);
	stays[0] = true;
	result = torus_taskmap_from(job, stays, true, budget, node_of_task, err);
	free(stays);
	return result;
}

int torus_taskmap_first(const torus_task_job_t *job, uint32_t node,
			const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			torus_error_t *err)
{
	uint32_t tasks = torus_task_grid_tasks(job->grid);
	const torus_task_graph_t *graph = job->graph;
	torus_task_graph_t *own = NULL;
	torus_hop_table_t table = {0};
	way_t best = {.cost = INFINITY};
	int result = -1;

	if (node_of_task[0] == node)
		return 0;
	if (!graph)
		graph = own = torus_task_graph_stencil(job->grid, err);
	if (!graph || torus_hop_table_init(job, &table, err))
		goto done;
	for (uint32_t task = 0; task < tasks; task++) {
		if (node_of_task[task] == node)
			try_task(job, graph, &table, node_of_task, task, &best);
	}
	if (isinf(best.cost)) {
		torus_fail(err, "node %u takes no task", node);
		goto done;
	}
	if (go(job, &best, node_of_task, err) || (best.corner != best.task && budget &&
						  settle(job, budget, node_of_task, err)))
		goto done;
	result = 0;
done:
	torus_task_graph_destroy(own);
	torus_hop_table_destroy(&table);
	return result;
}
