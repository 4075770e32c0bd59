/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many routers the boxes have that are free: all such numbers, in one search. */
#ifndef TORUS_PLACE_BOX_VOLUMES_H
#define TORUS_PLACE_BOX_VOLUMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/*
 * Set bit v of [volumes], a bitmap of all cells and one more, for each number v from
 * [least] to [most] of which there is a box of v cells all of which are set in [usable]
 * (a bitmap of all cells; see torus_box_bits_usable()); if [closed], a closed one
 * (place/shape.h). Other bits stay as they are. Boxes may go around the ends of wrapped
 * dimensions.
 *
 * Returns 0, or -1 with [err] filled (memory: a few bits a cell for each dimension). The
 * sides along all but the longest dimension are enumerated, with a bit a cell for where
 * such boxes begin; how long they can be along that one is found by doubling, and all
 * shorter ones are free, too. At most cells / longest dimension * 2 log of it passes over
 * cells / 64 words.
 */
int torus_box_volumes(const torus_geometry_t *geometry, const uint64_t *usable,
		      bool closed, uint32_t least, uint32_t most, uint64_t *volumes,
		      torus_error_t *err);

#endif
