/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus map asks a running Slurm: the nodes of a job, and how many tasks it has. */
#ifndef STORUS_MAP_SLURM_H
#define STORUS_MAP_SLURM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "storus/map/slots.h"

/* What is known of a job before its nodes are looked up; texts are malloc'ed. */
typedef struct storus_map_description {
	char *id;
	char *nodelist;
	char *network;	/* what it asked for by --network; NULL: nothing known */
	char *counts;	/* like SLURM_TASKS_PER_NODE; NULL: not known */
	uint32_t tasks; /* in all, without [counts]; 0: not known */
	bool guessed;	/* that there is a task a node */
	bool unknown;	/* Slurm does not say how many tasks each node takes */
} storus_map_description_t;

/*
 * Look up the running job called [id] (see cli/slurm_job.h), after storus_slurm_start().
 * The counts are those that the job has in SLURM_TASKS_PER_NODE, laid out by libslurm
 * itself. The record of a job that asked for no number of tasks has as many as nodes: a
 * task a node is then a guess.
 *
 * Returns 0, or -1 with [err] filled: no such job, or one that holds no nodes. In either
 * case the texts in *description, all NULL before, are the caller's to free.
 */
int storus_map_slurm_job(const char *id, storus_map_description_t *description,
			 torus_error_t *err);

/* Only what the job asked for by --network, in *network, malloc'ed; NULL: nothing. Errors
 * as above. */
int storus_map_slurm_network(const char *id, char **network, torus_error_t *err);

/*
 * What the running job [id] holds of each of its [nodes] nodes, called name[], and how
 * many CPUs it asked for a task, 0 if it did not, or for one. Where it may use fewer
 * threads of a core than there are, only these are CPUs. Returns 0, or -1 with [err]
 * filled: as above, or these are not the job's nodes, or Slurm does not describe one.
 */
int storus_map_slurm_cpus(const char *id, char *const *name, uint32_t nodes,
			  storus_map_cpus_t *cpus, uint32_t *per_task,
			  torus_error_t *err);

#endif
