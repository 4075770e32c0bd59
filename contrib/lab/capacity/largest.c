/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The largest free box: see largest.h. */
#include "capacity/largest.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/box_bits.h"
#include "place/box_distance.h"

/*
 * The search works on a machine whose axes are sorted by length: growing along the last
 * axis is cheapest, and that axis is not enumerated.
 */
typedef struct search {
	const torus_geometry_t *geometry; /* as given */
	torus_geometry_t sorted;
	int axis[TORUS_MAX_DIMS]; /* of the given machine, by axis of the sorted one */
	uint32_t cells;
	size_t words;
	int long_sides;
	int32_t side[TORUS_MAX_DIMS]; /* of the boxes as they are, by sorted axis */
	uint64_t *maps;		      /* [dims + 1]: where boxes begin, by axes done */
	uint64_t *trial;	      /* where longer ones would */
	uint64_t *scratch;
	torus_largest_t best; /* sides as given; the corner is found at last */
	uint64_t distance;
} search_t;

static void sort_axes(search_t *search)
{
	const torus_geometry_t *geometry = search->geometry;
	int dims = geometry->dims;

	for (int i = 0; i < dims; i++) {
		int at = i;

		while (at &&
		       geometry->length[search->axis[at - 1]] > geometry->length[i]) {
			search->axis[at] = search->axis[at - 1];
			at--;
		}
		search->axis[at] = i;
	}
	search->sorted = *geometry;
	search->sorted.chords = NULL; /* they are between cells in the old order */
	for (int i = 0; i < dims; i++) {
		search->sorted.length[i] = geometry->length[search->axis[i]];
		search->sorted.wrap[i] = geometry->wrap[search->axis[i]];
	}
}

/* Fill the first map from the bitmap of the machine as given. */
static void sort_cells(search_t *search, const uint64_t *usable)
{
	memset(search->maps, 0, search->words * sizeof(*search->maps));
	for (uint32_t cell = torus_bitmap_next_set(usable, search->cells, 0);
	     cell < search->cells;
	     cell = torus_bitmap_next_set(usable, search->cells, cell + 1)) {
		int32_t coord[TORUS_MAX_DIMS], sorted[TORUS_MAX_DIMS] = {0};

		torus_cell_to_coord(search->geometry, cell, coord);
		for (int i = 0; i < search->sorted.dims; i++)
			sorted[i] = coord[search->axis[i]];
		torus_bit_set(search->maps, torus_coord_to_cell(&search->sorted, sorted));
	}
}

static int begin(search_t *search, const torus_geometry_t *geometry,
		 const uint64_t *usable, torus_error_t *err)
{
	*search = (search_t){
		.geometry = geometry,
		.cells = torus_geometry_cells(geometry),
		.side = {1, 1, 1, 1, 1, 1},
	};
	search->words = TORUS_WORDS(search->cells);
	search->maps = malloc(((size_t)geometry->dims + 3) * search->words *
			      sizeof(*search->maps));
	if (!search->maps)
		return torus_fail(err, "out of memory for the boxes of %u cells",
				  search->cells);
	search->trial = search->maps + ((size_t)geometry->dims + 1) * search->words;
	search->scratch = search->trial + search->words;
	sort_axes(search);
	sort_cells(search, usable);
	return 0;
}

static uint64_t *map_of(const search_t *search, int level)
{
	return search->maps + (size_t)level * search->words;
}

static void copy(const search_t *search, uint64_t *to, const uint64_t *from)
{
	memcpy(to, from, search->words * sizeof(*to));
}

static bool any(const search_t *search, const uint64_t *boxes)
{
	return torus_box_bits_any(boxes, search->cells);
}

/* Whether sides [a] come before [b], x first. */
static bool come_first(const int32_t *a, const int32_t *b)
{
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		if (a[axis] != b[axis])
			return a[axis] < b[axis];
	}
	return false;
}

/* The boxes as they are are free somewhere: they may be the best. */
static void note(search_t *search)
{
	torus_largest_t box = {.volume = 1, .side = {1, 1, 1, 1, 1, 1}};
	uint64_t distance;

	for (int i = 0; i < search->sorted.dims; i++) {
		box.side[search->axis[i]] = search->side[i];
		box.volume *= (uint32_t)search->side[i];
	}
	if (box.volume < search->best.volume)
		return;
	distance = torus_box_distance(search->geometry, box.side);
	if (box.volume == search->best.volume &&
	    (distance > search->distance ||
	     (distance == search->distance && !come_first(box.side, search->best.side))))
		return;
	search->best = box;
	search->distance = distance;
}

/* Lengthen the boxes in [boxes] along [axis] by [more], if some are free then. */
static bool lengthen(search_t *search, int axis, int32_t more, uint64_t *boxes)
{
	int32_t side = search->side[axis];

	if (more > search->sorted.length[axis] - side)
		return false;
	copy(search, search->trial, boxes);
	torus_box_bits_grow(&search->sorted, axis, side, side + more, search->trial,
			    search->scratch);
	if (!any(search, search->trial))
		return false;
	copy(search, boxes, search->trial);
	search->side[axis] += more;
	return true;
}

/* Lengthen them as far as possible: by 1, 2, 4 and so on, then by less and less. */
static void stretch(search_t *search, int axis, uint64_t *boxes)
{
	int32_t more = 1;

	while (lengthen(search, axis, more, boxes))
		more *= 2;
	for (more /= 2; more; more /= 2)
		lengthen(search, axis, more, boxes);
}

/* How many more sides may be longer than 1, after those of the first [level] axes. */
static int long_left(const search_t *search, int level)
{
	int left = search->long_sides;

	for (int i = 0; i < level; i++)
		left -= search->side[i] > 1;
	return left;
}

/*
 * A first box to beat: the longest along the longest axes, one after the other. On a
 * machine that is mostly free, or free in one part, it is nearly the best.
 */
static void guess(search_t *search)
{
	uint64_t *boxes = map_of(search, 1);
	int left = search->long_sides;

	copy(search, boxes, search->maps);
	for (int i = search->sorted.dims - 1; i >= 0 && left; i--) {
		stretch(search, i, boxes);
		left -= search->side[i] > 1;
	}
	note(search);
	for (int i = 0; i < TORUS_MAX_DIMS; i++)
		search->side[i] = 1;
}

/* How many cells boxes can have that begin where those of map [level] do. */
static uint64_t bound(const search_t *search, int level, uint64_t volume)
{
	uint64_t rest = 1;

	/* Their other sides lie inside the machine, */
	for (int i = level; i < search->sorted.dims && long_left(search, level); i++)
		rest *= (uint64_t)search->sorted.length[i];
	if (volume * rest < search->best.volume)
		return volume * rest;
	/* and they are made of these boxes side by side. */
	uint64_t count = torus_bitmap_count(map_of(search, level), search->cells);

	return volume * (count < rest ? count : rest);
}

/* The last axis: only boxes as large as the best matter. */
static void finish(search_t *search, uint64_t volume)
{
	int last = search->sorted.dims - 1;
	uint64_t *boxes = map_of(search, last + 1);
	uint64_t need = (search->best.volume + volume - 1) / volume;

	search->side[last] = 1;
	copy(search, boxes, map_of(search, last));
	if (need > 1 &&
	    (!long_left(search, last) || need > (uint64_t)search->sorted.length[last] ||
	     !lengthen(search, last, (int32_t)need - 1, boxes)))
		return;
	if (long_left(search, last))
		stretch(search, last, boxes);
	note(search);
	search->side[last] = 1;
}

/* Map [level] has the boxes with sides along the axes before [level]. */
static void enumerate(search_t *search, int level, uint64_t volume)
{
	uint64_t *boxes = map_of(search, level + 1);
	int32_t longest = long_left(search, level) ? search->sorted.length[level] : 1;

	/* The second condition never decides; compilers ask how deep this may go. */
	if (level >= search->sorted.dims - 1 || level >= TORUS_MAX_DIMS - 1) {
		finish(search, volume);
		return;
	}
	copy(search, boxes, map_of(search, level));
	for (int32_t side = 1; side <= longest; side++) {
		if (side > 1)
			torus_box_bits_grow(&search->sorted, level, side - 1, side, boxes,
					    search->scratch);
		search->side[level] = side;
		if (!any(search, boxes))
			break;
		if (bound(search, level + 1, volume * (uint64_t)side) >=
		    search->best.volume)
			enumerate(search, level + 1, volume * (uint64_t)side);
	}
	search->side[level] = 1;
}

/* Find the corner of the best box, and free the memory. */
static void end(search_t *search, const uint64_t *usable, torus_largest_t *largest)
{
	if (search->best.volume) {
		copy(search, search->maps, usable);
		for (int axis = 0; axis < search->geometry->dims; axis++)
			torus_box_bits_grow(search->geometry, axis, 1,
					    search->best.side[axis], search->maps,
					    search->scratch);
		search->best.corner =
			torus_bitmap_next_set(search->maps, search->cells, 0);
	}
	*largest = search->best;
	free(search->maps);
}

int torus_largest_box(const torus_geometry_t *geometry, const uint64_t *usable,
		      int long_sides, torus_largest_t *largest, torus_error_t *err)
{
	search_t search;

	if (begin(&search, geometry, usable, err))
		return -1;
	search.long_sides = long_sides;
	if (any(&search, search.maps)) {
		guess(&search);
		enumerate(&search, 0, 1);
	}
	end(&search, usable, largest);
	return 0;
}

int torus_largest_cube(const torus_geometry_t *geometry, const uint64_t *usable,
		       torus_largest_t *largest, torus_error_t *err)
{
	search_t search;

	if (begin(&search, geometry, usable, err))
		return -1;
	for (bool longer = true; longer && any(&search, search.maps);) {
		longer = false;
		note(&search);
		for (int i = 0; i < geometry->dims; i++) {
			int32_t length = search.sorted.length[i];

			if (length == 1)
				continue;
			longer = search.side[i] < length;
			if (!longer)
				break;
			torus_box_bits_grow(&search.sorted, i, search.side[i],
					    search.side[i] + 1, search.maps,
					    search.scratch);
			search.side[i]++;
		}
	}
	end(&search, usable, largest);
	return 0;
}
