/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distances where hops do not add up over dimensions (torus_hops_add_up()): on a twisted
 * torus, or one with links beside its own. */
#ifndef TORUS_METRICS_PAIR_SUMS_H
#define TORUS_METRICS_PAIR_SUMS_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/* As in metrics/metrics.h. */
typedef struct torus_pair_sums {
	uint64_t summed;   /* hops, over ordered pairs */
	uint64_t center;   /* the least sum of hops from a member to all */
	uint32_t diameter; /* hops of the farthest pair */
} torus_pair_sums_t;

/*
 * Sum over cells[0 .. n-1], n >= 1, of [geometry]; several nodes may share a cell.
 * Returns 0, or -1 with [err] filled (memory). On a twisted torus O(n + cells) where
 * every cell has as many nodes, otherwise O(cells^2). With links beside the torus's own
 * O(cells * diameter) for each 64 nodes.
 */
int torus_pair_sums(const torus_geometry_t *geometry, const uint32_t *cells, uint32_t n,
		    torus_pair_sums_t *sums, torus_error_t *err);

#endif
