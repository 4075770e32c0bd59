/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How rcb scales: 2^14 to 2^20 tasks, one a node, on a torus of twice as many cells of
 * which half are the job's, at random. Each size is a process of its own, so that the
 * memory it needs at most beyond job and mapping shows.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "taskmap/taskmap.h"

static long peak_kibibytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void measure(int exponent, uint64_t seed)
{
	uint32_t tasks = UINT32_C(1) << exponent, found = 0;
	torus_geometry_t geometry = {.dims = 3, .wrap = {true, true, true}};
	torus_task_grid_t grid = {.stencil = TORUS_STENCIL_FACES};
	torus_task_job_t job = {.grid = &grid, .geometry = &geometry, .nodes = tasks};
	uint32_t *cell = bench_memory(calloc(tasks, sizeof(*cell)));
	uint32_t *ones = bench_memory(calloc(tasks, sizeof(*ones)));
	uint32_t *node_of_task = bench_memory(calloc(tasks, sizeof(*node_of_task)));
	double fastest = INFINITY;
	long before;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		geometry.length[axis] = 1;
	for (int bit = 0; bit <= exponent; bit++)
		geometry.length[bit % 3] *= 2;
	for (uint32_t i = 0; i < 2 * tasks && found < tasks; i++) {
		if (bench_fraction(&seed) * (2 * tasks - i) < tasks - found)
			cell[found++] = i;
	}
	for (uint32_t i = 0; i < tasks; i++)
		node_of_task[i] = ones[i] = 1;
	torus_task_grid_factor(tasks, 3, &grid);
	job.cell = cell;
	job.tasks_on_node = ones;

	before = peak_kibibytes();
	for (int round = 0; round < 3; round++) {
		torus_error_t err;
		double start = bench_seconds(), seconds;

		if (torus_taskmap(TORUS_MAPPER_RCB, &job, NULL, node_of_task, &err))
			bench_die("rcb: %s", err.text);
		seconds = bench_seconds() - start;
		fastest = seconds < fastest ? seconds : fastest;
	}
	printf("%u,%.4f,%.1f,%.2f,%.0f\n", tasks, fastest, fastest * 1e9 / tasks,
	       fastest * 1e9 / tasks / exponent,
	       (double)(peak_kibibytes() - before) * 1024 / tasks);
	fflush(stdout);
	free(cell);
	free(ones);
	free(node_of_task);
}

void bench_rcb_scaling(uint64_t seed)
{
	puts("tasks,seconds,ns_a_task,ns_a_task_and_level,bytes_a_task");
	fflush(stdout);
	for (int exponent = 14; exponent <= 20; exponent++) {
		pid_t child = fork();
		int status;

		if (child < 0)
			bench_die("cannot fork");
		if (!child) {
			measure(exponent, seed);
			_exit(0);
		}
		if (waitpid(child, &status, 0) != child || status)
			bench_die("2^%d tasks could not be measured", exponent);
	}
}
