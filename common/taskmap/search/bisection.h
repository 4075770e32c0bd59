/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recursive coordinate bisection, by one of two rules: see taskmap/search/bisection.c. */
#ifndef TORUS_TASKMAP_SEARCH_BISECTION_H
#define TORUS_TASKMAP_SEARCH_BISECTION_H

#include <stdbool.h>

#include "taskmap/layout.h"

/* Bisections of one layout, which must outlive it. NULL with [err] filled: memory. */
typedef struct torus_bisection torus_bisection_t;
torus_bisection_t *torus_bisection_create(const torus_layout_t *layout,
					  torus_error_t *err);
void torus_bisection_destroy(torus_bisection_t *bisection);

/*
 * Map by the rule of rcb, or by our product rule, the layout's grid axis i turned to
 * dimension turn[i] (a permutation of 0 .. dims-1). Fills node_of_task[layout->tasks].
 */
void torus_bisection_run(torus_bisection_t *bisection, bool by_product, const int *turn,
			 uint32_t *node_of_task);

#endif
