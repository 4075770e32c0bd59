/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How compact an allocation is: span, box, components and the dispersal metrics.
 *
 * Hop distance is a sum over dimensions, so sums over pairs come from one histogram of
 * coordinates a dimension: O(n + sum of sides), not O(n^2). Where it is no such sum see
 * pair_sums.h. Links beside the torus's own (geometry/chords.h) count in hops and
 * components; boxes and what is affected are those of the torus alone.
 *
 * Source of the dispersal metrics (nodes and links affected, summed distance, distance
 * from center, diameter): Mache and Lo, "Dispersal Metrics for Non-Contiguous Processor
 * Allocation" (1996) and "The effects of dispersal on message-passing contention in
 * processor allocation strategies" (1997).
 */
#ifndef TORUS_METRICS_H
#define TORUS_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

typedef struct torus_metrics {
	uint32_t nodes; /* n */
	/* span.h's spans; 0 when no ranks were given. */
	uint32_t span_ring;
	uint32_t span_linear;
	double stretch_span; /* span / n, by the span rule asked for */
	bool contiguous;     /* that span == n */
	/* Connected sets of nodes; neighbours are one hop apart, or on one router. */
	uint32_t components;
	/* Sides of the bounding box; where wrapped, the smallest arc. */
	int32_t box[TORUS_MAX_DIMS];
	uint64_t volume;    /* product of box[] */
	uint32_t side_sum;  /* sum of box[] over the machine's dimensions */
	uint32_t cube_side; /* of the smallest enclosing cube: the largest of box[] */
	/*
	 * Product over dimensions of max-min+1. Wrapped, with length k: k minus the
	 * largest gap g of unused coordinates if g > k/2 - 1 (k/2 not rounded), else k.
	 */
	uint64_t nodes_affected;
	/*
	 * Sum over i of L_i times the product over j != i of the number of distinct
	 * coordinates in j. L_i = max-min; wrapped, k-g-1 if g > k/2 - 1, else all k
	 * links of the ring.
	 */
	uint64_t links_affected;
	uint64_t summed_distance; /* hops, summed over ordered pairs */
	double average_distance;  /* summed_distance / (n(n-1)); 0 for one node */
	/* Least, over members, of the sum of hops to all members. */
	uint64_t distance_from_center;
	uint32_t diameter; /* hops of the farthest pair */
	/* summed_distance / (n(n+1)): the average pairwise distance of the literature on
	 * space-filling curves. */
	double apd;
} torus_metrics_t;

/*
 * Measure the allocation cells[0 .. n-1] (n >= 1; several nodes may share a cell) on
 * [geometry]. [ranks], the rank of each node in the same order, may be NULL: the three
 * values of the span are then 0 and contiguous is false. [total_ranks] is the number of
 * ranks on the machine and [ring] which span stretch_span and contiguous use.
 *
 * Sums are exact as long as n * n * (sum of sides) is below 2^64.
 *
 * Time O(n log n + sum of sides), and for the diameter O(n * 2^dims), or, when the set
 * reaches more than half around a wrapped dimension, O(min(n^2, cells)): see diameter.h.
 * Where hops do not add up the sums and the diameter take longer: see pair_sums.h.
 * Returns 0, or -1 with [err] filled (memory).
 */
int torus_metrics(const torus_geometry_t *geometry, const uint32_t *cells,
		  const uint32_t *ranks, uint32_t n, uint32_t total_ranks, bool ring,
		  torus_metrics_t *metrics, torus_error_t *err);

/*
 * Only summed_distance, the pair sum over ordered pairs: what placement logs and the
 * SystemComment need at every job start. O(n + sum of sides) where hops add up
 * (pair_sums.h). Returns 0, or -1 + [err].
 */
int torus_summed_distance(const torus_geometry_t *geometry, const uint32_t *cells,
			  uint32_t n, uint64_t *sum, torus_error_t *err);

/*
 * The same by the torus's own links alone: what a search for a place goes by, where it
 * takes sums over dimensions.
 */
int torus_summed_own_distance(const torus_geometry_t *geometry, const uint32_t *cells,
			      uint32_t n, uint64_t *sum, torus_error_t *err);

/*
 * Bounding box sides of cells[0 .. n-1], n >= 1, and, unless NULL, the coordinate where
 * the box begins in each dimension (in a wrapped dimension the cell after the largest
 * gap; ties: the box that begins lowest). Returns 0, or -1 with [err] filled (memory).
 */
int torus_bounding_box(const torus_geometry_t *geometry, const uint32_t *cells,
		       uint32_t n, int32_t box[TORUS_MAX_DIMS],
		       int32_t origin[TORUS_MAX_DIMS], torus_error_t *err);

#endif
