/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings of tasks that say where they are. */
#ifndef TORUS_TASKMAP_MAPPERS_POINTS_H
#define TORUS_TASKMAP_MAPPERS_POINTS_H

#include "base/error.h"
#include "taskmap/job.h"

/*
 * Map [job] by recursive bisection of its tasks, which are at at[tasks * dims] (finite
 * numbers), and of its nodes: into node_of_task[tasks]. Which axis of the tasks lies
 * along which dimension of the machine is tried in up to 24 ways, and the one with the
 * fewest hop-bytes stays. Returns 0, or -1 with [err] filled: torus_task_job_check()
 * refuses the job, or memory is short. O(tasks log^2 tasks).
 */
int torus_taskmap_points(const torus_task_job_t *job, int dims, const double *at,
			 uint32_t *node_of_task, torus_error_t *err);

#endif
