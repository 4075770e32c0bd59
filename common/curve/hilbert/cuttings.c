/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cuttings of a box that a search tries, two to eight sub-boxes:
 * curve/hilbert/search.h. */
#include <math.h>
#include <stdlib.h>

#include "curve/hilbert/search.h"

#define CUTS_MAX 12
#define CUTTINGS_MAX (CUTS_MAX * CUTS_MAX * CUTS_MAX)

hilbert_extent_t torus_hilbert_extent(int dims, const hilbert_task_t *task,
				      const hilbert_cutting_t *cutting, int sub, int join)
{
	hilbert_extent_t box = {0};

	for (int i = 0; i < dims; i++)
		box.high[i] = task->side[i] - 1;
	for (int k = 0; k < cutting->count; k++) {
		if (k == join)
			continue;
		if (sub >> k & 1)
			box.low[cutting->axis[k]] = cutting->at[k];
		else
			box.high[cutting->axis[k]] = cutting->at[k] - 1;
	}
	for (int i = 0; i < dims; i++)
		box.side[i] = box.high[i] - box.low[i] + 1;
	return box;
}

double torus_hilbert_shape_cost(int dims, const int32_t side[TORUS_MAX_DIMS])
{
	double cells = 1;
	int32_t longest = 1;

	for (int i = 0; i < dims; i++) {
		cells *= side[i];
		longest = side[i] > longest ? side[i] : longest;
	}
	return cells * log(longest / pow(cells, 1.0 / dims));
}

/*
 * Lengths of the lower part worth trying: half, and half rounded to even numbers (and in
 * the plane to multiples of four), because parts with even sides cut and join better.
 */
static int list_cuts(int32_t side, int32_t roundest, int32_t cuts[CUTS_MAX])
{
	int count = 0;

	for (int32_t unit = 1; unit <= roundest; unit *= 2) {
		int32_t below = side / 2 / unit * unit;
		int32_t above = (side - side / 2 + unit - 1) / unit * unit;
		const int32_t tried[] = {below, above, side - below, side - above};

		for (int t = 0; t < 4; t++) {
			bool known = 4 * tried[t] < side || 4 * (side - tried[t]) < side;

			for (int c = 0; c < count; c++)
				known |= cuts[c] == tried[t];
			if (!known)
				cuts[count++] = tried[t];
		}
	}
	return count;
}

/*
 * Whether the axes can be cut, and of axes that are alike are the first: cutting another
 * one instead gives the mirror image.
 */
static bool is_choice(int dims, const hilbert_task_t *task, uint32_t axes)
{
	const int32_t *side = task->side;
	uint32_t travel = task->travel;

	for (int i = 0; i < dims; i++) {
		if ((axes >> i & 1) && side[i] == 1)
			return false;
		if (i && (axes >> i & 1) && !(axes >> (i - 1) & 1) &&
		    side[i - 1] == side[i] &&
		    (travel >> i & 1) == (travel >> (i - 1) & 1))
			return false;
	}
	return true;
}

/*
 * Whether a path can end where it has to: without joins it crosses a cut at each step
 * from one of the 2^n sub-boxes to the next, 2^n - 1 times, an odd number.
 */
static bool can_end(const hilbert_task_t *task, uint32_t axes)
{
	return __builtin_popcount(axes) == 2 ||
	       __builtin_popcount(axes & task->travel) % 2;
}

static int by_cost(const void *a, const void *b)
{
	const hilbert_cutting_t *left = a, *right = b;

	if (left->cost != right->cost)
		return left->cost < right->cost ? -1 : 1;
	return left->number - right->number;
}

static double cutting_cost(int dims, const hilbert_task_t *task,
			   const hilbert_cutting_t *cutting)
{
	double cost = 0;

	for (int sub = 0; sub < 1 << cutting->count; sub++) {
		hilbert_extent_t box =
			torus_hilbert_extent(dims, task, cutting, sub, HILBERT_ALONE);

		cost += torus_hilbert_shape_cost(dims, box.side);
	}
	return cost;
}

/* Append all ways to cut [axes] to the [count] in [list]; returns how many it has then.
 */
static int append_cuttings(int dims, const hilbert_task_t *task, uint32_t axes,
			   hilbert_cutting_t *list, int count)
{
	hilbert_cutting_t cutting = {0};
	int32_t lengths[HILBERT_AXES_CUT][CUTS_MAX];
	int choices[HILBERT_AXES_CUT], at[HILBERT_AXES_CUT] = {0};
	int turned = 0;

	for (int i = 0; i < dims; i++) {
		if (!(axes >> i & 1))
			continue;
		choices[cutting.count] = list_cuts(task->side[i], dims == 2 ? 4 : 2,
						   lengths[cutting.count]);
		cutting.axis[cutting.count++] = i;
	}
	while (turned < cutting.count) {
		for (int k = 0; k < cutting.count; k++)
			cutting.at[k] = lengths[k][at[k]];
		cutting.cost = cutting_cost(dims, task, &cutting);
		cutting.number = count;
		list[count++] = cutting;
		for (turned = 0; turned < cutting.count; turned++) {
			if (++at[turned] < choices[turned])
				break;
			at[turned] = 0;
		}
	}
	return count;
}

hilbert_cutting_t *torus_hilbert_cuttings(int dims, const hilbert_task_t *task,
					  int *count)
{
	hilbert_cutting_t *list = NULL;

	*count = 0;
	for (uint32_t axes = 1; axes < 1u << dims; axes++) {
		hilbert_cutting_t *longer;

		if (__builtin_popcount(axes) > HILBERT_AXES_CUT ||
		    !is_choice(dims, task, axes) || !can_end(task, axes))
			continue;
		longer = realloc(list, ((size_t)*count + CUTTINGS_MAX) * sizeof(*list));
		if (!longer) {
			free(list);
			return NULL;
		}
		list = longer;
		*count = append_cuttings(dims, task, axes, list, *count);
	}
	qsort(list, (size_t)*count, sizeof(*list), by_cost);
	return list;
}
