/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus map --svg: a job's nodes on the machine, coloured by the tasks they hold. */
#ifndef STORUS_MAP_SVG_H
#define STORUS_MAP_SVG_H

#include <stdio.h>

#include "base/error.h"
#include "taskgrid/grid.h"
#include "storus/map/job.h"

/* One of the pictures side by side. */
typedef struct storus_map_picture {
	const char *title;
	const uint32_t *node_of_task;
} storus_map_picture_t;

/*
 * Draw the job before[] and after[]: the planes of the machine, each node a square whose
 * colour is the mean position of its tasks along the longest axis of [grid]. Returns 0,
 * or -1 with [err] filled (memory).
 */
int storus_map_svg_draw(FILE *file, const storus_map_job_t *job,
			const torus_task_grid_t *grid, const storus_map_picture_t *before,
			const storus_map_picture_t *after, torus_error_t *err);

#endif
