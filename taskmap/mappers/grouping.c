/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mappers that fill nodes in allocation order: baseline and grouping.
 *
 * Grouping's sub-box has as many tasks as the fullest node takes. If possible its sides
 * divide the grid's; it is as near to a cube as possible (smallest sum of sides), with
 * later axes longer on ties: 2x2x4 for 16. Sub-boxes are in row-major order (first axis
 * fastest), and so are the tasks in them; sub-boxes at a far end may be cut off. In this
 * order the tasks fill node after node, each with as many as it takes.
 */
#include "taskmap/mappers/grouping.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/radix.h"
#include "taskmap/mappers/mappers.h"

int torus_mapper_baseline(const torus_layout_t *layout, uint32_t *node_of_task,
			  torus_error_t *err)
{
	(void)err;
	memcpy(node_of_task, layout->node_of_place,
	       layout->tasks * sizeof(*node_of_task));
	return 0;
}

/* The best sub-box found so far, and the one being tried. */
typedef struct sub_box {
	const torus_task_grid_t *grid;
	int64_t best_cost;
	int32_t best[TORUS_MAX_DIMS];
	int32_t now[TORUS_MAX_DIMS];
} sub_box_t;

/* Choose sides now[axis ..] with product [rest]; [cost] is that of the sides before. */
static void choose_sides(sub_box_t *box, int axis, int32_t rest, int64_t cost)
{
	/* A side that does not divide the grid costs more than any shape. */
	const int64_t misfit = (int64_t)TORUS_MAX_DIMS * TORUS_MAX_CELLS * 2;

	if (axis == box->grid->dims) {
		if (rest == 1 && cost < box->best_cost) {
			box->best_cost = cost;
			memcpy(box->best, box->now, sizeof(box->best));
		}
		return;
	}
	for (int32_t side = 1; side <= rest; side++) {
		if (rest % side)
			continue;
		box->now[axis] = side;
		choose_sides(box, axis + 1, rest / side,
			     cost + side + (box->grid->length[axis] % side ? misfit : 0));
	}
}

uint32_t torus_grouping_box(const torus_task_job_t *job, int32_t side[TORUS_MAX_DIMS])
{
	sub_box_t box = {.grid = job->grid, .best_cost = INT64_MAX};
	uint32_t fullest = 1;

	for (uint32_t node = 0; node < job->nodes; node++) {
		if (job->tasks_on_node[node] > fullest)
			fullest = job->tasks_on_node[node];
	}
	choose_sides(&box, 0, (int32_t)fullest, 0);
	memcpy(side, box.best, sizeof(box.best));
	return fullest;
}

uint64_t torus_grouping_number(const torus_task_grid_t *grid, const int32_t *side,
			       const int32_t *coord, uint64_t *within)
{
	uint64_t number = 0;

	*within = 0;
	for (int axis = grid->dims - 1; axis >= 0; axis--) {
		int32_t boxes = (grid->length[axis] + side[axis] - 1) / side[axis];

		number = number * (uint64_t)boxes + (uint64_t)(coord[axis] / side[axis]);
		*within = *within * (uint64_t)side[axis] +
			  (uint64_t)(coord[axis] % side[axis]);
	}
	return number;
}

int torus_mapper_grouping(const torus_layout_t *layout, uint32_t *node_of_task,
			  torus_error_t *err)
{
	const torus_task_grid_t *grid = layout->job->grid;
	torus_keyed_t *tasks = malloc(layout->tasks * sizeof(*tasks));
	torus_keyed_t *scratch = malloc(layout->tasks * sizeof(*scratch));
	int32_t coord[TORUS_MAX_DIMS] = {0}, side[TORUS_MAX_DIMS];
	uint32_t fullest = torus_grouping_box(layout->job, side);
	int result = -1;

	if (!tasks || !scratch) {
		torus_fail(err, "out of memory for sorting %u tasks", layout->tasks);
		goto done;
	}
	for (uint32_t task = 0; task < layout->tasks; task++) {
		uint64_t within;
		uint64_t number = torus_grouping_number(grid, side, coord, &within);

		tasks[task] = (torus_keyed_t){number * fullest + within, task};
		torus_task_grid_next(grid, coord);
	}
	torus_radix_sort(tasks, scratch, layout->tasks);
	for (uint32_t i = 0; i < layout->tasks; i++)
		node_of_task[tasks[i].value] = layout->node_of_place[i];
	result = 0;
done:
	free(tasks);
	free(scratch);
	return result;
}
