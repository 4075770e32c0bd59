/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What srun was asked for, where it is a step that may be ordered. */
#ifndef TORUS_CLI_FILTER_STEP_H
#define TORUS_CLI_FILTER_STEP_H

#include "slurm/compat.h"

#include "src/common/slurm_opt.h"

#include "base/error.h"
#include "taskmap/any/pattern.h"
#include "taskmap/step_counts.h"

/*
 * In the environment of tasks: the distribution that srun has made up for their step,
 * where nobody has said one.
 */
#define TORUS_OWN_DISTRIBUTION "TORUS_OWN_DISTRIBUTION"

typedef struct torus_step {
	uint32_t job_id;
	uint32_t component; /* of a heterogeneous job; 0 for others */
	uint32_t nodes;
	torus_step_asks_t asks;
	torus_deal_t deal;    /* as srun would have it dealt out */
	const char *nodelist; /* SLURM_JOB_NODELIST, borrowed; NULL: not set */
	const char *network;  /* --network, borrowed; NULL: not given */
	bool verbose;	      /* srun is to say what it does */
} torus_step_t;

/*
 * Read srun's options, before it has completed them, for component [offset]. Returns 0,
 * or -1 with [err] saying why the step is none of ours: it is switched off, or no step of
 * a job, or names its nodes or its distribution, or does not use all of its nodes; or
 * how many tasks it has is not known here.
 */
int torus_step_read(slurm_opt_t *opt, int offset, torus_step_t *step, torus_error_t *err);

/*
 * Whether somebody has said how tasks are to be distributed, by an option or in a
 * variable: of a step, or of a job that is submitted.
 */
bool torus_step_says_distribution(slurm_opt_t *opt);

#endif
