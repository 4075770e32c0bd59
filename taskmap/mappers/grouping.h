/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sub-boxes of a task grid that fit a node: see taskmap/mappers/grouping.c. */
#ifndef TORUS_TASKMAP_MAPPERS_GROUPING_H
#define TORUS_TASKMAP_MAPPERS_GROUPING_H

#include "taskmap/job.h"

/*
 * Choose the sub-box: fill side[0 .. dims of the grid - 1]. Returns its number of tasks,
 * which is that of the fullest node.
 */
uint32_t torus_grouping_box(const torus_task_job_t *job, int32_t side[TORUS_MAX_DIMS]);

/*
 * The number (first axis fastest) of the sub-box that holds the task at [coord]; *within
 * receives the task's number in it.
 */
uint64_t torus_grouping_number(const torus_task_grid_t *grid, const int32_t *side,
			       const int32_t *coord, uint64_t *within);

#endif
