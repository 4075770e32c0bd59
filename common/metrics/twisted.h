/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distances on a twisted torus, whose hops do not add up over dimensions. */
#ifndef TORUS_METRICS_TWISTED_H
#define TORUS_METRICS_TWISTED_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/* As in metrics/metrics.h. */
typedef struct torus_twisted_sums {
	uint64_t summed;   /* hops, over ordered pairs */
	uint64_t center;   /* the least sum of hops from a member to all */
	uint32_t diameter; /* hops of the farthest pair */
} torus_twisted_sums_t;

/*
 * Sum over cells[0 .. n-1], n >= 1, of the twisted torus [geometry]; several nodes may
 * share a cell. Returns 0, or -1 with [err] filled (memory). O(n + cells) where every
 * cell has as many nodes, otherwise O(cells^2).
 */
int torus_twisted_sums(const torus_geometry_t *geometry, const uint32_t *cells,
		       uint32_t n, torus_twisted_sums_t *sums, torus_error_t *err);

#endif
