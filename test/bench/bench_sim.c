/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast the simulator is: jobs a second, metrics included, per strategy.
 *
 *   bench_sim [--isolation] [--allocators A,B,...] [LOG DIMS]...
 *
 * With --isolation the jobs are measured against each other as well.
 *
 * LOG is a workload in the Standard Workload Format (not compressed), DIMS the machine
 * for it; each scheduler is tried, but conservative not with strategies that make jobs
 * wait: of the thousands that then queue up it plans every one anew. After the logs come
 * workloads of the program itself, with sizes log-uniform up to a quarter of the machine,
 * run times log-uniform from a minute to a day, and Poisson arrivals at a load of 0.8:
 *   synthetic  50,000 jobs on 96x96
 *   growth     5,000 jobs on square machines of 1,024 to 1,000,000 nodes, free_list and
 *              best_fit only: others take hours on the largest
 *
 * Prints CSV. `ratio` is the time by that of free_list, the strategy that looks at
 * nothing, with the same workload and scheduler in the same run. Times are of the
 * processor, the best of three, or the first if it takes longer than five seconds. The
 * seed is 1.
 */
#define _GNU_SOURCE
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "base/textfile.h"
#include "sim/simulate.h"
#include "sim/swf.h"
#include "strategies/strategies.h"

#define ROUNDS 3
#define LONG 5.0
#define LOAD 0.8
#define SHORTEST 60.0
#define LONGEST 86400.0

static bool isolation;
static const char *allocators = "free_list,first_fit,best_fit,sum_of_squares,random,"
				"paging:snake:2,mbs,hybrid,mc1x1,mm";

/* Processor time: others may be at work on the machine. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double random_fraction(uint64_t *state)
{
	return (double)(torus_random_next(state) >> 11) / (double)(UINT64_C(1) << 53);
}

static double log_uniform(uint64_t *state, double low, double high)
{
	return low * pow(high / low, random_fraction(state));
}

static torus_map_t *make_map(const char *dims)
{
	torus_geometry_t geometry;
	torus_error_t error;
	torus_map_t *map;

	if (torus_geometry_parse(dims, NULL, &geometry, &error) != 0)
		errx(2, "%s", error.text);
	map = torus_map_create(dims, &geometry, TORUS_CURVE_HILBERT, 1, &error);
	if (!map)
		errx(2, "%s", error.text);
	return map;
}

static torus_workload_t make_workload(uint32_t jobs, uint32_t nodes)
{
	torus_workload_t workload = {0};
	uint64_t state = 1;
	double most = nodes / 4.0, time = 0;
	/* Means of log-uniform numbers. */
	double size = (most - 1) / log(most);
	double run = (LONGEST - SHORTEST) / log(LONGEST / SHORTEST);
	double gap = size * run / (LOAD * nodes);

	for (uint32_t i = 0; i < jobs; i++) {
		torus_sim_job_t job = {.number = i + 1, .wait = -1};

		time -= gap * log(1 - random_fraction(&state));
		job.submit = (int64_t)(time * TORUS_SECOND);
		job.nodes = (uint32_t)log_uniform(&state, 1, most);
		job.run_time =
			(int64_t)(log_uniform(&state, SHORTEST, LONGEST)) * TORUS_SECOND;
		job.estimate = 2 * job.run_time;
		if (torus_workload_add(&workload, &job, NULL) != 0)
			errx(2, "out of memory");
	}
	return workload;
}

static torus_workload_t read_workload(const char *path)
{
	torus_workload_t workload;
	torus_error_t error;
	size_t length;
	char *text;

	if (torus_textfile_read(path, &text, &length, &error) != 0 ||
	    torus_swf_read(text, length, 1, &workload, &error) != 0)
		errx(2, "%s", error.text);
	free(text);
	return workload;
}

/* Seconds of a simulation, the best of some, or of one that takes long. */
static double measure(const torus_workload_t *workload, const torus_sim_config_t *config,
		      double *utilization)
{
	double best = INFINITY;

	for (int round = 0; round < ROUNDS && !(best > LONG && round); round++) {
		double begin = now(), time;
		torus_sim_result_t result;
		torus_error_t error;

		if (torus_simulate(workload, config, &result, &error) != 0)
			errx(2, "%s", error.text);
		time = now() - begin;
		best = time < best ? time : best;
		*utilization = result.summary.utilization;
		torus_sim_result_clear(&result);
	}
	return best;
}

/* A line for each of the allocators in [list]. */
static void compare(const char *name, const torus_workload_t *workload, torus_map_t *map,
		    torus_scheduler_t scheduler, const char *list)
{
	const torus_map_t *const maps[] = {map};
	const torus_sim_config_t config = {.map = maps,
					   .tori = 1,
					   .scheduler = scheduler,
					   .forget = true,
					   .isolation = isolation};
	char *names = strdup(list), *at = names, *allocator;
	double peer = 0, utilization;

	if (!names)
		errx(2, "out of memory");
	while ((allocator = strsep(&at, ","))) {
		torus_error_t error;
		double time;

		if (torus_allocator_parse(allocator, torus_strategies, &map->allocator,
					  &error) != 0)
			errx(2, "%s", error.text);
		if (scheduler == TORUS_CONSERVATIVE &&
		    torus_allocator_waits(map->allocator))
			continue;
		time = measure(workload, &config, &utilization);
		if (!peer)
			peer = time;
		printf("%s,%s,%u,%s,%s,%zu,%.3f,%.0f,%.2f,%.3f\n", name, map->name,
		       map->nodes, torus_scheduler_name(scheduler), allocator,
		       workload->count, time, (double)workload->count / time, time / peer,
		       utilization);
		fflush(stdout);
	}
	free(names);
}

static void synthetic(const char *name, const char *dims, uint32_t jobs, const char *list)
{
	torus_map_t *map = make_map(dims);
	torus_workload_t workload = make_workload(jobs, map->nodes);

	compare(name, &workload, map, TORUS_EASY, list);
	torus_workload_clear(&workload);
	torus_map_destroy(map);
}

int main(int argc, char **argv)
{
	static const char *const sides[] = {"32x32", "100x100", "316x316", "1000x1000"};
	int first = 1;

	if (argc > first && strcmp(argv[first], "--isolation") == 0) {
		isolation = true;
		first++;
	}
	if (argc > first + 1 && strcmp(argv[first], "--allocators") == 0) {
		if (asprintf((char **)&allocators, "free_list,%s", argv[first + 1]) < 0)
			errx(2, "out of memory");
		first += 2;
	}
	if ((argc - first) % 2)
		errx(2,
		     "usage: bench_sim [--isolation] [--allocators A,B,...] [LOG DIMS]...");
	puts("workload,machine,nodes,scheduler,allocator,jobs,seconds,jobs_per_second,ratio,"
	     "utilization");
	for (int i = first; i < argc; i += 2) {
		torus_map_t *map = make_map(argv[i + 1]);
		torus_workload_t workload = read_workload(argv[i]);

		for (int s = TORUS_FCFS; s <= TORUS_RECORDED; s++)
			compare(basename(argv[i]), &workload, map, (torus_scheduler_t)s,
				allocators);
		torus_workload_clear(&workload);
		torus_map_destroy(map);
	}
	synthetic("synthetic", "96x96", 50000, allocators);
	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
		synthetic("growth", sides[i], 5000, "free_list,best_fit");
	return 0;
}
