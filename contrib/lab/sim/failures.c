/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that fail and return while the simulation runs: see engine.h. */
#include <string.h>

#include "base/bitmap.h"
#include "sim/engine.h"

static const torus_outage_t *next_to_begin(const torus_sim_t *sim)
{
	const torus_outages_t *outages = sim->config->outages;

	return outages && sim->outage < outages->count ? &outages->outage[sim->outage]
						       : NULL;
}

int64_t torus_sim_next_outage(const torus_sim_t *sim)
{
	const torus_outage_t *outage = next_to_begin(sim);
	int64_t next = outage ? outage->from : INT64_MAX;

	if (sim->down.count && sim->down.entry[0].time < next)
		next = sim->down.entry[0].time;
	return next;
}

void torus_sim_end_outages(torus_sim_t *sim)
{
	while (sim->down.count && sim->down.entry[0].time <= sim->now) {
		uint32_t number = torus_agenda_take(&sim->down).job;
		const torus_outage_t *outage = &sim->config->outages->outage[number];

		torus_pool_give(sim->pool, outage->torus, outage->rank, 1);
		sim->releases++;
		sim->changed = true;
	}
}

/* The job that has the node, or TORUS_NO_JOB. */
static uint32_t job_on(const torus_sim_t *sim, int torus, uint32_t rank)
{
	for (uint32_t i = 0; i < sim->running_count; i++) {
		const torus_sim_state_t *state = &sim->state[sim->running[i]];

		for (uint32_t r = 0; r < state->runs; r++) {
			const torus_sim_run_t *run = &state->run[r];

			if (run->torus == torus && rank >= run->first &&
			    rank - run->first < run->count)
				return sim->running[i];
		}
	}
	return TORUS_NO_JOB;
}

int torus_sim_begin_outages(torus_sim_t *sim)
{
	const torus_outage_t *outage = next_to_begin(sim);

	for (; outage && outage->from <= sim->now; outage = next_to_begin(sim)) {
		torus_agenda_entry_t end = {outage->until, (uint32_t)sim->outage++, 0};

		if (outage->until <= sim->now)
			continue; /* over before the first job came */
		if (!torus_bit_test(sim->pool->free[outage->torus], outage->rank) &&
		    torus_sim_stop(sim, job_on(sim, outage->torus, outage->rank), true))
			return -1;
		torus_pool_take(sim->pool, outage->torus, outage->rank, 1);
		sim->changed = sim->failed = true;
		memset(sim->counts, 0, (size_t)sim->pool->tori * sizeof(*sim->counts));
		sim->counts[outage->torus] = -1;
		if (torus_agenda_add(&sim->down, &end) != 0 ||
		    (sim->profile && torus_profile_add(sim->profile, sim->now,
						       outage->until, sim->counts)))
			return torus_sim_no_memory(sim);
	}
	return 0;
}
