/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bisection in all turns of the task grid: see taskmap/mappers/rcb.c. */
#ifndef TORUS_TASKMAP_MAPPERS_RCB_H
#define TORUS_TASKMAP_MAPPERS_RCB_H

#include "taskmap/hops.h"
#include "taskmap/layout.h"
#include "taskmap/graph.h"
#include "taskmap/search/effort.h"

/*
 * Try to improve the mapping node_of_task[], which has *hop_bytes (INFINITY: there is
 * none yet): by rcb, whatever the [effort], then by bisection in as many turns as
 * [effort] allows, likely ones first. Both are updated when a better mapping is found.
 * [table] is that of the layout's job. Returns 0, or -1 with [err] filled (memory).
 */
int torus_rcb_turns(const torus_layout_t *layout, const torus_hop_table_t *table,
		    torus_effort_t *effort, uint32_t *node_of_task, double *hop_bytes,
		    torus_error_t *err);

#endif
