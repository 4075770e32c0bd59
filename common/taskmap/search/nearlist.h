/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For each node of a job the job's other nodes that are near to it on the machine. */
#ifndef TORUS_TASKMAP_SEARCH_NEARLIST_H
#define TORUS_TASKMAP_SEARCH_NEARLIST_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/job.h"

/* Nodes listed for each node. */
#define TORUS_NEARLIST_NODES 12

/*
 * List for each of the job's nodes TORUS_NEARLIST_NODES of its nodes, in
 * list[node * TORUS_NEARLIST_NODES ..]: first itself, then others by hops, those
 * of its own cell first. Where there are not so many within the reach of the search (some
 * thousand cells), nodes anywhere fill the list; nodes may then appear twice. Returns the
 * list, malloc'ed, or NULL with [err] filled (memory).
 */
uint32_t *torus_nearlist_create(const torus_task_job_t *job, torus_error_t *err);

#endif
