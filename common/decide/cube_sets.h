/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of whole cubes that have enough in all. Private to decide/. */
#ifndef TORUS_DECIDE_CUBE_SETS_H
#define TORUS_DECIDE_CUBE_SETS_H

#include "base/error.h"
#include "decide/places.h"

/*
 * Add to [places] the sets of whole cubes of a machine of cubes that are joined to a
 * torus with the sides side[0 .. TORUS_MAX_DIMS-1], the lightest first. All nodes are
 * candidates, as many as are wanted, with all required nodes and enough in all.
 *
 * What was done is taken off [work]; where that comes to an end, or the list is full, it
 * is not complete. Returns 0, or -1 with [err] filled.
 */
int torus_cube_sets_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
			 const int32_t *side, torus_places_t *places, uint64_t *work,
			 torus_error_t *err);

#endif
