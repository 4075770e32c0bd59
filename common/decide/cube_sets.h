/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places on a machine of cubes that have enough in all: sets of cubes, boxes inside one.
 */
#ifndef TORUS_DECIDE_CUBE_SETS_H
#define TORUS_DECIDE_CUBE_SETS_H

#include "base/error.h"
#include "decide/places.h"

/*
 * Add to [places] those of [shape] on one torus that is a machine of cubes. All nodes are
 * candidates, as many as are wanted, with all required nodes and enough in all. Of a
 * shape of whole cubes these are sets of them, the lightest first; else boxes inside one
 * cube, as torus_boxes_find() lists them. A shape of 0 dimensions stands for any box of
 * exactly wanted->nodes, on routers with as many nodes as the fullest.
 *
 * What was done is taken off [work]; where that comes to an end, or the list of sets is
 * full, it is not complete. Returns 0, or -1 with [err] filled.
 */
int torus_cube_places_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
			   const torus_shape_t *shape, torus_places_t *places,
			   uint64_t *work, torus_error_t *err);

#endif
