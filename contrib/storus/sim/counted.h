/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a simulation has jobs that count: without any, its numbers would all be 0. */
#ifndef STORUS_SIM_COUNTED_H
#define STORUS_SIM_COUNTED_H

#include "sim/simulate.h"

/* Where the jobs come from, for messages. Texts are borrowed. */
typedef struct storus_counted {
	const char *source;	   /* a file's name, or a kind of workload */
	bool is_trace;		   /* in the Standard Workload Format */
	const char *warmup_option; /* "--warmup " or "Warmup=" */
	uint64_t warmup;
} storus_counted_t;

/*
 * After a log was read: whether it holds a job. Returns 0, or -1 with [err] naming the
 * file, the reason and what to do.
 */
int storus_counted_check_log(const storus_counted_t *counted,
			     const torus_workload_t *workload, torus_error_t *err);

/*
 * After a simulation: whether at least one job ran and is in the summary. Returns as
 * above.
 */
int storus_counted_check(const storus_counted_t *counted,
			 const torus_sim_result_t *result, torus_error_t *err);

#endif
