/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs with a task on each chip of their nodes (taskmap/chips.h), as storus map has them.
 */
#ifndef STORUS_MAP_CHIPS_H
#define STORUS_MAP_CHIPS_H

#include <stdbool.h>

#include "base/error.h"
#include "storus/map/job.h"
#include "taskmap/taskmap.h"

/* Whether each node of [job] is a box of several chips, and takes a task for each. */
bool storus_map_on_chips(const storus_map_job_t *job);

/*
 * Fill [chips] with the job as one of chips: node n's chip i is node n * (chips of a
 * node) + i, on its cell of the machine of chips, with one task and the node's name. The
 * names are borrowed from [job]. To be cleared with storus_map_job_clear() in either
 * case. Returns 0, or -1 with [err] filled (memory).
 */
int storus_map_chips_of(const storus_map_job_t *job, storus_map_job_t *chips,
			torus_error_t *err);

/*
 * Map [tasks], which are on the chips of [job], by torus_taskmap_chips(). Returns as
 * torus_taskmap().
 */
int storus_map_chips(torus_mapper_t mapper, const torus_task_job_t *tasks,
		     const storus_map_job_t *job, const torus_mapper_budget_t *budget,
		     uint32_t *chip_of_task, torus_error_t *err);

#endif
