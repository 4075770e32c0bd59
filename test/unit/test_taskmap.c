/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold for every mapping, on random jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "taskmap/hops.h"
#include "random_job.h"
#include "taskmap/taskmap.h"

/* Ends every search on small jobs by itself; the clock never decides. */
static torus_mapper_budget_t budget(uint64_t work)
{
	return (torus_mapper_budget_t){
		.work = work, .seconds = 1e9, .seed = random_next()};
}

static double hop_bytes(const torus_task_job_t *job, const uint32_t *node_of_task)
{
	torus_hop_stats_t stats;

	assert_int_equal(torus_hop_stats(job, node_of_task, &stats, NULL), 0);
	return stats.hop_bytes;
}

static double map(torus_mapper_t mapper, const torus_task_job_t *job,
		  const torus_mapper_budget_t *limits, uint32_t *node_of_task)
{
	torus_error_t err = {""};

	if (torus_taskmap(mapper, job, limits, node_of_task, &err))
		fail_msg("%s: %s", torus_mapper_name(mapper), err.text);
	if (!is_mapping(job, node_of_task))
		fail_msg("%s does not give every node its tasks",
			 torus_mapper_name(mapper));
	return hop_bytes(job, node_of_task);
}

/* Random weights on random pairs, or NULL for the stencil. */
static torus_task_graph_t *random_graph(uint32_t tasks)
{
	uint32_t from[300], to[300], edges = random_in(1, 300);
	double weight[300];

	if (random_in(0, 2))
		return NULL;
	for (uint32_t i = 0; i < edges; i++) {
		from[i] = random_in(0, tasks - 1);
		to[i] = random_in(0, tasks - 1);
		weight[i] = random_in(0, 1000) / 7.0;
	}
	return torus_task_graph_create(tasks, from, to, weight, edges, NULL);
}

/*
 * Budgets here let inc_improve end by itself within best's share of it; anneal is the
 * same within best whatever the budget. Most jobs are small, so that there can be many.
 */
static void every_mapper_maps_and_best_is_best(void **state)
{
	static random_job_t random;
	uint32_t node_of_task[RANDOM_JOB_NODES];

	(void)state;
	for (int round = 0; round < RANDOM_CASES(1500); round++) {
		uint32_t most = round % 100 ? 8 : 40;
		torus_mapper_budget_t limits;
		torus_task_graph_t *graph;
		double hops[TORUS_MAPPERS];
		uint64_t tasks;

		random_job(&random, TORUS_MAX_DIMS, random_in(1, most),
			   round % 100 ? 2 : 3);
		random.job.graph = graph = random_graph(random.tasks);
		tasks = random.tasks;
		limits = budget(400 * tasks * tasks * tasks + 2000 * tasks);
		for (int i = 0; i < TORUS_MAPPERS; i++)
			hops[i] = map((torus_mapper_t)i, &random.job, &limits,
				      node_of_task);
		for (int i = 0; i < TORUS_MAPPERS; i++) {
			if (hops[TORUS_MAPPER_BEST] > hops[i] * (1 + 1e-9))
				fail_msg("round %d: best has %f, %s %f", round,
					 hops[TORUS_MAPPER_BEST],
					 torus_mapper_name((torus_mapper_t)i), hops[i]);
		}
		assert_true(hops[TORUS_MAPPER_ORDERED] <= hops[TORUS_MAPPER_ROW_MAJOR]);
		assert_true(hops[TORUS_MAPPER_ORDERED] <= hops[TORUS_MAPPER_COL_MAJOR]);
		for (int i = TORUS_MAPPER_INC_IMPROVE; i < TORUS_MAPPERS; i++)
			assert_true(hops[i] <= hops[TORUS_MAPPER_RCB] * (1 + 1e-9));
		torus_task_graph_destroy(graph);
	}
}

/* Jobs of hundreds of tasks: permutations, and what needs no budget. */
static void larger_jobs_are_mapped(void **state)
{
	static random_job_t random;
	uint32_t node_of_task[2000];

	(void)state;
	for (int round = 0; round < RANDOM_CASES(800); round++) {
		torus_mapper_budget_t limits = budget(random_in(0, 300000));

		random_job(&random, TORUS_MAX_DIMS, random_in(1, RANDOM_JOB_NODES), 5);
		for (int i = 0; i < TORUS_MAPPERS; i++)
			map((torus_mapper_t)i, &random.job, &limits, node_of_task);
	}
}

/* Whatever the budget, also none: never worse than the start, the same for the same seed.
 */
static void small_budgets_are_safe_and_repeatable(void **state)
{
	static random_job_t random;
	uint32_t first[RANDOM_JOB_NODES], second[RANDOM_JOB_NODES];

	(void)state;
	for (int round = 0; round < RANDOM_CASES(600); round++) {
		torus_mapper_budget_t limits = budget(random_in(0, 20000));
		double rcb;

		if (random_in(0, 3) == 0)
			limits.seconds = 0;
		random_job(&random, 4, random_in(1, 60), 4);
		rcb = map(TORUS_MAPPER_RCB, &random.job, NULL, first);
		for (torus_mapper_t mapper = TORUS_MAPPER_INC_IMPROVE;
		     mapper <= TORUS_MAPPER_BEST; mapper++) {
			assert_true(map(mapper, &random.job, &limits, first) <= rcb);
			map(mapper, &random.job, &limits, second);
			assert_memory_equal(first, second, random.tasks * sizeof(*first));
		}
	}
}

/* A free box of the grid's own shape, in any rotation, anywhere, also around a wrap. */
static void rcb_on_a_box_is_perfect(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(1500); round++) {
		torus_task_grid_t grid = {.dims = (int)random_in(1, 4)};
		torus_geometry_t geometry = {.dims = grid.dims};
		uint32_t cell[RANDOM_JOB_NODES], count[RANDOM_JOB_NODES];
		uint32_t node_of_task[RANDOM_JOB_NODES];
		int32_t side[TORUS_MAX_DIMS], begin[TORUS_MAX_DIMS];
		int32_t coord[TORUS_MAX_DIMS] = {0};
		torus_task_job_t job = {.grid = &grid,
					.geometry = &geometry,
					.cell = cell,
					.tasks_on_node = count};
		torus_hop_stats_t stats;

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			grid.length[axis] =
				axis < grid.dims ? (int32_t)random_in(1, 4) : 1;
			side[axis] = grid.length[axis];
		}
		for (int axis = grid.dims - 1; axis > 0; axis--) {
			int other = (int)random_in(0, (uint32_t)axis);
			int32_t swap = side[axis];

			side[axis] = side[other];
			side[other] = swap;
		}
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			geometry.length[axis] = 1;
			if (axis >= geometry.dims)
				continue;
			geometry.length[axis] = side[axis] + (int32_t)random_in(0, 4);
			geometry.wrap[axis] = random_in(0, 1);
			begin[axis] = (int32_t)random_in(
				0,
				(uint32_t)(geometry.wrap[axis]
						   ? geometry.length[axis] - 1
						   : geometry.length[axis] - side[axis]));
		}
		job.nodes = torus_task_grid_tasks(&grid);
		for (uint32_t i = 0; i < job.nodes; i++) {
			int32_t at[TORUS_MAX_DIMS] = {0};
			uint32_t to = random_in(0, i); /* in any order */

			for (int axis = 0; axis < geometry.dims; axis++)
				at[axis] = (begin[axis] + coord[axis]) %
					   geometry.length[axis];
			cell[i] = cell[to];
			cell[to] = torus_coord_to_cell(&geometry, at);
			count[i] = 1;
			for (int axis = 0; axis < geometry.dims; axis++) {
				if (++coord[axis] < side[axis])
					break;
				coord[axis] = 0;
			}
		}
		map(TORUS_MAPPER_RCB, &job, NULL, node_of_task);
		assert_int_equal(torus_hop_stats(&job, node_of_task, &stats, NULL), 0);
		assert_int_equal(stats.hop_bytes, stats.edges);
		assert_true(stats.maximum <= 1);
	}
}

/* The fewest hop-bytes over all orders of the places, found by trying them all. */
static double exhaustive(const torus_task_job_t *job, uint32_t *node_of_task,
			 uint32_t from, uint32_t tasks)
{
	double fewest = -1;

	if (from == tasks)
		return hop_bytes(job, node_of_task);
	for (uint32_t i = from; i < tasks; i++) {
		uint32_t swap = node_of_task[from];
		double hops;

		node_of_task[from] = node_of_task[i];
		node_of_task[i] = swap;
		hops = exhaustive(job, node_of_task, from + 1, tasks);
		if (fewest < 0 || hops < fewest)
			fewest = hops;
		node_of_task[i] = node_of_task[from];
		node_of_task[from] = swap;
	}
	return fewest;
}

static void best_finds_the_optimum_of_tiny_jobs(void **state)
{
	static random_job_t random;
	uint32_t node_of_task[RANDOM_JOB_NODES];

	(void)state;
	for (int round = 0; round < RANDOM_CASES(400); round++) {
		torus_mapper_budget_t limits = budget(1000000);
		double hops, optimum;

		do
			random_job(&random, 4, random_in(1, 7), 2);
		while (random.tasks > 7);
		hops = map(TORUS_MAPPER_BEST, &random.job, &limits, node_of_task);
		optimum = exhaustive(&random.job, node_of_task, 0, random.tasks);
		assert_true(hops == optimum);
	}
}

/* Where bisection can do nothing, for the edges are not the grid's, and there is no time
 * for more than the first of the simple mappers. */
static void best_tries_the_simple_ones_too(void **state)
{
	enum { CHAIN = 35 };
	torus_task_grid_t grid = {.dims = 2, .length = {7, 5, 1, 1, 1, 1}};
	torus_geometry_t geometry = {.dims = 2, .length = {CHAIN, 1, 1, 1, 1, 1}};
	uint32_t cell[CHAIN], ones[CHAIN], from[CHAIN], to[CHAIN], node_of_task[CHAIN];
	torus_mapper_budget_t limits = budget(20 * CHAIN);
	double weight[CHAIN];
	torus_task_job_t job = {.grid = &grid,
				.geometry = &geometry,
				.nodes = CHAIN,
				.cell = cell,
				.tasks_on_node = ones};
	torus_task_graph_t *graph;

	(void)state;
	for (uint32_t i = 0; i < CHAIN; i++) {
		cell[i] = i;
		ones[i] = 1;
		from[i] = i;
		to[i] = i + 1;
		weight[i] = 1;
	}
	graph = torus_task_graph_create(CHAIN, from, to, weight, CHAIN - 1, NULL);
	job.graph = graph;
	assert_true(map(TORUS_MAPPER_RCB_TURNS, &job, &limits, node_of_task) > CHAIN - 1);
	assert_true(map(TORUS_MAPPER_BEST, &job, &limits, node_of_task) == CHAIN - 1);
	torus_task_graph_destroy(graph);
}

static void names_are_read_back(void **state)
{
	torus_error_t err = {""};
	torus_mapper_t mapper;

	(void)state;
	for (int i = 0; i < TORUS_MAPPERS; i++) {
		assert_int_equal(torus_mapper_parse(torus_mapper_name((torus_mapper_t)i),
						    &mapper, NULL),
				 0);
		assert_int_equal(mapper, i);
	}
	assert_int_equal(torus_mapper_parse("RCB", &mapper, &err), -1);
	assert_non_null(strstr(
		err.text,
		"two_way_overlay, rcb, rcb:longest, inc_improve, rcb_turns, anneal, best"));
}

static void refuses_what_does_not_fit(void **state)
{
	static random_job_t random;
	uint32_t node_of_task[RANDOM_JOB_NODES];
	torus_error_t err = {""};

	(void)state;
	random_job(&random, 3, 20, 2);
	random.grid.length[0]++;
	assert_int_equal(
		torus_taskmap(TORUS_MAPPER_RCB, &random.job, NULL, node_of_task, &err),
		-1);
	assert_non_null(strstr(err.text, "the job's"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mapper_maps_and_best_is_best),
		cmocka_unit_test(larger_jobs_are_mapped),
		cmocka_unit_test(small_budgets_are_safe_and_repeatable),
		cmocka_unit_test(rcb_on_a_box_is_perfect),
		cmocka_unit_test(best_finds_the_optimum_of_tiny_jobs),
		cmocka_unit_test(best_tries_the_simple_ones_too),
		cmocka_unit_test(names_are_read_back),
		cmocka_unit_test(refuses_what_does_not_fit),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
