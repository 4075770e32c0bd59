/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one placement decision costs, as a multiple of counting the free nodes once, and
 * how much memory the engine keeps for a machine.
 *
 * For machines of 1,000 to 1,000,000 nodes, in two states:
 *   random     every second node free, at random
 *   realistic  what many job starts and ends through torus_place() itself leave:
 *              sizes log-uniform from 1 to 512 (at most a quarter of the machine),
 *              the job that ends drawn at random, about 87% of the nodes busy, ten
 *              generations of jobs
 *
 * Decisions ask for job sizes of that mix. Prints CSV; times are medians of many rounds,
 * the peer measured in between the decisions:
 *   decision_ns    one torus_place(), mean over the mix
 *   popcount_ns    one torus_bitmap_count() of the same bitmap, compiled as the library
 *   ratio          the quotient of these two
 *   popcnt_ns      the same count with the processor's own instruction, and its ratio
 *   one_interval   share of the decisions that one free interval could serve
 *
 * Then one line "key value": bytes of engine state a node, at a million nodes, as counted
 * by malloc(). The seed is TORUS_BENCH_SEED, or 1.
 */
#include "bench.h"

#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bitmap.h"
#include "machine/map.h"
#include "place/place.h"

#define LOAD 0.87
#define LARGEST_JOB 512
#define MIX 64 /* decisions a round */
#define ROUNDS 41

static uint64_t seed;

static double random_fraction(void)
{
	return (double)(torus_random_next(&seed) >> 11) / (double)(UINT64_C(1) << 53);
}

/* The job size that the given fraction of the mix stays below. */
static uint32_t size_at(double fraction, uint32_t nodes)
{
	double largest = nodes / 4 < LARGEST_JOB ? nodes / 4 : LARGEST_JOB;

	return (uint32_t)exp(fraction * log(largest + 1));
}

static void *or_die(void *memory)
{
	if (!memory) {
		fputs("bench_place: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

/* A machine and what it runs. */
typedef struct machine {
	uint32_t nodes;
	uint32_t busy;
	uint64_t *free;
	torus_placer_t *placer;
	uint32_t *chosen; /* [nodes] */
	uint32_t jobs;
	struct job {
		uint32_t count;
		uint32_t *ranks;
	} * job; /* [nodes] */
} machine_t;

static void machine_open(machine_t *machine, uint32_t nodes)
{
	*machine = (machine_t){.nodes = nodes};
	machine->free = or_die(torus_bitmap_create(nodes));
	machine->placer = or_die(torus_placer_create(nodes));
	machine->chosen = or_die(calloc(nodes, sizeof(*machine->chosen)));
	machine->job = or_die(calloc(nodes, sizeof(*machine->job)));
	torus_bitmap_set_range(machine->free, 0, nodes);
}

static void machine_close(machine_t *machine)
{
	for (uint32_t i = 0; i < machine->jobs; i++)
		free(machine->job[i].ranks);
	free(machine->job);
	free(machine->chosen);
	free(machine->free);
	torus_placer_destroy(machine->placer);
}

static torus_place_request_t ask(uint32_t size, const torus_allocator_t *allocator)
{
	return (torus_place_request_t){
		.nodes = size, .allocator = allocator, .span = TORUS_SPAN_RING};
}

static bool start_job(machine_t *machine, const torus_allocator_t *allocator)
{
	uint32_t size = size_at(random_fraction(), machine->nodes);
	torus_place_request_t request = ask(size, allocator);
	struct job *job = &machine->job[machine->jobs];

	if (!torus_place(machine->placer, machine->free, &request, machine->chosen, NULL))
		return false;
	job->count = size;
	job->ranks = or_die(malloc(size * sizeof(*job->ranks)));
	memcpy(job->ranks, machine->chosen, size * sizeof(*job->ranks));
	for (uint32_t i = 0; i < size; i++)
		torus_bit_clear(machine->free, job->ranks[i]);
	machine->busy += size;
	machine->jobs++;
	return true;
}

static void end_some_job(machine_t *machine)
{
	struct job *job = &machine->job[torus_random_next(&seed) % machine->jobs];

	for (uint32_t i = 0; i < job->count; i++)
		torus_bit_set(machine->free, job->ranks[i]);
	machine->busy -= job->count;
	free(job->ranks);
	*job = machine->job[--machine->jobs];
}

static void make_realistic(machine_t *machine, const torus_allocator_t *allocator)
{
	uint32_t ends = 0, generation = 0;

	for (int generations = 0; generations <= 10; ends++) {
		while (machine->busy < LOAD * machine->nodes &&
		       start_job(machine, allocator))
			;
		if (ends >= generation) {
			generation = machine->jobs;
			generations++;
			ends = 0;
		}
		end_some_job(machine);
	}
}

static void make_random(machine_t *machine)
{
	for (uint32_t rank = 0; rank < machine->nodes; rank++) {
		if (torus_random_next(&seed) >> 63)
			torus_bit_clear(machine->free, rank);
	}
}

typedef uint32_t count_function(const uint64_t *words, uint32_t bits);

#ifdef __x86_64__
__attribute__((target("popcnt")))
#endif
static uint32_t
count_in_hardware(const uint64_t *words, uint32_t bits)
{
	size_t total = TORUS_WORDS(bits);
	uint32_t count = 0;

	for (size_t i = 0; i < total; i++)
		count += (uint32_t)__builtin_popcountll(words[i]);
	return count;
}

/* Nanoseconds of one count; enough of them that the clock does not matter. */
static double time_count(const machine_t *machine, count_function *count,
			 uint32_t expected)
{
	uint32_t repeats = 1 + 2000000 / machine->nodes, wrong = 0;
	double start = bench_now();

	for (uint32_t i = 0; i < repeats; i++) {
		wrong |= count(machine->free, machine->nodes) ^ expected;
		__asm__ volatile("" ::: "memory"); /* count anew each time */
	}
	start = bench_now() - start;
	if (wrong) {
		fputs("bench_place: the counts differ\n", stderr);
		exit(1);
	}
	return start / repeats;
}

/* Nanoseconds of one decision, over the mix of sizes. */
static double time_decisions(machine_t *machine, const torus_allocator_t *allocator,
			     const uint32_t sizes[MIX], uint32_t *one_interval)
{
	uint32_t repeats = 1 + 100000 / machine->nodes;
	torus_placement_t placement;
	double start = bench_now();

	for (uint32_t repeat = 0; repeat < repeats; repeat++) {
		*one_interval = 0;
		for (int i = 0; i < MIX; i++) {
			torus_place_request_t request = ask(sizes[i], allocator);

			if (!torus_place(machine->placer, machine->free, &request,
					 machine->chosen, &placement)) {
				fputs("bench_place: a job does not fit\n", stderr);
				exit(1);
			}
			*one_interval += placement.contiguous;
		}
	}
	return (bench_now() - start) / (repeats * MIX);
}

static void measure(machine_t *machine, const char *state,
		    const torus_allocator_t *allocator)
{
	double decisions[ROUNDS], counts[ROUNDS], hardware[ROUNDS];
	double decision, count, instruction;
	uint32_t free_nodes = torus_bitmap_count(machine->free, machine->nodes);
	uint32_t sizes[MIX], one_interval, intervals = 0;

	/* The same sizes for every machine, evenly from the mix, small and large in
	 * turns. */
	for (int i = 0; i < MIX; i++) {
		sizes[i] = size_at((i * 37 % MIX + 0.5) / MIX, machine->nodes);
		if (sizes[i] > free_nodes)
			sizes[i] = free_nodes;
	}
	for (uint32_t rank = 0; rank < machine->nodes; rank++)
		intervals += torus_bit_test(machine->free, rank) &&
			     (!rank || !torus_bit_test(machine->free, rank - 1));
	for (int round = 0; round < ROUNDS; round++) {
		counts[round] = time_count(machine, torus_bitmap_count, free_nodes);
		decisions[round] =
			time_decisions(machine, allocator, sizes, &one_interval);
		hardware[round] = time_count(machine, count_in_hardware, free_nodes);
	}
	decision = bench_median(decisions, ROUNDS);
	count = bench_median(counts, ROUNDS);
	instruction = bench_median(hardware, ROUNDS);
	printf("%" PRIu32 ",%s,%s,%" PRIu32 ",%" PRIu32
	       ",%.2f,%.1f,%.4f,%.1f,%.2f,%.1f,%.2f\n",
	       machine->nodes, state, torus_allocator_name(allocator), free_nodes,
	       intervals, (double)one_interval / MIX, decision, decision / machine->nodes,
	       count, decision / count, instruction, decision / instruction);
	fflush(stdout);
}

/* Bytes that malloc() has handed out and not got back. */
static size_t memory_in_use(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void print_memory(void)
{
	size_t before = memory_in_use();
	torus_geometry_t geometry;
	torus_error_t err;
	torus_map_t *map;
	torus_placer_t *placer;
	uint64_t *free_ranks;

	if (torus_geometry_parse("100x100x100", "all", &geometry, &err))
		exit(1);
	map = or_die(torus_map_create("bench", &geometry, TORUS_CURVE_HILBERT, 1, &err));
	placer = or_die(torus_placer_create(map->nodes));
	free_ranks = or_die(torus_bitmap_create(map->nodes));
	printf("engine_bytes_per_node %.3f\n",
	       (double)(memory_in_use() - before) / map->nodes);
	free(free_ranks);
	torus_placer_destroy(placer);
	torus_map_destroy(map);
}

int main(void)
{
	static const uint32_t sizes[] = {1000, 10000, 100000, 1000000};

	seed = bench_seed();
	puts("nodes,state,allocator,free,intervals,one_interval,decision_ns,ns_per_node,"
	     "popcount_ns,ratio,popcnt_ns,popcnt_ratio");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (int a = 0; a < 4; a++) {
			const torus_allocator_t *allocator = torus_allocators[a];
			machine_t machine;

			machine_open(&machine, sizes[i]);
			make_random(&machine);
			measure(&machine, "random", allocator);
			machine_close(&machine);
			machine_open(&machine, sizes[i]);
			make_realistic(&machine, allocator);
			measure(&machine, "realistic", allocator);
			machine_close(&machine);
		}
	}
	print_memory();
	return 0;
}
