/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappers that lay the task grid over the places and take the nearest free one. */
#include "taskmap/mappers/mappers.h"

#include <stdlib.h>

#include "geometry/nearest.h"
#include "base/radix.h"

/* Tasks in column-major order: the second axis fastest, then the first, then the others.
 */
static torus_keyed_t *column_order(const torus_layout_t *layout, torus_error_t *err)
{
	torus_keyed_t *tasks = malloc(layout->tasks * sizeof(*tasks));
	torus_keyed_t *scratch = malloc(layout->tasks * sizeof(*scratch));
	size_t dims = (size_t)layout->dims;

	if (!tasks || !scratch) {
		torus_fail(err, "out of memory for sorting %u tasks", layout->tasks);
		free(tasks);
		free(scratch);
		return NULL;
	}
	for (uint32_t task = 0; task < layout->tasks; task++) {
		const int32_t *point = layout->task_point + task * dims;
		uint64_t position = 0;

		for (int i = layout->dims - 1; i >= 0; i--) {
			int axis = dims > 1 && i < 2 ? 1 - i : i;

			position = position * (uint64_t)layout->grid[axis] +
				   (uint64_t)point[axis];
		}
		tasks[task] = (torus_keyed_t){position, task};
	}
	torus_radix_sort(tasks, scratch, layout->tasks);
	free(scratch);
	return tasks;
}

/* Lay the grid at the lowest corner, or, for every other task, at the highest. */
static int map_overlay(const torus_layout_t *layout, int ends, uint32_t *node_of_task,
		       torus_error_t *err)
{
	torus_nearest_t *nearest =
		torus_nearest_create(layout->node_point, layout->job->nodes, layout->dims,
				     layout->job->tasks_on_node, err);
	torus_keyed_t *tasks = nearest ? column_order(layout, err) : NULL;
	uint32_t first = 0, last = layout->tasks - 1;

	for (uint32_t i = 0; tasks && i < layout->tasks; i++) {
		int far = ends == 2 && i % 2;
		uint32_t task = tasks[far ? last-- : first++].value;
		const int32_t *point = layout->task_point + task * (size_t)layout->dims;
		int32_t target[TORUS_MAX_DIMS];

		for (int axis = 0; axis < layout->dims; axis++)
			target[axis] = point[axis] +
				       (far ? layout->box[axis] - layout->grid[axis] : 0);
		node_of_task[task] = torus_nearest_take(nearest, target);
	}
	torus_nearest_destroy(nearest);
	if (!tasks)
		return -1;
	free(tasks);
	return 0;
}

int torus_mapper_overlay(const torus_layout_t *layout, uint32_t *node_of_task,
			 torus_error_t *err)
{
	return map_overlay(layout, 1, node_of_task, err);
}

int torus_mapper_two_way_overlay(const torus_layout_t *layout, uint32_t *node_of_task,
				 torus_error_t *err)
{
	return map_overlay(layout, 2, node_of_task, err);
}
