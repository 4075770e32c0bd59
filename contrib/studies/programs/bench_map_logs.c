/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the mappers are worth on the jobs of a real machine: average hops an edge, on the
 * nodes that the engine would have given them.
 *
 *   bench_map_logs LOG MACHINE WRAP
 *
 * LOG is a job log in the Standard Workload Format, may be compressed by gzip; MACHINE a
 * box like 5x8x8 and WRAP the dimensions that go around, "all", "none" or a list like
 * torus.conf's. The log is replayed first come, first served: a job takes as many nodes
 * as it took processors, by best_fit on the Hilbert curve, and keeps them for as long as
 * it ran then. Jobs larger than the machine are left out.
 *
 * Every job of two nodes or more gets a near-cubic grid, not periodic, of two dimensions
 * and one of three, a task a node. Prints CSV, a line for each number of dimensions and
 * class of sizes and one for all sizes: machine, wrap, dims, tasks (LOW-HIGH), jobs, and
 * for each mapper the mean over the jobs of its average hops. Beside the mappers that
 * there are: rcb_xyz is rcb with ties broken in the order x, y, z, rcb_unfolded lays
 * tasks out without folding; by the slow twins of the tests.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../test/slow_layout.h"
#include "../../../test/slow_rcb.h"
#include "base/bitmap.h"
#include "machine/map.h"
#include "place/place.h"
#include "taskmap/hops.h"
#include "taskmap/taskmap.h"

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void die(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fputs("bench_map_logs: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	exit(1);
}

static void *memory(void *block)
{
	if (!block)
		die("out of memory");
	return block;
}

/* A job of the log. */
typedef struct entry {
	int64_t submit, seconds;
	uint32_t nodes;
} entry_t;

typedef struct job_log {
	uint32_t jobs;
	entry_t *job; /* [jobs] in the order of the log, which is that of submission */
} job_log_t;

/* The log's text, uncompressed if need be. */
static FILE *open_log(const char *path, pid_t *child)
{
	int ends[2];

	if (access(path, R_OK))
		die("%s cannot be read", path);
	if (pipe(ends))
		die("no pipe");
	*child = fork();
	if (*child < 0)
		die("cannot fork");
	if (!*child) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execlp("gzip", "gzip", "-dcf", "--", path, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	return memory(fdopen(ends[0], "r"));
}

static void read_log(const char *path, uint32_t most, job_log_t *log)
{
	uint32_t room = 0;
	char line[1024];
	pid_t child;
	FILE *file = open_log(path, &child);
	int status;

	*log = (job_log_t){0};
	while (fgets(line, sizeof(line), file)) {
		int64_t submit, seconds, used, wanted;

		/* Job number, submission, wait, run time, processors, CPU time, memory,
		 * processors requested. */
		if (sscanf(line,
			   "%*d %" SCNd64 " %*d %" SCNd64 " %" SCNd64 " %*f %*f %" SCNd64,
			   &submit, &seconds, &used, &wanted) != 4)
			continue;
		if (used < 1)
			used = wanted;
		if (used < 1 || used > most)
			continue;
		if (log->jobs == room) {
			room = room ? 2 * room : 1024;
			log->job = memory(realloc(log->job, room * sizeof(*log->job)));
		}
		log->job[log->jobs++] = (entry_t){
			.submit = submit,
			.seconds = seconds > 0 ? seconds : 0,
			.nodes = (uint32_t)used,
		};
	}
	fclose(file);
	if (waitpid(child, &status, 0) != child || status)
		die("gzip cannot read %s", path);
	if (!log->jobs)
		die("%s has no job that fits", path);
}

static const torus_mapper_t mappers[] = {
	TORUS_MAPPER_BASELINE, TORUS_MAPPER_ROW_MAJOR,	 TORUS_MAPPER_OVERLAY,
	TORUS_MAPPER_RCB,      TORUS_MAPPER_RCB_LONGEST, TORUS_MAPPER_RCB_TURNS,
};
#define MAPPERS (sizeof(mappers) / sizeof(mappers[0]))

/* Columns: the mappers, then these. */
enum { RCB_XYZ = MAPPERS, RCB_UNFOLDED, COLUMNS };

/* Sizes of jobs, up to this many tasks, that are counted together. */
static const uint32_t classes[] = {16, 32, 64, 128, UINT32_MAX};
#define CLASSES (sizeof(classes) / sizeof(classes[0]))

/* Of the jobs of one class and number of dimensions: averages, summed up. */
typedef struct sums {
	uint32_t jobs;
	double hops[COLUMNS];
} sums_t;

typedef struct results {
	sums_t sums[2][CLASSES]; /* 2D, 3D */
} results_t;

static double average_hops(const torus_task_job_t *job, const uint32_t *node_of_task)
{
	torus_hop_stats_t stats;
	torus_error_t err;

	if (torus_hop_stats(job, node_of_task, &stats, &err))
		die("%s", err.text);
	return stats.average;
}

static double by_mapper(const torus_task_job_t *job, torus_mapper_t mapper,
			uint32_t *node_of_task)
{
	/* As many turns as there are. */
	torus_mapper_budget_t budget = {.work = UINT64_C(1) << 60, .seconds = 1e9};
	torus_error_t err;

	if (torus_taskmap(mapper, job, &budget, node_of_task, &err))
		die("%s", err.text);
	return average_hops(job, node_of_task);
}

/* Put the tasks where they are without folding. */
static void unfold(const torus_task_job_t *job, torus_layout_t *layout)
{
	slow_layout_t slow;

	slow_layout(job, false, &slow);
	memcpy(layout->grid, slow.grid, sizeof(layout->grid));
	for (uint32_t task = 0; task < slow.tasks; task++)
		memcpy(layout->task_point + task * (size_t)slow.dims, slow.point[task],
		       (size_t)slow.dims * sizeof(*layout->task_point));
	slow_layout_free(&slow);
}

static double by_slow_rcb(const torus_task_job_t *job, bool xyz, bool folded,
			  uint32_t *node_of_task)
{
	torus_layout_t layout;
	torus_error_t err;

	if (torus_layout_init(job, &layout, &err))
		die("%s", err.text);
	if (layout.tasks > SLOW_RCB_TASKS)
		die("jobs of more than %d nodes are too large", SLOW_RCB_TASKS);
	if (!folded)
		unfold(job, &layout);
	slow_rcb(&layout, xyz, node_of_task);
	torus_layout_destroy(&layout);
	return average_hops(job, node_of_task);
}

/* Map the job on [cell] in all ways. */
static void measure(const torus_geometry_t *geometry, const uint32_t *cell,
		    uint32_t nodes, results_t *results)
{
	uint32_t *ones = memory(malloc(nodes * sizeof(*ones)));
	uint32_t *node_of_task = memory(malloc(nodes * sizeof(*node_of_task)));
	size_t class = 0;

	while (nodes > classes[class])
		class ++;
	for (uint32_t node = 0; node < nodes; node++)
		ones[node] = 1;
	for (int dims = 2; dims <= 3; dims++) {
		torus_task_grid_t grid = {.stencil = TORUS_STENCIL_FACES};
		torus_task_job_t job = {.grid = &grid,
					.geometry = geometry,
					.nodes = nodes,
					.cell = cell,
					.tasks_on_node = ones};
		sums_t *sums = &results->sums[dims - 2][class];

		torus_task_grid_factor(nodes, dims, &grid);
		sums->jobs++;
		for (size_t i = 0; i < MAPPERS; i++)
			sums->hops[i] += by_mapper(&job, mappers[i], node_of_task);
		sums->hops[RCB_XYZ] += by_slow_rcb(&job, true, true, node_of_task);
		sums->hops[RCB_UNFOLDED] += by_slow_rcb(&job, false, false, node_of_task);
	}
	free(ones);
	free(node_of_task);
}

/* A job that runs. */
typedef struct running {
	int64_t end;
	uint32_t nodes;
	uint32_t *ranks;
} running_t;

typedef struct machine {
	torus_map_t *map;
	torus_placer_t *placer;
	uint64_t *free;
	uint32_t idle;
	uint32_t *chosen; /* [nodes] */
	uint32_t *cell;	  /* [nodes] */
	uint32_t jobs;
	running_t *running; /* [nodes] */
} machine_t;

static void machine_open(machine_t *machine, const char *lengths, const char *wrap)
{
	torus_geometry_t geometry;
	torus_error_t err;
	uint32_t nodes;

	if (torus_geometry_parse(lengths, wrap, &geometry, &err))
		die("%s", err.text);
	*machine = (machine_t){0};
	machine->map = torus_map_create("bench", &geometry, TORUS_CURVE_HILBERT, 1, &err);
	if (!machine->map)
		die("%s", err.text);
	machine->idle = nodes = machine->map->nodes;
	machine->placer = memory(torus_placer_create(nodes));
	machine->free = memory(torus_bitmap_create(nodes));
	machine->chosen = memory(calloc(nodes, sizeof(*machine->chosen)));
	machine->cell = memory(calloc(nodes, sizeof(*machine->cell)));
	machine->running = memory(calloc(nodes, sizeof(*machine->running)));
	torus_bitmap_set_range(machine->free, 0, nodes);
}

static void machine_close(machine_t *machine)
{
	for (uint32_t i = 0; i < machine->jobs; i++)
		free(machine->running[i].ranks);
	free(machine->running);
	free(machine->cell);
	free(machine->chosen);
	free(machine->free);
	torus_placer_destroy(machine->placer);
	torus_map_destroy(machine->map);
}

/* Place a job that fits; machine->cell[] says where it is then. */
static void start(machine_t *machine, const entry_t *entry, int64_t now)
{
	torus_place_request_t request = {.nodes = entry->nodes,
					 .allocator = &torus_best_fit,
					 .span = machine->map->span};
	running_t *running = &machine->running[machine->jobs++];

	if (!torus_place(machine->placer, machine->free, &request, machine->chosen, NULL))
		die("a job of %u nodes does not fit", entry->nodes);
	running->end = now + entry->seconds;
	running->nodes = entry->nodes;
	running->ranks = memory(malloc(entry->nodes * sizeof(*running->ranks)));
	for (uint32_t i = 0; i < entry->nodes; i++) {
		running->ranks[i] = machine->chosen[i];
		machine->cell[i] = machine->map->cell_of_rank[machine->chosen[i]];
		torus_bit_clear(machine->free, machine->chosen[i]);
	}
	machine->idle -= entry->nodes;
}

/* End the job that ends first; returns when that is. */
static int64_t end_first(machine_t *machine)
{
	running_t *first = machine->running;
	int64_t end;

	for (uint32_t i = 1; i < machine->jobs; i++) {
		if (machine->running[i].end < first->end)
			first = &machine->running[i];
	}
	for (uint32_t i = 0; i < first->nodes; i++)
		torus_bit_set(machine->free, first->ranks[i]);
	machine->idle += first->nodes;
	end = first->end;
	free(first->ranks);
	*first = machine->running[--machine->jobs];
	return end;
}

static bool ends_by(const machine_t *machine, int64_t now)
{
	for (uint32_t i = 0; i < machine->jobs; i++) {
		if (machine->running[i].end <= now)
			return true;
	}
	return false;
}

/* First come, first served: a job waits for those before it, and then for room. */
static void replay(machine_t *machine, const job_log_t *log, results_t *results)
{
	int64_t now = 0;

	for (uint32_t i = 0; i < log->jobs; i++) {
		const entry_t *entry = &log->job[i];

		if (entry->submit > now)
			now = entry->submit;
		while (ends_by(machine, now))
			end_first(machine);
		while (machine->idle < entry->nodes)
			now = end_first(machine);
		start(machine, entry, now);
		if (entry->nodes > 1)
			measure(&machine->map->geometry, machine->cell, entry->nodes,
				results);
	}
}

static void print_line(const char *lengths, const char *wrap, int dims, const char *sizes,
		       const sums_t *sums)
{
	printf("%s,%s,%d,%s,%u", lengths, wrap, dims, sizes, sums->jobs);
	for (size_t i = 0; i < COLUMNS; i++)
		printf(",%.4f", sums->jobs ? sums->hops[i] / sums->jobs : 0);
	putchar('\n');
}

static void print_results(const char *lengths, const char *wrap, uint32_t nodes,
			  const results_t *results)
{
	for (int dims = 2; dims <= 3; dims++) {
		sums_t all = {0};

		for (size_t class = 0; class < CLASSES; class ++) {
			const sums_t *sums = &results->sums[dims - 2][class];
			uint32_t low = class ? classes[class - 1] + 1 : 2;
			char sizes[32];

			if (!sums->jobs)
				continue;
			snprintf(sizes, sizeof(sizes), "%u-%u", low,
				 classes[class] < nodes ? classes[class] : nodes);
			print_line(lengths, wrap, dims, sizes, sums);
			all.jobs += sums->jobs;
			for (size_t i = 0; i < COLUMNS; i++)
				all.hops[i] += sums->hops[i];
		}
		print_line(lengths, wrap, dims, "all", &all);
	}
}

int main(int argc, char **argv)
{
	static results_t results;
	machine_t machine;
	job_log_t log;

	if (argc != 4) {
		fputs("usage: bench_map_logs LOG MACHINE WRAP\n", stderr);
		return 2;
	}
	machine_open(&machine, argv[2], argv[3]);
	read_log(argv[1], machine.map->nodes, &log);
	replay(&machine, &log, &results);
	printf("machine,wrap,dims,tasks,jobs");
	for (size_t i = 0; i < MAPPERS; i++)
		printf(",%s", torus_mapper_name(mappers[i]));
	puts(",rcb_xyz,rcb_unfolded");
	print_results(argv[2], argv[3], machine.map->nodes, &results);
	free(log.job);
	machine_close(&machine);
	return 0;
}
