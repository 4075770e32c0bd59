/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the boxes of a rotation are free, and their cells. */
#ifndef TORUS_CAPACITY_TURNS_H
#define TORUS_CAPACITY_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/geometry.h"
#include "place/turns.h"

/*
 * Fill [corners] with the cells where a box of these sides begins, all of whose cells are
 * set in [usable], on a machine of cubes within one. A box that goes all around a
 * dimension begins at the lowest of its cells there, so that no box is found twice. All
 * three are bitmaps of the cells.
 */
void torus_turn_corners(const torus_geometry_t *geometry, const torus_turn_t *turn,
			const uint64_t *usable, uint64_t *corners, uint64_t *scratch);

/* The cells of a box: walk from torus_walk_begin() until torus_walk_next() is false. */
typedef struct torus_walk {
	const torus_geometry_t *geometry;
	const torus_turn_t *turn;
	int32_t first[TORUS_MAX_DIMS];
	int32_t step[TORUS_MAX_DIMS];
	uint32_t cell; /* where the walk is */
} torus_walk_t;

void torus_walk_begin(torus_walk_t *walk, const torus_geometry_t *geometry,
		      const torus_turn_t *turn, uint32_t corner);
bool torus_walk_next(torus_walk_t *walk);

#endif
