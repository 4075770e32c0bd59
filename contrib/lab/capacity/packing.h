/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many boxes of a shape fit into what is free, all at once. */
#ifndef TORUS_CAPACITY_PACKING_H
#define TORUS_CAPACITY_PACKING_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "place/shape.h"

typedef struct torus_packing {
	uint64_t boxes; /* free boxes that there are, in all rotations, each set of cells
			 * once; UINT64_MAX: so many or more */
	uint32_t least; /* so many fit at once: they were packed */
	uint32_t most;	/* more cannot fit; equal to [least] where that is the answer */
} torus_packing_t;

/*
 * Pack boxes of [shape], in any rotation, around the ends of wrapped dimensions, into the
 * cells that are set in [usable]. To pack as many as possible is NP-hard, so there are
 * two numbers:
 *
 * - least: the best of some greedy packings, and on small machines of a search through
 *   all packings, which is given up after [steps] looks at cells.
 * - most: the search's answer where it came to its end; else the lowest of: the cells
 *   that are in some free box, divided by those of a box; and for every m up to the
 *   shape's shortest side, and every grid of cells m apart, the grid's cells that are in
 *   some free box, divided by the number that each box of the shape has at least (the
 *   product of its sides divided by m, rounded down).
 *
 * On a machine of cubes boxes are those within one cube. A shape of whole cubes takes any
 * that are free: the boxes are then the choices of so many cubes, and how many fit at
 * once is exact.
 *
 * Returns 0, or -1 with [err] filled (memory: a bit a cell for each rotation and 8 bytes
 * a cell). Time O(cells * dims * rotations) and, for the packings, about the cells times
 * the rotations, begun anew until some million cells were looked at; besides that
 * [steps].
 */
int torus_packing(const torus_geometry_t *geometry, const uint64_t *usable,
		  const torus_shape_t *shape, uint64_t steps, torus_packing_t *packing,
		  torus_error_t *err);

#endif
