/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders of nodes that have been found, so that the same question is not answered twice:
 * Slurm asks several times while it looks for jobs to preempt, and for one job of an
 * array after the other.
 */
#ifndef TORUS_TOPOLOGY_KEPT_ORDERS_H
#define TORUS_TOPOLOGY_KEPT_ORDERS_H

#include "slurm/compat.h"

#include "taskmap/job_order.h"

/*
 * torus_job_node_order(), or what it has said of the same job before: the same cells of
 * the same machine, number of tasks and words. The last few are kept. To be called with
 * the tori locked.
 */
int topology_kept_order(const torus_ordered_job_t *job, uint32_t tasks, uint32_t *order,
			torus_error_t *err);

/* Free them all. With the tori locked, or when no other thread is left. */
void topology_kept_orders_forget(void);

#endif
