/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task grids and their stencils: see taskgrid/grid.h. */
#include "taskgrid/grid.h"

#include <string.h>

int torus_stencil_parse(const char *text, torus_stencil_t *stencil, torus_error_t *err)
{
	if (!strcmp(text, "5") || !strcmp(text, "7"))
		*stencil = TORUS_STENCIL_FACES;
	else if (!strcmp(text, "9") || !strcmp(text, "27"))
		*stencil = TORUS_STENCIL_CORNERS;
	else
		return torus_fail(err, "stencil '%s' is not one of 5, 7, 9, 27", text);
	return 0;
}

/* The best factoring found so far, and the one being tried. */
typedef struct factoring {
	int dims;
	int64_t best_sum;
	int32_t best_spread; /* longest less shortest */
	int32_t best[TORUS_MAX_DIMS];
	int32_t now[TORUS_MAX_DIMS];
} factoring_t;

/* Choose now[axis ..], each at most [longest], with product [rest]. */
static void factor_from(factoring_t *factoring, int axis, uint32_t rest, uint32_t longest,
			int64_t sum)
{
	uint32_t small;
	int32_t spread;

	if (axis == factoring->dims - 1) {
		if (rest > longest)
			return;
		factoring->now[axis] = (int32_t)rest;
		sum += rest;
		spread = factoring->now[0] - factoring->now[axis];
		/* Longest lengths are tried in falling order. */
		if (sum < factoring->best_sum ||
		    (sum == factoring->best_sum && spread < factoring->best_spread)) {
			factoring->best_sum = sum;
			factoring->best_spread = spread;
			memcpy(factoring->best, factoring->now, sizeof(factoring->best));
		}
		return;
	}
	if (sum > factoring->best_sum)
		return;
	for (small = 1; (uint64_t)small * small <= rest; small++) {
		if (rest % small || rest / small > longest)
			continue;
		factoring->now[axis] = (int32_t)(rest / small);
		factor_from(factoring, axis + 1, small, rest / small, sum + rest / small);
	}
	for (small--; small > 0; small--) {
		if (rest % small || small > longest || small == rest / small)
			continue;
		factoring->now[axis] = (int32_t)small;
		factor_from(factoring, axis + 1, rest / small, small, sum + small);
	}
}

void torus_task_grid_factor(uint32_t tasks, int dims, torus_task_grid_t *grid)
{
	factoring_t factoring = {.dims = dims, .best_sum = INT64_MAX};

	factor_from(&factoring, 0, tasks, tasks, 0);
	grid->dims = dims;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		grid->length[axis] = axis < dims ? factoring.best[axis] : 1;
}

static void reverse_lengths(torus_task_grid_t *grid)
{
	for (int low = 0, high = grid->dims - 1; low < high; low++, high--) {
		int32_t length = grid->length[low];

		grid->length[low] = grid->length[high];
		grid->length[high] = length;
	}
}

void torus_task_grid_mpi(uint32_t tasks, int dims, torus_task_grid_t *grid)
{
	torus_task_grid_factor(tasks, dims, grid);
	reverse_lengths(grid);
}

void torus_task_grid_reverse(torus_task_grid_t *grid)
{
	reverse_lengths(grid);
	for (int low = 0, high = grid->dims - 1; low < high; low++, high--) {
		bool periodic = grid->periodic[low];

		grid->periodic[low] = grid->periodic[high];
		grid->periodic[high] = periodic;
	}
}

uint32_t torus_task_grid_tasks(const torus_task_grid_t *grid)
{
	uint32_t tasks = 1;

	for (int axis = 0; axis < grid->dims; axis++)
		tasks *= (uint32_t)grid->length[axis];
	return tasks;
}

/* Whether closing a dimension to a ring adds neighbours. */
static bool closes(const torus_task_grid_t *grid, int axis)
{
	return grid->periodic[axis] && grid->length[axis] > 2;
}

uint64_t torus_task_grid_edges(const torus_task_grid_t *grid)
{
	uint64_t tasks = torus_task_grid_tasks(grid);
	uint64_t edges = 0, ordered_pairs = 1;

	for (int axis = 0; axis < grid->dims; axis++) {
		uint64_t length = (uint64_t)grid->length[axis];
		uint64_t steps = closes(grid, axis) ? length : length - 1;

		edges += tasks / length * steps;
		/*
		 * Ordered pairs at most one apart along this axis, including each task
		 * with itself.
		 */
		ordered_pairs *= length + 2 * steps;
	}
	return grid->stencil == TORUS_STENCIL_FACES ? edges : (ordered_pairs - tasks) / 2;
}

static void add_offset(torus_offsets_t *offsets, const int8_t *step)
{
	memcpy(offsets->step[offsets->forward++], step, TORUS_MAX_DIMS);
}

void torus_task_grid_offsets(const torus_task_grid_t *grid, torus_offsets_t *offsets)
{
	int8_t step[TORUS_MAX_DIMS] = {0};

	offsets->forward = 0;
	if (grid->stencil == TORUS_STENCIL_FACES) {
		for (int axis = 0; axis < grid->dims; axis++) {
			if (grid->length[axis] == 1)
				continue;
			step[axis] = 1;
			add_offset(offsets, step);
			step[axis] = 0;
		}
	} else {
		/*
		 * Count up in base 3 from the zero offset, so that only the positive half
		 * follows.
		 */
		for (;;) {
			int axis = 0;

			while (axis < grid->dims &&
			       (grid->length[axis] == 1 || step[axis] == 1)) {
				step[axis] = grid->length[axis] == 1 ? 0 : -1;
				axis++;
			}
			if (axis == grid->dims)
				break;
			step[axis]++;
			add_offset(offsets, step);
		}
	}
	offsets->count = 2 * offsets->forward;
	for (int i = 0; i < offsets->forward; i++) {
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			offsets->step[offsets->forward + i][axis] =
				(int8_t)-offsets->step[i][axis];
	}
}

int torus_task_grid_neighbors(const torus_task_grid_t *grid,
			      const torus_offsets_t *offsets, int count,
			      const int32_t coord[TORUS_MAX_DIMS], uint32_t *neighbors)
{
	int found = 0;

	for (int i = 0; i < count; i++) {
		const int8_t *step = offsets->step[i];
		uint32_t neighbor = 0;
		int axis;

		for (axis = grid->dims - 1; axis >= 0; axis--) {
			int32_t length = grid->length[axis];
			int32_t at = coord[axis] + step[axis];

			if (at < 0 || at >= length) {
				if (!closes(grid, axis))
					break;
				at += at < 0 ? length : -length;
			}
			neighbor = neighbor * (uint32_t)length + (uint32_t)at;
		}
		if (axis < 0)
			neighbors[found++] = neighbor;
	}
	return found;
}
