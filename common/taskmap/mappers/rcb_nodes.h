/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bisection of whole nodes: see taskmap/mappers/rcb_nodes.c. */
#ifndef TORUS_TASKMAP_MAPPERS_RCB_NODES_H
#define TORUS_TASKMAP_MAPPERS_RCB_NODES_H

#include "taskmap/graph.h"
#include "taskmap/hops.h"
#include "taskmap/layout.h"
#include "taskmap/graph.h"
#include "taskmap/search/effort.h"

/*
 * Improve on the mapping node_of_task[] of *hop_bytes (INFINITY: there is none yet) as
 * torus_rcb_turns() does, moving whole nodes. [table], [graph]: of the layout's job.
 * Returns 1; or 0 where nodes or grid are not such that it can be done; or -1 with [err]
 * filled (memory).
 */
int torus_rcb_nodes(const torus_layout_t *layout, const torus_hop_table_t *table,
		    const torus_task_graph_t *graph, torus_effort_t *effort,
		    uint32_t *node_of_task, double *hop_bytes, torus_error_t *err);

#endif
