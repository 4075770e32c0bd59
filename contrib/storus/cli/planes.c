/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The planes that a picture of a machine consists of. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdio.h>

#include "storus/cli/planes.h"

uint32_t storus_plane_cells(const torus_geometry_t *geometry)
{
	return (uint32_t)geometry->length[0] * (uint32_t)geometry->length[1];
}

char *storus_plane_title(const torus_geometry_t *geometry, uint32_t plane,
			 char title[STORUS_PLANE_TITLE])
{
	int length = 0;

	title[0] = '\0';
	for (int axis = 2; axis < geometry->dims; axis++) {
		uint32_t side = (uint32_t)geometry->length[axis];

		length += snprintf(title + length, (size_t)(STORUS_PLANE_TITLE - length),
				   "%s%c=%" PRIu32, length ? " " : "",
				   STORUS_AXIS_LETTERS[axis], plane % side);
		plane /= side;
	}
	return title;
}
