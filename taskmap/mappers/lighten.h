/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings whose busiest link carries less. */
#ifndef TORUS_TASKMAP_MAPPERS_LIGHTEN_H
#define TORUS_TASKMAP_MAPPERS_LIGHTEN_H

#include <stdbool.h>

#include "taskmap/budget.h"
#include "taskmap/job.h"

/*
 * Improve the mapping node_of_task[tasks] of [job], which has a graph, by swaps of two
 * tasks within [budget]: never to more on the busiest link, as torus_link_loads() has it;
 * hops may become more. The tasks of stays[tasks] keep their nodes (NULL: no task has
 * to). Returns 0, or -1 with [err] filled: torus_task_job_check() or torus_links_check()
 * refuses the job, memory.
 */
int torus_taskmap_lighten(const torus_task_job_t *job, const bool *stays,
			  const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			  torus_error_t *err);

#endif
