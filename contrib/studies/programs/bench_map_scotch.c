/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scotch's gmap as a peer of our mappers: writes the task graph and the target, runs
 * gmap, reads its mapping and makes it one that Slurm could run.
 *
 * The target is Scotch's own torus3D, restricted (`sub`) to the routers of the job: its
 * distances are the machine's, computed and not tabulated, the fastest that Scotch has
 * for this. Every router takes the same number of tasks.
 */
#define _GNU_SOURCE /* wait4 */
#include "bench_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "taskmap/hops.h"
#include "taskmap/graph.h"

#define PATH_BYTES 4096
#define MOST_ROUNDS 5
#define ENOUGH_SECONDS 0.2

/* The routers of a job and what is on them. */
typedef struct routers {
	uint32_t count;
	uint32_t *node;	 /* [nodes] nodes by router: of router r from first[r] on */
	uint32_t *first; /* [count + 1] */
	uint32_t *load;	 /* [count] tasks on it */
	uint32_t room;	 /* tasks that each takes */
} routers_t;

static FILE *open_file(const char *directory, const char *name, const char *mode,
		       char path[PATH_BYTES])
{
	FILE *file;

	snprintf(path, PATH_BYTES, "%s/%s", directory, name);
	file = fopen(path, mode);
	if (!file)
		bench_die("cannot open %s", path);
	return file;
}

static void close_file(FILE *file, const char *path)
{
	if (fclose(file))
		bench_die("cannot write %s", path);
}

static const bench_job_t *sorted_job;

static int by_cell(const void *a, const void *b)
{
	uint32_t left = sorted_job->cell[*(const uint32_t *)a];
	uint32_t right = sorted_job->cell[*(const uint32_t *)b];

	return left < right ? -1 : left > right;
}

static void routers_open(const bench_job_t *job, routers_t *routers)
{
	uint32_t nodes = job->job.nodes;

	memset(routers, 0, sizeof(*routers));
	routers->node = bench_memory(malloc(nodes * sizeof(*routers->node)));
	routers->first = bench_memory(malloc((nodes + 1) * sizeof(*routers->first)));
	routers->load = bench_memory(calloc(nodes, sizeof(*routers->load)));
	for (uint32_t i = 0; i < nodes; i++)
		routers->node[i] = i;
	sorted_job = job;
	qsort(routers->node, nodes, sizeof(*routers->node), by_cell);
	for (uint32_t i = 0; i < nodes; i++) {
		if (!i || job->cell[routers->node[i]] != job->cell[routers->node[i - 1]])
			routers->first[routers->count++] = i;
	}
	routers->first[routers->count] = nodes;
	routers->room = job->tasks / routers->count;
	for (uint32_t i = 0; i < routers->count; i++) {
		if (routers->first[i + 1] - routers->first[i] != nodes / routers->count)
			bench_die("the routers of the job are not alike");
	}
}

static void routers_close(routers_t *routers)
{
	free(routers->node);
	free(routers->first);
	free(routers->load);
}

static void write_graph(const torus_task_graph_t *graph, const char *directory)
{
	char path[PATH_BYTES];
	FILE *file = open_file(directory, "tasks.grf", "w", path);

	fprintf(file, "0\n%u %ju\n0 000\n", graph->tasks,
		(uintmax_t)graph->first[graph->tasks]);
	for (uint32_t task = 0; task < graph->tasks; task++) {
		fprintf(file, "%ju",
			(uintmax_t)(graph->first[task + 1] - graph->first[task]));
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++)
			fprintf(file, " %u", graph->neighbor[i]);
		fputc('\n', file);
	}
	close_file(file, path);
}

static void write_target(const bench_job_t *job, const routers_t *routers,
			 const char *directory)
{
	char path[PATH_BYTES];
	FILE *file = open_file(directory, "nodes.tgt", "w", path);

	fprintf(file, "sub\n%u", routers->count);
	for (uint32_t i = 0; i < routers->count; i++)
		fprintf(file, " %u", job->cell[routers->node[routers->first[i]]]);
	fprintf(file, "\ntorus3D %d %d %d\n", job->geometry.length[0],
		job->geometry.length[1], job->geometry.length[2]);
	close_file(file, path);
}

/*
 * Run gmap on one thread, like ours; on more it takes several times as long where
 * processors are shared. Returns the processor seconds of the whole process.
 */
static double run_gmap(const char *option, const char *directory)
{
	struct rusage usage;
	int status;
	pid_t child = fork();

	if (child < 0)
		bench_die("cannot fork");
	if (!child) {
		if (chdir(directory) || setenv("SCOTCH_PTHREAD_NUMBER", "1", 1))
			_exit(127);
		if (*option)
			execlp("scotch_gmap", "scotch_gmap", option, "tasks.grf",
			       "nodes.tgt", "tasks.map", "gmap.log", "-vmt",
			       (char *)NULL);
		else
			execlp("scotch_gmap", "scotch_gmap", "tasks.grf", "nodes.tgt",
			       "tasks.map", "gmap.log", "-vmt", (char *)NULL);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
	    WEXITSTATUS(status))
		bench_die("scotch_gmap failed (Debian: apt-get install scotch)");
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* What gmap.log says: wall seconds of mapping alone, and the sum of all hops. */
static void read_log(const char *directory, double *mapping, double *hops)
{
	char path[PATH_BYTES], line[256];
	FILE *file = open_file(directory, "gmap.log", "r", path);
	double map = -1, expansion = -1;

	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "T Mapping %lf", &map);
		sscanf(line, "M CommExpan=%*f (%lf)", &expansion);
	}
	fclose(file);
	if (map < 0 || expansion < 0)
		bench_die("%s is not as expected", path);
	*mapping = map;
	*hops = expansion;
}

/* Read router_of_task[], counting what is on each router. */
static void read_mapping(const bench_job_t *job, const char *directory,
			 routers_t *routers, uint32_t *router_of_task)
{
	char path[PATH_BYTES];
	FILE *file = open_file(directory, "tasks.map", "r", path);
	uint32_t count, task, router;

	if (fscanf(file, "%u", &count) != 1 || count != job->tasks)
		bench_die("%s is not a mapping", path);
	for (uint32_t i = 0; i < count; i++) {
		if (fscanf(file, "%u %u", &task, &router) != 2 || task >= job->tasks ||
		    router >= routers->count)
			bench_die("%s is not a mapping", path);
		router_of_task[task] = router;
		routers->load[router]++;
	}
	fclose(file);
}

/* Hops of [task]'s edges if it were on [router]. */
static uint32_t hops_at(const torus_task_graph_t *graph, const torus_hop_table_t *table,
			const routers_t *routers, const uint32_t *router_of_task,
			uint32_t task, uint32_t router)
{
	uint32_t hops = 0;

	for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
		uint32_t other = router_of_task[graph->neighbor[i]];

		hops += torus_hop_table_hops(table, routers->node[routers->first[router]],
					     routers->node[routers->first[other]]);
	}
	return hops;
}

/* Move one task away from [router]: of all its tasks and all routers with room, the two
 * that cost least. */
static void move_one(const torus_task_graph_t *graph, const torus_hop_table_t *table,
		     routers_t *routers, uint32_t *router_of_task, uint32_t router)
{
	uint32_t task = 0, to = 0;
	int64_t least = INT64_MAX;

	for (uint32_t i = 0; i < graph->tasks; i++) {
		int64_t before;

		if (router_of_task[i] != router)
			continue;
		before = hops_at(graph, table, routers, router_of_task, i, router);
		for (uint32_t other = 0; other < routers->count; other++) {
			int64_t cost;

			if (routers->load[other] >= routers->room)
				continue;
			cost = hops_at(graph, table, routers, router_of_task, i, other) -
			       before;
			if (cost < least) {
				least = cost;
				task = i;
				to = other;
			}
		}
	}
	routers->load[router]--;
	routers->load[to]++;
	router_of_task[task] = to;
}

/* Give the tasks of each router to its nodes in turn. */
static void fill_nodes(const bench_job_t *job, routers_t *routers,
		       const uint32_t *router_of_task, uint32_t *node_of_task)
{
	memset(routers->load, 0, routers->count * sizeof(*routers->load));
	for (uint32_t task = 0; task < job->tasks; task++) {
		uint32_t router = router_of_task[task];
		uint32_t place = routers->load[router]++ / job->tasks_on_node[0];

		node_of_task[task] = routers->node[routers->first[router] + place];
	}
}

void bench_scotch_map(const bench_job_t *job, const char *option, const char *directory,
		      uint32_t *node_of_task, bench_scotch_t *result)
{
	torus_task_graph_t *graph =
		bench_memory(torus_task_graph_stencil(&job->grid, NULL));
	uint32_t *router_of_task =
		bench_memory(malloc(job->tasks * sizeof(*router_of_task)));
	torus_hop_table_t table = {0};
	double reported, mapping, seconds = INFINITY, spent = 0;
	uint64_t hops = 0;
	routers_t routers;

	if (torus_hop_table_init(&job->job, &table, NULL))
		bench_die("out of memory");
	routers_open(job, &routers);
	write_graph(graph, directory);
	write_target(job, &routers, directory);
	/* Its processor time has reading and writing in it, its wall time has other
	 * processes: both are upper bounds of what counts. */
	for (int round = 0; round < MOST_ROUNDS && spent < ENOUGH_SECONDS; round++) {
		double processor = run_gmap(option, directory);

		read_log(directory, &mapping, &reported);
		seconds = fmin(seconds, fmin(processor, mapping));
		spent += processor;
	}
	read_mapping(job, directory, &routers, router_of_task);

	for (uint32_t task = 0; task < job->tasks; task++)
		hops += hops_at(graph, &table, &routers, router_of_task, task,
				router_of_task[task]);
	if ((double)(hops / 2) != reported)
		bench_die("Scotch counts %.0f hops, we count %ju", reported,
			  (uintmax_t)hops / 2);
	result->raw = (double)hops / (double)graph->first[graph->tasks];
	result->seconds = seconds;
	result->misfits = 0;
	for (uint32_t router = 0; router < routers.count; router++) {
		while (routers.load[router] > routers.room) {
			move_one(graph, &table, &routers, router_of_task, router);
			result->misfits++;
		}
	}
	fill_nodes(job, &routers, router_of_task, node_of_task);
	routers_close(&routers);
	torus_hop_table_destroy(&table);
	torus_task_graph_destroy(graph);
	free(router_of_task);
}
