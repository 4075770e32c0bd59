/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler of Cplant as its simulators describe it (Leung et al., "Processor
 * Allocation on Cplant", 2002): the queue is sorted by the number of processors, fewest
 * first, then by the time requested, then by submission. Every period, counted from the
 * first submission, it is looked through once and each job that fits is started.
 */
#include "sim/engine.h"

static void key(const torus_sim_t *sim, uint32_t job, int64_t numbers[2])
{
	numbers[0] = sim->state[job].need.nodes;
	numbers[1] = torus_sim_job(sim, job)->estimate;
}

static int64_t wake(const torus_sim_t *sim)
{
	int64_t late = (sim->now - sim->begin) % sim->period, next;

	/* A look that finds what the one before it found changes nothing. */
	if (!sim->changed || !sim->queue->waiting)
		return INT64_MAX;
	if (!late)
		return sim->now;
	return __builtin_add_overflow(sim->now, sim->period - late, &next) ? INT64_MAX
									   : next;
}

static int decide(torus_sim_t *sim)
{
	if ((sim->now - sim->begin) % sim->period)
		return 0;
	sim->changed = false;
	return torus_sim_start_all(sim);
}

const torus_scheduler_rule_t torus_rule_cplant = {
	.key = key,
	.decide = decide,
	.wake = wake,
};
