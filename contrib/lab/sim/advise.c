/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following the advice which jobs to requeue for a box: see simulate.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "capacity/holders.h"
#include "sim/engine.h"

/* The running jobs on one torus, as holders of its cells: number i is sim->running[i]. */
typedef struct advice {
	torus_holders_t holders;
	uint32_t *first, *holder; /* owned, as the following */
	bool *dear;
	uint64_t *never;
} advice_t;

static void clear(advice_t *advice)
{
	free(advice->first);
	free(advice->holder);
	free(advice->dear);
	free(advice->never);
}

/* Call [visit] for each rank that a running job has on torus [t]. */
static void each_rank(const torus_sim_t *sim, int t,
		      void (*visit)(advice_t *advice, uint32_t cell, uint32_t holder),
		      advice_t *advice)
{
	const uint32_t *cell_of_rank = sim->pool->map[t]->cell_of_rank;

	for (uint32_t i = 0; i < sim->running_count; i++) {
		const torus_sim_state_t *state = &sim->state[sim->running[i]];

		for (uint32_t r = 0; r < state->runs; r++) {
			const torus_sim_run_t *run = &state->run[r];

			for (uint32_t n = 0; run->torus == t && n < run->count; n++)
				visit(advice, cell_of_rank[run->first + n], i);
		}
	}
}

static void count_holder(advice_t *advice, uint32_t cell, uint32_t holder)
{
	(void)holder;
	advice->first[cell + 1]++;
}

static void put_holder(advice_t *advice, uint32_t cell, uint32_t holder)
{
	advice->holder[advice->first[cell]++] = holder;
}

/*
 * Cells with a node that is neither free nor a job's, because it is down, and cells
 * without nodes. [first] still has the number of each cell's holders in the next one.
 */
static void find_never(const torus_sim_t *sim, int t, advice_t *advice)
{
	const torus_map_t *map = sim->pool->map[t];
	uint32_t cells = torus_geometry_cells(&map->geometry);
	uint32_t *busy = advice->holder; /* scratch: free ranks and holders by cell */

	memset(busy, 0, cells * sizeof(*busy));
	for (uint32_t rank = 0; rank < map->nodes; rank++)
		busy[map->cell_of_rank[rank]] +=
			!torus_bit_test(sim->pool->free[t], rank);
	torus_bitmap_set_range(advice->never, 0, cells);
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint32_t cell = map->cell_of_rank[rank];

		/* Jobs of the simulator do not share nodes. */
		if (busy[cell] == advice->first[cell + 1])
			torus_bit_clear(advice->never, cell);
	}
}

/* Whether the job may be requeued for another one. */
static bool may_go(const torus_sim_t *sim, uint32_t job)
{
	return torus_sim_job(sim, job)->preemptible &&
	       !torus_sim_job(sim, job)->has_shape;
}

/* Returns 0, or -1: out of memory. Either way *advice is to be cleared. */
static int open_advice(const torus_sim_t *sim, int t, advice_t *advice)
{
	const torus_map_t *map = sim->pool->map[t];
	uint32_t cells = torus_geometry_cells(&map->geometry);
	size_t most = map->nodes > cells ? map->nodes : cells;

	*advice = (advice_t){.first = calloc((size_t)cells + 1, sizeof(uint32_t))};
	advice->holder = malloc(most * sizeof(uint32_t));
	advice->dear = malloc(((size_t)sim->running_count + 1) * sizeof(bool));
	advice->never = torus_bitmap_create(cells);
	if (!advice->first || !advice->holder || !advice->dear || !advice->never)
		return -1;
	for (uint32_t i = 0; i < sim->running_count; i++)
		advice->dear[i] = !may_go(sim, sim->running[i]);
	each_rank(sim, t, count_holder, advice);
	find_never(sim, t, advice);
	for (uint32_t cell = 0; cell < cells; cell++)
		advice->first[cell + 1] += advice->first[cell];
	each_rank(sim, t, put_holder, advice);
	/* Each has become the next one. */
	memmove(advice->first + 1, advice->first, cells * sizeof(*advice->first));
	advice->first[0] = 0;
	advice->holders = (torus_holders_t){
		.holders = sim->running_count,
		.dear = advice->dear,
		.first = advice->first,
		.holder = advice->holder,
		.never = advice->never,
	};
	return 0;
}

/* Requeue the jobs on the cells, of all_cells. Returns 0, or -1 with sim->err filled. */
static int requeue(torus_sim_t *sim, const advice_t *advice, const uint64_t *cells,
		   uint32_t all_cells)
{
	uint32_t *job = malloc(((size_t)sim->running_count + 1) * sizeof(*job));
	uint32_t count = 0;
	int rc = 0;

	if (!job)
		return torus_sim_no_memory(sim);
	for (uint32_t cell = torus_bitmap_next_set(cells, all_cells, 0); cell < all_cells;
	     cell = torus_bitmap_next_set(cells, all_cells, cell + 1)) {
		for (uint32_t i = advice->first[cell]; i < advice->first[cell + 1]; i++) {
			uint32_t holder = advice->holder[i];

			/* Each once: what is dear from now on is in the list. */
			if (!advice->dear[holder])
				job[count++] = sim->running[holder];
			advice->dear[holder] = true;
		}
	}
	/* Their places among the running change as they stop. */
	for (uint32_t i = 0; i < count && rc == 0; i++)
		rc = torus_sim_stop(sim, job[i], true);
	free(job);
	return rc;
}

/* Follow the advice for [job] on torus [t]. Returns 1; 0: there is none; -1 + sim->err.
 */
static int follow(torus_sim_t *sim, uint32_t job, int t)
{
	const torus_geometry_t *geometry = &sim->pool->map[t]->geometry;
	const torus_shape_t *shape = &torus_sim_job(sim, job)->shape;
	uint32_t all_cells = torus_geometry_cells(geometry);
	uint64_t *cells = torus_bitmap_create(all_cells);
	torus_in_the_way_t box;
	advice_t advice;
	int found;

	if (!cells)
		return torus_sim_no_memory(sim);
	if (open_advice(sim, t, &advice) != 0)
		found = torus_sim_no_memory(sim);
	else
		found = torus_fewest_holders(geometry, &advice.holders, shape, &box,
					     cells, sim->err);
	if (found > 0)
		found = !box.dear;
	if (found > 0 && requeue(sim, &advice, cells, all_cells) != 0)
		found = -1;
	clear(&advice);
	free(cells);
	return found;
}

/* When the first job of the queue, if it asks for a box, is helped; INT64_MAX: never. */
static int64_t due(const torus_sim_t *sim, uint32_t job)
{
	int64_t time;

	if (job == TORUS_NO_JOB || !torus_sim_job(sim, job)->has_shape ||
	    __builtin_add_overflow(torus_sim_job(sim, job)->submit,
				   sim->config->advise_after, &time))
		return INT64_MAX;
	return time;
}

int64_t torus_sim_next_advice(const torus_sim_t *sim)
{
	int64_t time = due(sim, torus_sim_first(sim));

	return time > sim->now ? time : INT64_MAX;
}

int torus_sim_advise(torus_sim_t *sim)
{
	uint32_t job = torus_sim_first(sim);

	while (due(sim, job) <= sim->now && sim->advised_at != sim->pool->changes &&
	       torus_pool_enough(sim->pool, &sim->state[job].need)) {
		const bool *on = sim->state[job].need.on;
		int found = 0, placed;

		for (int t = 0; t < sim->pool->tori && !found; t++)
			found = !on || on[t] ? follow(sim, job, t) : 0;
		if (found < 0)
			return -1;
		sim->advised_at = sim->pool->changes;
		if (!found)
			return 0;
		placed = torus_sim_try(sim, job);
		if (placed <= 0)
			return placed;
		if (torus_sim_start(sim, job) != 0)
			return -1;
		sim->result->summary.advised++;
		if (sim->rule->decide(sim) != 0)
			return -1;
		job = torus_sim_first(sim);
	}
	return 0;
}
