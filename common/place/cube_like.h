/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The most cube-like box for a number of cells. Private to place/. */
#ifndef TORUS_PLACE_CUBE_LIKE_H
#define TORUS_PLACE_CUBE_LIKE_H

#include "geometry/geometry.h"

/*
 * Of the boxes of at least [cells] (>= 1) cells that the machine has room for, the one
 * with the smallest sum of sides; then of fewest cells; then the one whose shortest sides
 * are longest. Fills side[0 .. dims-1] (1 beyond), longer sides along longer axes, of
 * equal ones the later longer. False when the machine has fewer cells.
 */
bool torus_cube_like(const torus_geometry_t *geometry, uint32_t cells,
		     int32_t side[TORUS_MAX_DIMS]);

#endif
