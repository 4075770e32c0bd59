/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting and stopping jobs: see engine.h. */
#include "sim/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "torus/joined.h"

int torus_sim_no_memory(torus_sim_t *sim)
{
	return torus_fail(sim->err, "out of memory for the simulation of %zu jobs",
			  sim->workload->count);
}

void torus_sim_wait(torus_sim_t *sim, uint32_t job)
{
	torus_sim_state_t *state = &sim->state[job];

	state->patient = false;
	torus_queue_put(sim->queue, state->place, state->need.nodes, state->estimate);
	sim->changed = true;
	if (sim->rule->arrive)
		sim->rule->arrive(sim, job);
}

/* The job could start, and waits for what it wishes. Returns 0, or -1: no memory. */
static int begin_patience(torus_sim_t *sim, uint32_t job)
{
	torus_sim_state_t *state = &sim->state[job];
	torus_agenda_entry_t end = {.job = job};

	state->patient = true;
	state->could = sim->now;
	state->patience = torus_sim_later(sim->now, state->need.wish->within);
	end.time = state->patience;
	if (end.time == TORUS_FOR_EVER || end.time == sim->now)
		return 0;
	return torus_agenda_add(&sim->patience, &end) == 0 ? 0 : torus_sim_no_memory(sim);
}

int torus_sim_place(torus_sim_t *sim, uint32_t job, const uint64_t *const *among)
{
	torus_sim_state_t *state = &sim->state[job];
	int placed;

	if (!state->need.wish)
		return torus_pool_place(sim->pool, &state->need, among, sim->err);
	placed = torus_pool_place_wished(sim->pool, &state->need, among, &state->met,
					 sim->err);
	if (placed <= 0 || state->met)
		return placed;
	if (!state->patient && begin_patience(sim, job) != 0)
		return -1;
	return !torus_sim_is_patient(state, sim->now);
}

int torus_sim_try(torus_sim_t *sim, uint32_t job)
{
	torus_sim_state_t *state = &sim->state[job];
	torus_summary_t *summary = &sim->result->summary;
	int placed;

	if (!torus_pool_enough(sim->pool, &state->need) ||
	    (state->refused && state->refused_at == sim->releases))
		return 0;
	placed = torus_sim_place(sim, job, NULL);
	if (placed || torus_sim_is_patient(state, sim->now))
		return placed;
	summary->fragmentation_failures++;
	summary->fragmented_jobs += !state->refused;
	state->refused = true;
	state->refused_at = sim->releases;
	return 0;
}

/* Put the ranks that the pool has decided on into state->run. */
static int keep_ranks(torus_sim_t *sim, torus_sim_state_t *state)
{
	const torus_part_t *part = sim->pool->placer->part;
	uint32_t runs = 0;

	for (int t = 0; t < sim->pool->tori; t++) {
		for (uint32_t i = 0; i < part[t].count; i++)
			runs += !i || part[t].rank[i] != part[t].rank[i - 1] + 1;
	}
	state->run = malloc(runs * sizeof(*state->run));
	if (!state->run)
		return torus_sim_no_memory(sim);
	state->runs = 0;
	for (int t = 0; t < sim->pool->tori; t++) {
		for (uint32_t i = 0; i < part[t].count; i++) {
			uint32_t rank = part[t].rank[i];

			if (i && rank == part[t].rank[i - 1] + 1)
				state->run[state->runs - 1].count++;
			else
				state->run[state->runs++] = (torus_sim_run_t){t, rank, 1};
		}
	}
	return 0;
}

/* Measure what the pool has decided on, if it is all on one torus. */
static int measure(torus_sim_t *sim, torus_sim_record_t *record)
{
	const torus_part_t *part = sim->pool->placer->part;
	const torus_sim_job_t *job = torus_sim_job(sim, (uint32_t)record->job);
	const torus_job_need_t *need = &sim->state[record->job].need;
	torus_shapes_t shapes = {.count = job->has_shape, .shape = {job->shape}};
	const torus_map_t *map;
	uint32_t *cells;
	int result;

	if (record->torus < 0)
		return 0;
	if (record->met)
		shapes = need->wish->shapes;
	map = sim->pool->map[record->torus];
	part += record->torus;
	cells = malloc(part->count * sizeof(*cells));
	if (!cells)
		return torus_sim_no_memory(sim);
	for (uint32_t i = 0; i < part->count; i++)
		cells[i] = map->cell_of_rank[part->rank[i]];
	result = torus_join_metrics(&map->geometry, cells, part->rank, part->count,
				    &shapes, map->nodes, map->span == TORUS_SPAN_RING,
				    &record->metrics, sim->err);
	free(cells);
	return result;
}

/* Measure it against the jobs that run, if that is asked for, and let it join them. */
static int join_occupants(torus_sim_t *sim, uint32_t job, torus_sim_record_t *record)
{
	if (!sim->occupants)
		return 0;
	return torus_occupants_start(sim->occupants, job, sim->pool->placer->part,
				     record->torus < 0 ? NULL : &record->isolation,
				     sim->err);
}

/* How long the job runs where it is now. */
static int find_run_time(torus_sim_t *sim, uint32_t job, int64_t *run_time)
{
	const torus_sim_record_t *record = torus_records_of(&sim->records, job);
	double penalty;

	*run_time = torus_sim_job(sim, job)->run_time;
	if (sim->config->slowdown.weight <= 0 || record->torus < 0)
		return 0;
	if (torus_ideal_penalty(sim->ideal, record->torus, &record->metrics, &penalty,
				sim->err) != 0)
		return -1;
	/* 2^63 as a double: what a run time must stay below. */
	if ((double)*run_time * penalty >= 9223372036854775808.0)
		return torus_fail(sim->err,
				  "job %llu: its run time times the slowdown is too long",
				  (unsigned long long)torus_sim_job(sim, job)->number);
	*run_time = (int64_t)llround((double)*run_time * penalty);
	return 0;
}

/* Count the job's nodes on each torus into sim->counts, times [sign]. */
static void count_nodes(torus_sim_t *sim, const torus_sim_state_t *state, int sign)
{
	memset(sim->counts, 0, (size_t)sim->pool->tori * sizeof(*sim->counts));
	for (uint32_t i = 0; i < state->runs; i++)
		sim->counts[state->run[i].torus] += sign * (int64_t)state->run[i].count;
}

/* Let the runner start the job on the ranks that the pool has decided on. */
static int hand_over(torus_sim_t *sim, uint32_t job)
{
	const torus_sim_runner_t *runner = sim->config->runner;
	const torus_part_t *part = sim->pool->placer->part;

	return runner->start(runner->context, job, part->rank, part->count, sim->err);
}

int torus_sim_start(torus_sim_t *sim, uint32_t job)
{
	torus_sim_state_t *state = &sim->state[job];
	torus_agenda_entry_t end = {.job = job, .run = ++state->run_number};
	torus_sim_record_t *record;
	int64_t run_time;

	if (torus_records_make(&sim->records, job) != 0)
		return torus_sim_no_memory(sim);
	record = torus_records_of(&sim->records, job);
	*record = (torus_sim_record_t){
		.job = job,
		.start = sim->now,
		.nodes = sim->pool->placement.nodes,
		.torus = sim->pool->placement.torus,
		.wished = state->need.wish && state->need.nodes > 1,
		.met = state->need.wish && state->met,
		.could = state->patient ? state->could : sim->now,
	};
	state->patient = false;
	if (keep_ranks(sim, state) != 0 || measure(sim, record) != 0 ||
	    join_occupants(sim, job, record) != 0 ||
	    find_run_time(sim, job, &run_time) != 0)
		return -1;
	if (sim->config->runner)
		record->end = INT64_MAX; /* until go_on() learns it */
	else if (__builtin_add_overflow(sim->now, run_time, &record->end))
		return torus_fail(sim->err,
				  "job %llu would end more than 2^63 microseconds after "
				  "the log's time began",
				  (unsigned long long)torus_sim_job(sim, job)->number);
	state->expected = torus_sim_later(sim->now, state->estimate);
	/* A slowdown may take a job beyond its estimate: then it is known to. */
	if (state->expected < record->end)
		state->expected = record->end;
	end.time = record->end;
	if (sim->config->runner ? hand_over(sim, job) != 0
				: torus_agenda_add(&sim->agenda, &end) != 0)
		return sim->config->runner ? -1 : torus_sim_no_memory(sim);
	for (uint32_t i = 0; i < state->runs; i++)
		torus_pool_take(sim->pool, state->run[i].torus, state->run[i].first,
				state->run[i].count);
	torus_queue_remove(sim->queue, state->place);
	state->slot = sim->running_count;
	sim->running[sim->running_count++] = job;
	count_nodes(sim, state, -1);
	if (sim->profile &&
	    torus_profile_add(sim->profile, sim->now, state->expected, sim->counts) != 0)
		return torus_sim_no_memory(sim);
	return 0;
}

int torus_sim_start_all(torus_sim_t *sim)
{
	uint32_t place = 0;

	for (;; place++) {
		int placed;

		place = torus_queue_find(sim->queue, place, torus_pool_most(sim->pool),
					 INT64_MAX);
		if (place == TORUS_NO_PLACE)
			return 0;
		placed = torus_sim_try(sim, sim->job_at[place]);
		if (placed < 0 ||
		    (placed && torus_sim_start(sim, sim->job_at[place]) != 0))
			return -1;
	}
}

/* Append the ranks in state->run to the result's, for [record]. */
static int store_runs(torus_sim_t *sim, const torus_sim_state_t *state,
		      torus_sim_record_t *record)
{
	torus_sim_result_t *result = sim->result;

	if (sim->config->forget)
		return 0;
	if (result->runs + state->runs > sim->run_room) {
		size_t room = 2 * (result->runs + state->runs);
		torus_sim_run_t *more = reallocarray(result->run, room, sizeof(*more));

		if (!more)
			return torus_sim_no_memory(sim);
		result->run = more;
		sim->run_room = room;
	}
	memcpy(result->run + result->runs, state->run, state->runs * sizeof(*state->run));
	record->first_run = result->runs;
	record->runs = state->runs;
	result->runs += state->runs;
	return 0;
}

/* The run that ends now was for nothing. */
static int lose(torus_sim_t *sim, const torus_sim_record_t *record)
{
	torus_sim_result_t *result = sim->result;
	size_t count = result->lost_count;

	/* Room grows at powers of two. */
	if (!(count & (count - 1))) {
		torus_sim_record_t *more =
			reallocarray(result->lost, count ? 2 * count : 1, sizeof(*more));

		if (!more)
			return torus_sim_no_memory(sim);
		result->lost = more;
	}
	result->lost[result->lost_count++] = *record;
	return 0;
}

static void forget_ranks(torus_sim_state_t *state)
{
	free(state->run);
	state->run = NULL;
	state->runs = 0;
}

/* Nothing more will happen to the job and those before it. */
static int settle(torus_sim_t *sim, uint32_t job)
{
	const torus_sim_config_t *config = sim->config;
	torus_sim_state_t *state = &sim->state[job];
	torus_sim_result_t *result = sim->result;
	torus_sim_record_t *record;
	const torus_sim_run_t *run = state->run;

	if (!state->run_number) /* skipped */
		return 0;
	record = torus_records_of(&sim->records, job);
	torus_sim_summary_add(sim, record);
	if (config->forget)
		record->runs = state->runs;
	else
		run = result->run + record->first_run;
	if (config->ended && config->ended(record, run, config->context, sim->err) != 0)
		return -1;
	if (!config->forget)
		result->record[result->count] = *record;
	result->count++;
	forget_ranks(state);
	return 0;
}

int torus_sim_settle(torus_sim_t *sim)
{
	for (; sim->settled < sim->workload->count && sim->state[sim->settled].over;
	     sim->settled++) {
		if (settle(sim, sim->settled) != 0)
			return -1;
		torus_records_drop(&sim->records, sim->settled);
	}
	return 0;
}

int torus_sim_stop(torus_sim_t *sim, uint32_t job, bool lost)
{
	torus_sim_state_t *state = &sim->state[job];
	torus_sim_record_t *record = torus_records_of(&sim->records, job);
	uint32_t moved = sim->running[--sim->running_count];

	record->end = sim->now;
	if (store_runs(sim, state, record) != 0 || (lost && lose(sim, record) != 0))
		return -1;
	for (uint32_t i = 0; i < state->runs; i++)
		torus_pool_give(sim->pool, state->run[i].torus, state->run[i].first,
				state->run[i].count);
	if (sim->occupants)
		torus_occupants_stop(sim->occupants, job, state->run, state->runs);
	count_nodes(sim, state, 1);
	state->over = !lost;
	if (lost || !sim->config->forget)
		forget_ranks(state);
	sim->running[state->slot] = moved;
	sim->state[moved].slot = state->slot;
	sim->releases++;
	sim->changed = true;
	if (sim->profile && sim->now < state->expected) {
		sim->disturbed = true;
		if (torus_profile_add(sim->profile, sim->now, state->expected,
				      sim->counts) != 0)
			return torus_sim_no_memory(sim);
	}
	if (lost) {
		state->run_number++; /* its end is not to come */
		torus_sim_wait(sim, job);
	} else {
		sim->left--;
	}
	return 0;
}
