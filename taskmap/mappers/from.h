/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings that are made from others: they keep something of them. */
#ifndef TORUS_TASKMAP_MAPPERS_FROM_H
#define TORUS_TASKMAP_MAPPERS_FROM_H

#include <stdbool.h>

#include "taskmap/budget.h"
#include "taskmap/job.h"

/*
 * Improve the mapping node_of_task[tasks] of [job] by annealing within [budget]: from
 * this one, and never to more hop-bytes. The tasks of stays[tasks] keep their nodes
 * (NULL: no task has to). [gentle] is for a mapping that is good but for a few tasks. Of
 * the job's grid only the number of tasks counts if there is a graph. Returns 0, or -1
 * with [err] filled: torus_task_job_check() refuses the job, or memory is short.
 */
int torus_taskmap_from(const torus_task_job_t *job, const bool *stays, bool gentle,
		       const torus_mapper_budget_t *budget, uint32_t *node_of_task,
		       torus_error_t *err);

/*
 * Bring task 0 to [node], which takes a task at least, by as small a change of the
 * mapping node_of_task[tasks] as there is: of a grid by turning it around or, where it is
 * periodic, along, which costs no hops, or by that and a swap of two tasks; of a graph by
 * a swap. Ties: the first task that is now on the node. Where it took a swap, [budget]
 * goes into annealing all others (NULL: none). Returns 0, or -1 with [err] filled
 * (memory). O(tasks), and O(tasks of the node * 2^dimensions) costs of swaps.
 */
int torus_taskmap_first(const torus_task_job_t *job, uint32_t node,
			const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			torus_error_t *err);

#endif
