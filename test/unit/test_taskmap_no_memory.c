/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every allocation of the mappers and of the graph reader fails once: each time there is
 * an error and a message, and (under a leak checker) nothing is lost.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "taskmap/hops.h"
#include "no_memory.h"
#include "random_job.h"
#include "taskmap/any/any.h"
#include "taskmap/job_order.h"
#include "taskmap/mappers/from.h"
#include "taskmap/mappers/lighten.h"
#include "taskmap/mappers/points.h"
#include "taskmap/step_order.h"
#include "taskmap/taskmap.h"

static int read_graph(const torus_task_job_t *job, torus_error_t *err)
{
	static const char text[] = "0 1 2\n1 2 3\n2 0 1\n";
	torus_task_graph_t *graph = torus_task_graph_parse(
		text, strlen(text), "edges", torus_task_grid_tasks(job->grid), err);

	torus_task_graph_destroy(graph);
	return graph ? 0 : -1;
}

static int measure(const torus_task_job_t *job, torus_error_t *err)
{
	uint32_t node_of_task[64] = {0};
	torus_hop_stats_t stats;

	return torus_hop_stats(job, node_of_task, &stats, err);
}

static int order(const torus_task_job_t *job, torus_error_t *err)
{
	torus_any_job_t any = {.geometry = job->geometry,
			       .nodes = job->nodes,
			       .cell = job->cell,
			       .tasks = torus_task_grid_tasks(job->grid)};
	uint32_t order[64];

	return torus_any_order(&any, order, err);
}

/* Both of what a job that says its grid asks for. */
static int order_grid(const torus_task_job_t *job, torus_error_t *err)
{
	torus_mapper_budget_t budget = {.work = 200000, .seconds = 1e9, .seed = 1};
	torus_ordered_job_t ordered = {.geometry = job->geometry,
				       .nodes = job->nodes,
				       .cell = job->cell,
				       .tasks_on_node = job->tasks_on_node,
				       .words = {TORUS_GRID_GIVEN, *job->grid},
				       .budget = &budget};
	uint32_t order[64], node_of_task[64];
	bool is_order;

	if (torus_job_assign(&ordered, node_of_task, order, &is_order, err))
		return -1;
	return torus_job_node_order(&ordered, order, err);
}

/* A thread that cannot begin for want of memory is no failure: here none ever begins. */
int __wrap_pthread_create(void *thread, const void *attributes, void *(*run)(void *),
			  void *argument)
{
	(void)thread;
	(void)attributes;
	(void)run;
	(void)argument;
	return EAGAIN;
}

/* What a job large enough for threads does beside that of a small one. */
static int anneal_on_threads(torus_error_t *err)
{
	enum { SIDE = 20, NODES = SIDE * SIDE };
	torus_mapper_budget_t budget = {
		.work = 400000, .seconds = 1e9, .seed = 1, .threads = 2};
	torus_task_grid_t grid = {.dims = 2, .length = {SIDE, SIDE, 1, 1, 1, 1}};
	uint32_t cell[NODES], counts[NODES], node_of_task[NODES];
	torus_geometry_t geometry;
	torus_task_job_t job = {.grid = &grid,
				.geometry = &geometry,
				.nodes = NODES,
				.cell = cell,
				.tasks_on_node = counts};

	for (uint32_t node = 0; node < NODES; node++) {
		cell[node] = node;
		counts[node] = 1;
	}
	assert_int_equal(torus_geometry_parse("20x20", "none", &geometry, NULL), 0);
	return torus_taskmap(TORUS_MAPPER_ANNEAL, &job, &budget, node_of_task, err);
}

/* A grid whose task 0 does not come to its node by a turn. */
static int bring_first(const torus_task_job_t *job, torus_error_t *err)
{
	torus_mapper_budget_t budget = {.work = 200000, .seconds = 1e9, .seed = 1};
	uint32_t node_of_task[64];

	for (uint32_t task = 0; task < 16; task++)
		node_of_task[task] = task / 2;
	return torus_taskmap_first(job, 3, &budget, node_of_task, err);
}

/* A tree whose numbers are the tasks' coordinates, and then the busiest link: as a graph
 * that is no grid has it. */
static int map_graph(const torus_task_job_t *on_grid, torus_error_t *err)
{
	torus_mapper_budget_t budget = {.work = 200000, .seconds = 1e9, .seed = 1};
	torus_task_graph_t *tree;
	torus_task_job_t job = *on_grid;
	uint32_t node_of_task[64], from[15], to[15];
	double at[16], weight[15];
	int rc;

	for (uint32_t task = 0; task < 15; task++) {
		at[task] = task;
		from[task] = task / 2;
		to[task] = task + 1;
		weight[task] = 1;
	}
	at[15] = 15;
	job.graph = tree = torus_task_graph_create(16, from, to, weight, 15, err);
	rc = tree ? torus_taskmap(TORUS_MAPPER_BEST, &job, &budget, node_of_task, err)
		  : -1;
	if (!rc)
		rc = torus_taskmap_points(&job, 1, at, node_of_task, err);
	if (!rc)
		rc = torus_taskmap_lighten(&job, NULL, &budget, node_of_task, err);
	torus_task_graph_destroy(tree);
	return rc;
}

/* A cluster of one torus, made while there is memory. */
static torus_cluster_t *make_cluster(const torus_geometry_t *geometry)
{
	uint32_t nodes = torus_geometry_cells(geometry), cell[64];
	char **name = malloc(nodes * (sizeof(*name) + 4));
	torus_map_t **map = malloc(sizeof(*map));
	torus_cluster_t *cluster;

	assert_non_null(name);
	assert_non_null(map);
	for (uint32_t i = 0; i < nodes; i++) {
		cell[i] = i;
		name[i] = (char *)(name + nodes) + (size_t)i * 4;
		snprintf(name[i], 4, "n%02u", i % 100);
	}
	*map = torus_map_create_nodes("main", geometry, TORUS_CURVE_SNAKE, cell, nodes,
				      name, NULL, NULL);
	cluster = torus_cluster_create(map, 1, NULL, NULL);
	assert_non_null(cluster);
	return cluster;
}

/* A step, with segments and without, as far as its list of hosts. */
static int order_step(const torus_cluster_t *cluster, const torus_task_job_t *job,
		      torus_error_t *err)
{
	char names[64][4], *name[64], *hosts = NULL;
	torus_ordered_step_t step = {.nodes = job->nodes,
				     .name = name,
				     .tasks = torus_task_grid_tasks(job->grid),
				     .tasks_on_node = job->tasks_on_node};
	torus_step_words_t words = {0};
	uint32_t node_of_task[64];
	int rc = 0;

	for (uint32_t i = 0; i < job->nodes; i++) {
		name[i] = names[i];
		snprintf(names[i], sizeof(names[i]), "n%02u", job->cell[i] % 100);
	}
	for (; !rc && words.segment < 3; words.segment += 2)
		rc = torus_step_order(&step, &words, cluster, node_of_task, err);
	if (!rc)
		hosts = torus_step_hosts(&step, node_of_task, err);
	free(hosts);
	return hosts ? 0 : -1;
}

static int map(int mapper, const torus_cluster_t *cluster, const torus_task_job_t *job,
	       torus_error_t *err)
{
	torus_mapper_budget_t budget = {.work = 200000, .seconds = 1e9, .seed = 1};
	uint32_t node_of_task[64];

	if (mapper == TORUS_MAPPERS)
		return read_graph(job, err);
	if (mapper == TORUS_MAPPERS + 1)
		return measure(job, err);
	if (mapper == TORUS_MAPPERS + 2)
		return order(job, err);
	if (mapper == TORUS_MAPPERS + 3)
		return order_grid(job, err);
	if (mapper == TORUS_MAPPERS + 4)
		return anneal_on_threads(err);
	if (mapper == TORUS_MAPPERS + 5)
		return bring_first(job, err);
	if (mapper == TORUS_MAPPERS + 6)
		return map_graph(job, err);
	if (mapper == TORUS_MAPPERS + 7)
		return order_step(cluster, job, err);
	return torus_taskmap((torus_mapper_t)mapper, job, &budget, node_of_task, err);
}

static void each_allocation_fails_once(void **state)
{
	static const uint32_t cell[] = {0, 1, 5, 9, 14, 20, 22, 26};
	static const uint32_t counts[] = {2, 2, 2, 2, 2, 2, 2, 2};
	torus_task_grid_t grid = {.dims = 2, .length = {4, 4, 1, 1, 1, 1}};
	torus_geometry_t geometry;
	torus_cluster_t *cluster;
	torus_task_job_t job = {.grid = &grid,
				.geometry = &geometry,
				.nodes = 8,
				.cell = cell,
				.tasks_on_node = counts};

	(void)state;
	assert_int_equal(torus_geometry_parse("3x3x3", "xyz", &geometry, NULL), 0);
	cluster = make_cluster(&geometry);
	for (int mapper = 0; mapper < TORUS_MAPPERS + 8; mapper++) {
		for (long count = 0;; count++) {
			torus_error_t err = {""};
			int result;

			allow(count);
			result = map(mapper, cluster, &job, &err);
			if (!allow_all()) {
				assert_int_equal(result, 0);
				assert_true(count > 0);
				break;
			}
			assert_int_equal(result, -1);
			assert_non_null(strstr(err.text, "out of memory"));
		}
	}
	torus_cluster_destroy(cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
