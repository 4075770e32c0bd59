/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recursive coordinate bisection with other rules than the paper's: see
 * taskmap/mappers/rcb.c. */
#ifndef TORUS_TASKMAP_MAPPERS_RCB_H
#define TORUS_TASKMAP_MAPPERS_RCB_H

#include <stdbool.h>

#include "taskmap/layout.h"

/* Bisections of one layout, which must outlive it. NULL with [err] filled: memory. */
typedef struct torus_rcb torus_rcb_t;
torus_rcb_t *torus_rcb_create(const torus_layout_t *layout, torus_error_t *err);
void torus_rcb_destroy(torus_rcb_t *rcb);

/*
 * Map by the paper's rule, or by our product rule, the layout's grid axis i turned to
 * dimension turn[i] (a permutation of 0 .. dims-1). Fills node_of_task[layout->tasks].
 */
void torus_rcb_run(torus_rcb_t *rcb, bool by_product, const int *turn,
		   uint32_t *node_of_task);

#endif
