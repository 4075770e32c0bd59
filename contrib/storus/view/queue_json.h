/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that wait, and reservations, as data for the page: docs/view.md has the
 * fields.
 */
#ifndef STORUS_VIEW_QUEUE_JSON_H
#define STORUS_VIEW_QUEUE_JSON_H

#include <jansson.h>

#include "base/error.h"
#include "machine/cluster.h"
#include "storus/cli/jobs.h"

/* So many jobs that wait are in the data; of others it has only the number. */
#define STORUS_QUEUE_JOBS 1000

/*
 * The jobs that wait with the nodes planned for them. The caller releases it with
 * json_decref(). NULL with [err] filled: a nodelist that cannot be read, memory.
 */
json_t *storus_queue_json(const torus_cluster_t *cluster, const storus_jobs_t *jobs,
			  torus_error_t *err);

/*
 * The reservations that have nodes of the torus, those in force at [now] (seconds since
 * 1970) and those to come; and, as one without a name, nodes of which Slurm says only
 * that they are reserved. The same.
 */
json_t *storus_reserved_json(const torus_cluster_t *cluster, int torus,
			     const storus_jobs_t *jobs, int64_t now, torus_error_t *err);

#endif
