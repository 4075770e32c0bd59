/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bisection in all turns of the task grid: see taskmap_turns.c. */
#ifndef TORUS_TASKMAP_TURNS_H
#define TORUS_TASKMAP_TURNS_H

#include "taskmap_layout.h"
#include "taskmap_swap.h"

/*
 * Improve on the mapping node_of_task[] of *hop_bytes (INFINITY: there is none yet) by
 * bisecting in as many turns as [effort] allows, likely ones first. Both are updated when
 * something better is found. Returns 0, or -1 with [err] filled (memory).
 */
int torus_rcb_turns(const torus_layout_t *layout, torus_effort_t *effort,
		    uint32_t *node_of_task, double *hop_bytes, torus_error_t *err);

#endif
