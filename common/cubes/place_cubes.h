/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement on a machine of cubes. Whole cubes are all alike to the switches, so that a
 * job gets those of lowest weight, then lowest number; what is smaller than a cube goes
 * where the fewest nodes are free, so that whole cubes stay whole.
 *
 * All functions: the ranks of the machine are on cell_of_rank[0 .. ranks-1], [free] is a
 * bitmap of them, weights[rank] is read for free ranks (small enough for 64-bit sums;
 * NULL: all the same). Return 1 with the ranks in chosen[] (room for [ranks]), ascending;
 * 0 when there is no place; -1 with [err] filled (memory).
 */
#ifndef TORUS_CUBES_PLACE_CUBES_H
#define TORUS_CUBES_PLACE_CUBES_H

#include "cubes/cubes.h"
#include "place/place.h"

/*
 * A job with a shape, as torus_cubes_fit() says: whole cubes with nodes on each router,
 * all free, of the lowest sum of weights, then the lowest numbers; or a box inside one
 * cube: of lowest weight, then of the cube with fewest free nodes, then with the fewest
 * faces towards free routers, the lowest cube, the first rotation, the lowest corner.
 * *count receives the number of ranks.
 */
int torus_cubes_place_shape(const torus_geometry_t *geometry,
			    const uint32_t *cell_of_rank, uint32_t ranks,
			    const uint64_t *free, const uint64_t *weights,
			    const torus_shape_t *shape, uint32_t *chosen, uint32_t *count,
			    torus_error_t *err);

/*
 * A job that asks for any box of exactly [nodes] nodes. Whole cubes, if these have so
 * many; otherwise a box inside one, of lowest weight, then of the smallest summed
 * distance, then as above. Only routers with as many nodes as the fullest count;
 * if [closed], inside a cube only boxes with sides 1 and 2.
 * *distance receives the summed distance on the job's own torus.
 */
int torus_cubes_place_any(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
			  uint32_t ranks, const uint64_t *free, const uint64_t *weights,
			  uint32_t nodes, bool closed, uint32_t *chosen,
			  uint64_t *distance, torus_error_t *err);

/*
 * A job of request->nodes nodes without a shape: as long as no cube has room for what is
 * left of it, it takes all free nodes of the cube with the most; then what is left goes
 * to the cube with the fewest free nodes that holds it, where request->allocator chooses.
 * Ties: the lowest cube. The request has no required ranks and is not contiguous. The
 * placer is that of the machine.
 */
int torus_cubes_place_nodes(torus_placer_t *placer, const uint64_t *free, uint32_t ranks,
			    const torus_place_request_t *request, uint32_t *chosen,
			    torus_placement_t *placement, torus_error_t *err);

#endif
