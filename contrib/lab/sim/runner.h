/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs the jobs of a simulation if their run times are not known beforehand, such as
 * a simulated network whose links they share. The simulator decides which job starts when
 * and where; the runner tells when it has ended. Run times of the workload do not count
 * then, and estimates only for the order of the queue.
 */
#ifndef TORUS_SIM_RUNNER_H
#define TORUS_SIM_RUNNER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct torus_sim_runner {
	/*
	 * The [job] of the workload starts now on these [ranks] of the first torus, in
	 * the order of the placement. Returns 0, or -1 with [err] filled.
	 */
	int (*start)(void *context, size_t job, const uint32_t *rank, uint32_t ranks,
		     torus_error_t *err);
	/*
	 * Let time pass until a job ends, but not beyond [until] (INT64_MAX: until one
	 * ends). Returns 1 with the job and the time of its end, in microseconds, rounded
	 * up and never before the last; 0 if none ends until then; -1 with [err] filled.
	 * It is only asked to wait for ever while a job runs.
	 */
	int (*advance)(void *context, int64_t until, size_t *job, int64_t *end,
		       torus_error_t *err);
	void *context;
} torus_sim_runner_t;

#endif
