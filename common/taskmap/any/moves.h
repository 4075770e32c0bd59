/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Swaps towards where a task's neighbours are: see taskmap/any/moves.c. */
#ifndef TORUS_TASKMAP_ANY_MOVES_H
#define TORUS_TASKMAP_ANY_MOVES_H

#include "taskmap/hops.h"
#include "taskmap/search/effort.h"

/*
 * Improve the mapping node_of_task[] of [job], which has a graph and as many tasks as
 * nodes, while [effort] lasts. Its hop-bytes never rise. [table]: of the job. Returns 0,
 * or -1 with [err] filled (memory).
 */
int torus_any_moves(const torus_task_job_t *job, const torus_hop_table_t *table,
		    torus_effort_t *effort, uint32_t *node_of_task, torus_error_t *err);

#endif
