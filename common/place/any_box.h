/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any box: a job that asks for a box of exactly its nodes, whichever is most compact.
 */
#ifndef TORUS_PLACE_ANY_BOX_H
#define TORUS_PLACE_ANY_BOX_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/*
 * Find a box of exactly [nodes] (>= 1) nodes on a machine whose ranks are cell_of_rank[0
 * .. ranks-1]. A box is one of torus_box_place() (place/box.h): sides of routers, in any
 * rotation, around the ends of wrapped dimensions; every router in it has nodes, and all
 * of these are free. [nodes] counts nodes: where each router has K of them, the box has
 * nodes / K routers, and there is none if K does not divide [nodes]; where routers
 * differ, all boxes count whose routers have [nodes] together. If [closed], only closed
 * boxes will do (torus_box_is_closed()).
 *
 * Of all such boxes the one with the lowest sum of weights is chosen (weights[rank], as
 * in torus_box_place(); NULL: all the same), then the one with the smallest summed
 * distance of its nodes (hops over ordered pairs), then as torus_box_place() does: the
 * smallest difference between highest and lowest rank, the lowest rank, the first sides
 * (x first), the lowest cell at its corner.
 * chosen[] (room for [ranks]) receives the [nodes] ranks, ascending, *distance the summed
 * distance, UINT64_MAX where it is too large for 64 bits.
 *
 * Returns 1 when found; 0, with nothing written, when there is none; -1 with [err] filled
 * (memory). Without weights and where routers have equally many nodes, each size of box
 * is first looked for with a bit a cell (place/box_bits.h), the most compact first, and
 * torus_box_sweep() looks only at those that are free and as compact as the best.
 * Otherwise it looks at all of them.
 */
int torus_any_box_place(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
			uint32_t ranks, const uint64_t *free_ranks,
			const uint64_t *weights, uint32_t nodes, bool closed,
			uint32_t *chosen, uint64_t *distance, torus_error_t *err);

#endif
