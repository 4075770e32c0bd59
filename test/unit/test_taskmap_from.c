/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mappings made from others: task 0 comes to its node by the cheapest turn and swap,
 * which is what trying all of them finds; tasks that stay do, and hops never grow.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "random_job.h"
#include "taskmap/hops.h"
#include "taskmap/mappers/from.h"

#define TASKS 1200

static random_job_t random_;
static const torus_task_job_t *const job = &random_.job;

/* Any mapping: places in random order. */
static void shuffle_tasks(uint32_t *node_of_task)
{
	uint32_t task = 0;

	for (uint32_t node = 0; node < job->nodes; node++) {
		for (uint32_t i = 0; i < random_.tasks_on_node[node]; i++)
			node_of_task[task++] = node;
	}
	for (uint32_t i = 0; i < random_.tasks; i++) {
		uint32_t other = random_in(0, i), swap = node_of_task[i];

		node_of_task[i] = node_of_task[other];
		node_of_task[other] = swap;
	}
}

/* A graph of weighted edges between random tasks. */
static torus_task_graph_t *make_graph(void)
{
	uint32_t from[TASKS], to[TASKS], edges = random_in(0, random_.tasks);
	double weight[TASKS];

	for (uint32_t i = 0; i < edges; i++) {
		from[i] = random_in(0, random_.tasks - 1);
		to[i] = random_in(0, random_.tasks - 1);
		weight[i] = random_in(1, 100);
	}
	return torus_task_graph_create(random_.tasks, from, to, weight, edges, NULL);
}

static double hop_bytes(const uint32_t *node_of_task)
{
	torus_hop_stats_t stats;

	assert_int_equal(torus_hop_stats(job, node_of_task, &stats, NULL), 0);
	return stats.hop_bytes;
}

static uint32_t task_at(const torus_task_grid_t *grid, const int32_t *coord)
{
	uint32_t task = 0;

	for (int axis = grid->dims - 1; axis >= 0; axis--)
		task = task * (uint32_t)grid->length[axis] + (uint32_t)coord[axis];
	return task;
}

/*
 * The fewest hop-bytes of a grid after any swap of two tasks and any turn: task by task,
 * mirrored in any axes, moved along in periodic ones as far as they go.
 */
static double fewest_of_grid(const uint32_t *node_of_task, uint32_t node)
{
	uint32_t swapped[TASKS], new[TASKS], origin = 0;
	double fewest = INFINITY;

	for (uint32_t corner = 0; corner < random_.tasks; corner++) {
		int32_t at[TORUS_MAX_DIMS];
		bool is_corner = true;

		/* Only the corners, of axes that are not periodic, can be turned to. */
		task_coord(&random_.grid, corner, at);
		for (int axis = 0; axis < random_.grid.dims; axis++)
			is_corner &= random_.grid.periodic[axis] || !at[axis] ||
				     at[axis] == random_.grid.length[axis] - 1;
		for (uint32_t task = 0; is_corner && task < random_.tasks; task++) {
			bool near = true;
			int32_t of_task[TORUS_MAX_DIMS];
			double cost;

			if (node_of_task[task] != node)
				continue;
			/* And along periodic axes as far as the task itself lies. */
			task_coord(&random_.grid, task, of_task);
			for (int axis = 0; axis < random_.grid.dims; axis++)
				near &= !random_.grid.periodic[axis] ||
					of_task[axis] == at[axis];
			if (!near)
				continue;
			memcpy(swapped, node_of_task, random_.tasks * sizeof(*swapped));
			swapped[task] = node_of_task[corner];
			swapped[corner] = node;
			for (uint32_t i = 0; i < random_.tasks; i++) {
				int32_t coord[TORUS_MAX_DIMS];

				task_coord(&random_.grid, i, coord);
				for (int axis = 0; axis < random_.grid.dims; axis++) {
					int32_t length = random_.grid.length[axis];

					if (random_.grid.periodic[axis])
						coord[axis] =
							(coord[axis] + at[axis]) % length;
					else if (at[axis])
						coord[axis] = length - 1 - coord[axis];
				}
				new[i] = swapped[task_at(&random_.grid, coord)];
			}
			assert_int_equal(new[origin], node);
			cost = hop_bytes(new);
			fewest = cost < fewest ? cost : fewest;
		}
	}
	return fewest;
}

static double fewest_of_graph(const uint32_t *node_of_task, uint32_t node)
{
	uint32_t swapped[TASKS];
	double fewest = INFINITY;

	for (uint32_t task = 0; task < random_.tasks; task++) {
		double cost;

		if (node_of_task[task] != node)
			continue;
		memcpy(swapped, node_of_task, random_.tasks * sizeof(*swapped));
		swapped[task] = node_of_task[0];
		swapped[0] = node;
		cost = hop_bytes(swapped);
		fewest = cost < fewest ? cost : fewest;
	}
	return fewest;
}

static void task_0_comes_by_the_cheapest_way(void **state)
{
	(void)state;
	for (int round = 0; round < 400; round++) {
		uint32_t node_of_task[TASKS], before[TASKS], node;
		torus_mapper_budget_t budget = {.work = 100000, .seconds = 1e9};
		double expected;

		random_job(&random_, 3, 20, 3);
		random_.job.graph = round % 2 ? make_graph() : NULL;
		node = random_in(0, job->nodes - 1);
		shuffle_tasks(node_of_task);
		memcpy(before, node_of_task, sizeof(before));
		expected = before[0] == node ? hop_bytes(before)
			   : job->graph	     ? fewest_of_graph(before, node)
					     : fewest_of_grid(before, node);
		assert_int_equal(torus_taskmap_first(job, node, NULL, node_of_task, NULL),
				 0);
		assert_int_equal(node_of_task[0], node);
		assert_true(is_mapping(job, node_of_task));
		assert_float_equal(hop_bytes(node_of_task), expected,
				   1e-9 * (1 + expected));
		memcpy(node_of_task, before, sizeof(before));
		assert_int_equal(
			torus_taskmap_first(job, node, &budget, node_of_task, NULL), 0);
		assert_int_equal(node_of_task[0], node);
		assert_true(is_mapping(job, node_of_task));
		assert_true(hop_bytes(node_of_task) <= expected * (1 + 1e-9));
		torus_task_graph_destroy((torus_task_graph_t *)job->graph);
	}
}

static void a_node_without_tasks_is_refused(void **state)
{
	static const uint32_t cell[] = {0, 1, 2}, tasks_on_node[] = {1, 0, 1};
	torus_task_grid_t grid = {.dims = 1, .length = {2, 1, 1, 1, 1, 1}};
	torus_geometry_t geometry;
	torus_task_job_t two = {.grid = &grid,
				.geometry = &geometry,
				.nodes = 3,
				.cell = cell,
				.tasks_on_node = tasks_on_node};
	uint32_t node_of_task[] = {0, 2};
	torus_error_t err;

	(void)state;
	assert_int_equal(torus_geometry_parse("4", NULL, &geometry, NULL), 0);
	assert_int_equal(torus_taskmap_first(&two, 1, NULL, node_of_task, &err), -1);
	assert_string_equal(err.text, "node 1 takes no task");
}

static void tasks_that_stay_do_and_hops_never_grow(void **state)
{
	uint32_t gained = 0;

	(void)state;
	for (int round = 0; round < 200; round++) {
		uint32_t node_of_task[TASKS], before[TASKS];
		bool stays[TASKS];
		torus_mapper_budget_t budget = {
			.work = 300000, .seconds = 1e9, .seed = (uint64_t)round};

		random_job(&random_, 3, 60, 4);
		random_.job.graph = round % 2 ? make_graph() : NULL;
		shuffle_tasks(node_of_task);
		memcpy(before, node_of_task, sizeof(before));
		for (uint32_t task = 0; task < random_.tasks; task++)
			stays[task] = random_in(0, 2) == 0;
		assert_int_equal(torus_taskmap_from(job, round % 5 ? stays : NULL,
						    round % 3 == 0, &budget, node_of_task,
						    NULL),
				 0);
		assert_true(is_mapping(job, node_of_task));
		for (uint32_t task = 0; round % 5 && task < random_.tasks; task++)
			assert_true(!stays[task] || node_of_task[task] == before[task]);
		assert_true(hop_bytes(node_of_task) <= hop_bytes(before) * (1 + 1e-9));
		gained += hop_bytes(node_of_task) < hop_bytes(before);
		torus_task_graph_destroy((torus_task_graph_t *)job->graph);
	}
	/* Most shuffled mappings can be improved. */
	assert_true(gained > 120);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(task_0_comes_by_the_cheapest_way),
		cmocka_unit_test(a_node_without_tasks_is_refused),
		cmocka_unit_test(tasks_that_stay_do_and_hops_never_grow),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
