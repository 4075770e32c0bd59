/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slots of Open MPI's rankfile: which of a node's cores each task gets. */
#ifndef STORUS_MAP_SLOTS_H
#define STORUS_MAP_SLOTS_H

#include <stdint.h>

#include "base/error.h"
#include "storus/map/job.h"

/* The cores first to last, of those that the job holds on the task's node. */
typedef struct storus_map_slots {
	uint32_t first;
	uint32_t last;
} storus_map_slots_t;

/* What the job holds of a node. */
typedef struct storus_map_cpus {
	uint32_t held;	   /* CPUs, as Slurm counts them; at least 1 */
	uint32_t per_core; /* how many of these are one core; at least 1 */
} storus_map_cpus_t;

/*
 * Of the [tasks] tasks on a node of which the job holds [cpus], the cores of number
 * [task]. Each has as many as [per_task] CPUs take, or, with 0, as its even share takes;
 * less where the node has not so many. Tasks share cores only where there are fewer cores
 * than the tasks want.
 */
storus_map_slots_t storus_map_slots_of(storus_map_cpus_t cpus, uint32_t per_task,
				       uint32_t tasks, uint32_t task);

/*
 * Fill slots[job->tasks]. Slurm is asked what the job holds, and how many CPUs a task it
 * asked for. Where there is no job, a task has one core, as it has, with a warning, where
 * Slurm does not say. Returns 0, or -1 with [err] filled (memory).
 */
int storus_map_slots(const storus_map_job_t *job, const uint32_t *node_of_task,
		     storus_map_slots_t *slots, torus_error_t *err);

#endif
