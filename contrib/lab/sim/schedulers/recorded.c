/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What really happened: each job starts when it did in the log, at submission + wait; if
 * it has no place then, as soon as it has one. Jobs that wait beyond their time do not
 * hold up others. A job whose wait the log does not know starts when it is submitted.
 */
#include "sim/engine.h"

static int64_t ready(const torus_sim_t *sim, uint32_t job)
{
	const torus_sim_job_t *of_log = torus_sim_job(sim, job);
	int64_t wait = of_log->wait < 0 ? 0 : of_log->wait, time;

	return __builtin_add_overflow(of_log->submit, wait, &time) ? INT64_MAX - 1 : time;
}

static void key(const torus_sim_t *sim, uint32_t job, int64_t numbers[2])
{
	numbers[0] = ready(sim, job);
	numbers[1] = 0;
}

const torus_scheduler_rule_t torus_rule_recorded = {
	.key = key,
	.ready = ready,
	.decide = torus_sim_start_all,
};
