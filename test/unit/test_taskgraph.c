/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Communication graphs: texts accepted and rejected, edges added up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "random.h"
#include "taskmap/graph.h"
#include "taskmap/search/graph_grid.h"

static torus_task_graph_t *parse(const char *text, torus_error_t *err)
{
	return torus_task_graph_parse(text, strlen(text), "edges", 4, err);
}

static double weight_between(const torus_task_graph_t *graph, uint32_t a, uint32_t b)
{
	double weight = 0;

	for (uint64_t i = graph->first[a]; i < graph->first[a + 1]; i++)
		weight += graph->neighbor[i] == b ? graph->weight[i] : 0;
	return weight;
}

static void reads_edges(void **state)
{
	torus_task_graph_t *graph = parse("# halo\n"
					  "0 1 10\n"
					  "\n"
					  "\t1 0 2.5 # and back\n"
					  "2 3 1e3\r\n"
					  "3 3 7\n"
					  "0 2 0\n"
					  "1 2 4",
					  NULL);

	(void)state;
	assert_non_null(graph);
	assert_int_equal(graph->tasks, 4);
	assert_int_equal(graph->first[4], 6);
	assert_true(weight_between(graph, 0, 1) == 12.5);
	assert_true(weight_between(graph, 1, 0) == 12.5);
	assert_true(weight_between(graph, 3, 2) == 1000);
	assert_true(weight_between(graph, 2, 1) == 4);
	assert_true(weight_between(graph, 0, 2) == 0);
	torus_task_graph_destroy(graph);
	torus_task_graph_destroy(NULL);
}

static void rejects_bad_lines(void **state)
{
	static const struct {
		const char *text, *says;
	} table[] = {
		{"0 1\n", "edges:1: expected three fields"},
		{"0 1 2 3\n", "edges:1: expected three fields"},
		{"0 1 2\n0 4 1\n", "edges:2: task 4 is out of range: tasks are 0 to 3"},
		{"99999999999999999999 0 1\n", "out of range"},
		{"-1 0 1\n", "'-1' is not a task number"},
		{"a 0 1\n", "'a' is not a task number"},
		{"0 1x 1\n", "'1x' is not a task number"},
		{"0 1 -2\n", "weight '-2'"},
		{"0 1 nan\n", "weight 'nan'"},
		{"0 1 inf\n", "weight 'inf'"},
		{"0 1 2e15\n", "weight '2e15'"},
		{"0 1 2kB\n", "weight '2kB'"},
		{"", "no edge"},
		{"# nothing\n1 1 5\n0 1 0\n", "no edge"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};

		assert_null(parse(table[i].text, &err));
		assert_non_null(strstr(err.text, table[i].says));
	}
	/* A NUL does not hide the rest of a word. */
	assert_null(torus_task_graph_parse("0 1 2\0003", 7, "edges", 4, NULL));
}

/* Against a matrix of sums. */
static void adds_up_edges(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = random_in(1, 20), edges = random_in(0, 200);
		uint32_t from[200], to[200];
		double weight[200], matrix[20][20] = {{0}};
		torus_task_graph_t *graph;
		uint64_t entries = 0;

		for (uint32_t i = 0; i < edges; i++) {
			from[i] = random_in(0, tasks - 1);
			to[i] = random_in(0, tasks - 1);
			weight[i] = random_in(0, 5);
			if (from[i] != to[i]) {
				matrix[from[i]][to[i]] += weight[i];
				matrix[to[i]][from[i]] += weight[i];
			}
		}
		graph = torus_task_graph_create(tasks, from, to, weight, edges, NULL);
		assert_non_null(graph);
		for (uint32_t a = 0; a < tasks; a++) {
			assert_int_equal(graph->first[a], entries);
			for (uint32_t b = 0; b < tasks; b++) {
				if (matrix[a][b] == 0)
					continue;
				assert_int_equal(graph->neighbor[entries], b);
				assert_true(graph->weight[entries++] == matrix[a][b]);
			}
		}
		assert_int_equal(graph->first[tasks], entries);
		torus_task_graph_destroy(graph);
	}
}

/* A text of thousands of edges is what its edges make. */
static void reads_long_texts(void **state)
{
	enum { EDGES = 20000, TASKS = 500 };
	static uint32_t from[EDGES], to[EDGES];
	static double weight[EDGES];
	static char text[EDGES * 24];
	torus_task_graph_t *read, *made;
	size_t length = 0, entries;

	(void)state;
	for (uint32_t i = 0; i < EDGES; i++) {
		from[i] = random_in(0, TASKS - 1);
		to[i] = random_in(0, TASKS - 1);
		weight[i] = random_in(0, 1000);
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "%u %u %.0f\n", from[i], to[i], weight[i]);
	}
	read = torus_task_graph_parse(text, length, "edges", TASKS, NULL);
	made = torus_task_graph_create(TASKS, from, to, weight, EDGES, NULL);
	assert_non_null(read);
	assert_non_null(made);
	entries = made->first[TASKS];
	assert_memory_equal(read->first, made->first, (TASKS + 1) * sizeof(*made->first));
	assert_memory_equal(read->neighbor, made->neighbor,
			    entries * sizeof(*made->neighbor));
	assert_memory_equal(read->weight, made->weight, entries * sizeof(*made->weight));
	torus_task_graph_destroy(read);
	torus_task_graph_destroy(made);
}

/* The weight along the strides of [grid], looked up edge by edge. */
static double slow_share(const torus_task_graph_t *graph, const torus_task_grid_t *grid)
{
	double along = 0, all = 0;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			uint32_t other = graph->neighbor[i], stride = 1;
			bool is_along = false;

			for (int axis = 0; axis < grid->dims; axis++) {
				is_along |= other > task ? other - task == stride
							 : task - other == stride;
				stride *= (uint32_t)grid->length[axis];
			}
			along += is_along ? graph->weight[i] : 0;
			all += graph->weight[i];
		}
	}
	return all > 0 ? along / all : 0;
}

/* Write out [grid] with a weight of each axis. The caller destroys it. */
static torus_task_graph_t *weighted_grid(const torus_task_grid_t *grid)
{
	enum { MOST = 4096 };
	uint32_t from[MOST], to[MOST], tasks = torus_task_grid_tasks(grid), edges = 0;
	torus_task_graph_t *stencil = torus_task_graph_stencil(grid, NULL), *graph;
	double weight[MOST];

	assert_non_null(stencil);
	for (uint32_t task = 0; task < tasks; task++) {
		for (uint64_t i = stencil->first[task]; i < stencil->first[task + 1];
		     i++) {
			if (stencil->neighbor[i] < task)
				continue;
			assert_true(edges < MOST);
			from[edges] = task;
			to[edges] = stencil->neighbor[i];
			weight[edges++] = stencil->neighbor[i] - task == 1 ? 1.25 : 1;
		}
	}
	graph = torus_task_graph_create(tasks, from, to, weight, edges, NULL);
	assert_non_null(graph);
	torus_task_graph_destroy(stencil);
	return graph;
}

/* Grids of lengths at which closing edges are fewer than those of any axis. */
static void finds_grids_by_their_numbers(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		torus_task_grid_t grid = {.dims = (int)random_in(1, 3),
					  .length = {1, 1, 1, 1, 1, 1}};
		torus_task_grid_t found;
		torus_task_graph_t *graph;
		double share;

		for (int axis = 0; axis < grid.dims; axis++) {
			grid.length[axis] = (int32_t)random_in(4, 9);
			grid.periodic[axis] = random_in(0, 1);
		}
		graph = weighted_grid(&grid);
		assert_int_equal(torus_graph_grid(graph, &found, &share, NULL), 0);
		assert_int_equal(found.dims, grid.dims);
		assert_memory_equal(found.length, grid.length, sizeof(grid.length));
		assert_float_equal(share, slow_share(graph, &grid), 1e-9);
		assert_true(share > 0.7);
		torus_task_graph_destroy(graph);
	}
}

/* Whatever the graph is, the answer is a grid of all its tasks, and its share true. */
static void finds_some_grid(void **state)
{
	enum { EDGES = 300 };

	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = random_in(1, 120), edges = random_in(0, EDGES);
		uint32_t from[EDGES], to[EDGES];
		torus_task_graph_t *graph;
		double weight[EDGES], share;
		torus_task_grid_t found;

		for (uint32_t i = 0; i < edges; i++) {
			from[i] = random_in(0, tasks - 1);
			to[i] = random_in(0, tasks - 1);
			weight[i] = random_in(0, 9);
		}
		graph = torus_task_graph_create(tasks, from, to, weight, edges, NULL);
		assert_non_null(graph);
		assert_int_equal(torus_graph_grid(graph, &found, &share, NULL), 0);
		assert_int_equal(torus_task_grid_tasks(&found), tasks);
		assert_float_equal(share, slow_share(graph, &found), 1e-9);
		torus_task_graph_destroy(graph);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_edges),
		cmocka_unit_test(rejects_bad_lines),
		cmocka_unit_test(adds_up_edges),
		cmocka_unit_test(reads_long_texts),
		cmocka_unit_test(finds_grids_by_their_numbers),
		cmocka_unit_test(finds_some_grid),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
