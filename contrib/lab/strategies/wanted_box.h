/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which box a job gets from the strategies for boxes. Private to strategies/. */
#ifndef TORUS_STRATEGIES_WANTED_BOX_H
#define TORUS_STRATEGIES_WANTED_BOX_H

#include "place/allocator.h"
#include "place/free_boxes.h"

/*
 * Find the most cube-like box of at least [cells] (>= 1) cells that fits into the
 * machine: the one with the smallest sum of sides; ties: fewest cells, then longest
 * shortest sides. Fills side[0 .. dims-1] (1 beyond), longer sides along longer axes, of
 * equally long axes the later one. Returns false when the machine has fewer cells.
 */
bool torus_cube_like(const torus_geometry_t *geometry, uint32_t cells,
		     int32_t side[TORUS_MAX_DIMS]);

/*
 * Begin to look for the box that is asked for: of the shape, or without one the most
 * cube-like box of full routers that holds n nodes, of which n are taken. Returns 1; 0
 * when the machine has no such box; -1 with [err] filled (memory). Must be cleared in
 * every case.
 */
int torus_wanted_box_begin(torus_free_boxes_t *boxes, const torus_ask_t *ask,
			   torus_error_t *err);

#endif
