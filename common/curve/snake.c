/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boustrophedon orders, see snake.h: like an odometer whose wheels turn back at their
 * ends instead of jumping to 0.
 */
#include "curve/snake.h"

void torus_snake_axes(const torus_geometry_t *geometry, int axes[TORUS_MAX_DIMS])
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		int at = axis;

		for (; at > 0 && geometry->length[axes[at - 1]] > geometry->length[axis];
		     at--)
			axes[at] = axes[at - 1];
		axes[at] = axis;
	}
}

void torus_snake_along(const torus_geometry_t *geometry, const int *axes, uint32_t *order)
{
	uint32_t cells = torus_geometry_cells(geometry);
	int32_t coord[TORUS_MAX_DIMS] = {0}, step[TORUS_MAX_DIMS];

	for (int axis = 0; axis < geometry->dims; axis++)
		step[axis] = 1;
	for (uint32_t rank = 0; rank < cells; rank++) {
		order[rank] = torus_coord_to_cell(geometry, coord);
		for (int i = 0; i < geometry->dims; i++) {
			int axis = axes[i];
			int32_t next = coord[axis] + step[axis];

			if (next >= 0 && next < geometry->length[axis]) {
				coord[axis] = next;
				break;
			}
			step[axis] = -step[axis];
		}
	}
}
