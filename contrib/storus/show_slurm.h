/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus show asks a running Slurm: its jobs, its nodes, and where torus.conf is. */
#ifndef STORUS_SHOW_SLURM_H
#define STORUS_SHOW_SLURM_H

#include "base/error.h"
#include "show_jobs.h"

/*
 * Make Slurm's library ready, once, before the others. A Slurm that has no configuration
 * at all ends the process (Slurm's own message on standard error), with STORUS_BAD.
 */
void storus_slurm_start(void);

/*
 * The path of torus.conf: the directory of slurm.conf ($SLURM_CONF, else what slurmctld
 * says). malloc'ed; NULL with [err] filled when slurmctld cannot be asked.
 */
char *storus_slurm_torus_conf(torus_error_t *err);

/*
 * Load all jobs that hold nodes (running and suspended ones listed, completing ones not)
 * and the nodes fit for use. On success *jobs is to be cleared with storus_jobs_clear().
 * Returns 0, or -1 with [err] filled; then *jobs is empty.
 */
int storus_slurm_jobs(storus_jobs_t *jobs, torus_error_t *err);

#endif
