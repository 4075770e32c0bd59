/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recursive coordinate bisection with other rules than the paper's: see taskmap_rcb.c. */
#ifndef TORUS_TASKMAP_RCB_H
#define TORUS_TASKMAP_RCB_H

#include "taskmap_layout.h"

/*
 * Where to cut: the dimension with the largest (side of the tasks' box)^task_power *
 * (side of the places' box)^place_power. Both 0: the paper's rule.
 */
typedef struct torus_rcb_rule {
	int task_power, place_power;
} torus_rcb_rule_t;

/*
 * Map by [rule], the layout's grid axis i turned to dimension turn[i] (a permutation of
 * 0 .. dims-1). Fills node_of_task[layout->tasks]. Returns 0, or -1 with [err] filled.
 */
int torus_rcb(const torus_layout_t *layout, const torus_rcb_rule_t *rule, const int *turn,
	      uint32_t *node_of_task, torus_error_t *err);

#endif
