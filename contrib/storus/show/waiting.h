/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that wait: where and when they are planned, what is in their way, and what could
 * be had at once. */
#ifndef STORUS_SHOW_WAITING_H
#define STORUS_SHOW_WAITING_H

#include <stdio.h>

#include "machine/cluster.h"
#include "storus/cli/jobs.h"
#include "storus/cli/output.h"

/* Whether the job is called [id], or is one of the array or heterogeneous job of that
 * number, or of the array of which [id] is a task. */
bool storus_show_waits(const storus_waiting_t *waiting, const char *id);

/*
 * Print the record of job [number] of jobs->waiting, which is confined to the nodes that
 * it may have by that (storus_jobs_confine(), so that *jobs is of no use for other jobs).
 * *place receives the nodes that are planned for it, or where it could be first, as a
 * malloc'ed hostlist, or NULL. Returns 0, or -1 with [err] filled.
 */
int storus_show_waiting(FILE *file, storus_format_t format,
			const torus_cluster_t *cluster, storus_jobs_t *jobs,
			uint32_t number, char **place, torus_error_t *err);

/* Print a table of the jobs that wait, of [user] if that is not NULL; nothing if there is
 * none. */
void storus_show_queue(FILE *file, const storus_jobs_t *jobs, const char *user);

#endif
