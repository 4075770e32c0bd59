/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench_mpi [BUDGET]: what the reordering of libstorus_mpi costs the one process that
 * computes it, and what of the gain of `storus map` it brings, by number of processes.
 *
 * Prints CSV: processes, of which each node has per_node; the milliseconds of the call
 * (the shortest of five), the same for a graph instead of a grid, and for a graph whose
 * tasks are numbered at random; hops of an edge as the processes come, after each of
 * these calls, after the first with the BUDGET of seconds (default 0.5, that of storus
 * map); and the share of the latter's gain in percent.
 *
 * A job has a stretch of a Hilbert curve on a 16x12x24 torus with two nodes a router, of
 * which other jobs hold pieces; processes come in the order of the curve. Each has a
 * block of a near-cubic grid with the faces as neighbours.
 */
#include "torus_config.h"

#include "bench.h"

#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/map.h"
#include "mpi/reorder.h"
#include "taskmap/taskmap.h"

#define TRIALS 5

/* As in contrib/mpi/agree.c. */
#define SEARCHERS 64
#define TOGETHER_MOST 1024

typedef struct job {
	torus_map_t *map;
	uint32_t processes, *node, *cell;
	int32_t *rank;
	torus_task_grid_t grid;
	torus_task_graph_t *graph;    /* of the grid */
	torus_task_graph_t *shuffled; /* the same, its tasks numbered at random */
} job_t;

static uint64_t state;

static uint32_t drawn(uint32_t below)
{
	return torus_random_below(&state, below);
}

/* [graph] with its tasks renumbered at random. */
static torus_task_graph_t *shuffle(const torus_task_graph_t *graph)
{
	uint32_t *number = malloc(graph->tasks * sizeof(*number));
	torus_task_graph_t *shuffled = NULL;

	for (uint32_t task = 0; number && task < graph->tasks; task++) {
		uint32_t other = drawn(task + 1);

		number[task] = number[other];
		number[other] = task;
	}
	if (number)
		shuffled = torus_task_graph_blocks(graph, number, graph->tasks, NULL);
	free(number);
	return shuffled;
}

/* Free stretches of up to 64 nodes of the curve, between them up to 16 of others. */
static void job_create(uint32_t processes, uint32_t per_node, job_t *job)
{
	torus_geometry_t geometry;
	uint32_t rank = 0, left = 0;

	*job = (job_t){.processes = processes};
	if (torus_geometry_parse("16x12x24", "all", &geometry, NULL))
		errx(1, "geometry");
	job->map = torus_map_create("bench", &geometry, TORUS_CURVE_HILBERT, 2, NULL);
	job->node = malloc(processes * sizeof(*job->node));
	job->cell = malloc(processes * sizeof(*job->cell));
	job->rank = malloc(processes * sizeof(*job->rank));
	if (!job->map || !job->node || !job->cell || !job->rank)
		errx(1, "out of memory");
	for (uint32_t i = 0; i < processes; i++) {
		if (i % per_node == 0) {
			if (!left--) {
				left = drawn(64);
				rank += drawn(17);
			} else {
				rank++;
			}
			if (rank >= job->map->nodes)
				errx(1, "the job does not fit");
		}
		job->node[i] = job->map->node_of_rank[rank];
		job->cell[i] = job->map->cell_of_rank[rank];
	}
	torus_task_grid_factor(processes, 3, &job->grid);
	job->graph = torus_task_graph_stencil(&job->grid, NULL);
	job->shuffled = job->graph ? shuffle(job->graph) : NULL;
	if (!job->shuffled)
		errx(1, "out of memory");
}

static void job_destroy(job_t *job)
{
	torus_task_graph_destroy(job->graph);
	torus_task_graph_destroy(job->shuffled);
	torus_map_destroy(job->map);
	free(job->node);
	free(job->cell);
	free(job->rank);
}

/* Reorder [trials] times; returns the milliseconds of the shortest. */
static double reorder(job_t *job, const torus_task_grid_t *grid,
		      const torus_task_graph_t *graph,
		      const torus_mapper_budget_t *budget, int trials,
		      storus_mpi_gain_t *gain)
{
	storus_mpi_request_t request = {.geometry = &job->map->geometry,
					.processes = job->processes,
					.node = job->node,
					.cell = job->cell,
					.grid = grid,
					.graph = graph,
					.budget = budget};
	double shortest = 1e9;

	for (int i = 0; i < trials; i++) {
		double start = bench_now(), taken;
		torus_error_t error;
		bool changed;

		if (storus_mpi_reorder(&request, job->rank, &changed, gain, &error))
			errx(1, "%s", error.text);
		taken = 1e-6 * (bench_now() - start);
		if (taken < shortest)
			shortest = taken;
	}
	return shortest;
}

/* The fewest hops that the processes find together, each with a seed of its own: as
 * contrib/mpi/agree.c does it. */
static double search_together(job_t *job, torus_mapper_budget_t budget)
{
	uint32_t stride = (job->processes + SEARCHERS - 1) / SEARCHERS;
	double fewest = INFINITY;

	for (uint32_t own = 0; own < job->processes; own += stride) {
		torus_mapper_budget_t its = budget;
		storus_mpi_gain_t gain;

		its.seed += own;
		reorder(job, &job->grid, NULL, &its, 1, &gain);
		fewest = gain.after < fewest ? gain.after : fewest;
		if (job->processes > TOGETHER_MOST)
			break;
	}
	return fewest;
}

static void line(uint32_t processes, uint32_t per_node, double long_budget)
{
	torus_mapper_budget_t budget = storus_mpi_budget(processes);
	torus_mapper_budget_t more = torus_mapper_budget(long_budget, TORUS_MAPPER_SEED);
	storus_mpi_gain_t cart, graph, shuffled, longer;
	double milliseconds, of_graph, of_shuffled, together;
	job_t job;

	job_create(processes, per_node, &job);
	milliseconds = reorder(&job, &job.grid, NULL, &budget, TRIALS, &cart);
	of_graph = reorder(&job, NULL, job.graph, &budget, TRIALS, &graph);
	of_shuffled = reorder(&job, NULL, job.shuffled, &budget, TRIALS, &shuffled);
	together = search_together(&job, budget);
	reorder(&job, &job.grid, NULL, &more, 1, &longer);
	printf("%u,%u,%.3f,%.3f,%.3f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.1f\n", processes,
	       per_node, milliseconds, of_graph, of_shuffled, cart.before, cart.after,
	       graph.after, shuffled.after, together, longer.after,
	       100 * (cart.before - together) / (longer.before - longer.after));
	fflush(stdout);
	job_destroy(&job);
}

int main(int argc, char **argv)
{
	double budget = argc > 1 ? strtod(argv[1], NULL) : 0.5;

	state = bench_seed();
	puts("processes,per_node,milliseconds,milliseconds_graph,"
	     "milliseconds_shuffled,before,after,after_graph,after_shuffled,after_together,after_budget,share_of_gain");
	for (uint32_t processes = 8; processes <= 65536; processes *= 2) {
		if (processes <= 4096)
			line(processes, 1, budget);
		if (processes >= 64)
			line(processes, 16, budget);
	}
	return 0;
}
