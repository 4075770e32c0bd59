/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connected components of a set of cells. Private to the metrics. */
#ifndef TORUS_METRICS_COMPONENTS_H
#define TORUS_METRICS_COMPONENTS_H

#include "geometry/projection.h"

/*
 * Number of connected components of the [count] >= 1 cells, given ascending and distinct,
 * with the coordinates of each in coord[] and how these lie in extents[]; two cells are
 * connected when they are one hop apart. O(count * dims) nearly, on a twisted torus times
 * log count; and log count for each link beside the torus's own. Returns 0 with [err]
 * filled when memory is short.
 */
uint32_t torus_components(const torus_geometry_t *geometry, const torus_extent_t *extents,
			  const uint32_t *cells, const int32_t *coord, uint32_t count,
			  torus_error_t *err);

/* Ascending, for qsort() and bsearch(). */
int torus_compare_cells(const void *a, const void *b);

#endif
