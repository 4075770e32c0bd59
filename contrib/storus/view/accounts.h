/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that Slurm's accounts have, as a history. */
#ifndef STORUS_VIEW_ACCOUNTS_H
#define STORUS_VIEW_ACCOUNTS_H

#include <stdint.h>

#include "base/error.h"
#include "storus/cli/jobs.h"

/*
 * Read the runs of jobs in the file [path] that sacct -P has printed ("-": the standard
 * input; it may be gzip'ed), or with NULL those that sacct prints for [from] to [to]
 * (seconds since 1970), into *jobs, all listed, as sim/history.h reads them. Those that
 * still run end with the latest time of all. Lines that cannot be read are counted on
 * standard error. On success *jobs is to be cleared with storus_jobs_clear(). Returns 0,
 * or -1 with [err] filled: no such file, no sacct, a column that is missing, no run at
 * all, more than STORUS_HISTORY_JOBS; then *jobs is empty.
 */
int storus_view_accounts_read(const char *path, int64_t from, int64_t to,
			      storus_jobs_t *jobs, torus_error_t *err);

#endif
