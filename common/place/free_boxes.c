/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free boxes of given sides: see free_boxes.h. */
#include "place/free_boxes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/box_bits.h"
#include "place/windows.h"

void torus_free_boxes_clear(torus_free_boxes_t *boxes)
{
	free(boxes->usable);
	free(boxes->sums);
	free(boxes->other);
}

static int allocate(torus_free_boxes_t *boxes, torus_error_t *err)
{
	size_t cells = boxes->site->cells;

	boxes->usable = malloc(cells * sizeof(*boxes->usable));
	boxes->sums = malloc(cells * sizeof(*boxes->sums));
	boxes->other = malloc(cells * sizeof(*boxes->other));
	if (!boxes->usable || !boxes->sums || !boxes->other)
		return torus_fail(err, "out of memory for the boxes of %zu cells", cells);
	return 0;
}

int torus_free_boxes_begin(torus_free_boxes_t *boxes, torus_site_t *site,
			   const torus_shape_t *shape, torus_error_t *err)
{
	*boxes = (torus_free_boxes_t){.site = site, .shape = *shape};
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		boxes->side[axis] = axis < shape->dims ? shape->side[axis] : 1;
		if (axis >= site->geometry.dims && boxes->side[axis] > 1)
			return 0;
	}
	if (allocate(boxes, err))
		return -1;
	for (uint32_t cell = 0; cell < site->cells; cell++) {
		uint32_t nodes = site->first_on[cell + 1] - site->first_on[cell];

		boxes->usable[cell] = nodes && site->free_on[cell] == nodes;
	}
	return 1;
}

int torus_free_boxes_begin_sides(torus_free_boxes_t *boxes, torus_site_t *site,
				 const int32_t *side, uint32_t nodes, torus_error_t *err)
{
	*boxes = (torus_free_boxes_t){
		.site = site, .nodes = nodes, .shape.dims = site->geometry.dims};
	memcpy(boxes->side, side, sizeof(boxes->side));
	memcpy(boxes->shape.side, side, sizeof(boxes->shape.side));
	if (allocate(boxes, err))
		return -1;
	for (uint32_t cell = 0; cell < site->cells; cell++)
		boxes->usable[cell] = torus_site_whole(site, cell);
	return 1;
}

void torus_free_boxes_count(torus_free_boxes_t *boxes, const int32_t *side)
{
	const torus_site_t *site = boxes->site;
	const uint32_t *in = boxes->usable;

	for (int axis = 0; axis < site->geometry.dims; axis++) {
		if (side[axis] == 1)
			continue;
		torus_window_sums(&site->geometry, axis, 0, (uint32_t)side[axis], in,
				  boxes->other);
		in = boxes->other;
		boxes->other = boxes->sums;
		boxes->sums = (uint32_t *)in;
	}
	if (in == boxes->usable)
		memcpy(boxes->sums, in, site->cells * sizeof(*in));
}

uint32_t torus_free_boxes_volume(const torus_free_boxes_t *boxes, const int32_t *side)
{
	uint32_t volume = 1;

	for (int axis = 0; axis < boxes->site->geometry.dims; axis++)
		volume *= (uint32_t)side[axis];
	return volume;
}

bool torus_free_boxes_fit(const torus_free_boxes_t *boxes, const int32_t *side)
{
	const torus_geometry_t *geometry = &boxes->site->geometry;

	return torus_sides_fit(geometry, side) &&
	       (!boxes->shape.closed ||
		torus_turn_is_closed(geometry, &boxes->shape, side));
}

int torus_free_boxes_turns(const torus_free_boxes_t *boxes, bool turns,
			   torus_turn_t *turn)
{
	torus_turn_t *other = turn;
	int count = 0, all;

	memcpy(turn->side, boxes->side, sizeof(turn->side));
	if (torus_side_in_nodes(&boxes->site->geometry, &boxes->shape, turn->side))
		other = turn + ++count;
	if (!turns)
		return count;
	all = torus_turns(&boxes->site->geometry, &boxes->shape, other);
	for (int i = 0; i < all; i++) {
		if (other == turn ||
		    memcmp(other[i].side, turn->side, sizeof(turn->side)) != 0)
			turn[count++] = other[i];
	}
	return count;
}

void torus_free_boxes_take(torus_free_boxes_t *boxes, uint32_t corner,
			   const int32_t *side)
{
	const torus_geometry_t *geometry = &boxes->site->geometry;
	uint32_t left = boxes->nodes ? boxes->nodes : UINT32_MAX;
	int32_t step[TORUS_MAX_DIMS] = {0}, first[TORUS_MAX_DIMS];
	int axis = 0;

	torus_cell_to_coord(geometry, corner, first);
	while (axis < geometry->dims && left) {
		int32_t coord[TORUS_MAX_DIMS] = {0};

		for (axis = 0; axis < geometry->dims; axis++)
			coord[axis] = (first[axis] + step[axis]) % geometry->length[axis];
		left -= torus_site_take(boxes->site, torus_coord_to_cell(geometry, coord),
					left);
		for (axis = 0; axis < geometry->dims; axis++) {
			if (++step[axis] < side[axis])
				break;
			step[axis] = 0;
		}
	}
}

typedef struct best_box {
	bool found;
	uint32_t corner;
	int32_t side[TORUS_MAX_DIMS];
	uint32_t open; /* faces of its cells that touch usable cells outside */
} best_box_t;

/*
 * Count the faces that the box at each cell has in common with usable cells: into
 * [open]. A slab one cell thick slides along each axis in turn; the box touches the one
 * before it and the one behind.
 */
static void count_open(torus_free_boxes_t *boxes, const int32_t *side, uint32_t *open)
{
	const torus_geometry_t *geometry = &boxes->site->geometry;

	memset(open, 0, boxes->site->cells * sizeof(*open));
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t slab[TORUS_MAX_DIMS];

		if (side[axis] == geometry->length[axis])
			continue;
		memcpy(slab, side, sizeof(slab));
		slab[axis] = 1;
		torus_free_boxes_count(boxes, slab);
		torus_add_shifted(geometry, axis, 1, true, false, boxes->sums, open);
		torus_add_shifted(geometry, axis, (uint32_t)side[axis], false, false,
				  boxes->sums, open);
	}
}

/* The best of the free boxes with sides [side], if better than the best so far. */
static void try_turn(torus_free_boxes_t *boxes, const int32_t *side, uint32_t *open,
		     best_box_t *best)
{
	uint32_t volume = torus_free_boxes_volume(boxes, side);

	count_open(boxes, side, open);
	torus_free_boxes_count(boxes, side);
	for (uint32_t cell = 0; cell < boxes->site->cells; cell++) {
		if (boxes->sums[cell] != volume ||
		    (best->found && open[cell] >= best->open))
			continue;
		best->found = true;
		best->corner = cell;
		best->open = open[cell];
		memcpy(best->side, side, sizeof(best->side));
	}
}

/* Whether a box with sides [side] is free. maps[]: the usable cells, and room for two
 * more such bitmaps. */
static bool any_free(const torus_free_boxes_t *boxes, const int32_t *side, uint64_t *maps)
{
	const torus_geometry_t *geometry = &boxes->site->geometry;
	size_t words = TORUS_WORDS(boxes->site->cells);
	uint64_t *free_boxes = maps + words, *scratch = free_boxes + words;

	if (!torus_free_boxes_fit(boxes, side))
		return false;
	memcpy(free_boxes, maps, words * sizeof(*maps));
	for (int axis = 0; axis < geometry->dims; axis++)
		torus_box_bits_grow(geometry, axis, 1, side[axis], free_boxes, scratch);
	return torus_box_bits_any(free_boxes, boxes->site->cells);
}

int torus_free_boxes_take_best(torus_free_boxes_t *boxes, bool turns, torus_error_t *err)
{
	int dims = boxes->site->geometry.dims, count, left;
	uint32_t cells = boxes->site->cells;
	uint32_t *open = malloc(cells * sizeof(*open));
	uint64_t *maps = calloc(3 * TORUS_WORDS(cells), sizeof(*maps));
	best_box_t best = {.found = false};
	torus_turn_t turn[TORUS_MOST_TURNS + 1];

	if (!open || !maps) {
		free(open);
		free(maps);
		return torus_fail(err, "out of memory for the faces of boxes");
	}
	for (uint32_t cell = 0; cell < cells; cell++) {
		if (boxes->usable[cell])
			torus_bit_set(maps, cell);
	}
	count = torus_free_boxes_turns(boxes, turns, turn);
	left = TORUS_FREE_BOXES_PASSES / (dims * (dims + 3));
	for (int i = 0; i < count && left; i++) {
		if (!any_free(boxes, turn[i].side, maps))
			continue;
		try_turn(boxes, turn[i].side, open, &best);
		left--;
	}
	if (best.found)
		torus_free_boxes_take(boxes, best.corner, best.side);
	free(open);
	free(maps);
	return best.found;
}
