/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For each node of a job, the nodes of the job near it. */
#ifndef TORUS_TASKMAP_SEARCH_NEARLIST_H
#define TORUS_TASKMAP_SEARCH_NEARLIST_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/job.h"

/* Nodes listed for each node. */
#define TORUS_NEARLIST_NODES 12

/*
 * List TORUS_NEARLIST_NODES nodes for each node of the job, in list[node *
 * TORUS_NEARLIST_NODES ..]: the node itself, then others by hops. If the search (some
 * thousand cells) finds fewer, any nodes fill the list, and some may appear twice.
 * Returns the list, malloc'ed, or NULL with [err] filled (memory).
 */
uint32_t *torus_nearlist_create(const torus_task_job_t *job, torus_error_t *err);

#endif
