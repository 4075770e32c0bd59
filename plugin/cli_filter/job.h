/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld says of the job that a step runs in. */
#ifndef TORUS_CLI_FILTER_JOB_H
#define TORUS_CLI_FILTER_JOB_H

#include "cli_filter/step.h"

typedef struct torus_step_job {
	job_info_msg_t *answer;	      /* owned */
	const slurm_job_info_t *info; /* of the step's component, in [answer] */
	uint32_t nodes;
	char **name; /* [nodes] in the order of slurmctld's table of nodes, one malloc'ed
		      * block */
	torus_held_t held; /* of [info] */
} torus_step_job_t;

/*
 * Ask slurmctld for the job of [step], in one message. Returns 0, and the caller clears
 * *job; or -1 with [err] filled: it cannot be asked, the job holds other nodes than the
 * step's environment says, the step does not use all of them, or how slurmctld orders
 * them is not known.
 */
int torus_step_job_load(const torus_step_t *step, torus_step_job_t *job,
			torus_error_t *err);

void torus_step_job_clear(torus_step_job_t *job);

#endif
