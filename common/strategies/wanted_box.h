/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which box a job wants from the strategies about boxes. Private to strategies/. */
#ifndef TORUS_STRATEGIES_WANTED_BOX_H
#define TORUS_STRATEGIES_WANTED_BOX_H

#include "place/allocator.h"
#include "place/free_boxes.h"

/*
 * Of the boxes of at least [cells] (>= 1) cells that the machine has room for, the one
 * with the smallest sum of sides; then of fewest cells; then the one whose shortest sides
 * are longest. Fills side[0 .. dims-1] (1 beyond), longer sides along longer axes, of
 * equal ones the later longer. False when the machine has fewer cells.
 */
bool torus_cube_like(const torus_geometry_t *geometry, uint32_t cells,
		     int32_t side[TORUS_MAX_DIMS]);

/*
 * Look for what is asked for: a box of the shape, or else the most cube-like box of as
 * many full routers as n nodes need, and n nodes of it. Returns 1; 0 when the machine has
 * no such box; -1 with [err] filled (memory). To be cleared in each case.
 */
int torus_wanted_box_begin(torus_free_boxes_t *boxes, const torus_ask_t *ask,
			   torus_error_t *err);

#endif
