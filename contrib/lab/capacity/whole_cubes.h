/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of whole cubes: the switches join any cubes, so that only their number counts.
 * Private to capacity/.
 */
#ifndef TORUS_CAPACITY_WHOLE_CUBES_H
#define TORUS_CAPACITY_WHOLE_CUBES_H

#include "capacity/holders.h"
#include "torus/cubes.h"

/*
 * How many cubes [shape] takes, at most those of the machine. 0: it is none of whole
 * cubes, or [geometry] is no machine of cubes.
 */
uint32_t torus_whole_needed(const torus_geometry_t *geometry, const torus_shape_t *shape);

/* In how many ways [count] of [all] cubes can be chosen; UINT64_MAX: so many or more. */
uint64_t torus_choices(uint32_t all, uint32_t count);

/*
 * torus_fewest_holders() for [needed] >= 1 cubes: those with the fewest distinct holders
 * together, the fewest dear ones, then the fewest others. Returns as that does; of *box
 * the sides and the corner stay untouched.
 *
 * Cubes that share holders are a group, and a holder with cells in several cubes of a
 * group counts once. In a group with at most 12 such holders all sets of these are tried,
 * and the groups are put together by a table over the number of cubes, so that the answer
 * is exact. In other groups the cubes come one by one, each time the one that adds the
 * fewest. O(cells + groups * needed * cubes of the group + 4096 * cubes).
 */
int torus_fewest_cubes(const torus_geometry_t *geometry, const torus_holders_t *holders,
		       uint32_t needed, torus_in_the_way_t *box, uint64_t *cells,
		       torus_error_t *err);

#endif
