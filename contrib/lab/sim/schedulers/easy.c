/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * EASY, aggressive backfill (Lifka, "The ANL/IBM SP Scheduling System", 1995; the rule as
 * in Mu'alem and Feitelson, "Utilization, Predictability, Workloads, and User Runtime
 * Estimates in Scheduling the IBM SP2 with Backfilling", 2001): jobs start in the order
 * of submission. When the first has no place, the time at which the estimates of the
 * running jobs leave it enough nodes is its shadow time, and the nodes that are then left
 * over are extra. Each job behind it, in order, starts now if it has a place and either
 * ends by the shadow time, as its user estimates, or takes only extra nodes.
 *
 * A job of which the number of nodes does not tell whether it has a place (a shape, or a
 * strategy that demands a box) has its shadow time when the free nodes of that time have
 * a place for it; that place is then what others must leave alone beyond the shadow time.
 *
 * A job with a wish (sim/wish.h) has its shadow time when the free nodes of that time
 * have what it wishes for, if that is before its patience ends, and else at the end of
 * its patience, or later, when it has nodes at all. Such a time is looked for by
 * bisection: a free box stays, but what is near may come and go as other nodes become
 * free. The nodes that it would then get are what others must leave alone.
 *
 * Among several tori the first job is planned on the torus that has enough nodes first.
 * Jobs that are spread over several overtake only if they end by the shadow time.
 */
#include <string.h>

#include "base/bitmap.h"
#include "sim/engine.h"

/* What the first job of the queue needs of the others. */
typedef struct shadow {
	int64_t time; /* when it is to start */
	/* Counted in nodes: how many others may have beyond that time, on each torus. */
	int64_t *extra;
	/* Or, unless NULL, which: bitmaps. */
	uint64_t **spare;
} shadow_t;

/*
 * The nodes of torus [t] that are free at [time], if no more jobs are started: into
 * [free].
 */
static void free_at(const torus_sim_t *sim, int64_t time, int t, uint64_t *free)
{
	memcpy(free, sim->pool->free[t],
	       TORUS_WORDS(sim->pool->map[t]->nodes) * sizeof(*free));
	for (uint32_t i = 0; i < sim->running_count; i++) {
		const torus_sim_state_t *state = &sim->state[sim->running[i]];

		for (uint32_t r = 0; state->expected <= time && r < state->runs; r++) {
			if (state->run[r].torus == t)
				torus_bitmap_set_range(free, state->run[r].first,
						       state->run[r].count);
		}
	}
	for (size_t i = 0; i < sim->down.count; i++) {
		const torus_outage_t *outage =
			&sim->config->outages->outage[sim->down.entry[i].job];

		if (outage->until <= time && outage->torus == t)
			torus_bit_set(free, outage->rank);
	}
}

/*
 * Place the job on what is free at [time]: 1 if it has a place, which if [wished] must be
 * as it wishes, else 0; -1 as torus_pool_place().
 */
static int place_at(torus_sim_t *sim, uint32_t job, int64_t time, uint64_t **free,
		    bool wished)
{
	const torus_job_need_t *need = &sim->state[job].need;
	const uint64_t *const *among = (const uint64_t *const *)free;
	bool met = false;
	int placed;

	for (int t = 0; t < sim->pool->tori; t++)
		free_at(sim, time, t, free[t]);
	if (!wished)
		return torus_pool_place(sim->pool, need, among, sim->err);
	placed = torus_pool_place_wished(sim->pool, need, among, &met, sim->err);
	return placed < 0 ? -1 : met;
}

/* Leave in shadow->spare the free nodes without those that the pool has decided on. */
static void spare_place(const torus_sim_t *sim, shadow_t *shadow)
{
	const torus_part_t *part = sim->pool->placer->part;

	for (int t = 0; t < sim->pool->tori; t++) {
		memcpy(shadow->spare[t], sim->pool->free[t],
		       TORUS_WORDS(sim->pool->map[t]->nodes) * sizeof(**shadow->spare));
		for (uint32_t i = 0; i < part[t].count; i++)
			torus_bit_clear(shadow->spare[t], part[t].rank[i]);
	}
}

/*
 * Find the first step from [low] to [high] at which the job has a place, as it has on
 * [high]; and, if [wished], as it wishes.
 */
static int bisect(torus_sim_t *sim, uint32_t job, size_t low, size_t high, bool wished,
		  shadow_t *shadow)
{
	const int64_t *time = sim->profile->time;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int placed = place_at(sim, job, time[middle], shadow->spare, wished);

		if (placed < 0)
			return -1;
		if (placed)
			high = middle;
		else
			low = middle + 1;
	}
	shadow->time = time[low];
	return 0;
}

/*
 * Find when the job has a place, not before the time that its number of nodes says. The
 * more nodes are free the sooner there is a place.
 */
static int find_place(torus_sim_t *sim, uint32_t job, shadow_t *shadow)
{
	const torus_profile_t *profile = sim->profile;
	size_t low = 0, high = profile->steps - 1;

	while (low < high && profile->time[low] < shadow->time)
		low++;
	return bisect(sim, job, low, high, false, shadow);
}

/*
 * Find when the job has what it wishes for, from shadow->time on, when it has nodes at
 * all, to the end of its patience.
 */
static int find_wish(torus_sim_t *sim, uint32_t job, shadow_t *shadow)
{
	const torus_sim_state_t *state = &sim->state[job];
	const torus_profile_t *profile = sim->profile;
	int64_t until = state->patient
				? state->patience
				: torus_sim_later(shadow->time, state->need.wish->within);
	size_t low = 0, high = profile->steps;
	int met = 0;

	while (low < high &&
	       (profile->time[low] < shadow->time || profile->time[low] <= sim->now))
		low++;
	while (high > low && profile->time[high - 1] > until)
		high--;
	if (low < high)
		met = place_at(sim, job, profile->time[high - 1], shadow->spare, true);
	if (met < 0)
		return -1;
	if (met)
		return bisect(sim, job, low, high - 1, true, shadow);
	shadow->time = until > shadow->time ? until : shadow->time;
	return 0;
}

/* Find the shadow time of the first job, which has no place now. */
static int find_shadow(torus_sim_t *sim, uint32_t job, shadow_t *shadow)
{
	const torus_sim_state_t *state = &sim->state[job];
	int64_t left = state->need.nodes;
	bool wishes = state->need.wish &&
		      (!state->patient || torus_sim_is_patient(state, sim->now));
	bool named = sim->pool->strict || torus_job_is_strict(&state->need);
	torus_plan_t plan = torus_profile_earliest(
		sim->profile, sim->now, state->need.nodes, sim->state[job].estimate,
		state->need.spread, state->need.on, shadow->extra);

	shadow->time = plan.start;
	if (named && find_place(sim, job, shadow) != 0)
		return -1;
	if (wishes && find_wish(sim, job, shadow) != 0)
		return -1;
	if (named || wishes) {
		if (place_at(sim, job, shadow->time, shadow->spare, wishes) < 0)
			return -1;
		spare_place(sim, shadow);
		return 0;
	}
	shadow->spare = NULL;
	for (int t = 0; t < sim->pool->tori; t++) {
		int64_t taken = 0;

		if (plan.torus == t)
			taken = left;
		else if (plan.torus == TORUS_SPREAD) /* nobody knows which */
			taken = shadow->extra[t];
		shadow->extra[t] -= taken;
	}
	return 0;
}

/* The most nodes that a job may have that runs beyond the shadow time. */
static uint32_t most_beyond(const torus_sim_t *sim, const shadow_t *shadow)
{
	int64_t most = 0;

	for (int t = 0; t < sim->pool->tori; t++) {
		int64_t here =
			shadow->spare
				? (int64_t)torus_bitmap_count(shadow->spare[t],
							      sim->pool->map[t]->nodes)
				: shadow->extra[t];

		most = here > most ? here : most;
	}
	return (uint32_t)most;
}

/* Find a place for a job that runs beyond the shadow time: 1, 0 or -1. */
static int try_beyond(torus_sim_t *sim, uint32_t job, const shadow_t *shadow)
{
	const torus_job_need_t *need = &sim->state[job].need;
	const uint64_t *among[TORUS_MAX_TORI];
	bool all = true;

	if (need->spread || !torus_pool_enough(sim->pool, need))
		return 0;
	if (shadow->spare)
		return torus_sim_place(sim, job, (const uint64_t *const *)shadow->spare);
	for (int t = 0; t < sim->pool->tori; t++) {
		bool enough = shadow->extra[t] >= need->nodes;

		among[t] = enough ? sim->pool->free[t] : NULL;
		all = all && enough;
	}
	return all ? torus_sim_try(sim, job) : torus_sim_place(sim, job, among);
}

/* Start a job before the first; [beyond] says that it runs beyond the shadow time. */
static int overtake(torus_sim_t *sim, uint32_t job, bool beyond, shadow_t *shadow)
{
	const torus_sim_state_t *state = &sim->state[job];

	if (torus_sim_start(sim, job) != 0)
		return -1;
	for (uint32_t r = 0; r < state->runs; r++) {
		const torus_sim_run_t *run = &state->run[r];

		if (shadow->spare)
			torus_bitmap_clear_range(shadow->spare[run->torus], run->first,
						 run->count);
		else if (beyond)
			shadow->extra[run->torus] -= run->count;
	}
	return 0;
}

/* Start jobs behind the first, which stands at [place]. */
static int backfill(torus_sim_t *sim, uint32_t place, shadow_t *shadow)
{
	int64_t left = shadow->time - sim->now;

	for (place++;; place++) {
		uint32_t most = torus_pool_most(sim->pool);
		uint32_t narrow = most_beyond(sim, shadow), second, job;
		bool beyond;
		int placed;

		second = torus_queue_find(sim->queue, place,
					  narrow < most ? narrow : most, INT64_MAX);
		place = torus_queue_find(sim->queue, place, most, left);
		if (second < place)
			place = second;
		if (place == TORUS_NO_PLACE)
			return 0;
		job = sim->job_at[place];
		beyond = sim->state[job].estimate > left;
		placed = beyond ? try_beyond(sim, job, shadow) : torus_sim_try(sim, job);
		if (placed < 0 || (placed && overtake(sim, job, beyond, shadow) != 0))
			return -1;
	}
}

static int decide(torus_sim_t *sim)
{
	for (;;) {
		uint32_t place = torus_queue_next(sim->queue, 0);
		shadow_t shadow = {.extra = sim->extra, .spare = sim->spare};
		int placed;

		if (place == TORUS_NO_PLACE)
			return 0;
		placed = torus_sim_try(sim, sim->job_at[place]);
		if (placed < 0)
			return -1;
		if (placed) {
			if (torus_sim_start(sim, sim->job_at[place]) != 0)
				return -1;
			continue;
		}
		if (torus_queue_next(sim->queue, place + 1) == TORUS_NO_PLACE)
			return 0;
		return find_shadow(sim, sim->job_at[place], &shadow) != 0
			       ? -1
			       : backfill(sim, place, &shadow);
	}
}

const torus_scheduler_rule_t torus_rule_easy = {.plans = true, .decide = decide};
