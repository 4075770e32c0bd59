/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the boxes of a rotation are: see turns.h. */
#include "capacity/turns.h"

#include <string.h>

#include "place/box_bits.h"

void torus_turn_corners(const torus_geometry_t *geometry, const torus_turn_t *turn,
			const uint64_t *usable, uint64_t *corners, uint64_t *scratch)
{
	memcpy(corners, usable,
	       TORUS_WORDS(torus_geometry_cells(geometry)) * sizeof(*corners));
	for (int axis = 0; axis < geometry->dims; axis++)
		torus_box_bits_grow(geometry, axis, 1, turn->side[axis], corners,
				    scratch);
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
