/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs for bench_map: where our own placement puts a job on a machine that others use.
 *
 * The machine is a 16x12x24 torus of 9,216 nodes, two a router, on a Hilbert curve,
 * placed by best_fit. It is filled to an occupancy drawn from 70 to 90%, with jobs of
 * log-uniform sizes of up to 512 nodes, and churned for ten generations of jobs that end
 * at random. Then random jobs end until the job in question fits so that the machine is
 * as full as before. All sizes are even, so that every job has whole routers: that is how
 * the targets of Scotch's gmap can express what a router takes.
 */
#include "bench_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "machine/map.h"
#include "place/place.h"

#define LARGEST_JOB 512
#define GENERATIONS 10

struct running {
	uint32_t nodes;
	uint32_t *ranks;
};

typedef struct machine {
	torus_map_t *map;
	torus_placer_t *placer;
	uint64_t *free;
	uint32_t *chosen; /* [nodes] */
	uint32_t busy;
	uint32_t jobs;
	struct running *running; /* [nodes] */
	uint64_t random;
} machine_t;

static void machine_open(machine_t *machine, const torus_geometry_t *geometry,
			 uint64_t seed)
{
	uint32_t nodes;

	*machine = (machine_t){.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
	machine->map = bench_memory(
		torus_map_create("bench", geometry, TORUS_CURVE_HILBERT, 2, NULL));
	nodes = machine->map->nodes;
	machine->placer = bench_memory(torus_placer_create(nodes));
	machine->free = bench_memory(torus_bitmap_create(nodes));
	machine->chosen = bench_memory(calloc(nodes, sizeof(*machine->chosen)));
	machine->running = bench_memory(calloc(nodes, sizeof(*machine->running)));
	torus_bitmap_set_range(machine->free, 0, nodes);
}

static void machine_close(machine_t *machine)
{
	for (uint32_t i = 0; i < machine->jobs; i++)
		free(machine->running[i].ranks);
	free(machine->running);
	free(machine->chosen);
	free(machine->free);
	torus_placer_destroy(machine->placer);
	torus_map_destroy(machine->map);
}

/* Start a job of [nodes] nodes; its ranks are in machine->chosen[] then. */
static void start(machine_t *machine, uint32_t nodes)
{
	torus_place_request_t request = {
		.nodes = nodes, .allocator = &torus_best_fit, .span = machine->map->span};
	struct running *running = &machine->running[machine->jobs++];

	if (!torus_place(machine->placer, machine->free, &request, machine->chosen, NULL))
		bench_die("a job of %u nodes does not fit", nodes);
	running->nodes = nodes;
	running->ranks = bench_memory(malloc(nodes * sizeof(*running->ranks)));
	memcpy(running->ranks, machine->chosen, nodes * sizeof(*running->ranks));
	for (uint32_t i = 0; i < nodes; i++)
		torus_bit_clear(machine->free, running->ranks[i]);
	machine->busy += nodes;
}

static void end_one(machine_t *machine)
{
	struct running *running =
		&machine->running[bench_random(&machine->random) % machine->jobs];

	for (uint32_t i = 0; i < running->nodes; i++)
		torus_bit_set(machine->free, running->ranks[i]);
	machine->busy -= running->nodes;
	free(running->ranks);
	*running = machine->running[--machine->jobs];
}

/* Run jobs until nothing reminds of the empty machine, keeping [full] nodes busy. */
static void churn(machine_t *machine, uint32_t full)
{
	uint32_t ends = 0, generation = 0;

	for (int generations = 0; generations <= GENERATIONS; ends++) {
		while (machine->busy < full) {
			double pairs = exp(bench_fraction(&machine->random) *
					   log(LARGEST_JOB / 2 + 1));
			uint32_t nodes = 2 * (uint32_t)pairs;

			if (nodes > machine->map->nodes - machine->busy)
				break;
			start(machine, nodes);
		}
		if (ends >= generation) {
			generation = machine->jobs;
			generations++;
			ends = 0;
		}
		end_one(machine);
	}
}

void bench_job_create(uint32_t tasks, uint32_t tasks_per_node, uint64_t seed,
		      bench_job_t *job)
{
	uint32_t nodes = tasks / tasks_per_node, full;
	machine_t machine;

	if (!nodes || tasks % tasks_per_node || nodes % 2)
		bench_die("%u tasks, %u a node, do not fill an even number of nodes",
			  tasks, tasks_per_node);
	memset(job, 0, sizeof(*job));
	if (torus_geometry_parse("16x12x24", "all", &job->geometry, NULL))
		bench_die("the machine's dimensions are wrong");
	machine_open(&machine, &job->geometry, seed);
	full = (uint32_t)((0.7 + 0.2 * bench_fraction(&machine.random)) *
			  machine.map->nodes);
	if (nodes > full)
		bench_die("a job of %u nodes does not fit", nodes);
	churn(&machine, full);
	while (machine.busy + nodes > full)
		end_one(&machine);
	start(&machine, nodes);

	torus_task_grid_factor(tasks, 3, &job->grid);
	job->grid.stencil = TORUS_STENCIL_FACES;
	job->tasks = tasks;
	job->occupancy = (double)machine.busy / machine.map->nodes;
	job->cell = bench_memory(malloc(nodes * sizeof(*job->cell)));
	job->tasks_on_node = bench_memory(malloc(nodes * sizeof(*job->tasks_on_node)));
	for (uint32_t i = 0; i < nodes; i++) {
		job->cell[i] = machine.map->cell_of_rank[machine.chosen[i]];
		job->tasks_on_node[i] = tasks_per_node;
	}
	job->job = (torus_task_job_t){.grid = &job->grid,
				      .geometry = &job->geometry,
				      .nodes = nodes,
				      .cell = job->cell,
				      .tasks_on_node = job->tasks_on_node};
	machine_close(&machine);
}

void bench_job_destroy(bench_job_t *job)
{
	free(job->cell);
	free(job->tasks_on_node);
}
