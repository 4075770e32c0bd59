/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which node has which task of a step, by what the step, its job and the site say: what
 * srun's filter decides, without Slurm.
 */
#ifndef TORUS_TASKMAP_STEP_ORDER_H
#define TORUS_TASKMAP_STEP_ORDER_H

#include <stdint.h>

#include "base/error.h"
#include "machine/cluster.h"
#include "taskmap/job_order.h"

/* A step that uses all nodes of its job. A view: it owns nothing. */
typedef struct torus_ordered_step {
	uint32_t nodes;		       /* >= 1 */
	char *const *name;	       /* [nodes] in the order in which Slurm deals out */
	uint32_t tasks;		       /* the sum of: */
	const uint32_t *tasks_on_node; /* [nodes] each >= 0 */
	torus_deal_t deal;	       /* as Slurm deals them out */
	uint32_t segment; /* nodes of a segment of the job, of any size (sbatch
			   * --segment); 0: not given */
	/* The texts of --network of the step and of its job; NULL: not given. What cannot
	 * be read says nothing. */
	const char *network, *job_network;
	const char *partition; /* of the job; NULL: not known */
} torus_ordered_step_t;

/* What is said of the step's tasks. */
typedef struct torus_step_words {
	torus_task_words_t tasks;
	uint32_t segment; /* nodes of each of the segments that are to follow each other;
			   * 0: there are none, or a grid says more */
	/* Why what the step, and what the job says is left aside; empty where it is not.
	 * A step whose text is its job's has the reason alone. */
	torus_error_t aside[2];
} torus_step_words_t;

/*
 * Read in *words what the step says of its tasks, or else its job. A grid is for steps of
 * as many tasks; others have the order of a job that says nothing. Returns 0; or -1 with
 * [err] filled and words->aside[] complete: no order is wanted.
 */
int torus_step_words(const torus_ordered_step_t *step, torus_step_words_t *words,
		     torus_error_t *err);

/*
 * Fill node_of_task[tasks] with the nodes' numbers: segments one after the other
 * (taskmap/segment_order.h), or the order of torus_job_assign(). [cluster] has curves if
 * there are segments. Returns 0; or -1 with [err] saying why Slurm's order stays: the
 * site wants none for jobs of that partition, a node that the cluster does not have,
 * nodes of several tori, memory, or it is the same order.
 */
int torus_step_order(const torus_ordered_step_t *step, const torus_step_words_t *words,
		     const torus_cluster_t *cluster, uint32_t *node_of_task,
		     torus_error_t *err);

/*
 * The name of each task's node, comma-separated, as srun takes them; at least one task.
 * To be freed; NULL with [err] filled: memory.
 */
char *torus_step_hosts(const torus_ordered_step_t *step, const uint32_t *node_of_task,
		       torus_error_t *err);

#endif
