/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which boxes and tori one machine has, nothing being on it, whatever it is made of. A
 * machine of cubes is wired within each cube, and switches join whole ones; any other is
 * wired as a whole.
 */
#ifndef TORUS_TORUS_FIT_H
#define TORUS_TORUS_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "place/box_sizes.h"
#include "place/shape.h"
#include "place/turns.h"

/* How a shape can be had. */
typedef enum torus_fit {
	TORUS_FIT_NEVER,
	TORUS_FIT_BOX,	  /* a box of wired routers: within one cube, less than all of
			   * it, a mesh; elsewhere it is not said that it fits */
	TORUS_FIT_JOINED, /* whole cubes, joined to a torus */
} torus_fit_t;

/*
 * How [shape] can be had; without cubes as a box, but never twisted. Of whole cubes,
 * side[0 .. TORUS_MAX_DIMS-1] receives the sides of the torus along the machine's
 * dimensions: as they are given if each is a multiple of the cube's, otherwise by the
 * first rotation of which that is true; 1 beyond the machine's dimensions. A torus of
 * whole cubes is closed, a box inside a cube if its sides are 1 and 2. Of others [side]
 * is untouched. It may be NULL.
 */
torus_fit_t torus_shape_fit(const torus_geometry_t *geometry, const torus_shape_t *shape,
			    int32_t *side);

/* Whether [shape], which is to be closed, can be had so: on a machine without cubes, as
 * torus_shape_may_close() (place/shape.h) says. */
bool torus_closed_fit(const torus_geometry_t *geometry, const torus_shape_t *shape);

/* Say in [err] why [shape] can never be had, and what can. Returns -1. */
int torus_shape_explain(const torus_geometry_t *geometry, const torus_shape_t *shape,
			torus_error_t *err);

/*
 * What can be had as any box of exactly [nodes] nodes, where routers have [on_router],
 * closed if it is to be. Returns 1: whole cubes, joined to the torus with these sides
 * (torus_cubes_compact()), on whose routers the most nodes are; 0: boxes of *sizes, to be
 * freed, inside a cube of such routers only; or -1 with [err] filled (memory), and
 * nothing to free.
 */
int torus_any_fit(const torus_geometry_t *geometry, torus_router_nodes_t on_router,
		  uint32_t nodes, bool closed, int32_t *side, torus_box_sizes_t *sizes,
		  torus_error_t *err);

/*
 * On a machine of cubes set, in the bitmap volumes[0 .. cells], the numbers of routers
 * that a box or joined torus can have, free or not. Returns false, with nothing set, on
 * others.
 */
bool torus_joined_volumes(const torus_geometry_t *geometry, uint64_t *volumes);

/*
 * The rotations in which a box of [shape] may lie: torus_turns() (place/turns.h), on a
 * machine of cubes those that fit into a cube, closed ones if it is to be. turn[] has
 * room for TORUS_MOST_TURNS; returns their number.
 */
int torus_wired_turns(const torus_geometry_t *geometry, const torus_shape_t *shape,
		      torus_turn_t *turn);

/* Whether a box with these sides that begins at [cell], and does not go beyond the
 * machine, is wired: on a machine of cubes, whether it is within one. */
bool torus_box_is_wired(const torus_geometry_t *geometry, const int32_t *side,
			uint32_t cell);

#endif
