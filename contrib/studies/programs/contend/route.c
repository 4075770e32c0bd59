/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "route.h"

uint32_t contend_longest_route(const torus_geometry_t *geometry)
{
	uint32_t longest = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];

		longest += geometry->wrap[axis] ? length / 2 : length - 1;
	}
	return longest;
}

static bool goes_down(const torus_geometry_t *geometry, int axis, int32_t here,
		      int32_t there, bool as_simgrid)
{
	int32_t length = geometry->length[axis];
	int32_t up = there - here + (there < here ? length : 0);

	if (!geometry->wrap[axis])
		return there < here;
	return 2 * up > length || (as_simgrid && 2 * up == length && there == 0);
}

uint32_t contend_route(const torus_geometry_t *geometry, uint32_t from, uint32_t to,
		       bool as_simgrid, uint32_t *route)
{
	int32_t here[TORUS_MAX_DIMS], there[TORUS_MAX_DIMS];
	uint32_t hops = 0;

	torus_cell_to_coord(geometry, from, here);
	torus_cell_to_coord(geometry, to, there);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];
		bool down = goes_down(geometry, axis, here[axis], there[axis], as_simgrid);
		bool crossed = false;

		while (here[axis] != there[axis]) {
			uint32_t cell = torus_coord_to_cell(geometry, here);
			int32_t next = here[axis] + (down ? -1 : 1);

			route[hops++] =
				4 * (cell * (uint32_t)geometry->dims + (uint32_t)axis) +
				2 * down + crossed;
			crossed |= next < 0 || next == length;
			here[axis] = (next + length) % length;
		}
	}
	return hops;
}
