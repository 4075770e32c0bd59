/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hosts of a step's tasks, in the order of the torus. */
#ifndef TORUS_CLI_FILTER_ARRANGE_H
#define TORUS_CLI_FILTER_ARRANGE_H

#include "cli_filter/job.h"

/*
 * The most tasks of a step that is ordered. Slurm sorts the list of hosts and looks each
 * of them up for each node while slurmctld's jobs are locked, in a time that grows with
 * the square of the number of tasks: docs/admin-guide.md has figures.
 */
#define TORUS_STEP_TASKS_MAX 20000

/*
 * A host a task, comma-separated, as srun takes them with --distribution=arbitrary, and
 * in *nodes the nodes as their first tasks come, such as n[003,001-002]. Returns
 * xmalloc'ed text, as is *nodes, or NULL with [err] saying why Slurm's order stays: no
 * torus.conf on this host, a node that it does not name, nodes of several tori, an order
 * that would change nothing, one that slurmctld gives by itself ...
 */
char *torus_step_arrange(const torus_step_t *step, const torus_step_job_t *job,
			 char **nodes, torus_error_t *err);

#endif
