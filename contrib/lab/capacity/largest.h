/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The largest free box of a machine, exactly. */
#ifndef TORUS_CAPACITY_LARGEST_H
#define TORUS_CAPACITY_LARGEST_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

typedef struct torus_largest {
	uint32_t volume;	      /* in cells; 0: no cell is usable */
	int32_t side[TORUS_MAX_DIMS]; /* along x, y and so on; 1 beyond the dimensions */
	uint32_t corner; /* the cell it begins with; it goes upwards, around the end */
} torus_largest_t;

/*
 * Find the box of most cells all of which are set in [usable] (a bitmap of all cells; see
 * torus_box_bits_usable()), with at most [long_sides] (>= 1) sides longer than 1: 1 is a
 * line, 2 a plane, and the machine's number of dimensions any box. Boxes may go around
 * the ends of wrapped dimensions. Of boxes with as many cells the one with the smallest
 * summed distance (place/box_distance.h), then with the first sides, x first, then the
 * lowest corner.
 *
 * Returns 0, or -1 with [err] filled (memory: a few bits a cell for each dimension). The
 * sides along all but the longest dimension are enumerated, with a bit a cell for where
 * such boxes begin; how long they can be along that one is found by doubling. What cannot
 * be as large as the best is left out: at most cells / longest dimension * 2 log of it
 * passes over cells / 64 words.
 */
int torus_largest_box(const torus_geometry_t *geometry, const uint64_t *usable,
		      int long_sides, torus_largest_t *largest, torus_error_t *err);

/*
 * The same for the box whose sides are all equal, but along dimensions of a single cell.
 * Returns as above.
 */
int torus_largest_cube(const torus_geometry_t *geometry, const uint64_t *usable,
		       torus_largest_t *largest, torus_error_t *err);

#endif
