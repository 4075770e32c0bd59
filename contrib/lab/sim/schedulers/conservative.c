/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conservative backfill (Mu'alem and Feitelson, "Utilization, Predictability, Workloads,
 * and User Runtime Estimates in Scheduling the IBM SP2 with Backfilling", 2001): every
 * job gets a reservation when it is submitted, at the earliest time at which its nodes
 * are free for its whole estimate beside all reservations made before.
 *
 * When a job ends before its estimate the schedule is compressed. In the order of
 * submission, one after the other, each waiting job gives up its reservation and takes
 * the earliest one beside those that all others still hold. That is never later than its
 * own.
 *
 * When a node fails there may be too few nodes for what is reserved. All jobs give up
 * their reservations, and then make new ones in the order of submission. The job that was
 * lost is among them, in its old place, so that no job behind it delays it.
 *
 * Reservations count nodes and do not name them. A job whose time has come but that has
 * no place (a shape, or a strategy that demands a box) keeps its count of nodes from now
 * on, whatever was promised to others, who get new reservations in the order of
 * submission: so nobody behind it takes them, and it starts when the running jobs leave
 * it a place. Among several tori a job is started only on such as have its nodes free
 * beside the reservations of others.
 *
 * A job whose time has come, but not the place that it wishes for, is reserved for from
 * the end of its patience on. Until then it starts as soon as there is such a place on
 * nodes that are free for its whole estimate beside all reservations. If its patience
 * never ends it keeps its count of nodes, as above.
 */
#include "sim/engine.h"

/* The start of a job without a reservation. */
#define NOT_RESERVED INT64_MIN

/*
 * Take the nodes of the job's reservation out of the profile, or give them back. Of a job
 * that is spread, whole tori are reserved: which of their nodes is not to be known.
 */
static int book(torus_sim_t *sim, uint32_t job, int sign)
{
	const torus_sim_state_t *state = &sim->state[job];
	int64_t start = state->plan.start;
	int64_t end = torus_sim_later(start, sim->state[job].estimate);

	for (int t = 0; t < sim->pool->tori; t++) {
		sim->counts[t] = 0;
		if (state->plan.torus == t)
			sim->counts[t] = sign * (int64_t)state->need.nodes;
		else if (state->plan.torus == TORUS_SPREAD)
			sim->counts[t] = sign * (int64_t)sim->pool->map[t]->nodes;
	}
	if (start < sim->now)
		start = sim->now;
	return torus_profile_add(sim->profile, start, end, sim->counts) == 0
		       ? 0
		       : torus_sim_no_memory(sim);
}

/* Whether the job waits for its wish, but not for ever. */
static bool waits_for_wish(const torus_sim_t *sim, const torus_sim_state_t *state)
{
	return torus_sim_is_patient(state, sim->now) && state->patience != TORUS_FOR_EVER;
}

/* Let others know the start that the job is now reserved for. */
static void set_start(torus_sim_t *sim, uint32_t job, int64_t start)
{
	torus_sim_state_t *state = &sim->state[job];

	state->plan.start = start;
	torus_queue_set_time(sim->queue, state->place, start);
	if (sim->gainers)
		torus_gainers_looked(sim->gainers, state->place, start);
}

static int reserve(torus_sim_t *sim, uint32_t job)
{
	torus_sim_state_t *state = &sim->state[job];
	int64_t from = waits_for_wish(sim, state) ? state->patience : sim->now;

	state->plan = torus_profile_earliest(sim->profile, from, state->need.nodes,
					     state->estimate, state->need.spread,
					     state->need.on, sim->counts);
	set_start(sim, job, state->plan.start);
	return book(sim, job, -1);
}

/* A job that has come has no reservation until the schedule is compressed. */
static void arrive(torus_sim_t *sim, uint32_t job)
{
	sim->state[job].plan.start = NOT_RESERVED;
	torus_queue_set_time(sim->queue, sim->state[job].place, NOT_RESERVED);
	if (sim->gainers)
		torus_gainers_gone(sim->gainers, sim->state[job].place);
}

/*
 * Look between [first] and [last] for an earlier time of a job that has its nodes at its
 * own, on one torus: if there is none, that is seen without giving it up.
 */
static int compress_one(torus_sim_t *sim, uint32_t job, int64_t first, int64_t last)
{
	torus_sim_state_t *state = &sim->state[job];
	int64_t old = state->plan.start, start, end;
	int64_t old_end = torus_sim_later(old, state->estimate);

	start = torus_profile_before(sim->profile, first > sim->now ? first : sim->now,
				     last < old ? last : old, old, state->need.nodes,
				     state->estimate);
	if (start == INT64_MAX) {
		torus_gainers_looked(sim->gainers, state->place, old);
		return 0;
	}
	/* Only where the two times differ does the profile change. */
	end = torus_sim_later(start, state->estimate);
	sim->counts[0] = -(int64_t)state->need.nodes;
	if (torus_profile_add(sim->profile, start, end < old ? end : old, sim->counts) !=
	    0)
		return torus_sim_no_memory(sim);
	sim->counts[0] = state->need.nodes;
	if (torus_profile_add(sim->profile, end > old ? end : old, old_end,
			      sim->counts) != 0)
		return torus_sim_no_memory(sim);
	set_start(sim, job, start);
	return 0;
}

/*
 * Compress where only one torus counts, nobody waits for a wish, and all reservations
 * have their nodes and are to come: then only jobs are looked at that may gain.
 */
static int compress_gainers(torus_sim_t *sim)
{
	uint32_t place = 0;
	int64_t first, last;

	for (;; place++) {
		place = torus_gainers_next(sim->gainers, place, &first, &last);
		if (place == TORUS_NO_PLACE)
			return 0;
		if (compress_one(sim, sim->job_at[place], first, last) != 0)
			return -1;
	}
}

/* Whether a job still waits whose reserved time has come and gone. */
static bool any_overdue(const torus_sim_t *sim)
{
	uint32_t place = 0;

	for (;; place++) {
		place = torus_queue_find(sim->queue, place, TORUS_ANY_NODES,
					 sim->now - 1);
		if (place == TORUS_NO_PLACE)
			return false;
		if (sim->state[sim->job_at[place]].plan.start != NOT_RESERVED)
			return true;
	}
}

static int compress(torus_sim_t *sim)
{
	uint32_t place = torus_queue_next(sim->queue, 0);

	if (sim->gainers && !any_overdue(sim) &&
	    !torus_profile_is_overbooked(sim->profile))
		return compress_gainers(sim);
	for (; place != TORUS_NO_PLACE; place = torus_queue_next(sim->queue, place + 1)) {
		uint32_t job = sim->job_at[place];

		if (sim->state[job].plan.start == NOT_RESERVED)
			continue;
		if (book(sim, job, 1) != 0 || reserve(sim, job) != 0)
			return -1;
	}
	return 0;
}

/* Reserve from now on for a job whose time has come, whatever others have reserved. */
static int hold(torus_sim_t *sim, uint32_t job)
{
	set_start(sim, job, sim->now);
	return book(sim, job, -1);
}

/* Mark a job as late, or not. */
static void set_late(torus_sim_t *sim, uint32_t job, bool late)
{
	sim->late += late - sim->state[job].late;
	sim->state[job].late = late;
}

/* After a failure of nodes all jobs give up their reservations. */
static int give_up_all(torus_sim_t *sim)
{
	uint32_t place = torus_queue_next(sim->queue, 0);

	for (; place != TORUS_NO_PLACE; place = torus_queue_next(sim->queue, place + 1)) {
		uint32_t job = sim->job_at[place];

		if (sim->state[job].plan.start != NOT_RESERVED && book(sim, job, 1) != 0)
			return -1;
		set_late(sim, job, false);
		arrive(sim, job);
	}
	return 0;
}

/*
 * If jobs are late for want of a place, they hold their nodes for longer, and all others
 * give up their reservations. 1 if there are such, 0, or -1 with sim->err filled.
 */
static int give_way(torus_sim_t *sim)
{
	uint32_t place = torus_queue_next(sim->queue, 0);

	if (!sim->late)
		return 0;
	for (; place != TORUS_NO_PLACE; place = torus_queue_next(sim->queue, place + 1)) {
		uint32_t job = sim->job_at[place];
		const torus_sim_state_t *state = &sim->state[job];

		if (state->plan.start == NOT_RESERVED)
			continue;
		if (book(sim, job, 1) != 0)
			return -1;
		if (!state->late)
			arrive(sim, job);
		else if (hold(sim, job) != 0)
			return -1;
	}
	return 1;
}

/* Reserve for the jobs that have come. */
static int reserve_new(torus_sim_t *sim)
{
	uint32_t place = 0;

	for (;; place++) {
		place = torus_queue_find(sim->queue, place, TORUS_ANY_NODES,
					 NOT_RESERVED);
		if (place == TORUS_NO_PLACE)
			return 0;
		if (reserve(sim, sim->job_at[place]) != 0)
			return -1;
	}
}

/*
 * Give up the reservation of a job and find it a place now. *late says that it has none
 * though its nodes are there.
 */
static int give_up_and_place(torus_sim_t *sim, uint32_t job, bool *late)
{
	const torus_sim_state_t *state = &sim->state[job];
	const torus_job_need_t *need = &state->need;
	const uint64_t *among[TORUS_MAX_TORI];
	bool all = true, any = false;
	int placed;

	if (book(sim, job, 1) != 0)
		return -1;
	torus_profile_least(sim->profile, sim->now,
			    torus_sim_later(sim->now, state->estimate), sim->counts);
	for (int t = 0; t < sim->pool->tori; t++) {
		bool enough = need->spread || (sim->counts[t] >= need->nodes &&
					       (!need->on || need->on[t]));

		among[t] = enough ? sim->pool->free[t] : NULL;
		all = all && enough;
		any = any || enough;
	}
	placed = all ? torus_sim_try(sim, job) : torus_sim_place(sim, job, among);
	*late = !placed && any && torus_pool_enough(sim->pool, need) && !need->spread &&
		!waits_for_wish(sim, state);
	return placed;
}

/* Start a job; when it does so otherwise than was planned, others may gain. */
static int start(torus_sim_t *sim, uint32_t job)
{
	torus_sim_state_t *state = &sim->state[job];

	if (torus_sim_start(sim, job) != 0)
		return -1;
	if (sim->gainers)
		torus_gainers_gone(sim->gainers, state->place);
	if (state->plan.torus < 0 ||
	    state->plan.torus != torus_records_of(&sim->records, job)->torus ||
	    state->plan.start != sim->now ||
	    state->expected != torus_sim_later(sim->now, state->estimate))
		sim->disturbed = true;
	return 0;
}

/* Start the job, whose time has come, or find it another time. */
static int start_or_wait(torus_sim_t *sim, uint32_t job)
{
	bool late;
	int placed = give_up_and_place(sim, job, &late);

	if (placed < 0)
		return -1;
	set_late(sim, job, late);
	if (placed)
		return start(sim, job);
	return late ? hold(sim, job) : reserve(sim, job);
}

/* Start the job, which waits for its wish, if it has come: else its reservation stays. */
static int start_early(torus_sim_t *sim, uint32_t job)
{
	bool late;
	int placed = give_up_and_place(sim, job, &late);

	if (placed < 0)
		return -1;
	return placed ? start(sim, job) : book(sim, job, -1);
}

/* Look for the wishes of all jobs that wait for them. */
static int start_wished(torus_sim_t *sim)
{
	uint32_t place = 0;

	if (!sim->patience.count)
		return 0;
	for (;; place++) {
		uint32_t job;

		place = torus_queue_next(sim->queue, place);
		if (place == TORUS_NO_PLACE)
			return 0;
		job = sim->job_at[place];
		if (waits_for_wish(sim, &sim->state[job]) &&
		    sim->state[job].plan.start > sim->now && start_early(sim, job) != 0)
			return -1;
	}
}

/* Change the reservations as the events since the last decision demand. */
static int revise(torus_sim_t *sim)
{
	bool failed = sim->failed, disturbed = sim->disturbed;
	int gave_way;

	sim->failed = sim->disturbed = false;
	if (failed)
		return give_up_all(sim);
	gave_way = give_way(sim);
	return gave_way == 0 && disturbed ? compress(sim) : gave_way;
}

static int decide(torus_sim_t *sim)
{
	uint32_t place = 0;

	if (revise(sim) < 0 || reserve_new(sim) != 0)
		return -1;
	for (;; place++) {
		place = torus_queue_find(sim->queue, place, TORUS_ANY_NODES, sim->now);
		if (place == TORUS_NO_PLACE)
			return start_wished(sim);
		if (start_or_wait(sim, sim->job_at[place]) != 0)
			return -1;
	}
}

/* The next reservation: usually, but not with several tori, something ends then. */
static int64_t wake(const torus_sim_t *sim)
{
	int64_t first = torus_queue_first_time(sim->queue);

	return first > sim->now ? first : INT64_MAX;
}

const torus_scheduler_rule_t torus_rule_conservative = {
	.plans = true,
	.compresses = true,
	.decide = decide,
	.arrive = arrive,
	.wake = wake,
};
