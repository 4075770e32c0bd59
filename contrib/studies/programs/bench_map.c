/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the mappers of `storus map` are worth: average hops and processor time of each, of
 * Scotch's gmap, and of long searches as the practical optimum, on the same jobs.
 *
 *   bench_map [OPTION]...            CSV, a line for each job and mapper
 *   bench_map --rcb-scaling          how rcb grows up to a million tasks
 *   bench_map --cells TASKS          only print where the job's nodes are, for storus map
 *
 *   --tasks LIST          default 32,64,...,65536
 *   --tasks-per-node K    default: as few as fit into 4,096 nodes
 *   --jobs N              jobs a size, default 3; their seeds are --seed, --seed + 1 ...
 *   --seed N              default 1
 *   --long SECONDS        of the long searches, default 20; 0: none
 *   --budget SECONDS      of the other searches, default 0.5
 *   --threads N           of the searches, default 1
 *   --mapper NAME         only this one, and no long search
 *   --scotch DIRECTORY    also run Scotch, with files in there
 *
 * Columns: tasks, nodes, grid, seed, occupancy, mapper, average and maximum hops,
 * seconds, and `least`, the ratio of the average to the least of any line of this job.
 * best and inc_improve search within the budget, `_long` as long as said; all count their
 * work, so that the result is the same on a busy machine. With more than one thread the
 * seconds are the calling thread's, which is the busiest. For Scotch also `raw`, the
 * average of what it returned before tasks were moved to where there is room, and
 * `misfits`, how many these were. Scotch is run with its default strategy, with
 * its best one (-cq), and with the default one told to keep to the room there is (-b0).
 */
#define _POSIX_C_SOURCE 200809L
#include "bench_map.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "taskmap/hops.h"
#include "taskmap/taskmap.h"

#define MOST_NODES 4096
#define LINES (TORUS_MAPPERS + 2 + 3) /* a job: mappers, long, Scotch */

void bench_die(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fputs("bench_map: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	exit(1);
}

void *bench_memory(void *memory)
{
	if (!memory)
		bench_die("out of memory");
	return memory;
}

double bench_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

uint64_t bench_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

double bench_fraction(uint64_t *state)
{
	return (double)(bench_random(state) >> 11) / (double)(UINT64_C(1) << 53);
}

typedef struct settings {
	const char *tasks;
	uint32_t tasks_per_node; /* 0: as few as fit */
	uint32_t jobs;
	uint64_t seed;
	double long_seconds;
	double budget; /* seconds */
	uint32_t threads;
	int mapper;	    /* the only one; TORUS_MAPPERS: all */
	const char *scotch; /* directory, or NULL */
} settings_t;

typedef struct line {
	char mapper[32];
	double seconds;
	torus_hop_stats_t hops;
	bool scotch;
	bench_scotch_t peer;
} line_t;

static void run_mapper(const bench_job_t *job, torus_mapper_t mapper, double seconds,
		       uint32_t threads, const char *suffix, uint32_t *node_of_task,
		       line_t *line)
{
	const torus_mapper_budget_t budget = {
		.work = (uint64_t)(seconds * TORUS_MAPPER_WORK_PER_SECOND),
		.seconds = 20 * seconds,
		.seed = 1,
		.threads = threads,
	};
	torus_error_t err;
	double start = bench_seconds();

	if (torus_taskmap(mapper, &job->job, &budget, node_of_task, &err))
		bench_die("%s: %s", torus_mapper_name(mapper), err.text);
	*line = (line_t){.seconds = bench_seconds() - start};
	snprintf(line->mapper, sizeof(line->mapper), "%s%s", torus_mapper_name(mapper),
		 suffix);
	if (torus_hop_stats(&job->job, node_of_task, &line->hops, &err))
		bench_die("%s", err.text);
}

static void run_scotch(const bench_job_t *job, const char *name, const char *option,
		       const char *directory, uint32_t *node_of_task, line_t *line)
{
	torus_error_t err;

	*line = (line_t){.scotch = true};
	snprintf(line->mapper, sizeof(line->mapper), "%s", name);
	bench_scotch_map(job, option, directory, node_of_task, &line->peer);
	line->seconds = line->peer.seconds;
	if (torus_hop_stats(&job->job, node_of_task, &line->hops, &err))
		bench_die("%s", err.text);
}

static void print_lines(const bench_job_t *job, uint64_t seed, const line_t *lines,
			int count)
{
	char grid[TORUS_DIMS_TEXT];
	double least = INFINITY;

	for (int i = 0; i < count; i++)
		least = fmin(least, lines[i].hops.average);
	for (int i = 0; i < count; i++) {
		const line_t *line = &lines[i];

		printf("%u,%u,%s,%ju,%.3f,%s,%.4f,%u,%.6f,%.4f,", job->tasks,
		       job->job.nodes,
		       torus_lengths_format(job->grid.dims, job->grid.length, grid),
		       (uintmax_t)seed, job->occupancy, line->mapper, line->hops.average,
		       line->hops.maximum, line->seconds, line->hops.average / least);
		if (line->scotch)
			printf("%.4f,%u\n", line->peer.raw, line->peer.misfits);
		else
			printf(",\n");
	}
	fflush(stdout);
}

static void measure(const settings_t *settings, uint32_t tasks, uint32_t tasks_per_node,
		    uint64_t seed)
{
	line_t lines[LINES];
	uint32_t *node_of_task;
	bench_job_t job;
	int count = 0;

	bench_job_create(tasks, tasks_per_node, seed, &job);
	node_of_task = bench_memory(malloc(tasks * sizeof(*node_of_task)));
	for (int mapper = 0; mapper < TORUS_MAPPERS; mapper++) {
		if (settings->mapper == TORUS_MAPPERS || settings->mapper == mapper)
			run_mapper(&job, (torus_mapper_t)mapper, settings->budget,
				   settings->threads, "", node_of_task, &lines[count++]);
	}
	if (settings->long_seconds > 0 && settings->mapper == TORUS_MAPPERS) {
		run_mapper(&job, TORUS_MAPPER_INC_IMPROVE, settings->long_seconds,
			   settings->threads, "_long", node_of_task, &lines[count++]);
		run_mapper(&job, TORUS_MAPPER_BEST, settings->long_seconds,
			   settings->threads, "_long", node_of_task, &lines[count++]);
	}
	if (settings->scotch) {
		run_scotch(&job, "scotch", "", settings->scotch, node_of_task,
			   &lines[count++]);
		run_scotch(&job, "scotch_quality", "-cq", settings->scotch, node_of_task,
			   &lines[count++]);
		run_scotch(&job, "scotch_exact", "-b0", settings->scotch, node_of_task,
			   &lines[count++]);
	}
	print_lines(&job, seed, lines, count);
	free(node_of_task);
	bench_job_destroy(&job);
}

static uint32_t tasks_a_node(const settings_t *settings, uint32_t tasks)
{
	if (settings->tasks_per_node)
		return settings->tasks_per_node;
	return tasks > MOST_NODES ? tasks / MOST_NODES : 1;
}

static void print_cells(const settings_t *settings, uint32_t tasks)
{
	bench_job_t job;

	bench_job_create(tasks, tasks_a_node(settings, tasks), settings->seed, &job);
	for (uint32_t i = 0; i < job.job.nodes; i++)
		printf("%s%u", i ? "," : "", job.cell[i]);
	putchar('\n');
	bench_job_destroy(&job);
}

static uint64_t number(const char *text)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 10);

	if (end == text || *end || !value)
		bench_die("'%s' is not a number above 0", text);
	return value;
}

static int mapper_named(const char *name)
{
	torus_mapper_t mapper;
	torus_error_t err;

	if (torus_mapper_parse(name, &mapper, &err))
		bench_die("%s", err.text);
	return (int)mapper;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{"tasks", required_argument, NULL, 't'},
		{"tasks-per-node", required_argument, NULL, 'k'},
		{"jobs", required_argument, NULL, 'j'},
		{"seed", required_argument, NULL, 's'},
		{"long", required_argument, NULL, 'l'},
		{"budget", required_argument, NULL, 'b'},
		{"threads", required_argument, NULL, 'n'},
		{"mapper", required_argument, NULL, 'm'},
		{"scotch", required_argument, NULL, 'p'},
		{"cells", required_argument, NULL, 'c'},
		{"rcb-scaling", no_argument, NULL, 'r'},
		{0},
	};
	settings_t settings = {.tasks = "32,64,128,256,512,1024,2048,4096,8192,16384,"
					"32768,65536",
			       .jobs = 3,
			       .seed = 1,
			       .long_seconds = 20,
			       .budget = 0.5,
			       .mapper = TORUS_MAPPERS};
	uint32_t cells_of = 0;
	bool scaling = false;
	char *list, *rest;
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 't':
			settings.tasks = optarg;
			break;
		case 'k':
			settings.tasks_per_node = (uint32_t)number(optarg);
			break;
		case 'j':
			settings.jobs = (uint32_t)number(optarg);
			break;
		case 's':
			settings.seed = number(optarg);
			break;
		case 'l':
			settings.long_seconds = atof(optarg);
			break;
		case 'b':
			settings.budget = atof(optarg);
			break;
		case 'n':
			settings.threads = (uint32_t)number(optarg);
			break;
		case 'm':
			settings.mapper = mapper_named(optarg);
			break;
		case 'p':
			settings.scotch = optarg;
			break;
		case 'c':
			cells_of = (uint32_t)number(optarg);
			break;
		case 'r':
			scaling = true;
			break;
		default:
			return 2;
		}
	}
	if (scaling) {
		bench_rcb_scaling(settings.seed);
		return 0;
	}
	if (cells_of) {
		print_cells(&settings, cells_of);
		return 0;
	}
	puts("tasks,nodes,grid,seed,occupancy,mapper,average,maximum,seconds,least,raw,"
	     "misfits");
	list = bench_memory(strdup(settings.tasks));
	for (char *item = strtok_r(list, ",", &rest); item;
	     item = strtok_r(NULL, ",", &rest)) {
		uint32_t tasks = (uint32_t)number(item);

		for (uint32_t i = 0; i < settings.jobs; i++)
			measure(&settings, tasks, tasks_a_node(&settings, tasks),
				settings.seed + i);
	}
	free(list);
	return 0;
}
