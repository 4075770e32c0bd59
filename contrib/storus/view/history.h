/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a simulation, from the jobs.csv that `storus sim --out DIR` writes. */
#ifndef STORUS_VIEW_HISTORY_H
#define STORUS_VIEW_HISTORY_H

#include "base/error.h"
#include "machine/cluster.h"
#include "storus/cli/jobs.h"

/* The most jobs of a history: a page of more is too slow for browsers. */
#define STORUS_HISTORY_JOBS 1000000

/*
 * Read DIR/jobs.csv into *jobs, all listed, with start and end in the log's seconds and
 * nodes of [cluster]. On success *jobs is to be cleared with storus_jobs_clear(). Returns
 * 0, or -1 with [err] as "FILE:LINE: reason": no such file, not of that form, a torus or
 * cell that [cluster] has not, several nodes on a router (the file does not say which one
 * it was), too many jobs; then *jobs is empty.
 */
int storus_history_read(const char *directory, const torus_cluster_t *cluster,
			storus_jobs_t *jobs, torus_error_t *err);

#endif
