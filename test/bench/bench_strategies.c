/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decisions a second of every strategy, beside best_fit on the same machine.
 *
 *   bench_strategies [DIMS...]    default: 96x96 100x100 21x22x21 1000x1000 100x100x100
 *   bench_strategies --compact [DIMS...]    default: 8x8x8 16x12x24 50x50x40 100x100x100
 *
 * All machines wrap; their nodes are ranked along the Hilbert curve. About half of a
 * machine is busy with what many job starts and ends through best_fit leave (sizes
 * log-uniform from 1 to 512, the job that ends drawn at random). Decisions ask for sizes
 * that are log-uniform from 16 to 256. The strategies of k-ary n-cubes,
 * partner, multipartner and gray_code, are timed on 2x2x2x2x2x2, with job sizes from 1
 * to 16.
 *
 * With --compact only best_fit and compact are timed, on machines that are 85% busy, with
 * sizes that are log-uniform from 1 to 128; and, as "scan", counting the bits of the
 * bitmap of free nodes, the least that a decision can do.
 *
 * Prints CSV: strategy, machine, free nodes, decisions made, the share of them that found
 * a place, decisions a second, and the time of one as a multiple of best_fit's. Processor
 * time of one core. Each figure is the median of three rounds, best_fit timed in each.
 * The seed is TORUS_BENCH_SEED, or 1.
 */
#include "bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bitmap.h"
#include "machine/map.h"
#include "strategies/strategies.h"

#define SIZES 32
#define ROUNDS 3
#define ROUND_SECONDS 0.1

static uint64_t seed;
static bool only_compact;

static void *or_die(void *memory)
{
	if (!memory) {
		fputs("bench_strategies: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

/* Log-uniform between [least] and [most]. */
static uint32_t log_uniform(double least, double most)
{
	double fraction = (double)(torus_random_next(&seed) >> 11) / 9007199254740992.0;

	return (uint32_t)(least * exp(fraction * log((most + 1) / least)));
}

typedef struct machine {
	const char *dims;
	torus_map_t *map;
	torus_placer_t *placer;
	uint64_t *free;
	uint32_t *chosen;
	uint32_t size[SIZES];
} machine_t;

static int place(machine_t *machine, const torus_allocator_t *allocator, uint32_t nodes)
{
	torus_place_request_t request = {.nodes = nodes,
					 .allocator = allocator,
					 .span = machine->map->span,
					 .geometry = &machine->map->geometry,
					 .cell_of_rank = machine->map->cell_of_rank,
					 .seed = 1};
	torus_placement_t placement;
	torus_error_t err;
	int placed = torus_place_weighted(machine->placer, machine->free, NULL, &request,
					  machine->chosen, &placement, &err);

	if (placed < 0) {
		fprintf(stderr, "bench_strategies: %s: %s\n", machine->dims, err.text);
		exit(1);
	}
	return placed;
}

typedef struct job {
	uint32_t count;
	uint32_t *ranks;
} job_t;

/* Jobs start until the machine is half full, and one ends, for ten generations. */
static void fill(machine_t *machine)
{
	uint32_t nodes = machine->map->nodes, busy = 0, jobs = 0, ended = 0, ends = 1;
	double most = only_compact ? 128 : 512;
	double largest = nodes / 8 < most ? nodes / 8 : most;
	job_t *job = or_die(calloc(nodes, sizeof(*job)));

	for (int generation = 0; generation < 10;) {
		uint32_t gone;

		while (busy < (only_compact ? 0.85 : 0.5) * nodes) {
			uint32_t size = log_uniform(1, largest);

			if (!place(machine, &torus_best_fit, size))
				break;
			job[jobs].count = size;
			job[jobs].ranks = or_die(malloc(size * sizeof(uint32_t)));
			memcpy(job[jobs].ranks, machine->chosen, size * sizeof(uint32_t));
			for (uint32_t i = 0; i < size; i++)
				torus_bit_clear(machine->free, machine->chosen[i]);
			busy += size;
			jobs++;
		}
		if (++ended >= ends) {
			generation++;
			ended = 0;
			ends = jobs;
		}
		if (generation == 10)
			break;
		gone = torus_random_below(&seed, jobs);
		for (uint32_t i = 0; i < job[gone].count; i++)
			torus_bit_set(machine->free, job[gone].ranks[i]);
		busy -= job[gone].count;
		free(job[gone].ranks);
		job[gone] = job[--jobs];
	}
	while (jobs)
		free(job[--jobs].ranks);
	free(job);
}

/* Of those with --compact: what is free on a small machine. */
static uint32_t largest_job(const machine_t *machine)
{
	uint32_t count = torus_bitmap_count(machine->free, machine->map->nodes);

	return count < 128 ? count : 128;
}

static void open_machine(machine_t *machine, const char *dims)
{
	torus_geometry_t geometry;
	torus_error_t err;

	*machine = (machine_t){.dims = dims};
	if (torus_geometry_parse(dims, "all", &geometry, &err) ||
	    !(machine->map =
		      torus_map_create(dims, &geometry, TORUS_CURVE_HILBERT, 1, &err))) {
		fprintf(stderr, "bench_strategies: %s\n", err.text);
		exit(2);
	}
	machine->placer = or_die(torus_placer_create(machine->map->nodes));
	machine->free = or_die(torus_bitmap_create(machine->map->nodes));
	machine->chosen = or_die(malloc(machine->map->nodes * sizeof(uint32_t)));
	torus_bitmap_set_range(machine->free, 0, machine->map->nodes);
	fill(machine);
	for (int i = 0; i < SIZES; i++)
		machine->size[i] = only_compact ? log_uniform(1, largest_job(machine))
				   : machine->map->nodes < 1000 ? log_uniform(1, 16)
								: log_uniform(16, 256);
}

static void close_machine(machine_t *machine)
{
	torus_map_destroy(machine->map);
	torus_placer_destroy(machine->placer);
	free(machine->free);
	free(machine->chosen);
}

static double now(void)
{
	return bench_now() * 1e-9;
}

/* Seconds of one decision; at least one for each size, as many as fit into a round. */
static double time_one(machine_t *machine, const torus_allocator_t *allocator,
		       uint32_t *decisions, uint32_t *found)
{
	double start = now(), passed;
	uint32_t made = 0;

	*found = 0;
	do {
		for (int i = 0; i < SIZES; i++)
			*found += place(machine, allocator, machine->size[i]) == 1;
		made += SIZES;
		passed = now() - start;
	} while (passed < ROUND_SECONDS);
	*decisions += made;
	*found = *found * SIZES / made;
	return passed / made;
}

/* The same of counting the free nodes. */
static double time_scan(const machine_t *machine)
{
	double start = now(), passed;
	uint32_t made = 0, counted = 0;

	do {
		for (int i = 0; i < SIZES; i++)
			counted += torus_bitmap_count(machine->free, machine->map->nodes);
		made += SIZES;
		passed = now() - start;
	} while (passed < ROUND_SECONDS && counted);
	return passed / made;
}

static void print(const machine_t *machine, const char *name, uint32_t decisions,
		  double share, double seconds, double best_fit)
{
	printf("%s,%s,%" PRIu32 ",%" PRIu32 ",%.2f,%.0f,%.2f\n", name, machine->dims,
	       torus_bitmap_count(machine->free, machine->map->nodes), decisions, share,
	       1 / seconds, seconds / best_fit);
	fflush(stdout);
}

static void measure(machine_t *machine, const torus_allocator_t *allocator)
{
	double times[ROUNDS], best_fit[ROUNDS], median;
	uint32_t decisions = 0, ignored = 0, found;

	place(machine, allocator, 1); /* the index of the machine is made once */
	for (int round = 0; round < ROUNDS; round++) {
		best_fit[round] = time_one(machine, &torus_best_fit, &ignored, &found);
		times[round] = time_one(machine, allocator, &decisions, &found);
	}
	median = bench_median(best_fit, ROUNDS);
	print(machine, torus_allocator_name(allocator), decisions, (double)found / SIZES,
	      bench_median(times, ROUNDS), median);
	if (only_compact && allocator == &torus_best_fit)
		print(machine, "scan", 0, 0, time_scan(machine), median);
}

static void bench(const char *dims, bool hypercube)
{
	machine_t machine;

	open_machine(&machine, dims);
	for (int i = 0; torus_strategies[i]; i++) {
		const torus_allocator_t *allocator = torus_strategies[i];
		const char *name = torus_allocator_name(allocator);
		bool partners = strstr(name, "partner") || !strcmp(name, "gray_code");
		bool asked = !only_compact || allocator == &torus_best_fit ||
			     allocator == &torus_compact;

		if (asked && partners == hypercube)
			measure(&machine, allocator);
	}
	close_machine(&machine);
}

int main(int argc, char **argv)
{
	static const char *const machines[] = {"96x96", "100x100", "21x22x21",
					       "1000x1000", "100x100x100"};
	static const char *const busy_machines[] = {"8x8x8", "16x12x24", "50x50x40",
						    "100x100x100"};

	seed = bench_seed();
	if (argc > 1 && !strcmp(argv[1], "--compact")) {
		only_compact = true;
		argv++;
		argc--;
	}
	puts("strategy,machine,free,decisions,placed,decisions_a_second,times_best_fit");
	for (int i = 1; i < argc; i++)
		bench(argv[i], false);
	for (size_t i = 0; argc == 1 && !only_compact && i < 5; i++)
		bench(machines[i], false);
	for (size_t i = 0; argc == 1 && only_compact && i < 4; i++)
		bench(busy_machines[i], false);
	if (argc == 1 && !only_compact)
		bench("2x2x2x2x2x2", true);
	return 0;
}
