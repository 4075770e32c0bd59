/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rotations of a shape on a machine. */
#ifndef TORUS_PLACE_TURNS_H
#define TORUS_PLACE_TURNS_H

#include <stdbool.h>

#include "geometry/chips.h"
#include "place/shape.h"

#define TORUS_MOST_TURNS 720

/* A rotation: sides in routers along x, y and so on; 1 beyond the machine's dimensions.
 */
typedef struct torus_turn {
	int32_t side[TORUS_MAX_DIMS];
} torus_turn_t;

/* Whether a rotation of [shape] may have other sides in routers than those of the shape.
 */
static inline bool torus_turns_change_sides(const torus_geometry_t *geometry,
					    const torus_shape_t *shape)
{
	return shape->in_chips && torus_node_chips(geometry) > 1;
}

/*
 * Make of the sides of one rotation of [shape], of the dimensions of [geometry], those in
 * routers: they are so already unless the shape is in chips. Returns false, with [side]
 * untouched, where the rotation is no box of whole nodes and no part of one.
 */
bool torus_side_in_nodes(const torus_geometry_t *geometry, const torus_shape_t *shape,
			 int32_t side[TORUS_MAX_DIMS]);

/*
 * Whether a box with sides [side] in routers, which fits, is closed (place/shape.h): of a
 * shape in chips as a box of all chips of its nodes.
 */
bool torus_turn_is_closed(const torus_geometry_t *geometry, const torus_shape_t *shape,
			  const int32_t *side);

/*
 * Fill turn[] (room for TORUS_MOST_TURNS) with the distinct rotations of [shape] that fit
 * the machine, in ascending order of their sides; return their number. A shape of fewer
 * dimensions than the machine is 1 in the others; sides of 1 beyond its number are left
 * out.
 *
 * Of a shape in chips those are the rotations in which it is a box of whole nodes: each
 * side a multiple of the node's along that axis. One that is part of a single node in
 * some rotation is one node, and which chips of it the job gets is not said.
 */
int torus_turns(const torus_geometry_t *geometry, const torus_shape_t *shape,
		torus_turn_t *turn);

/*
 * Whether some rotation, however long, is a box of whole nodes or
 * part of one. If none is, *nearest receives the smallest box of whole nodes in which the
 * shape fits, in chips; or all zero where the shape has more dimensions than the machine
 * or the box would be too large. Of fewest chips the first in ascending order of its
 * sides.
 */
bool torus_shape_suits(const torus_geometry_t *geometry, const torus_shape_t *shape,
		       torus_shape_t *nearest);

/*
 * A number of nodes than which no box of any of the [shapes] has fewer, on a machine
 * whose routers have at least [on_router] (>= 1) nodes, if they have any.
 */
uint64_t torus_shapes_fewest_nodes(const torus_geometry_t *geometry,
				   const torus_shapes_t *shapes, uint32_t on_router);

#endif
