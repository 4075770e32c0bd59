/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the boxes of a rotation are: see turns.h. */
#include "capacity/turns.h"

#include <string.h>

#include "base/bitmap.h"
#include "place/box_bits.h"
#include "torus/fit.h"
#include "torus/joined.h"

/* Whether a box of these sides goes all around the dimension [axis]. */
static bool is_ring(const torus_geometry_t *geometry, const torus_turn_t *turn, int axis)
{
	return geometry->wrap[axis] && geometry->length[axis] > 1 &&
	       turn->side[axis] == geometry->length[axis];
}

/* Whether some corner may have to go: see clear_corners(). */
static bool has_more_corners(const torus_geometry_t *geometry, const torus_turn_t *turn)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (is_ring(geometry, turn, axis))
			return true;
	}
	return torus_has_cubes(geometry);
}

/*
 * Clear the corners of boxes that leave their cube, and of a box that goes around a ring
 * all but the lowest: it is the same box wherever it begins.
 */
static void clear_corners(const torus_geometry_t *geometry, const torus_turn_t *turn,
			  uint64_t *corners)
{
	uint32_t cells = torus_geometry_cells(geometry);

	for (uint32_t cell = torus_bitmap_next_set(corners, cells, 0); cell < cells;
	     cell = torus_bitmap_next_set(corners, cells, cell + 1)) {
		int32_t coord[TORUS_MAX_DIMS];
		bool once;

		torus_cell_to_coord(geometry, cell, coord);
		once = torus_box_is_wired(geometry, turn->side, cell);
		for (int axis = 0; axis < geometry->dims; axis++)
			once = once && (!coord[axis] || !is_ring(geometry, turn, axis));
		if (!once)
			torus_bit_clear(corners, cell);
	}
}

void torus_turn_corners(const torus_geometry_t *geometry, const torus_turn_t *turn,
			const uint64_t *usable, uint64_t *corners, uint64_t *scratch)
{
	memcpy(corners, usable,
	       TORUS_WORDS(torus_geometry_cells(geometry)) * sizeof(*corners));
	for (int axis = 0; axis < geometry->dims; axis++)
		torus_box_bits_grow(geometry, axis, 1, turn->side[axis], corners,
				    scratch);
	if (has_more_corners(geometry, turn))
		clear_corners(geometry, turn, corners);
}

void torus_walk_begin(torus_walk_t *walk, const torus_geometry_t *geometry,
		      const torus_turn_t *turn, uint32_t corner)
{
	*walk = (torus_walk_t){.geometry = geometry, .turn = turn, .cell = corner};
	torus_cell_to_coord(geometry, corner, walk->first);
}

bool torus_walk_next(torus_walk_t *walk)
{
	const torus_geometry_t *geometry = walk->geometry;
	uint32_t row = 1;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t at = (uint32_t)(walk->first[axis] + walk->step[axis]);

		if (++walk->step[axis] < walk->turn->side[axis]) {
			/* One cell on, or from the last to the first. */
			walk->cell = at % length == length - 1
					     ? walk->cell - (length - 1) * row
					     : walk->cell + row;
			return true;
		}
		/* Back to where the box begins along this axis. */
		walk->cell -= at % length * row;
		walk->cell += (uint32_t)walk->first[axis] * row;
		walk->step[axis] = 0;
		row *= length;
	}
	return false;
}
