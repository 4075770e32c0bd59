/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders of nodes to begin with: see taskmap/any/candidates.c. */
#ifndef TORUS_TASKMAP_ANY_CANDIDATES_H
#define TORUS_TASKMAP_ANY_CANDIDATES_H

#include "taskmap/any/search.h"
#include "taskmap/search/effort.h"

/* How many orders are worth beginning with. */
#define TORUS_ANY_KEPT 2

/* An order of a job's nodes. */
typedef struct torus_any_order {
	uint32_t *order; /* [nodes] */
	uint64_t value;	 /* of torus_any_value(); UINT64_MAX: there is none */
} torus_any_order_t;

/*
 * Put the best orders found while [effort] lasts into kept[0 .. TORUS_ANY_KEPT-1], the
 * best one first, each of another value, whether they are allowed or not; the one in
 * which the nodes come is a candidate. Each is offered to [search], too. The caller owns
 * their memory, and has set their value to UINT64_MAX. grid[]: how positions lie to each
 * other in the 2D and the 3D pattern. Returns 0, or -1 with [err] filled (memory).
 */
int torus_any_candidates(torus_any_search_t *search, const torus_task_grid_t grid[2],
			 torus_effort_t *effort, torus_any_order_t *kept,
			 torus_error_t *err);

#endif
