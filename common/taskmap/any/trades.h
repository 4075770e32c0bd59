/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random trades of nodes between tasks: see taskmap/any/trades.c. */
#ifndef TORUS_TASKMAP_ANY_TRADES_H
#define TORUS_TASKMAP_ANY_TRADES_H

#include "taskmap/hops.h"

/* Jobs of up to so many nodes have trades; for larger ones a table of what each task
 * costs on each node and trials enough for it to matter would take too long. */
#define TORUS_ANY_TRADES_NODES 256

/*
 * Improve the mapping node_of_task[] of [job], which has a graph of whole weights up to
 * INT16_MAX, as many tasks as nodes, and 2 to TORUS_ANY_TRADES_NODES nodes. Its hop-bytes
 * never rise. [table]: of the job, with the list of all distances
 * (torus_hop_table_expand()). The same on every host. Returns 0, or -1 with [err] filled
 * (memory).
 */
int torus_any_trades(const torus_task_job_t *job, const torus_hop_table_t *table,
		     uint32_t *node_of_task, torus_error_t *err);

#endif
