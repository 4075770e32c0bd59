/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See cuttings.h. */
#include "curve/hilbert/cuttings.h"

#include <stdlib.h>

#include "curve/hilbert/looseness.h"

#define CUTS_MAX 6
/* One travelled axis cut, alone or with another one. */
#define CUTTINGS_MAX (TORUS_MAX_DIMS * CUTS_MAX * (1 + TORUS_MAX_DIMS * CUTS_MAX))

hilbert_extent_t torus_hilbert_extent(int dims, const hilbert_task_t *task,
				      const hilbert_cutting_t *cutting, int part)
{
	const bool upper[2] = {part == 1 || part == 2, part >= 2};
	hilbert_extent_t box = {.wrap = task->wrap};

	for (int i = 0; i < dims; i++)
		box.side[i] = task->side[i];
	for (int k = 0; k < cutting->parts / 2; k++) {
		int axis = cutting->axis[k];

		box.wrap &= ~(1u << axis);
		box.low[axis] = upper[k] ? cutting->at[k] : 0;
		box.side[axis] =
			upper[k] ? task->side[axis] - cutting->at[k] : cutting->at[k];
	}
	return box;
}

/*
 * Lengths of the lower part worth trying: half, and half rounded to even numbers (and in
 * the plane to multiples of four), because parts with even sides cut and join better.
 */
static int list_cuts(int dims, int32_t side, int32_t cuts[CUTS_MAX])
{
	int count = 0;

	for (int32_t unit = 1; unit <= (dims == 2 ? 4 : 2); unit *= 2) {
		int32_t below = side / 2 / unit * unit;
		const int32_t tried[] = {below, side - below};

		for (int t = 0; t < 2; t++) {
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
 * Whether the axis can be cut and is the first of those that are alike; cutting another
 * one would give a mirror image.
 */
static bool is_choice(const hilbert_task_t *task, int i)
{
	return task->side[i] > 1 &&
	       (i == 0 || task->side[i - 1] != task->side[i] ||
		(task->travel >> i & 1) != (task->travel >> (i - 1) & 1) ||
		(task->wrap >> i & 1) != (task->wrap >> (i - 1) & 1));
}

/*
 * Over all parts, the cells times the logarithm of how much longer than a cube it is. Two
 * cells of a ring are on average 3/4 as far apart as on a line of the same length.
 */
static int64_t shape_cost(int dims, const hilbert_task_t *task,
			  const hilbert_cutting_t *cutting)
{
	int64_t cost = 0;

	for (int p = 0; p < cutting->parts; p++) {
		hilbert_extent_t box = torus_hilbert_extent(dims, task, cutting, p);
		int64_t longest = 1, cells = 1, volume = 1;

		for (int i = 0; i < dims; i++) {
			int64_t quarters = box.side[i] * (box.wrap >> i & 1 ? 3 : 4);

			cells *= box.side[i];
			volume *= quarters;
			longest = quarters > longest ? quarters : longest;
		}
		cost += cells * (torus_hilbert_log2((uint64_t)longest) -
				 torus_hilbert_log2((uint64_t)volume) / dims);
	}
	return cost;
}

/* Append the cuttings of axis [up], which is travelled, with [aside] unless that is -1.
 */
static void append_cuttings(hilbert_book_t *book, const hilbert_task_t *task, int up,
			    int aside, hilbert_cutting_t *list, int *count)
{
	int32_t lengths[2][CUTS_MAX] = {{0}};
	int ups = list_cuts(book->dims, task->side[up], lengths[1]);
	int asides = aside < 0 ? 1 : list_cuts(book->dims, task->side[aside], lengths[0]);

	for (int u = 0; u < ups; u++) {
		for (int a = 0; a < asides; a++) {
			hilbert_cutting_t *cutting = &list[*count];

			if (aside < 0)
				*cutting = (hilbert_cutting_t){
					.parts = 2, .axis = {up}, .at = {lengths[1][u]}};
			else
				*cutting = (hilbert_cutting_t){
					.parts = 4,
					.axis = {aside, up},
					.at = {lengths[0][a], lengths[1][u]}};
			cutting->number = (*count)++;
			cutting->cost = shape_cost(book->dims, task, cutting);
			book->work += HILBERT_WORK_CUTTING;
		}
	}
}

static int by_cost(const void *a, const void *b)
{
	const hilbert_cutting_t *left = a, *right = b;

	if (left->cost != right->cost)
		return left->cost < right->cost ? -1 : 1;
	return left->number - right->number;
}

hilbert_cutting_t *torus_hilbert_cuttings(hilbert_book_t *book,
					  const hilbert_task_t *task, int *count)
{
	hilbert_cutting_t *list = malloc(CUTTINGS_MAX * sizeof(*list));

	*count = 0;
	if (!list) {
		book->no_memory = true;
		return NULL;
	}
	/* The path ends in the upper half, or in the quarter next to the first one. */
	for (int up = 0; up < book->dims; up++) {
		if (!(task->travel >> up & 1) || !is_choice(task, up))
			continue;
		append_cuttings(book, task, up, -1, list, count);
		for (int aside = 0; aside < book->dims; aside++) {
			if (!(task->travel >> aside & 1) && is_choice(task, aside))
				append_cuttings(book, task, up, aside, list, count);
		}
	}
	qsort(list, (size_t)*count, sizeof(*list), by_cost);
	return list;
}
