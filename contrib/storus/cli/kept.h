/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keeps nodes from jobs that would be free otherwise, as text. */
#ifndef STORUS_CLI_KEPT_H
#define STORUS_CLI_KEPT_H

#include <stdint.h>

#include "base/error.h"
#include "machine/cluster.h"
#include "storus/cli/jobs.h"

/*
 * The reservations that are in force at [now] or will be, with nodes on torus number
 * [torus] (-1: on any), as "NAME until TIME: HOSTLIST" or "NAME from TIME until TIME:
 * HOSTLIST", with [between] between two of them. malloc'ed, empty when there is none;
 * NULL with [err] filled.
 */
char *storus_kept_reserved(const torus_cluster_t *cluster, int torus,
			   const storus_jobs_t *jobs, int64_t now, const char *between,
			   torus_error_t *err);

/*
 * The nodes there on which Slurm says that no job can run, as "STATE: HOSTLIST (REASON)",
 * those with the same state and reason together. The same.
 */
char *storus_kept_unusable(const torus_cluster_t *cluster, int torus,
			   const storus_jobs_t *jobs, const char *between,
			   torus_error_t *err);

#endif
