/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a single decision of each strategy is from the closest n of the free nodes:
 * the least sum of hops over pairs there is, exactly (test/closest.h).
 *
 *   bench_optimum [DECISIONS]    of each machine, state and occupancy; default 200
 *
 * Machines of 60 to 64 nodes in one to three dimensions, mesh and torus, 50% to 90% of
 * their nodes busy. States: `chance`, each busy node drawn at random; `jobs`, what a
 * stream of jobs leaves that best_fit places along the Hilbert curve, sizes log-uniform
 * from 1 to a quarter of the machine, about half of them ending between two states. All
 * strategies decide on the same states and sizes, log-uniform from 2 to a quarter of the
 * machine and less than what is free. free_list takes the nodes in x-fastest order, as
 * Slurm does without a topology plugin; the others rank them along the Hilbert curve.
 *
 * Prints CSV: machine, wrap, state, occupancy, strategy, decisions, by how many percent
 * the sum is above the least on average and at worst, the share of decisions that have
 * the least. The seed is TORUS_BENCH_SEED, or 1.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../test/closest.h"
#include "base/bitmap.h"
#include "base/random.h"
#include "machine/map.h"
#include "metrics/metrics.h"
#include "strategies/strategies.h"

static const struct {
	const char *name;
	torus_curve_t curve;
} strategies[] = {
	{"compact", TORUS_CURVE_HILBERT}, {"best_fit", TORUS_CURVE_HILBERT},
	{"hybrid", TORUS_CURVE_HILBERT},  {"mm", TORUS_CURVE_HILBERT},
	{"mc1x1", TORUS_CURVE_HILBERT},	  {"free_list", TORUS_CURVE_ROW_MAJOR},
};

#define STRATEGIES (sizeof(strategies) / sizeof(strategies[0]))

static uint64_t seed = 1;

/* A machine with its nodes ranked along one curve. */
typedef struct ranked {
	torus_map_t *map;
	torus_placer_t *placer;
} ranked_t;

typedef struct machine {
	torus_geometry_t geometry;
	uint32_t cells;		     /* a node on each */
	ranked_t ranked[STRATEGIES]; /* as each strategy has it */
	ranked_t jobs;		     /* as the stream has it */
} machine_t;

/* Which nodes are taken, and of the stream by which jobs; bit i is cell i. */
typedef struct state {
	uint64_t busy;
	uint64_t job[CLOSEST_NODES];
	uint32_t jobs;
} state_t;

typedef struct tally {
	double sum, worst;
	uint32_t optimal;
} tally_t;

static void fail(const char *text)
{
	fprintf(stderr, "bench_optimum: %s\n", text);
	exit(1);
}

/* Log-uniform between [least] and [most]. */
static uint32_t log_uniform(double least, double most)
{
	double fraction = (double)(torus_random_next(&seed) >> 11) / 9007199254740992.0;

	return (uint32_t)(least * exp(fraction * log((most + 1) / least)));
}

static void open_ranked(ranked_t *ranked, const torus_geometry_t *geometry,
			torus_curve_t curve)
{
	torus_error_t err;

	ranked->map = torus_map_create("machine", geometry, curve, 1, &err);
	if (!ranked->map)
		fail(err.text);
	ranked->placer = torus_placer_create(ranked->map->nodes);
	if (!ranked->placer)
		fail("out of memory");
}

static void close_ranked(ranked_t *ranked)
{
	torus_placer_destroy(ranked->placer);
	torus_map_destroy(ranked->map);
}

/* The cells that [allocator] takes for [n] nodes. */
static uint64_t place(const ranked_t *ranked, const char *allocator, uint64_t busy,
		      uint32_t n)
{
	const torus_map_t *map = ranked->map;
	torus_place_request_t request = {.nodes = n,
					 .span = map->span,
					 .geometry = &map->geometry,
					 .cell_of_rank = map->cell_of_rank,
					 .seed = 1};
	uint64_t usable[TORUS_WORDS(CLOSEST_NODES)] = {0}, cells = 0;
	uint32_t chosen[CLOSEST_NODES];
	torus_placement_t placement;
	torus_error_t err;
	int placed;

	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		if (!(busy >> map->cell_of_rank[rank] & 1))
			torus_bit_set(usable, rank);
	}
	if (torus_allocator_parse(allocator, torus_strategies, &request.allocator, &err))
		fail(err.text);
	placed = torus_place_weighted(ranked->placer, usable, NULL, &request, chosen,
				      &placement, &err);
	if (placed < 0)
		fail(err.text);
	if (!placed)
		fail("no place, though enough nodes are free");
	for (uint32_t i = 0; i < n; i++)
		cells |= UINT64_C(1) << map->cell_of_rank[chosen[i]];
	return cells;
}

static uint32_t count(uint64_t set)
{
	return (uint32_t)__builtin_popcountll(set);
}

/* [busy] nodes, each as likely as any other. */
static void draw_by_chance(const machine_t *machine, uint32_t busy, state_t *state)
{
	state->busy = 0;
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		if (torus_random_below(&seed, machine->cells - cell) <
		    busy - count(state->busy))
			state->busy |= UINT64_C(1) << cell;
	}
}

/* Go on with the stream: about half of the jobs end, and others start until [busy] nodes
 * are taken again, the last one cut to that. */
static void draw_by_jobs(const machine_t *machine, uint32_t busy, state_t *state)
{
	for (uint32_t i = state->jobs; i--;) {
		if (torus_random_below(&seed, 2)) {
			state->busy &= ~state->job[i];
			state->job[i] = state->job[--state->jobs];
		}
	}
	while (count(state->busy) < busy) {
		uint32_t left = busy - count(state->busy);
		uint32_t n = log_uniform(1, machine->cells / 4.0);
		uint64_t job = place(&machine->jobs, "best_fit", state->busy,
				     n < left ? n : left);

		state->job[state->jobs++] = job;
		state->busy |= job;
	}
}

static uint64_t sum_of(const machine_t *machine, uint64_t set)
{
	uint32_t cells[CLOSEST_NODES], n = 0;
	torus_error_t err;
	uint64_t sum;

	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		if (set >> cell & 1)
			cells[n++] = cell;
	}
	if (torus_summed_distance(&machine->geometry, cells, n, &sum, &err))
		fail(err.text);
	return sum / 2;
}

static void decide(const machine_t *machine, const state_t *state, tally_t *tally)
{
	uint32_t cells[CLOSEST_NODES], free_cells = 0, most = machine->cells / 4, n;
	uint32_t least;

	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		if (!(state->busy >> cell & 1))
			cells[free_cells++] = cell;
	}
	n = log_uniform(2, most < free_cells - 1 ? most : free_cells - 1);
	least = closest_nodes(&machine->geometry, cells, free_cells, n, NULL);
	for (size_t s = 0; s < STRATEGIES; s++) {
		uint64_t set =
			place(&machine->ranked[s], strategies[s].name, state->busy, n);
		uint64_t sum = sum_of(machine, set);
		double above = 100 * ((double)sum / least - 1);

		if (count(set & ~state->busy) != n || sum < least)
			fail("a decision that cannot be");
		tally[s].sum += above;
		tally[s].worst = above > tally[s].worst ? above : tally[s].worst;
		tally[s].optimal += sum == least;
	}
}

static void measure(const char *dims, const char *wrap, bool jobs, uint32_t percent,
		    uint32_t decisions)
{
	tally_t tally[STRATEGIES] = {{0}};
	state_t state = {0};
	machine_t machine;
	torus_error_t err;
	uint32_t busy;

	if (torus_geometry_parse(dims, wrap, &machine.geometry, &err))
		fail(err.text);
	machine.cells = torus_geometry_cells(&machine.geometry);
	for (size_t s = 0; s < STRATEGIES; s++)
		open_ranked(&machine.ranked[s], &machine.geometry, strategies[s].curve);
	open_ranked(&machine.jobs, &machine.geometry, TORUS_CURVE_HILBERT);
	busy = machine.cells * percent / 100;
	/* The stream begins on an empty machine. */
	for (uint32_t i = 0; jobs && i < 20; i++)
		draw_by_jobs(&machine, busy, &state);
	for (uint32_t i = 0; i < decisions; i++) {
		if (jobs)
			draw_by_jobs(&machine, busy, &state);
		else
			draw_by_chance(&machine, busy, &state);
		decide(&machine, &state, tally);
	}
	for (size_t s = 0; s < STRATEGIES; s++) {
		printf("%s,%s,%s,%" PRIu32 ",%s,%" PRIu32 ",%.2f,%.1f,%.3f\n", dims, wrap,
		       jobs ? "jobs" : "chance", percent, strategies[s].name, decisions,
		       tally[s].sum / decisions, tally[s].worst,
		       (double)tally[s].optimal / decisions);
		close_ranked(&machine.ranked[s]);
	}
	close_ranked(&machine.jobs);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const char *const machines[] = {"64", "8x8", "9x7", "4x4x4", "5x4x3"};
	static const char *const wraps[] = {"none", "all"};
	const char *text = getenv("TORUS_BENCH_SEED");
	uint32_t decisions = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 200;

	if (argc > 2 || !decisions) {
		fputs("usage: bench_optimum [DECISIONS]\n", stderr);
		return 2;
	}
	if (text && strtoull(text, NULL, 10))
		seed = strtoull(text, NULL, 10);
	puts("machine,wrap,state,occupancy,strategy,decisions,mean_above_percent,"
	     "worst_above_percent,optimal");
	for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
		for (int wrapped = 0; wrapped < 2; wrapped++) {
			for (int jobs = 0; jobs < 2; jobs++) {
				for (uint32_t percent = 50; percent <= 90; percent += 10)
					measure(machines[m], wraps[wrapped], jobs,
						percent, decisions);
			}
		}
	}
	return 0;
}
