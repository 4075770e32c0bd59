/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mapper for graphs of which no geometry is known. */
#ifndef TORUS_TASKMAP_MAPPERS_GRAPH_H
#define TORUS_TASKMAP_MAPPERS_GRAPH_H

#include "taskmap/budget.h"
#include "taskmap/job.h"

/*
 * Map [job], which has a graph, into node_of_task[]: as the grid that its tasks are
 * numbered by (search/graph_grid.h), by bisection of the graph where there is none, then
 * annealing within [budget]. Of the job's grid only the number of tasks counts. Returns
 * 0, or -1 with [err] filled, as torus_taskmap() does.
 */
int torus_taskmap_graph(const torus_task_job_t *job, const torus_mapper_budget_t *budget,
			uint32_t *node_of_task, torus_error_t *err);

#endif
