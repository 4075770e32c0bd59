/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The farthest pair of a set of cells. Private to the metrics. */
#ifndef TORUS_METRICS_DIAMETER_H
#define TORUS_METRICS_DIAMETER_H

#include "geometry/projection.h"

/*
 * Hops between the two farthest of the [count] >= 1 distinct cells with the coordinates
 * coord[0 .. count * dims - 1] and these extents along each dimension. Exact. With D
 * dimensions:
 * - O(count * D * 2^(D-1)) when each wrapped dimension has an arc of at most half its
 * length, plus one, that holds the whole set (always so on a mesh);
 * - else O(D * min(count^2, V)), V being the volume of the set's bounding box with full
 *   length in the other wrapped dimensions: never more than the machine's cells.
 * Returns 0, or -1 with [err] filled (memory).
 */
int torus_diameter(const torus_geometry_t *geometry, const torus_extent_t *extents,
		   const int32_t *coord, uint32_t count, uint32_t *diameter,
		   torus_error_t *err);

#endif
