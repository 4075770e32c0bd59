/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An allocation seen along one dimension at a time: how many of its nodes have each
 * coordinate. Hop distance is a sum over dimensions, so this is all that sums of
 * distances, boxes and dispersal metrics need. Private to the metrics.
 */
#ifndef TORUS_GEOMETRY_PROJECTION_H
#define TORUS_GEOMETRY_PROJECTION_H

#include "geometry/geometry.h"

typedef struct torus_projection {
	uint32_t nodes; /* n >= 1 */
	/* [length] nodes at each coordinate of each dimension; one block */
	uint32_t *count[TORUS_MAX_DIMS];
} torus_projection_t;

/* How the coordinates used in one dimension lie. */
typedef struct torus_extent {
	int32_t origin; /* where the smallest arc (mesh: range) that holds all used
			 * coordinates begins; ties: the lowest */
	int32_t side;	/* how many coordinates it has */
	int32_t used;	/* number of distinct coordinates */
} torus_extent_t;

/*
 * Count cells[0 .. n-1] (n >= 1). Returns 0, or -1 with [err] filled (memory). Free with
 * torus_projection_destroy(), which accepts one that is all zero.
 */
int torus_projection_create(const torus_geometry_t *geometry, const uint32_t *cells,
			    uint32_t n, torus_projection_t *projection,
			    torus_error_t *err);
void torus_projection_destroy(torus_projection_t *projection);

/* The extent along [axis]. O(length). */
torus_extent_t torus_projection_extent(const torus_geometry_t *geometry,
				       const torus_projection_t *projection, int axis);

/*
 * Fill sums[0 .. length-1] with, for each coordinate along [axis], the sum of the hops
 * along that axis to all nodes. O(length).
 */
void torus_projection_sums(const torus_geometry_t *geometry,
			   const torus_projection_t *projection, int axis,
			   uint64_t *sums);

#endif
