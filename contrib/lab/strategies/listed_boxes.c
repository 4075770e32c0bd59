/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listed_boxes: the rule of Slurm's topology/torus3d (from 26.05 on). The administrator
 * lists boxes of certain sides; a job gets one of exactly its number of nodes, of the
 * first in the list of which one is free, and waits when none is. Of the free boxes of
 * those sides it is the one that touches the fewest free boxes of the next larger size,
 * the first of these in the list; ties: the lowest corner.
 *
 * The list is one that an administrator might make who wants compact places and few
 * refusals: for each number of nodes that makes a box, the box with the smallest summed
 * distance and all that have at most an eighth more, turned in every way, the most
 * compact first (ties: the shorter sides along x, then y ...), at every corner and around
 * the ends of wrapped dimensions. Jobs of other sizes never get a place. Here in any
 * number of dimensions, of full routers.
 */
#include "strategies/strategies.h"

#include <stdlib.h>
#include <string.h>

#include "place/box_distance.h"
#include "place/box_sizes.h"
#include "place/free_boxes.h"
#include "place/windows.h"

typedef struct listed {
	int32_t side[TORUS_MAX_DIMS];
	uint64_t distance;
} listed_t;

/* The boxes of one number of routers. */
typedef struct list {
	listed_t *box; /* [count], owned */
	size_t count;
} list_t;

static int compare_listed(const void *a, const void *b)
{
	const listed_t *first = a, *second = b;

	if (first->distance != second->distance)
		return first->distance < second->distance ? -1 : 1;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		if (first->side[axis] != second->side[axis])
			return first->side[axis] < second->side[axis] ? -1 : 1;
	}
	return 0;
}

static int add_box(const torus_geometry_t *geometry, const int32_t *side, list_t *list,
		   torus_error_t *err)
{
	listed_t *more;

	if (!torus_sides_fit(geometry, side))
		return 0;
	more = realloc(list->box, (list->count + 1) * sizeof(*more));
	if (!more)
		return torus_fail(err, "out of memory for a list of boxes");
	list->box = more;
	more += list->count++;
	memcpy(more->side, side, sizeof(more->side));
	more->distance = torus_box_distance(geometry, side);
	return 0;
}

/* List the boxes of [cells] routers. Returns 0, or -1 with [err] filled. */
static int make_list(const torus_geometry_t *geometry, uint32_t cells, list_t *list,
		     torus_error_t *err)
{
	const torus_router_nodes_t one = torus_routers_alike(1);
	torus_box_sizes_t sizes;
	size_t kept = 0;
	int result = 0;

	if (torus_box_sizes_list(geometry, one, cells, false, &sizes, err))
		return -1;
	for (size_t i = 0; i < sizes.count && result == 0; i++) {
		int32_t side[TORUS_MAX_DIMS];

		memcpy(side, sizes.size[i].shape.side, sizeof(side));
		torus_first_rotation(geometry->dims, side);
		do
			result = add_box(geometry, side, list, err);
		while (result == 0 && torus_next_rotation(geometry->dims, side));
	}
	torus_box_sizes_free(&sizes);
	if (list->count)
		qsort(list->box, list->count, sizeof(*list->box), compare_listed);
	while (kept < list->count && list->box[kept].distance - list->box[0].distance <=
					     list->box[0].distance / 8)
		kept++;
	list->count = kept;
	return result;
}

/*
 * Leave in boxes->sums, for each cell, how many free boxes of the sides [next] a box of
 * the sides [side] there would touch.
 */
static void count_touched(torus_free_boxes_t *boxes, uint32_t *free_next,
			  const int32_t *side, const int32_t *next)
{
	const torus_geometry_t *geometry = &boxes->site->geometry;
	uint32_t volume = torus_free_boxes_volume(boxes, next);
	uint32_t *in = free_next;

	torus_free_boxes_count(boxes, next);
	for (uint32_t cell = 0; cell < boxes->site->cells; cell++)
		free_next[cell] = boxes->sums[cell] == volume;
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = side[axis] + next[axis] - 1;
		uint32_t *out = in == boxes->sums ? boxes->other : boxes->sums;

		if (geometry->wrap[axis] && length > geometry->length[axis])
			length = geometry->length[axis];
		torus_window_sums(geometry, axis, (uint32_t)next[axis] - 1,
				  (uint32_t)length, in, out);
		in = out;
	}
	if (in != boxes->sums)
		memcpy(boxes->sums, in, boxes->site->cells * sizeof(*in));
}

/*
 * Take the free box of the sides [side] that touches the fewest of [next], or of no sides
 * (NULL) the first. [scratch] has room for a bit a cell and two numbers. Whether one is
 * free.
 */
static bool take_best(torus_free_boxes_t *boxes, uint32_t *scratch, const int32_t *side,
		      const int32_t *next)
{
	uint32_t cells = boxes->site->cells, best = cells;
	uint32_t volume = torus_free_boxes_volume(boxes, side);
	uint32_t *is_free = scratch + cells;

	torus_free_boxes_count(boxes, side);
	for (uint32_t cell = 0; cell < cells; cell++) {
		is_free[cell] = boxes->sums[cell] == volume;
		if (is_free[cell] && best == cells)
			best = cell;
	}
	if (best == cells)
		return false;
	if (next)
		count_touched(boxes, scratch, side, next);
	for (uint32_t cell = best + 1; next && cell < cells; cell++) {
		if (is_free[cell] && boxes->sums[cell] < boxes->sums[best])
			best = cell;
	}
	torus_free_boxes_take(boxes, best, side);
	return true;
}

/* The first box listed with more than [cells] routers, into [next]: an empty list if
 * there is none. */
static int find_next(const torus_geometry_t *geometry, uint32_t cells, list_t *next,
		     torus_error_t *err)
{
	uint32_t all = torus_geometry_cells(geometry);

	while (!next->count && cells < all) {
		if (make_list(geometry, ++cells, next, err))
			return -1;
	}
	return 0;
}

int torus_listed_boxes(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	static const int32_t none[TORUS_MAX_DIMS];
	torus_site_t *site = ask->site;
	torus_free_boxes_t boxes = {0};
	list_t list = {0}, next = {0};
	uint32_t *scratch = NULL;
	int placed = -1;

	(void)score;
	if (ask->nodes % site->most)
		return 0;
	if (make_list(&site->geometry, ask->nodes / site->most, &list, err) ||
	    find_next(&site->geometry, ask->nodes / site->most, &next, err) ||
	    torus_free_boxes_begin_sides(&boxes, site, none, 0, err) < 0)
		goto done;
	scratch = malloc(2 * sizeof(*scratch) * (size_t)site->cells);
	if (!scratch) {
		torus_fail(err, "out of memory for the boxes of %u cells", site->cells);
		goto done;
	}
	placed = 0;
	for (size_t i = 0; i < list.count && !placed; i++)
		placed = take_best(&boxes, scratch, list.box[i].side,
				   next.count ? next.box[0].side : NULL);
done:
	torus_free_boxes_clear(&boxes);
	free(scratch);
	free(list.box);
	free(next.box);
	return placed;
}
