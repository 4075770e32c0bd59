/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hops from every coordinate to a set of cells that come and go one by one. Hop distance
 * is a sum over dimensions, so that of each dimension one sum for each coordinate says
 * how far any cell is from all of them together. Private to place/.
 */
#ifndef TORUS_PLACE_COORD_HOPS_H
#define TORUS_PLACE_COORD_HOPS_H

#include <stdbool.h>

#include "geometry/geometry.h"

/* {0}: without memory, for torus_coord_hops_end(). */
typedef struct torus_coord_hops {
	const torus_geometry_t
		*geometry; /* borrowed; its chords and twist do not count */
	/* By axis and coordinate the sum; and what a cell at d adds to that of d + i when
	 * it comes, came[axis][i], and when it goes. One block. */
	uint64_t *sum[TORUS_MAX_DIMS];
	uint64_t *came[TORUS_MAX_DIMS], *gone[TORUS_MAX_DIMS];
} torus_coord_hops_t;

/* For a set that is empty. Returns 0, or -1 with [err] filled (memory); to be ended in
 * both cases. O(sum of lengths). */
int torus_coord_hops_begin(torus_coord_hops_t *hops, const torus_geometry_t *geometry,
			   torus_error_t *err);
void torus_coord_hops_end(torus_coord_hops_t *hops);

/* Empty the set. */
void torus_coord_hops_reset(torus_coord_hops_t *hops);

/* Hops from the cell at coord[] to all cells of the set together. O(dims). */
static inline uint64_t torus_coord_hops_to(const torus_coord_hops_t *hops,
					   const int32_t *coord)
{
	uint64_t sum = 0;

	for (int axis = 0; axis < hops->geometry->dims; axis++)
		sum += hops->sum[axis][coord[axis]];
	return sum;
}

/*
 * Add the cell at coord[] to the set, or take it away, once; returns its hops to the
 * cells of the set, of which it is itself one only if it goes. O(sum of lengths).
 */
uint64_t torus_coord_hops_change(torus_coord_hops_t *hops, const int32_t *coord,
				 bool comes);

#endif
