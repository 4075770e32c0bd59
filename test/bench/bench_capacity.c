/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What storus capacity and storus place --shape any cost on machines of about 100,000
 * nodes.
 *
 * Prints CSV, a line for each machine and state of it:
 *   dims, wrap   the machine, one node a router
 *   state        free; holes: one node in 1,000 busy; some, half: one in 10, one in 2;
 *                blocks: boxes of random sides are busy, about half of the nodes
 *   largest_ms   torus_largest_box(), any box
 *   any_ms       torus_any_box_place() for 1,024 nodes along the row-major curve
 *   packing_ms   torus_packing() of 4x4x4 (in fewer dimensions 8x8, 64), no search
 *   fewest_ms    torus_fewest_holders() of the same, each busy block or node a job
 *   copies       the first as a multiple of copying 4 bytes a node once
 *
 * Medians of processor time. The seed is TORUS_BENCH_SEED, or 1.
 */
#include "bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/bitmap.h"
#include "capacity/holders.h"
#include "capacity/largest.h"
#include "capacity/packing.h"
#include "capacity/turns.h"
#include "place/any_box.h"

#define ROUNDS 5

typedef struct machine {
	torus_geometry_t geometry;
	torus_shape_t shape;
	uint32_t cells;
	uint64_t *usable, *never;
	uint32_t *first, *holder, *cell_of_rank, *chosen, *copy;
	uint32_t jobs;
} machine_t;

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory)
		exit(1);
	return memory;
}

static void die(const torus_error_t *err)
{
	fprintf(stderr, "bench_capacity: %s\n", err->text);
	exit(1);
}

static void open_machine(machine_t *machine, const char *dims, const char *wrap)
{
	const char *shape;
	torus_error_t err;

	if (torus_geometry_parse(dims, wrap, &machine->geometry, &err))
		die(&err);
	shape = machine->geometry.dims == 1   ? "64"
		: machine->geometry.dims == 2 ? "8x8"
					      : "4x4x4";
	if (torus_shape_parse(shape, &machine->shape, &err))
		die(&err);
	machine->cells = torus_geometry_cells(&machine->geometry);
	machine->usable = allocate(TORUS_WORDS(machine->cells), 8);
	machine->never = allocate(TORUS_WORDS(machine->cells), 8);
	machine->first = allocate(machine->cells + 1, 4);
	machine->holder = allocate(machine->cells, 4);
	machine->cell_of_rank = allocate(machine->cells, 4);
	machine->chosen = allocate(machine->cells, 4);
	machine->copy = allocate(machine->cells, 4);
	for (uint32_t cell = 0; cell < machine->cells; cell++)
		machine->cell_of_rank[cell] = cell;
}

static void close_machine(machine_t *machine)
{
	free(machine->usable);
	free(machine->never);
	free(machine->first);
	free(machine->holder);
	free(machine->cell_of_rank);
	free(machine->chosen);
	free(machine->copy);
}

/* Who has each cell, 0 for nobody, in copy[]. */
static void occupy(machine_t *machine, uint32_t one_in, uint64_t *seed)
{
	uint32_t taken = 0;

	memset(machine->copy, 0, machine->cells * sizeof(*machine->copy));
	machine->jobs = 0;
	for (uint32_t cell = 0; one_in > 1 && cell < machine->cells; cell++) {
		if (torus_random_next(seed) % one_in == 0)
			machine->copy[cell] = ++machine->jobs;
	}
	while (one_in == 1 && taken < machine->cells / 2) {
		uint32_t corner = (uint32_t)(torus_random_next(seed) % machine->cells);
		torus_turn_t turn = {.side = {1, 1, 1, 1, 1, 1}};
		torus_walk_t walk;

		for (int axis = 0; axis < machine->geometry.dims; axis++)
			turn.side[axis] =
				1 + (int32_t)(torus_random_next(seed) %
					      (uint32_t)machine->geometry.length[axis]) /
					    2;
		machine->jobs++;
		torus_walk_begin(&walk, &machine->geometry, &turn, corner);
		do {
			taken += !machine->copy[walk.cell];
			machine->copy[walk.cell] = machine->jobs;
		} while (torus_walk_next(&walk) && taken < machine->cells / 2);
	}
}

static void fill(machine_t *machine)
{
	uint32_t count = 0;

	memset(machine->usable, 0, TORUS_WORDS(machine->cells) * 8);
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		machine->first[cell] = count;
		if (machine->copy[cell])
			machine->holder[count++] = machine->copy[cell] - 1;
		else
			torus_bit_set(machine->usable, cell);
	}
	machine->first[machine->cells] = count;
}

enum { LARGEST, ANY, PACKING, FEWEST, COPY, WORKS };

static void work(machine_t *machine, int what)
{
	const torus_holders_t holders = {.holders = machine->jobs,
					 .first = machine->first,
					 .holder = machine->holder,
					 .never = machine->never};
	const torus_geometry_t *geometry = &machine->geometry;
	torus_in_the_way_t box;
	torus_largest_t largest;
	torus_packing_t packing;
	torus_error_t err;
	uint64_t distance;
	int rc = 0;

	if (what == LARGEST)
		rc = torus_largest_box(geometry, machine->usable, geometry->dims,
				       &largest, &err);
	else if (what == ANY)
		rc = torus_any_box_place(geometry, machine->cell_of_rank, machine->cells,
					 machine->usable, NULL, 1024, false,
					 machine->chosen, &distance, &err);
	else if (what == PACKING)
		rc = torus_packing(geometry, machine->usable, &machine->shape, 0,
				   &packing, &err);
	else if (what == FEWEST)
		rc = torus_fewest_holders(geometry, &holders, &machine->shape, &box, NULL,
					  &err);
	else
		memcpy(machine->chosen, machine->copy, machine->cells * 4);
	__asm__ volatile("" ::: "memory");
	if (rc < 0)
		die(&err);
}

static double time_of(machine_t *machine, int what)
{
	double times[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		double start = bench_now();

		work(machine, what);
		times[round] = bench_now() - start;
	}
	return bench_median(times, ROUNDS) / 1e6;
}

int main(void)
{
	static const char *const dims[] = {"100000",	 "316x316",	"46x46x47",
					   "48x32x64",	 "18x18x18x17", "10x10x10x10x10",
					   "7x7x7x7x7x6"};
	static const struct {
		const char *name;
		uint32_t one_in;
	} states[] = {
		{"free", 0}, {"holes", 1000}, {"some", 10}, {"half", 2}, {"blocks", 1}};
	uint64_t seed = bench_seed();

	puts("dims,wrap,state,largest_ms,any_ms,packing_ms,fewest_ms,copies");
	for (size_t i = 0; i < 2 * sizeof(dims) / sizeof(dims[0]); i++) {
		const char *wrap = i % 2 ? "all" : "none";
		machine_t machine;

		open_machine(&machine, dims[i / 2], wrap);
		for (size_t j = 0; j < sizeof(states) / sizeof(states[0]); j++) {
			double ms[WORKS];

			if (states[j].one_in)
				occupy(&machine, states[j].one_in, &seed);
			else
				occupy(&machine, UINT32_MAX, &seed);
			fill(&machine);
			for (int what = 0; what < WORKS; what++)
				ms[what] = time_of(&machine, what);
			printf("%s,%s,%s,%.2f,%.2f,%.2f,%.2f,%.0f\n", dims[i / 2], wrap,
			       states[j].name, ms[LARGEST], ms[ANY], ms[PACKING],
			       ms[FEWEST], ms[LARGEST] / ms[COPY]);
			fflush(stdout);
		}
		close_machine(&machine);
	}
	return 0;
}
