/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the grid behind a graph: see graph_grid.h. */
#include "taskmap/search/graph_grid.h"

#include <stdbool.h>
#include <stdlib.h>

/* Differences that carry less than this part of the weight are no axis. */
#define LEAST_SHARE 0.02
/* So many of the heaviest differences are looked at: diagonals and the closing edges of
 * rings lie between the strides. */
#define LOOKS 24

/* The strides so far, in ascending order; the first is 1. */
typedef struct strides {
	uint32_t stride[TORUS_MAX_DIMS];
	int count;
} strides_t;

/* Sum up the weight of the edges by the difference of their tasks' numbers. */
static double weigh(const torus_task_graph_t *graph, double *weight_of)
{
	double all = 0;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			double weight = graph->weight ? graph->weight[i] : 1;

			if (graph->neighbor[i] <= task)
				continue;
			weight_of[graph->neighbor[i] - task] += weight;
			all += weight;
		}
	}
	return all;
}

/* Take [stride] in, if it fits between the others. */
static bool take(strides_t *strides, uint32_t stride, uint32_t tasks)
{
	int at = strides->count;

	if (strides->count == TORUS_MAX_DIMS || tasks % stride)
		return false;
	for (; at > 0 && strides->stride[at - 1] > stride; at--) {
		if (strides->stride[at - 1] % stride)
			return false;
	}
	if (stride % strides->stride[at - 1])
		return false;
	for (int i = strides->count++; i > at; i--)
		strides->stride[i] = strides->stride[i - 1];
	strides->stride[at] = stride;
	return true;
}

static uint32_t heaviest(const double *weight_of, uint32_t tasks)
{
	uint32_t best = 0;

	for (uint32_t stride = 1; stride < tasks; stride++) {
		if (weight_of[stride] > weight_of[best])
			best = stride;
	}
	return best;
}

/* A difference that was looked at, and what it had in weight_of[] before. */
typedef struct looked {
	uint32_t stride;
	double weight;
} looked_t;

/* The weight between the ends of the axes of [grid], whose strides are [strides]. */
static double weigh_ends(const torus_task_grid_t *grid, const strides_t *strides,
			 const double *weight_of, const looked_t *looked, int looks)
{
	double sum = 0;

	for (int axis = 0; axis < grid->dims; axis++) {
		uint32_t apart =
			(uint32_t)(grid->length[axis] - 1) * strides->stride[axis];

		/* With two it is the stride itself. */
		if (grid->length[axis] <= 2)
			continue;
		sum += weight_of[apart];
		for (int i = 0; i < looks; i++)
			sum += looked[i].stride == apart ? looked[i].weight : 0;
	}
	return sum;
}

int torus_graph_grid(const torus_task_graph_t *graph, torus_task_grid_t *grid,
		     double *share, double *closed, torus_error_t *err)
{
	uint32_t tasks = graph->tasks;
	double *weight_of = calloc((size_t)tasks + 1, sizeof(*weight_of));
	strides_t strides = {.stride = {1}, .count = 1};
	looked_t looked[LOOKS];
	double all, along;
	int looks = 0;

	if (!weight_of)
		return torus_fail(err, "out of memory for a graph of %u tasks", tasks);
	all = weigh(graph, weight_of);
	along = tasks > 1 ? weight_of[1] : 0;
	while (looks < LOOKS) {
		uint32_t stride = heaviest(weight_of, tasks);

		if (!stride || weight_of[stride] < LEAST_SHARE * all)
			break;
		if (stride > 1 && take(&strides, stride, tasks))
			along += weight_of[stride];
		looked[looks++] = (looked_t){stride, weight_of[stride]};
		weight_of[stride] = 0;
	}
	*share = all > 0 ? along / all : 0;
	*grid = (torus_task_grid_t){.dims = strides.count, .length = {1, 1, 1, 1, 1, 1}};
	for (int i = 0; i < strides.count; i++) {
		uint32_t next = i + 1 < strides.count ? strides.stride[i + 1] : tasks;

		grid->length[i] = (int32_t)(next / strides.stride[i]);
	}
	along += weigh_ends(grid, &strides, weight_of, looked, looks);
	*closed = all > 0 ? along / all : 0;
	free(weight_of);
	return 0;
}
