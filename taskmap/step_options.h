/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many tasks a step has, as srun works it out of its options: what of it is certain
 * before srun has completed them. Plain records, without Slurm.
 */
#ifndef TORUS_TASKMAP_STEP_OPTIONS_H
#define TORUS_TASKMAP_STEP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct torus_step_options {
	bool nodes_given, nodes_by_variable; /* --nodes; by its variable */
	int least_nodes, most_nodes; /* of --nodes; most_nodes 0: as least_nodes */
	bool tasks_given, tasks_by_variable; /* --ntasks */
	uint32_t tasks;
	uint32_t per_node; /* --ntasks-per-node; 0: not given */
	bool by_gpus;	   /* so many tasks a GPU, or a TRES */
	/* The number of tasks may follow from the CPUs of the nodes, as from
	 * --cpus-per-task, or slurmctld alone knows it. */
	bool by_cpus;
} torus_step_options_t;

/*
 * The number of nodes and of tasks of the step: *nodes <= *tasks. Returns 0, or -1 with
 * [err] saying what is not known, or that there are fewer tasks than nodes.
 */
int torus_step_tasks(const torus_step_options_t *options, uint32_t *nodes,
		     uint32_t *tasks, torus_error_t *err);

/*
 * Whether the command [line] (NULL: not known) names several components of a
 * heterogeneous job: options of several behind " : ", or a list or range of --het-group.
 */
bool torus_line_has_components(const char *line);

#endif
