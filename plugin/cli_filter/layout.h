/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many of a step's tasks Slurm gives each node. */
#ifndef TORUS_CLI_FILTER_LAYOUT_H
#define TORUS_CLI_FILTER_LAYOUT_H

#include "cli_filter/job.h"

/*
 * Fill tasks_on_node[job->nodes]. Returns 0, or -1 with [err] saying what slurmctld knows
 * of it that srun does not.
 */
int torus_step_layout(const torus_step_t *step, const torus_step_job_t *job,
		      uint16_t *tasks_on_node, torus_error_t *err);

#endif
