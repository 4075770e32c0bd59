/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task grids: stencils against their definition, factoring, graphs written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "random_job.h"
#include "taskmap/graph.h"

static void reads_stencils(void **state)
{
	torus_stencil_t stencil;
	torus_error_t err = {""};

	(void)state;
	assert_int_equal(torus_stencil_parse("5", &stencil, NULL), 0);
	assert_int_equal(stencil, TORUS_STENCIL_FACES);
	assert_int_equal(torus_stencil_parse("7", &stencil, NULL), 0);
	assert_int_equal(stencil, TORUS_STENCIL_FACES);
	assert_int_equal(torus_stencil_parse("9", &stencil, NULL), 0);
	assert_int_equal(stencil, TORUS_STENCIL_CORNERS);
	assert_int_equal(torus_stencil_parse("27", &stencil, NULL), 0);
	assert_int_equal(stencil, TORUS_STENCIL_CORNERS);
	assert_int_equal(torus_stencil_parse("6", &stencil, &err), -1);
	assert_non_null(strstr(err.text, "'6'"));
	assert_int_equal(torus_stencil_parse("", &stencil, &err), -1);
	assert_int_equal(torus_stencil_parse("7 ", &stencil, &err), -1);
}

static void counts_points_of_the_named_stencils(void **state)
{
	static const struct {
		int dims;
		torus_stencil_t stencil;
		int points;
	} table[] = {
		{1, TORUS_STENCIL_FACES, 3},	 {2, TORUS_STENCIL_FACES, 5},
		{3, TORUS_STENCIL_FACES, 7},	 {6, TORUS_STENCIL_FACES, 13},
		{2, TORUS_STENCIL_CORNERS, 9},	 {3, TORUS_STENCIL_CORNERS, 27},
		{6, TORUS_STENCIL_CORNERS, 729},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_task_grid_t grid = {.dims = table[i].dims,
					  .length = {3, 3, 3, 3, 3, 3},
					  .stencil = table[i].stencil};
		torus_offsets_t offsets;

		torus_task_grid_offsets(&grid, &offsets);
		assert_int_equal(offsets.count + 1, table[i].points);
		assert_int_equal(2 * offsets.forward, offsets.count);
	}
}

/* The graph of a random grid has exactly the edges that the definition gives. */
static void stencils_are_as_defined(void **state)
{
	(void)state;
	for (int round = 0; round < 600; round++) {
		uint32_t tasks = random_in(1, 90);
		torus_task_grid_t grid = random_grid(tasks, TORUS_MAX_DIMS);
		torus_task_graph_t *graph = torus_task_graph_stencil(&grid, NULL);
		uint64_t at = 0, edges = 0;

		assert_non_null(graph);
		assert_int_equal(torus_task_grid_tasks(&grid), tasks);
		for (uint32_t a = 0; a < tasks; a++) {
			assert_int_equal(graph->first[a], at);
			for (uint32_t b = 0; b < tasks; b++) {
				if (a == b || !are_neighbors(&grid, a, b))
					continue;
				assert_true(at < graph->first[a + 1]);
				assert_int_equal(graph->neighbor[at++], b);
				edges += a < b;
			}
		}
		assert_int_equal(graph->first[tasks], at);
		assert_int_equal(torus_task_grid_edges(&grid), edges);
		torus_task_graph_destroy(graph);
	}
}

/* The forward half lists every edge once. */
static void forward_offsets_list_each_edge_once(void **state)
{
	(void)state;
	for (int round = 0; round < 400; round++) {
		uint32_t tasks = random_in(1, 80), found = 0;
		torus_task_grid_t grid = random_grid(tasks, TORUS_MAX_DIMS);
		uint32_t neighbors[TORUS_STENCIL_OFFSETS];
		int32_t coord[TORUS_MAX_DIMS] = {0};
		torus_offsets_t offsets;
		bool *seen = calloc((size_t)tasks * tasks, sizeof(*seen));

		torus_task_grid_offsets(&grid, &offsets);
		for (uint32_t task = 0; task < tasks; task++) {
			int32_t expected[TORUS_MAX_DIMS];
			int count = torus_task_grid_neighbors(
				&grid, &offsets, offsets.forward, coord, neighbors);

			task_coord(&grid, task, expected);
			assert_memory_equal(coord, expected, sizeof(coord));
			for (int i = 0; i < count; i++, found++) {
				assert_true(are_neighbors(&grid, task, neighbors[i]));
				assert_false(seen[task * tasks + neighbors[i]]);
				assert_false(seen[neighbors[i] * tasks + task]);
				seen[task * tasks + neighbors[i]] = true;
			}
			torus_task_grid_next(&grid, coord);
		}
		assert_int_equal(found, torus_task_grid_edges(&grid));
		free(seen);
	}
}

/* Whether the lengths in now[] are nearer to each other than those in best[], of equal
 * sums; ties: the one that begins with longer ones. */
static bool are_nearer(const int32_t *now, const int32_t *best, int dims)
{
	int32_t spread = now[0] - now[dims - 1], of_best = best[0] - best[dims - 1];

	if (spread != of_best)
		return spread < of_best;
	for (int axis = 0; axis < dims; axis++) {
		if (now[axis] != best[axis])
			return now[axis] > best[axis];
	}
	return false;
}

/* Oracle: all factorings in falling order of lengths. */
static void best_factoring(uint32_t tasks, int dims, uint32_t longest, int32_t *now,
			   int axis, uint32_t sum, uint32_t *best_sum, int32_t *best)
{
	if (axis == dims) {
		if (tasks == 1 && (sum < *best_sum ||
				   (sum == *best_sum && are_nearer(now, best, dims)))) {
			*best_sum = sum;
			memcpy(best, now, (size_t)dims * sizeof(*best));
		}
		return;
	}
	for (uint32_t side = 1; side <= longest && side <= tasks; side++) {
		if (tasks % side)
			continue;
		now[axis] = (int32_t)side;
		best_factoring(tasks / side, dims, side, now, axis + 1, sum + side,
			       best_sum, best);
	}
}

static void factors_near_to_a_cube(void **state)
{
	static const struct {
		uint32_t tasks;
		int dims;
		int32_t length[3];
	} table[] = {
		{64, 3, {4, 4, 4}},
		{128, 3, {8, 4, 4}},
		{1, 3, {1, 1, 1}},
		{7, 3, {7, 1, 1}},
		{12, 3, {3, 2, 2}},
		/* As MPICH 4.0.2 and Open MPI 4.1.4 have them: of equal sums. */
		{360, 3, {10, 6, 6}},
		{1008, 3, {12, 12, 7}},
		{3696, 3, {22, 14, 12}},
		{3960, 3, {20, 18, 11}},
		{24, 3, {4, 3, 2}},
		{2310, 3, {15, 14, 11}},
		{1440, 2, {40, 36, 1}},
		{64, 2, {8, 8, 1}},
		{1000, 1, {1000, 1, 1}},
		{65536, 3, {64, 32, 32}},
		{268435399, 3, {268435399, 1, 1}}, /* a prime */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_task_grid_t grid = {0};

		torus_task_grid_factor(table[i].tasks, table[i].dims, &grid);
		assert_int_equal(grid.dims, table[i].dims);
		for (int axis = 0; axis < 3; axis++)
			assert_int_equal(grid.length[axis], table[i].length[axis]);
	}
	for (uint32_t tasks = 1; tasks < 700; tasks++) {
		int dims = (int)random_in(1, 5);
		int32_t now[TORUS_MAX_DIMS], best[TORUS_MAX_DIMS] = {INT32_MAX};
		uint32_t best_sum = UINT32_MAX;
		torus_task_grid_t grid = {0};

		torus_task_grid_factor(tasks, dims, &grid);
		best_factoring(tasks, dims, tasks, now, 0, 0, &best_sum, best);
		assert_memory_equal(grid.length, best, (size_t)dims * sizeof(*best));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_stencils),
		cmocka_unit_test(counts_points_of_the_named_stencils),
		cmocka_unit_test(stencils_are_as_defined),
		cmocka_unit_test(forward_offsets_list_each_edge_once),
		cmocka_unit_test(factors_near_to_a_cube),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
