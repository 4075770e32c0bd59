/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks and places as points in one space: see taskmap/layout.h. */
#include "taskmap/layout.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/metrics.h"

/* One step that brings coordinates of tasks to the machine's number of dimensions. */
typedef struct fold_step {
	bool merge;	 /* else a fold */
	int axis, other; /* merge other into axis, or fold axis, layer number to other */
	int32_t width;	 /* of a layer, or length of axis before the merge */
} fold_step_t;

/*
 * Each merge frees an axis and each fold takes one. A fold follows a merge at most once.
 */
#define FOLD_STEPS (2 * TORUS_MAX_DIMS + 2)

typedef struct folding {
	int steps;
	fold_step_t step[FOLD_STEPS];
	int32_t length[TORUS_MAX_DIMS]; /* lengths of the axes so far; 1: the axis is free
					 */
} folding_t;

/* Axis numbers by falling length, ties in axis order. */
static void sort_axes(const int32_t *length, int count, int *sorted)
{
	for (int i = 0; i < count; i++) {
		int at = i;

		while (at > 0 && length[sorted[at - 1]] < length[i]) {
			sorted[at] = sorted[at - 1];
			at--;
		}
		sorted[at] = i;
	}
}

static int axes_used(const folding_t *folding)
{
	int used = 0;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		used += folding->length[axis] > 1;
	return used;
}

/* Merge the two shortest of the [used] axes, [sorted] by length; the shorter (ties: the
 * lower) one is fastest. */
static void merge_shortest(folding_t *folding, const int *sorted, int used)
{
	int axis = sorted[used - 1], other = sorted[used - 2];

	if (folding->length[axis] == folding->length[other]) {
		axis = sorted[used - 2];
		other = sorted[used - 1];
	}
	folding->step[folding->steps++] = (fold_step_t){.merge = true,
							.axis = axis,
							.other = other,
							.width = folding->length[axis]};
	folding->length[axis] *= folding->length[other];
	folding->length[other] = 1;
}

/* Fold [axis] into layers at least as wide as [reach], but at least two. */
static void fold_axis(folding_t *folding, int axis, double reach)
{
	int32_t length = folding->length[axis], width;
	/* Ignores rounding errors of numbers that should be whole. */
	int32_t layers = (int32_t)fmax(2, length / reach + 1e-9);
	int other = 0;

	width = (length + layers - 1) / layers;
	layers = (length + width - 1) / width;
	while (folding->length[other] > 1)
		other++;
	folding->step[folding->steps++] =
		(fold_step_t){.axis = axis, .other = other, .width = width};
	folding->length[axis] = width;
	folding->length[other] = layers;
}

/* The reach of a side of the box, at least 2: narrower layers make no sense. */
static double reach_of(int32_t side, double scale)
{
	return fmax(2, scale * side);
}

/* The rule of the header: fill [folding] for a grid on a box with [dims] sides. */
static void plan_folding(const torus_layout_t *layout, folding_t *folding)
{
	const torus_task_grid_t *grid = layout->job->grid;
	int dims = layout->dims, sides[TORUS_MAX_DIMS], axes[TORUS_MAX_DIMS], used;
	double volume = 1, scale;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		folding->length[axis] = axis < grid->dims ? grid->length[axis] : 1;
	sort_axes(layout->box, dims, sides);
	for (int axis = 0; axis < dims; axis++)
		volume *= layout->box[axis];
	scale = pow(layout->tasks / volume, 1.0 / dims);
	while ((used = axes_used(folding)) > dims) {
		sort_axes(folding->length, TORUS_MAX_DIMS, axes);
		merge_shortest(folding, axes, used);
	}
	while (folding->steps < FOLD_STEPS - 1) {
		double excess = 0;
		int longest = 0;

		used = axes_used(folding);
		sort_axes(folding->length, TORUS_MAX_DIMS, axes);
		for (int i = 0; i < used; i++) {
			double ratio = folding->length[axes[i]] /
				       reach_of(layout->box[sides[i]], scale);

			if (ratio > excess) {
				excess = ratio;
				longest = i;
			}
		}
		if (used == dims && used > 2 && excess > 3 &&
		    (double)folding->length[axes[used - 1]] *
				    folding->length[axes[used - 2]] <=
			    reach_of(layout->box[sides[dims - 1]], scale)) {
			merge_shortest(folding, axes, used);
			continue;
		}
		if (used < 2 || used == dims || layout->box[sides[used]] == 1 ||
		    excess <= 1.9)
			break;
		fold_axis(folding, axes[longest],
			  reach_of(layout->box[sides[longest]], scale));
	}
}

static void apply_folding(const folding_t *folding, int32_t point[TORUS_MAX_DIMS])
{
	for (int i = 0; i < folding->steps; i++) {
		const fold_step_t *step = &folding->step[i];

		if (step->merge) {
			point[step->axis] += step->width * point[step->other];
			point[step->other] = 0;
		} else {
			int32_t layer = point[step->axis] / step->width;
			int32_t across = point[step->axis] % step->width;

			point[step->axis] = layer % 2 ? step->width - 1 - across : across;
			point[step->other] = layer;
		}
	}
}

static void lay_out_tasks(torus_layout_t *layout)
{
	const torus_task_grid_t *grid = layout->job->grid;
	int sides[TORUS_MAX_DIMS], axes[TORUS_MAX_DIMS];
	int32_t coord[TORUS_MAX_DIMS] = {0};
	int32_t *to = layout->task_point;
	folding_t folding = {0};

	if (layout->job->axes_kept) {
		for (int i = 0; i < TORUS_MAX_DIMS; i++) {
			folding.length[i] = i < grid->dims ? grid->length[i] : 1;
			axes[i] = sides[i] = i;
		}
	} else {
		plan_folding(layout, &folding);
		sort_axes(layout->box, layout->dims, sides);
		sort_axes(folding.length, TORUS_MAX_DIMS, axes);
	}
	for (int i = 0; i < layout->dims; i++)
		layout->grid[sides[i]] = folding.length[axes[i]];
	for (uint32_t task = 0; task < layout->tasks; task++) {
		int32_t point[TORUS_MAX_DIMS];

		memcpy(point, coord, sizeof(point));
		apply_folding(&folding, point);
		for (int i = 0; i < layout->dims; i++)
			to[sides[i]] = point[axes[i]];
		to += layout->dims;
		torus_task_grid_next(grid, coord);
	}
}

int torus_unroll(const torus_task_job_t *job, int32_t box[TORUS_MAX_DIMS], int32_t *point,
		 torus_error_t *err)
{
	int32_t origin[TORUS_MAX_DIMS];

	if (torus_bounding_box(job->geometry, job->cell, job->nodes, box, origin, err))
		return -1;
	for (uint32_t node = 0; node < job->nodes; node++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(job->geometry, job->cell[node], coord);
		for (int axis = 0; axis < job->geometry->dims; axis++) {
			int32_t at = coord[axis] - origin[axis];

			*point++ = at < 0 ? at + job->geometry->length[axis] : at;
		}
	}
	return 0;
}

static void lay_out_places(torus_layout_t *layout)
{
	const torus_task_job_t *job = layout->job;
	uint32_t *place = layout->node_of_place;

	for (uint32_t node = 0; node < job->nodes; node++) {
		for (uint32_t i = 0; i < job->tasks_on_node[node]; i++)
			*place++ = node;
	}
}

int torus_layout_init(const torus_task_job_t *job, torus_layout_t *layout,
		      torus_error_t *err)
{
	size_t dims = (size_t)job->geometry->dims;

	*layout = (torus_layout_t){
		.job = job,
		.dims = job->geometry->dims,
		.tasks = torus_task_grid_tasks(job->grid),
	};
	layout->node_point = malloc(job->nodes * dims * sizeof(*layout->node_point));
	layout->task_point = malloc(layout->tasks * dims * sizeof(*layout->task_point));
	layout->node_of_place = malloc(layout->tasks * sizeof(*layout->node_of_place));
	if (!layout->node_point || !layout->task_point || !layout->node_of_place)
		return torus_fail(err, "out of memory for mapping %u tasks",
				  layout->tasks);
	if (torus_unroll(job, layout->box, layout->node_point, err))
		return -1;
	lay_out_places(layout);
	lay_out_tasks(layout);
	return 0;
}

void torus_layout_destroy(torus_layout_t *layout)
{
	free(layout->node_point);
	free(layout->task_point);
	free(layout->node_of_place);
}
