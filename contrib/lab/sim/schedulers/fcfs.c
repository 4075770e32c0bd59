/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First come, first served: jobs start in the order of submission; while the first has no
 * place, all wait. What every other scheduler is compared with, e.g. in Feitelson et al.,
 * "Theory and Practice in Parallel Job Scheduling" (1997).
 */
#include "sim/engine.h"

static int decide(torus_sim_t *sim)
{
	int placed;

	for (;;) {
		uint32_t job = torus_sim_first(sim);

		placed = job == TORUS_NO_JOB ? 0 : torus_sim_try(sim, job);
		if (placed <= 0)
			return placed;
		if (torus_sim_start(sim, job) != 0)
			return -1;
	}
}

const torus_scheduler_rule_t torus_rule_fcfs = {.decide = decide};
