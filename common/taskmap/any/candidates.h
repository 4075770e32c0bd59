/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders of nodes to begin with: see taskmap/any/candidates.c. */
#ifndef TORUS_TASKMAP_ANY_CANDIDATES_H
#define TORUS_TASKMAP_ANY_CANDIDATES_H

#include "taskmap/hops.h"
#include "taskmap/search/effort.h"

/* How many orders are worth beginning with. */
#define TORUS_ANY_KEPT 2

/* An order of a job's nodes, as a mapping of a task a node. */
typedef struct torus_any_order {
	uint32_t *node_of_task; /* [nodes] */
	double hop_bytes;	/* INFINITY: there is none */
} torus_any_order_t;

/*
 * Put the best orders found while [effort] lasts into kept[0 .. TORUS_ANY_KEPT-1], best
 * by hop-bytes first, each of other hop-bytes; the one in which the nodes come is a
 * candidate. The caller owns their memory, and has set hop_bytes to INFINITY. [job] has a
 * graph; [table]: of the job. Returns 0, or -1 with [err] filled (memory).
 */
int torus_any_candidates(const torus_task_job_t *job, const torus_hop_table_t *table,
			 torus_effort_t *effort, torus_any_order_t *kept,
			 torus_error_t *err);

#endif
