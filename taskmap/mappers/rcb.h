/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bisection in all turns of the task grid: see taskmap/mappers/rcb.c. */
#ifndef TORUS_TASKMAP_MAPPERS_RCB_H
#define TORUS_TASKMAP_MAPPERS_RCB_H

#include "taskmap/hops.h"
#include "taskmap/layout.h"
#include "taskmap/graph.h"
#include "taskmap/search/effort.h"
#include "taskmap/search/starts.h"

/*
 * Add mappings to [starts]: by rcb, whatever the [effort], then by bisection in as many
 * turns as [effort] allows, likely ones first. [table] is that of the layout's job.
 * Returns 0, or -1 with [err] filled (memory).
 */
int torus_rcb_turns(const torus_layout_t *layout, const torus_hop_table_t *table,
		    torus_effort_t *effort, torus_starts_t *starts, torus_error_t *err);

#endif
