/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The planes that a picture of a machine consists of. */
#ifndef STORUS_CLI_PLANES_H
#define STORUS_CLI_PLANES_H

#include <stdint.h>

#include "geometry/geometry.h"

/* The letter of each axis, x first. */
#define STORUS_AXIS_LETTERS "xyzuvw"

/*
 * A plane is the set of cells that differ in the first two coordinates only. Plane p
 * begins at cell p * storus_plane_cells(); x is fastest.
 */
uint32_t storus_plane_cells(const torus_geometry_t *geometry);

/* A buffer for any title of a plane. */
#define STORUS_PLANE_TITLE 64

/* Write "z=3 u=0" into [title], "" for machines of one plane; returns [title]. */
char *storus_plane_title(const torus_geometry_t *geometry, uint32_t plane,
			 char title[STORUS_PLANE_TITLE]);

#endif
