/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Foreign nodes: those in a job's bounding box that are neither its own nor free for it.
 * With Isolation= in torus.conf `compact` weighs their number against distance. Private
 * to place/compact/.
 *
 * The box is that of metrics/metrics.h: in each dimension the smallest range (arc, where
 * it wraps) that holds the job; ties: the arc that begins lowest. With a table of prefix
 * sums over the machine, the nodes in a box are counted by looking at its corners.
 */
#ifndef TORUS_PLACE_COMPACT_FOREIGN_H
#define TORUS_PLACE_COMPACT_FOREIGN_H

#include "geometry/projection.h"
#include "place/site.h"

typedef struct torus_compact_foreign {
	const torus_site_t *site; /* NULL until the first decision */
	/* [cells] taken nodes on all cells with no larger coordinate */
	uint32_t *sum;
	uint32_t stride[TORUS_MAX_DIMS]; /* from a cell to the next along each axis */
	torus_projection_t job;		 /* coordinates of its nodes */
} torus_compact_foreign_t;

/*
 * Begin a decision after torus_site_begin(), always with the same [site]: all nodes that
 * are not free are taken, and the job has none. *foreign must be all zero before the
 * first call, which allocates memory. Returns 0, or -1 with [err] filled (memory).
 * O(cells * dims).
 */
int torus_compact_foreign_reset(torus_compact_foreign_t *foreign,
				const torus_site_t *site, torus_error_t *err);
void torus_compact_foreign_end(torus_compact_foreign_t *foreign);

/* Add a required node on [cell], which all counts of this decision include. */
void torus_compact_foreign_require(torus_compact_foreign_t *foreign, uint32_t cell);

/*
 * Count the foreign nodes of a job with the required nodes and one node on each of cell[0
 * .. count-1], at least one in all. O(count * dims + sum of lengths + 3^dims).
 */
uint32_t torus_compact_foreign_count(torus_compact_foreign_t *foreign,
				     const uint32_t *cell, uint32_t count);

#endif
