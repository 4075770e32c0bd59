/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Swaps of pairs of tasks: see taskmap/mappers/improve.c. */
#ifndef TORUS_TASKMAP_MAPPERS_IMPROVE_H
#define TORUS_TASKMAP_MAPPERS_IMPROVE_H

#include "taskmap/graph.h"
#include "taskmap/hops.h"
#include "taskmap/search/effort.h"

/*
 * Improve the mapping node_of_task[] of [graph]'s tasks on the nodes of [table] by
 * swapping pairs while [effort] lasts. The hop-bytes never rise. Returns 0, or -1 with
 * [err] filled (memory).
 */
int torus_improve_pairs(const torus_task_graph_t *graph, const torus_hop_table_t *table,
			uint64_t seed, torus_effort_t *effort, uint32_t *node_of_task,
			torus_error_t *err);

#endif
