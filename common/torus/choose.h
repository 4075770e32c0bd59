/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where on one torus a job's nodes or its box are, whatever the torus is made of: as
 * place/ has it, or on a machine of cubes by the rules below. There whole cubes are all
 * alike to the switches, so that a job gets those of lowest weight, then lowest number;
 * what is smaller than a cube goes where the fewest nodes are free, so that whole cubes
 * stay whole.
 *
 * All functions: the ranks of the machine are on cell_of_rank[0 .. ranks-1], [free] is a
 * bitmap of them, weights[rank] is read for free ranks (small enough for 64-bit sums;
 * NULL: all the same). Return 1 with the ranks in chosen[] (room for [ranks]); 0 when
 * there is no place; -1 with [err] filled (memory, or a strategy that does not suit the
 * machine). The placer is that of the machine, which the request names.
 */
#ifndef TORUS_TORUS_CHOOSE_H
#define TORUS_TORUS_CHOOSE_H

#include "place/place.h"

/*
 * A job of request->nodes nodes: torus_place_weighted(). On cubes, unless the request is
 * contiguous or has required ranks, or weights differ: as long as no cube has room for
 * what is left of the job, it takes all free nodes of the cube with the most; then what
 * is left goes to the cube with the fewest free nodes that holds it, where
 * request->allocator chooses. Ties: the lowest cube.
 */
int torus_choose_nodes(torus_placer_t *placer, const uint64_t *free,
		       const uint64_t *weights, uint32_t ranks,
		       const torus_place_request_t *request, uint32_t *chosen,
		       torus_placement_t *placement, torus_error_t *err);

/*
 * A job with a shape: torus_place_shape(), where none is ever twisted. On cubes, where
 * [placer] is not read, as torus_shape_fit() says: whole cubes with nodes on each router,
 * all free, of the lowest sum of weights, then the lowest numbers; or a box inside one
 * cube: of lowest weight, then of the cube with fewest free nodes, then with the fewest
 * faces towards free routers, the lowest cube, the first rotation, the lowest corner.
 * *count receives the number of ranks, which are ascending.
 */
int torus_choose_box(torus_placer_t *placer, const uint64_t *free,
		     const uint64_t *weights, uint32_t ranks,
		     const torus_place_request_t *request, const torus_shape_t *shape,
		     uint32_t *chosen, uint32_t *count, torus_error_t *err);

/*
 * Whether a box of [shape] may be free where maps[] (place/box_bits.h: as
 * torus_box_bits_fit() takes them) has what is usable: false where it is quickly seen
 * that none is. Neither a shape in chips of nodes with several is looked at, nor a
 * machine of cubes, whose boxes are of other cells.
 */
bool torus_box_may_be_free(const torus_geometry_t *geometry, const torus_shape_t *shape,
			   uint64_t *maps);

/*
 * A job that asks for any box of exactly [nodes] nodes: torus_any_box_place(). On cubes
 * whole ones, if these have so many; otherwise a box inside one, of lowest weight, then
 * of the smallest summed distance, then as above. Only routers with as many nodes as the
 * fullest count; if [closed], inside a cube only boxes with sides 1 and 2. *distance
 * receives the summed distance on the job's own torus (torus/joined.h); the ranks are
 * ascending.
 */
int torus_choose_any_box(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
			 uint32_t ranks, const uint64_t *free, const uint64_t *weights,
			 uint32_t nodes, bool closed, uint32_t *chosen,
			 uint64_t *distance, torus_error_t *err);

#endif
