/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench_any: what the order for an unknown pattern is worth, on the allocations of a
 * simulation, and what it costs.
 *
 *   bench_any [-t TASKS_PER_NODE] [-c] [-f] [-n LEAST] DIMS WRAP JOBS.csv...
 *
 * Of each file that `storus sim --out` wrote, jobs of LEAST (2) nodes and more, their
 * nodes being named x fastest: average hops an edge of a ring and of MPI's 2D and 3D
 * grids of the tasks in the order of names and in ours, the sums of the three as a ratio,
 * jobs in which one of them is longer than by names, and microseconds of processor time,
 * of each job the least of a few runs, by size. Tasks are dealt out in blocks, or (-c)
 * cyclic; with -f task 0 need not be on the first node.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lists/ranklist.h"
#include "taskmap/any/any.h"
#include "taskmap/hops.h"

#define PATTERNS 3
#define RUNS 5
#define CLASSES 16 /* jobs of 2^c to 2^(c+1) - 1 nodes */

/* What the options say. */
typedef struct options {
	uint32_t per_node; /* tasks */
	torus_deal_t deal;
	bool free_head;
	uint32_t least; /* nodes */
} options_t;

typedef struct sums {
	uint64_t jobs, longer;
	double names[PATTERNS], ours[PATTERNS], seconds;
} sums_t;

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "bench_any: %s: %s\n", what, why);
	exit(2);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double hops(const torus_any_job_t *job, int dims, const uint32_t *counts,
		   const uint32_t *node_of_task)
{
	torus_task_grid_t grid = {.periodic = {dims == 1}};
	torus_task_job_t tasks = {.grid = &grid,
				  .geometry = job->geometry,
				  .nodes = job->nodes,
				  .cell = job->cell,
				  .tasks_on_node = counts};
	torus_hop_stats_t stats;
	torus_error_t err;

	torus_task_grid_mpi(job->tasks, dims, &grid);
	if (torus_hop_stats(&tasks, node_of_task, &stats, &err))
		fail("hops", err.text);
	return stats.average;
}

static void *allocate(size_t numbers)
{
	void *memory = malloc(numbers * sizeof(uint32_t));

	if (!memory)
		fail("measure", "out of memory");
	return memory;
}

static void measure(const torus_any_job_t *job, sums_t *sums)
{
	uint32_t *given = allocate(job->nodes), *order = allocate(job->nodes);
	uint32_t *counts = allocate(job->nodes);
	uint32_t *names = allocate(job->tasks), *ours = allocate(job->tasks);
	double seconds = 1e9;
	bool longer = false;

	for (uint32_t node = 0; node < job->nodes; node++) {
		given[node] = node;
		counts[node] = job->tasks / job->nodes;
	}
	for (int run = 0; run < RUNS; run++) {
		double start = now();
		torus_error_t err;

		if (torus_any_order(job, order, &err))
			fail("order", err.text);
		start = now() - start;
		seconds = start < seconds ? start : seconds;
	}
	sums->seconds += seconds;
	sums->jobs++;
	torus_any_deal(given, job->nodes, counts, job->deal, names);
	torus_any_deal(order, job->nodes, counts, job->deal, ours);
	for (int i = 0; i < PATTERNS; i++) {
		double before = hops(job, i + 1, counts, names);
		double after = hops(job, i + 1, counts, ours);

		sums->names[i] += before;
		sums->ours[i] += after;
		longer |= after > before;
	}
	sums->longer += longer;
	free(given);
	free(order);
	free(counts);
	free(names);
	free(ours);
}

static void print(const char *file, const char *sizes, const sums_t *sums)
{
	double jobs = (double)sums->jobs, names = 0, ours = 0;

	printf("%s,%s,%" PRIu64, file, sizes, sums->jobs);
	for (int i = 0; i < PATTERNS; i++) {
		printf(",%.4f,%.4f", sums->names[i] / jobs, sums->ours[i] / jobs);
		names += sums->names[i];
		ours += sums->ours[i];
	}
	printf(",%.4f,%" PRIu64 ",%.1f\n", ours / names, sums->longer,
	       1e6 * sums->seconds / jobs);
}

/* The sixth field of a line of jobs.csv, cells like 0-3;17, as a rank list. */
static char *cells_of(char *line)
{
	char *field = line;

	for (int i = 0; i < 5; i++) {
		field = strchr(field, ',');
		if (!field)
			return NULL;
		field++;
	}
	field[strcspn(field, ",\n")] = 0;
	for (char *at = field; *at; at++)
		*at = *at == ';' ? ',' : *at;
	return field;
}

static void add(sums_t *to, const sums_t *from)
{
	to->jobs += from->jobs;
	to->longer += from->longer;
	to->seconds += from->seconds;
	for (int i = 0; i < PATTERNS; i++) {
		to->names[i] += from->names[i];
		to->ours[i] += from->ours[i];
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

static void read_jobs(const torus_geometry_t *geometry, const options_t *options,
		      const char *path)
{
	sums_t sums[CLASSES] = {{0}}, all = {0};
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		fail(path, "cannot be opened");
	while (getline(&line, &size, file) > 0) {
		torus_any_job_t job = {
			.geometry = geometry,
			.deal = options->deal,
			.free_head = options->free_head,
		};
		char *cells = cells_of(line);
		torus_error_t err;
		uint32_t *cell;
		int class = 0;

		if (!cells || strcmp(cells, "cells") == 0)
			continue;
		if (torus_ranklist_parse_sequence(cells, torus_geometry_cells(geometry),
						  &cell, &job.nodes, &err))
			fail(path, err.text);
		qsort(cell, job.nodes, sizeof(*cell), by_number);
		job.cell = cell;
		job.tasks = job.nodes * options->per_node;
		while (job.nodes >> (class + 1) && class < CLASSES - 1)
			class ++;
		if (job.nodes >= options->least)
			measure(&job, &sums[class]);
		free(cell);
	}
	for (int class = 1; class < CLASSES; class ++) {
		char sizes[32];

		snprintf(sizes, sizeof(sizes), "%d-%d", 1 << class, (2 << class) - 1);
		if (sums[class].jobs)
			print(path, sizes, &sums[class]);
		add(&all, &sums[class]);
	}
	if (all.jobs)
		print(path, "all", &all);
	free(line);
	fclose(file);
}

int main(int argc, char **argv)
{
	options_t options = {.per_node = 1, .least = 2};
	torus_geometry_t geometry;
	torus_error_t err;
	int option;

	while ((option = getopt(argc, argv, "t:cfn:")) != -1) {
		if (option == 't')
			options.per_node = (uint32_t)atoi(optarg);
		else if (option == 'c')
			options.deal = TORUS_DEAL_CYCLIC;
		else if (option == 'f')
			options.free_head = true;
		else if (option == 'n')
			options.least = (uint32_t)atoi(optarg);
		else
			return 2;
	}
	if (argc - optind < 3 || !options.per_node)
		fail("usage",
		     "bench_any [-t TASKS] [-c] [-f] [-n LEAST] DIMS WRAP JOBS.csv...");
	if (torus_geometry_parse(argv[optind], argv[optind + 1], &geometry, &err))
		fail(argv[optind], err.text);
	printf("file,nodes,jobs,ring_names,ring,grid2_names,grid2,grid3_names,grid3,"
	       "ratio,longer,microseconds\n");
	for (int i = optind + 2; i < argc; i++)
		read_jobs(&geometry, &options, argv[i]);
	return 0;
}
