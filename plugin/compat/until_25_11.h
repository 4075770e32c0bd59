/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form up to release 25.11: see slurm/compat.h. */
#ifndef TORUS_COMPAT_UNTIL_25_11_H
#define TORUS_COMPAT_UNTIL_25_11_H

/* A limit of nodes in the job's record is one that was asked for. */
#define IMPLIED_MAX_NODES_FLAG 0

/* A kind of step that there is from 26.05 on. */
#define STEP_IS_ASYNCHRONOUS(srun) false

/* Whether the topology plugin has given the job's nodes an order for its tasks. */
#define JOB_HAS_ORDER(resources) ((void)(resources), false)

/* In a request for a layout each entry says for how many nodes it is: here, for one. */
#define LAYOUT_SET_REPETITIONS(request, once)                                            \
	((request).cpu_count_reps = (request).cpus_task_reps = (once))

/* How slurm_load_job() is told which job. */
#define JOB_TO_LOAD(id) (id)

#endif
