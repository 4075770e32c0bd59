/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow twin of taskmap/layout.c: the words of its header, done step by step to
 * every task and place.
 */
#ifndef TORUS_TEST_SLOW_LAYOUT_H
#define TORUS_TEST_SLOW_LAYOUT_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "taskmap/job.h"

typedef struct slow_layout {
	int dims; /* D */
	uint32_t tasks;
	int32_t box[TORUS_MAX_DIMS], origin[TORUS_MAX_DIMS];
	/* Of the grid under way: an axis of length 1 is free. */
	int32_t length[TORUS_MAX_DIMS];
	int32_t (*at)[TORUS_MAX_DIMS]; /* [tasks] */
	int32_t grid[TORUS_MAX_DIMS];  /* the outcome, by dimension of the machine */
	int32_t (*point)[TORUS_MAX_DIMS];
	int merges, folds;
} slow_layout_t;

/* The side that a box around the nodes needs which begins at [begin]. */
static inline int32_t slow_side_from(const torus_task_job_t *job, int axis, int32_t begin)
{
	int32_t length = job->geometry->length[axis], side = 0;

	for (uint32_t node = 0; node < job->nodes; node++) {
		int32_t coord[TORUS_MAX_DIMS], reach;

		torus_cell_to_coord(job->geometry, job->cell[node], coord);
		reach = coord[axis] - begin + 1;
		if (reach < 1)
			reach = job->geometry->wrap[axis] ? reach + length : INT32_MAX;
		side = reach > side ? reach : side;
	}
	return side;
}

/* The smallest box around the nodes; of several the one that begins lowest. */
static inline void slow_box(const torus_task_job_t *job, slow_layout_t *slow)
{
	for (int axis = 0; axis < slow->dims; axis++) {
		slow->box[axis] = INT32_MAX;
		for (int32_t begin = 0; begin < job->geometry->length[axis]; begin++) {
			int32_t side = slow_side_from(job, axis, begin);

			if (side < slow->box[axis]) {
				slow->box[axis] = side;
				slow->origin[axis] = begin;
			}
		}
	}
}

/* The [rank]-th longest of [count] lengths; of equal ones the earlier comes first. */
static inline int slow_longest(const int32_t *length, int count, int rank)
{
	for (int axis = 0; axis < count; axis++) {
		int before = 0;

		for (int other = 0; other < count; other++)
			before += length[other] > length[axis] ||
				  (length[other] == length[axis] && other < axis);
		if (before == rank)
			return axis;
	}
	return -1;
}

static inline int slow_axes_longer_than_1(const slow_layout_t *slow)
{
	int count = 0;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		count += slow->length[axis] > 1;
	return count;
}

/* The two shortest axes longer than 1 become one. */
static inline void slow_merge(slow_layout_t *slow)
{
	int used = slow_axes_longer_than_1(slow);
	int brief = slow_longest(slow->length, TORUS_MAX_DIMS, used - 1);
	int other = slow_longest(slow->length, TORUS_MAX_DIMS, used - 2);

	if (slow->length[brief] == slow->length[other] && other < brief) {
		int swap = brief;

		brief = other;
		other = swap;
	}
	for (uint32_t task = 0; task < slow->tasks; task++) {
		slow->at[task][brief] = slow->at[task][brief] +
					slow->length[brief] * slow->at[task][other];
		slow->at[task][other] = 0;
	}
	slow->length[brief] *= slow->length[other];
	slow->length[other] = 1;
	slow->merges++;
}

/* Fold an axis as a strip of paper that is walked along from its beginning. */
static inline void slow_fold(slow_layout_t *slow, int axis, double reach)
{
	int32_t length = slow->length[axis], layers = 2, width, at = 0, layer = 0,
		step = 1;
	int32_t *across = (int32_t *)calloc((size_t)length, sizeof(*across));
	int32_t *depth = (int32_t *)calloc((size_t)length, sizeof(*depth));
	int fresh = 0;

	while ((layers + 1) * reach <= length * (1 + 1e-9))
		layers++;
	for (width = 1; width * layers < length;)
		width++;
	while (slow->length[fresh] > 1)
		fresh++;
	for (int32_t i = 0; i < length; i++) {
		across[i] = at;
		depth[i] = layer;
		at += step;
		if (at < 0 || at >= width) { /* turn around, one layer up */
			at -= step;
			step = -step;
			layer++;
		}
	}
	for (uint32_t task = 0; task < slow->tasks; task++) {
		int32_t along = slow->at[task][axis];

		slow->at[task][axis] = across[along];
		slow->at[task][fresh] = depth[along];
	}
	slow->length[axis] = width;
	slow->length[fresh] = depth[length - 1] + 1;
	slow->folds++;
	free(across);
	free(depth);
}

/* Whether a step of folding was due, and was done. */
static inline bool slow_fold_once(slow_layout_t *slow)
{
	int used = slow_axes_longer_than_1(slow), chosen = -1;
	double volume = 1, excess[TORUS_MAX_DIMS], reach[TORUS_MAX_DIMS];

	for (int axis = 0; axis < slow->dims; axis++)
		volume *= slow->box[axis];
	for (int i = 0; i < slow->dims; i++) {
		int32_t side = slow->box[slow_longest(slow->box, slow->dims, i)];
		double lie = pow(slow->tasks / volume, 1.0 / slow->dims) * side;

		reach[i] = lie > 2 ? lie : 2;
	}
	for (int i = 0; i < used; i++) {
		int axis = slow_longest(slow->length, TORUS_MAX_DIMS, i);

		excess[i] = slow->length[axis] / reach[i];
		if (chosen < 0 || excess[i] > excess[chosen])
			chosen = i;
	}
	if (used == slow->dims && slow->dims > 2 && excess[chosen] > 3) {
		int a = slow_longest(slow->length, TORUS_MAX_DIMS, used - 1);
		int b = slow_longest(slow->length, TORUS_MAX_DIMS, used - 2);

		if ((double)slow->length[a] * slow->length[b] > reach[slow->dims - 1])
			return false;
		slow_merge(slow);
		return true;
	}
	if (used < 2 || used == slow->dims ||
	    slow->box[slow_longest(slow->box, slow->dims, used)] == 1 ||
	    excess[chosen] <= 1.9)
		return false;
	slow_fold(slow, slow_longest(slow->length, TORUS_MAX_DIMS, chosen),
		  reach[chosen]);
	return true;
}

/* Lay [job] out, with [fold] false without folding. To be ended by slow_layout_free().
 */
static inline void slow_layout(const torus_task_job_t *job, bool fold,
			       slow_layout_t *slow)
{
	const torus_task_grid_t *grid = job->grid;

	*slow = (slow_layout_t){.dims = job->geometry->dims,
				.tasks = torus_task_grid_tasks(grid)};
	slow->at = (int32_t(*)[TORUS_MAX_DIMS])calloc(slow->tasks, sizeof(*slow->at));
	slow->point =
		(int32_t(*)[TORUS_MAX_DIMS])calloc(slow->tasks, sizeof(*slow->point));
	slow_box(job, slow);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		slow->length[axis] = axis < grid->dims ? grid->length[axis] : 1;
	for (uint32_t task = 0; task < slow->tasks; task++) {
		uint32_t rest = task;

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			slow->at[task][axis] =
				(int32_t)(rest % (uint32_t)slow->length[axis]);
			rest /= (uint32_t)slow->length[axis];
		}
	}
	while (slow_axes_longer_than_1(slow) > slow->dims)
		slow_merge(slow);
	while (fold && slow_fold_once(slow))
		;
	for (int i = 0; i < slow->dims; i++) {
		int from = slow_longest(slow->length, TORUS_MAX_DIMS, i);
		int to = slow_longest(slow->box, slow->dims, i);

		slow->grid[to] = slow->length[from];
		for (uint32_t task = 0; task < slow->tasks; task++)
			slow->point[task][to] = slow->at[task][from];
	}
}

static inline void slow_layout_free(slow_layout_t *slow)
{
	free(slow->at);
	free(slow->point);
}

#endif
