/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bisection of whole nodes: see taskmap/mappers/rcb_nodes.c. */
#ifndef TORUS_TASKMAP_MAPPERS_RCB_NODES_H
#define TORUS_TASKMAP_MAPPERS_RCB_NODES_H

#include "taskmap/graph.h"
#include "taskmap/hops.h"
#include "taskmap/layout.h"
#include "taskmap/graph.h"
#include "taskmap/search/effort.h"
#include "taskmap/search/starts.h"

/*
 * Add mappings to [starts] as torus_rcb_turns() does, but moving whole nodes. [table] and
 * [graph] are those of the layout's job. Returns 1; 0 when the nodes or the grid do not
 * allow it (see rcb_nodes.c); or -1 with [err] filled (memory).
 */
int torus_rcb_nodes(const torus_layout_t *layout, const torus_hop_table_t *table,
		    const torus_task_graph_t *graph, torus_effort_t *effort,
		    torus_starts_t *starts, torus_error_t *err);

#endif
