/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recursive coordinate bisection, by one of three rules: see taskmap/search/bisection.c.
 */
#ifndef TORUS_TASKMAP_SEARCH_BISECTION_H
#define TORUS_TASKMAP_SEARCH_BISECTION_H

#include "taskmap/layout.h"

/* Bisections of one layout, which must outlive it. NULL with [err] filled: memory. */
typedef struct torus_bisection torus_bisection_t;
torus_bisection_t *torus_bisection_create(const torus_layout_t *layout,
					  torus_error_t *err);
void torus_bisection_destroy(torus_bisection_t *bisection);

/* How the dimension of a cut is chosen. */
typedef enum torus_bisection_rule {
	TORUS_BISECTION_RATIO,	 /* rcb */
	TORUS_BISECTION_LONGEST, /* rcb:longest, the rule of the paper's text */
	TORUS_BISECTION_PRODUCT, /* ours: what begins rcb_turns */
} torus_bisection_rule_t;

/*
 * Map by [rule], the layout's grid axis i turned to dimension turn[i] (a permutation of
 * 0 .. dims-1). Fills node_of_task[layout->tasks].
 */
void torus_bisection_run(torus_bisection_t *bisection, torus_bisection_rule_t rule,
			 const int *turn, uint32_t *node_of_task);

#endif
