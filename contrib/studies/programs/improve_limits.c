/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * INCIMPROVE with limits: what its publication leaves for later (Bunde et al., "Task
 * Mapping Stencil Computations for Non-Contiguous Allocations", section 6: "no more than
 * x swaps, only make swaps that improve by x%").
 *
 *   improve_limits MACHINE WRAP <JOBS
 *
 * MACHINE is a box like 10x10 and WRAP the dimensions that go around ("all", "none",
 * ...). Each line of JOBS is "COUNT X Y CELLS": so many jobs of X by Y tasks, each
 * exchanging with its neighbours in the grid, one on each of the cells (a list of storus
 * sim --out). Each begins with rcb:longest, which is the publication's RCB; then pairs of
 * tasks are swapped, the first with all behind it, the second ..., again and again, where
 * that takes at least so many percent off the job's hops at the moment, until a whole
 * round swaps nothing or there have been as many swaps as allowed.
 *
 * Prints CSV, a line for each limit: limit (none, gain_P for P percent, swaps_N), jobs,
 * average hops between neighbours by mean over the jobs, before and after, and swaps a
 * job by mean.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lists/ranklist.h"
#include "geometry/geometry.h"
#include "taskmap/search/move_cost.h"
#include "taskmap/taskmap.h"

/* What a search may do. */
typedef struct limit {
	const char *name;
	double percent; /* at least so much of the job's hops a swap */
	uint64_t swaps; /* at most so many */
} limit_t;

static const limit_t limits[] = {
	{"none", 0, UINT64_MAX},
	{"gain_0.1", 0.1, UINT64_MAX},
	{"gain_0.5", 0.5, UINT64_MAX},
	{"gain_1", 1, UINT64_MAX},
	{"gain_2", 2, UINT64_MAX},
	{"gain_5", 5, UINT64_MAX},
	{"swaps_1", 0, 1},
	{"swaps_2", 0, 2},
	{"swaps_4", 0, 4},
	{"swaps_8", 0, 8},
	{"swaps_16", 0, 16},
};
#define LIMITS (sizeof(limits) / sizeof(limits[0]))

/* Over all jobs, each as often as it comes. */
typedef struct sums {
	double jobs, before, after, swaps;
} sums_t;

/* Swap pairs of tasks while it pays, from [hops] in all on. Returns how many swaps. */
static uint64_t improve(const torus_task_graph_t *graph, const torus_hop_table_t *table,
			const limit_t *limit, double hops, uint32_t *node_of_task)
{
	uint64_t swaps = 0, before;

	do {
		before = swaps;
		for (uint32_t a = 0; a < graph->tasks; a++) {
			for (uint32_t b = a + 1; b < graph->tasks; b++) {
				double saved = -torus_move_cost_swap(graph, table,
								     node_of_task, a, b);
				uint32_t node = node_of_task[a];

				if (saved <= 0 || 100 * saved < limit->percent * hops)
					continue;
				node_of_task[a] = node_of_task[b];
				node_of_task[b] = node;
				hops -= saved;
				if (++swaps == limit->swaps)
					return swaps;
			}
		}
	} while (swaps != before);
	return swaps;
}

/* Map the job by rcb:longest, and improve that within each limit. */
static void measure_job(const torus_task_job_t *job, uint32_t tasks, double count,
			sums_t *sums)
{
	const torus_mapper_budget_t budget = {.work = UINT64_C(1) << 60, .seconds = 1e9};
	uint32_t *begun = malloc(tasks * sizeof(*begun));
	uint32_t *node_of_task = malloc(tasks * sizeof(*node_of_task));
	torus_task_graph_t *graph;
	torus_hop_table_t table = {0};
	torus_hop_stats_t before, after;
	torus_error_t error;

	if (!begun || !node_of_task)
		errx(1, "out of memory");
	graph = torus_task_graph_stencil(job->grid, &error);
	if (!graph || torus_hop_table_init(job, &table, &error) ||
	    torus_hop_table_expand(job, &table, &error) ||
	    torus_taskmap(TORUS_MAPPER_RCB_LONGEST, job, &budget, begun, &error))
		errx(1, "%s", error.text);
	torus_hop_table_stats(job, &table, begun, &before);
	for (size_t i = 0; i < LIMITS; i++) {
		memcpy(node_of_task, begun, tasks * sizeof(*begun));
		sums[i].swaps += count * (double)improve(graph, &table, &limits[i],
							 before.hop_bytes, node_of_task);
		torus_hop_table_stats(job, &table, node_of_task, &after);
		sums[i].jobs += count;
		sums[i].before += count * before.average;
		sums[i].after += count * after.average;
	}
	torus_task_graph_destroy(graph);
	torus_hop_table_destroy(&table);
	free(begun);
	free(node_of_task);
}

/* The same for [count] jobs of [x] by tasks / x tasks, one on each of the cells. */
static void measure(const torus_geometry_t *geometry, uint32_t x, const uint32_t *cells,
		    uint32_t tasks, double count, sums_t *sums)
{
	const torus_task_grid_t grid = {
		.dims = 2,
		.stencil = TORUS_STENCIL_FACES,
		.length = {(int32_t)x, (int32_t)(tasks / x), 1, 1, 1, 1}};
	uint32_t *ones = malloc(tasks * sizeof(*ones));
	const torus_task_job_t job = {.grid = &grid,
				      .geometry = geometry,
				      .nodes = tasks,
				      .cell = cells,
				      .tasks_on_node = ones};

	if (!ones)
		errx(1, "out of memory");
	for (uint32_t i = 0; i < tasks; i++)
		ones[i] = 1;
	measure_job(&job, tasks, count, sums);
	free(ones);
}

/* The cells of a list such as "0-2;98", in their order. */
static uint32_t read_cells(const char *list, uint32_t most, uint32_t *cells)
{
	torus_error_t error;
	uint32_t *ranks, count;

	if (torus_ranklist_parse_sequence(list, most, &ranks, &count, &error))
		errx(2, "cells '%s': %s", list, error.text);
	memcpy(cells, ranks, count * sizeof(*cells));
	free(ranks);
	return count;
}

int main(int argc, char **argv)
{
	static sums_t sums[LIMITS];
	torus_geometry_t geometry;
	torus_error_t error;
	uint32_t *cells, nodes;
	char *line = NULL;
	size_t room = 0;

	if (argc != 3)
		errx(2, "usage: improve_limits MACHINE WRAP <JOBS");
	if (torus_geometry_parse(argv[1], argv[2], &geometry, &error))
		errx(2, "%s", error.text);
	nodes = torus_geometry_cells(&geometry);
	cells = malloc(nodes * sizeof(*cells));
	if (!cells)
		errx(1, "out of memory");
	while (getline(&line, &room, stdin) > 0) {
		uint32_t count, x, y;
		int at;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNu32 " %" SCNu32 " %" SCNu32 " %n", &count, &x, &y,
			   &at) != 3 ||
		    !x || !y || (uint64_t)x * y > nodes ||
		    read_cells(line + at, nodes, cells) != x * y)
			errx(2, "'%s': not COUNT X Y and X*Y cells of the machine", line);
		if (x * y > 1)
			measure(&geometry, x, cells, x * y, count, sums);
	}
	puts("limit,jobs,before,after,swaps");
	for (size_t i = 0; i < LIMITS && sums[i].jobs > 0; i++)
		printf("%s,%.0f,%.9g,%.9g,%.9g\n", limits[i].name, sums[i].jobs,
		       sums[i].before / sums[i].jobs, sums[i].after / sums[i].jobs,
		       sums[i].swaps / sums[i].jobs);
	free(line);
	free(cells);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
