/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench_graph DIMS WRAP SECONDS FILE...: hops of graphs, each of a FILE of edges as
 * storus map --graph reads them, beside a simple annealing with as much processor time.
 *
 * The job has a task on each node. If there are as many as the machine has places it is
 * the whole machine; otherwise stretches of up to 64 nodes of a Hilbert curve, between
 * them up to 16 of others. TORUS_BENCH_SEED draws others.
 *
 * Prints CSV: file, tasks, edges; hops of an edge by weight of a random mapping, of the
 * simple annealing, of ours with the graph alone, and as storus map does it, with a
 * near-cubic grid for its tasks; what goes over the busiest link with each of them;
 * seconds that the last two took (the simple annealing gets those of the graph alone);
 * its hops over ours.
 */
#include "torus_config.h"

#include "bench.h"

#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/map.h"
#include "taskmap/hops.h"
#include "taskmap/job_order.h"
#include "taskmap/links.h"
#include "taskmap/mappers/graph.h"

typedef struct job {
	torus_map_t *map;
	torus_task_graph_t *graph;
	torus_task_grid_t grid;
	torus_task_job_t job;
	uint32_t *cell, *one, *mapping;
} job_t;

static uint64_t state;

/* --- the simple annealing ------------------------------------------------- */

/* What [task] would cost on node [to] more than where it is, but for its edge to [but].
 */
static double cost_of(const job_t *j, const uint8_t *hops, const uint32_t *node,
		      uint32_t task, uint32_t to, uint32_t but)
{
	const torus_task_graph_t *graph = j->graph;
	const uint8_t *here = hops + (size_t)node[task] * graph->tasks;
	const uint8_t *there = hops + (size_t)to * graph->tasks;
	double cost = 0;

	for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
		uint32_t at = node[graph->neighbor[i]];

		if (graph->neighbor[i] != but)
			cost += (graph->weight ? graph->weight[i] : 1) *
				(there[at] - here[at]);
	}
	return cost;
}

/* The hops between all nodes. */
static uint8_t *list_hops(const job_t *j)
{
	uint32_t nodes = j->job.nodes;
	uint8_t *hops = malloc((size_t)nodes * nodes);

	for (size_t a = 0; hops && a < nodes; a++) {
		for (size_t b = 0; b < nodes; b++)
			hops[a * nodes + b] = (uint8_t)torus_hops_cells(
				&j->map->geometry, j->cell[a], j->cell[b]);
	}
	return hops;
}

/* The nodes nearest to each, a few of them. */
static uint32_t *list_near(const job_t *j, const uint8_t *hops, uint32_t few)
{
	uint32_t nodes = j->job.nodes,
		 *near = malloc((size_t)nodes * few * sizeof(*near));

	for (uint32_t node = 0; near && node < nodes; node++) {
		uint32_t found = 0;

		for (uint32_t far = 1; found < few; far++) {
			for (uint32_t other = 0; other < nodes && found < few; other++) {
				if (hops[(size_t)node * nodes + other] == far)
					near[node * few + found++] = other;
			}
		}
	}
	return near;
}

/*
 * From a random mapping: a task goes to a node near that of one of its neighbours, for
 * the task there, by the rule of Metropolis at temperatures from 4 to 0.3 mean weights.
 */
static void anneal_simply(job_t *j, double seconds)
{
	enum { FEW = 6 };
	uint32_t tasks = j->job.nodes, *at = malloc(tasks * sizeof(*at));
	uint32_t *node = malloc(tasks * sizeof(*node));
	uint8_t *hops = list_hops(j);
	uint32_t *near = list_near(j, hops, FEW), swap;
	uint64_t entries = j->graph->first[tasks], moves = 0;
	double start, spent = 0, mean = 0, temperature = 0;

	for (uint32_t task = 0; task < tasks; task++) {
		uint32_t other = torus_random_below(&state, task + 1);

		at[task] = at[other];
		at[other] = task;
	}
	for (uint32_t i = 0; i < tasks; i++)
		node[at[i]] = i;
	for (uint64_t i = 0; i < entries; i++)
		mean += (j->graph->weight ? j->graph->weight[i] : 1) / (double)entries;
	start = bench_now();
	for (; spent < 1; moves++) {
		uint32_t a = torus_random_below(&state, tasks), b;
		uint64_t degree = j->graph->first[a + 1] - j->graph->first[a];
		double change;

		if (moves % 256 == 0) {
			spent = (bench_now() - start) * 1e-9 / seconds;
			temperature = mean * 4 * pow(0.3 / 4, spent);
		}
		if (!degree)
			continue;
		b = j->graph->neighbor[j->graph->first[a] +
				       torus_random_below(&state, (uint32_t)degree)];
		b = at[near[node[b] * FEW + torus_random_below(&state, FEW)]];
		if (a == b)
			continue;
		change = cost_of(j, hops, node, a, node[b], b) +
			 cost_of(j, hops, node, b, node[a], a);
		if (change > 0 && (double)(torus_random_next(&state) >> 11) * 0x1p-53 >=
					  exp(-change / temperature))
			continue;
		at[node[a]] = b;
		at[node[b]] = a;
		swap = node[a];
		node[a] = node[b];
		node[b] = swap;
	}
	for (uint32_t task = 0; task < tasks; task++)
		j->mapping[task] = node[task];
	free(at);
	free(node);
	free(near);
	free(hops);
}

/* --- the job --------------------------------------------------------------- */

/* The text of a file. */
static char *read_all(const char *path, size_t *length)
{
	FILE *file = fopen(path, "r");
	char *text;

	if (!file || fseek(file, 0, SEEK_END))
		err(1, "%s", path);
	*length = (size_t)ftell(file);
	rewind(file);
	text = malloc(*length + 1);
	if (!text || fread(text, 1, *length, file) != *length)
		err(1, "%s", path);
	fclose(file);
	return text;
}

/* Tasks are numbered from 0 on; the largest number there is. */
static uint32_t count_tasks(char *text, size_t length)
{
	unsigned long most = 0;

	text[length] = '\0';
	for (char *line = text; line && *line; line = strchr(line, '\n')) {
		char *end;
		unsigned long a, b;

		line += *line == '\n';
		a = strtoul(line, &end, 10);
		b = strtoul(end, NULL, 10);
		most = a > most ? a : most;
		most = b > most ? b : most;
	}
	return (uint32_t)most + 1;
}

static void place(job_t *j, uint32_t nodes)
{
	uint32_t rank = 0, left = 0, scattered = nodes < j->map->nodes;

	for (uint32_t i = 0; i < nodes; i++, rank++) {
		if (scattered && !left--) {
			left = torus_random_below(&state, 64);
			rank += torus_random_below(&state, 17);
		}
		if (rank >= j->map->nodes)
			errx(1, "a job of %u nodes does not fit", nodes);
		j->cell[i] = j->map->cell_of_rank[rank];
		j->one[i] = 1;
	}
}

static void create(const char *dims, const char *wrap, const char *path, job_t *j)
{
	torus_geometry_t geometry;
	torus_error_t error;
	size_t length;
	char *text = read_all(path, &length);
	uint32_t tasks = count_tasks(text, length);

	if (torus_geometry_parse(dims, wrap, &geometry, &error))
		errx(1, "%s", error.text);
	*j = (job_t){.map = torus_map_create("bench", &geometry, TORUS_CURVE_HILBERT, 1,
					     &error)};
	j->graph = torus_task_graph_parse(text, length, path, tasks, &error);
	if (!j->map || !j->graph)
		errx(1, "%s", error.text);
	j->cell = malloc(tasks * sizeof(*j->cell));
	j->one = malloc(tasks * sizeof(*j->one));
	j->mapping = malloc(tasks * sizeof(*j->mapping));
	if (!j->cell || !j->one || !j->mapping)
		errx(1, "out of memory");
	place(j, tasks);
	torus_task_grid_factor(tasks, 3, &j->grid);
	j->job = (torus_task_job_t){.grid = &j->grid,
				    .graph = j->graph,
				    .geometry = &j->map->geometry,
				    .nodes = tasks,
				    .cell = j->cell,
				    .tasks_on_node = j->one};
	free(text);
}

/* What goes over the busiest link: see taskmap/links.h. */
static double busiest_link(const job_t *j)
{
	torus_link_loads_t loads;
	torus_error_t error;

	if (torus_link_loads(&j->job, j->mapping, &loads, &error))
		errx(1, "%s", error.text);
	return loads.most;
}

static double average(const job_t *j)
{
	torus_hop_stats_t stats;

	if (torus_hop_stats(&j->job, j->mapping, &stats, NULL))
		errx(1, "out of memory");
	return stats.average;
}

static void line(job_t *j, const char *path, double seconds)
{
	torus_mapper_budget_t budget = torus_mapper_budget(seconds, TORUS_MAPPER_SEED);
	torus_ordered_job_t ordered = {
		.geometry = j->job.geometry,
		.nodes = j->job.nodes,
		.cell = j->cell,
		.tasks_on_node = j->one,
		.words = {.kind = TORUS_GRID_GIVEN, .grid = j->grid},
		.graph = j->graph,
		.budget = &budget};
	double hops[4], times[4], busiest[4], start = bench_now();
	torus_error_t error;

	for (uint32_t i = 0; i < j->job.nodes; i++)
		j->mapping[i] = i;
	for (uint32_t i = 0; i < j->job.nodes; i++) {
		uint32_t other = torus_random_below(&state, i + 1), swap = j->mapping[i];

		j->mapping[i] = j->mapping[other];
		j->mapping[other] = swap;
	}
	for (int way = 0; way < 4; way++) {
		start = bench_now();
		if (way == 2 && torus_taskmap_graph(&j->job, &budget, j->mapping, &error))
			errx(1, "%s", error.text);
		if (way == 3 &&
		    torus_job_assign(&ordered, j->mapping, NULL, NULL, &error))
			errx(1, "%s", error.text);
		/* After ours, whose time it gets. */
		times[way] = (bench_now() - start) * 1e-9;
		hops[way] = average(j);
		busiest[way] = busiest_link(j);
	}
	anneal_simply(j, times[2]);
	hops[1] = average(j);
	busiest[1] = busiest_link(j);
	printf("%s,%u,%llu,%.4f,%.4f,%.4f,%.4f,%.0f,%.0f,%.0f,%.0f,%.2f,%.2f,%.4f\n",
	       strrchr(path, '/') ? strrchr(path, '/') + 1 : path, j->job.nodes,
	       (unsigned long long)j->graph->first[j->job.nodes] / 2, hops[0], hops[1],
	       hops[2], hops[3], busiest[0], busiest[1], busiest[2], busiest[3], times[2],
	       times[3], hops[1] / hops[2]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	if (argc < 5)
		errx(1, "usage: bench_graph DIMS WRAP SECONDS FILE...");
	puts("file,tasks,edges,random,simple,graph,map,busiest_random,busiest_simple,"
	     "busiest_graph,busiest_map,seconds_graph,seconds_map,simple_over_graph");
	for (int i = 4; i < argc; i++) {
		job_t j;

		state = bench_seed();
		create(argv[1], argv[2], argv[i], &j);
		line(&j, argv[i], strtod(argv[3], NULL));
		torus_task_graph_destroy(j.graph);
		torus_map_destroy(j.map);
		free(j.cell);
		free(j.one);
		free(j.mapping);
	}
	return 0;
}
