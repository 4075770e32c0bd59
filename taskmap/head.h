/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Task 0 on the first node of a job that has tasks, where scripts look for it, in a
 * mapping that was made without caring for that.
 */
#ifndef TORUS_TASKMAP_HEAD_H
#define TORUS_TASKMAP_HEAD_H

#include "base/error.h"
#include "taskmap/budget.h"
#include "taskmap/job.h"

/*
 * Change the mapping node_of_task[] of [job] by torus_taskmap_first(), with a quarter of
 * [budget] for what it may have to search. A graph cannot be turned around, and another
 * quarter goes into looking for a quite different mapping. If TORUS_MAPPER_BASELINE, the order in which
 * the nodes come, then has fewer hops, it is that. Returns 0, or -1 with [err] filled
 * (memory).
 */
int torus_keep_head(const torus_task_job_t *job, const torus_mapper_budget_t *budget,
		    uint32_t *node_of_task, torus_error_t *err);

/* The same of chip_of_task[], which then is put in order again (taskmap/chips.h):
 * [on_chips] has a task on each chip, [of_node] of them to a node. */
int torus_keep_head_on_chips(const torus_task_job_t *on_chips, uint32_t of_node,
			     const torus_mapper_budget_t *budget, uint32_t *chip_of_task,
			     torus_error_t *err);

#endif
