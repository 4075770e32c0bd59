/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What geometric mappers work on: tasks and places as points in one space.
 *
 * Places are unrolled: see taskmap.h. Tasks are brought to the machine's number of
 * dimensions D in three steps.
 *
 * Merge: while more than D grid axes are longer than 1, the two shortest become one,
 * index short + (length of short) * (index of the other), in the place of the short one.
 * (Among axes of equal length the later ones are merged, and the earlier of the two is
 * the short one.)
 *
 * Fold: axes longer than 1, longest first, face the box's sides, longest first. A side's
 * *reach* is its length times (tasks / volume of the box)^(1/D): how many tasks lie along
 * it in a cube-like mapping, but at least 2. While fewer than D axes are longer than 1,
 * at least two are, the box is thicker than 1 in a direction not yet faced, and an axis
 * is longer than 1.9 times the reach of its side, the axis with the largest such excess
 * is folded like a strip of paper into layers of equal width, every other one reversed:
 * as many layers as the reach goes into the axis, but at least 2. The number of the layer
 * becomes a new axis, the first that is free. Where all D > 2 axes are taken but one is
 * longer than three times its reach while the two shortest, merged, are within the reach
 * of the shortest side, these are merged to make room. On the jobs of two logs on 3D
 * machines that leaves rcb 1.4 to 7.2% fewer hops of 2D grids than not folding does, and
 * of 3D grids as many (0.2% fewer to 0.1% more): docs/mapping.md. A grid with a single
 * axis longer than 1 is not folded: sorted places make a better chain.
 *
 * Rotate: axes, longest first, onto box sides, longest first; ties in axis order.
 *
 * None of this with axes_kept of the job: axis i is dimension i.
 */
#ifndef TORUS_TASKMAP_LAYOUT_H
#define TORUS_TASKMAP_LAYOUT_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/job.h"

typedef struct torus_layout {
	const torus_task_job_t *job;
	int dims; /* D, of the machine */
	uint32_t tasks;
	int32_t box[TORUS_MAX_DIMS];  /* sides of the box around the places */
	int32_t grid[TORUS_MAX_DIMS]; /* sides of the box around the tasks */
	int32_t *node_point;	      /* [nodes * D], each 0 .. box-1 */
	int32_t *task_point;	      /* [tasks * D], each 0 .. grid-1, all different */
	uint32_t *node_of_place;      /* [tasks] places in allocation order */
} torus_layout_t;

/*
 * The nodes of [job] unrolled, by the rule of taskmap.h: point[nodes * D], each from 0 to
 * the side of the box around them. Returns 0, or -1 with [err] filled (memory).
 * O(nodes + sides).
 */
int torus_unroll(const torus_task_job_t *job, int32_t box[TORUS_MAX_DIMS], int32_t *point,
		 torus_error_t *err);

/* Lay [job] (checked) out. To be freed with torus_layout_destroy(), also after an error.
 * Returns 0, or -1 with [err] filled (memory). O(tasks + nodes log nodes). */
int torus_layout_init(const torus_task_job_t *job, torus_layout_t *layout,
		      torus_error_t *err);

/* Free what a layout (or a zeroed one) holds. */
void torus_layout_destroy(torus_layout_t *layout);

#endif
