/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many nodes in a job's bounding box are not its own and not free for it: what
 * `compact` weighs against distance where that is asked (Isolation= in torus.conf).
 * Private to place/compact/.
 *
 * The box is that of metrics/metrics.h: of each dimension the smallest range, or arc
 * where it wraps, that holds the job; of several arcs the one that begins lowest. Sums
 * of the taken nodes between the machine's first cell and each other give those of a box
 * by looking at its corners.
 */
#ifndef TORUS_PLACE_COMPACT_FOREIGN_H
#define TORUS_PLACE_COMPACT_FOREIGN_H

#include "geometry/projection.h"
#include "place/site.h"

typedef struct torus_compact_foreign {
	const torus_site_t *site; /* NULL until the first decision */
	/* [cells] taken nodes on all cells none of whose coordinates is larger */
	uint32_t *sum;
	uint32_t stride[TORUS_MAX_DIMS]; /* from a cell to the next along each axis */
	torus_projection_t job;		 /* coordinates of its nodes */
} torus_compact_foreign_t;

/*
 * Begin a decision of [site], the same one each time, after torus_site_begin(): the job
 * has no nodes, and those that are not free are taken. All of *foreign is 0 before the
 * first one, which allocates memory: 0, or -1 with [err] filled. O(cells * dims).
 */
int torus_compact_foreign_reset(torus_compact_foreign_t *foreign,
				const torus_site_t *site, torus_error_t *err);
void torus_compact_foreign_end(torus_compact_foreign_t *foreign);

/* The job gets a node on [cell], in this and every count of the decision. */
void torus_compact_foreign_require(torus_compact_foreign_t *foreign, uint32_t cell);

/*
 * Taken nodes in the box of the job's nodes: those required and one on each of
 * cell[0 .. count-1]; at least one in all. O(count * dims + sum of lengths + 3^dims).
 */
uint32_t torus_compact_foreign_count(torus_compact_foreign_t *foreign,
				     const uint32_t *cell, uint32_t count);

#endif
