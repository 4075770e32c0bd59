/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One job of a running Slurm, by the number that users know it by. */
#ifndef STORUS_CLI_SLURM_JOB_H
#define STORUS_CLI_SLURM_JOB_H

#include <stdbool.h>

#include "base/error.h"
#include "storus/cli/libslurm.h"

typedef struct storus_slurm_job {
	const slurm_job_info_t *info; /* the job, in [message] */
	job_info_msg_t *message;
} storus_slurm_job_t;

/*
 * Ask slurmctld, after storus_slurm_start(), for the job called [id]: 12, 12_3 for a task
 * of an array, 12+1 for a component of a heterogeneous job (12 being the number of the
 * array or of the first component), or the number that Slurm gives a task or a component
 * of its own. With [running], only jobs that hold nodes count.
 *
 * Returns 0, and then *job is to be cleared; or -1 with [err] filled: no such job; or
 * [id] is an array or a heterogeneous job, of which a part must be named.
 */
int storus_slurm_job_load(const char *id, bool running, storus_slurm_job_t *job,
			  torus_error_t *err);

void storus_slurm_job_clear(storus_slurm_job_t *job);

#endif
