/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layout of tasks and places against a slow twin that follows the header's words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "random_job.h"
#include "../slow_layout.h"
#include "taskmap/layout.h"

/* What the jobs had to be brought into shape by. */
static int folded, merged, refolded;

static void compare_places(const random_job_t *random, const torus_layout_t *layout,
			   const slow_layout_t *slow, int round)
{
	uint32_t place = 0;

	for (uint32_t node = 0; node < random->job.nodes; node++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(&random->geometry, random->cell[node], coord);
		for (int axis = 0; axis < layout->dims; axis++) {
			int32_t length = random->geometry.length[axis];
			int32_t expected =
				(coord[axis] - slow->origin[axis] + length) % length;

			if (layout->node_point[node * (uint32_t)layout->dims +
					       (uint32_t)axis] != expected)
				fail_msg("round %d: node %u is not at %d of axis %d",
					 round, node, expected, axis);
		}
		for (uint32_t i = 0; i < random->tasks_on_node[node]; i++)
			assert_int_equal(layout->node_of_place[place++], node);
	}
	assert_int_equal(place, random->tasks);
}

static void compare(const random_job_t *random, int round)
{
	torus_layout_t layout;
	slow_layout_t slow;

	assert_int_equal(torus_layout_init(&random->job, &layout, NULL), 0);
	slow_layout(&random->job, true, &slow);
	assert_int_equal(layout.dims, slow.dims);
	assert_int_equal(layout.tasks, slow.tasks);
	for (int axis = 0; axis < layout.dims; axis++) {
		assert_int_equal(layout.box[axis], slow.box[axis]);
		if (layout.grid[axis] != slow.grid[axis])
			fail_msg("round %d: axis %d has %d layers, its slow twin %d",
				 round, axis, layout.grid[axis], slow.grid[axis]);
	}
	for (uint32_t task = 0; task < slow.tasks; task++) {
		if (memcmp(layout.task_point + task * (size_t)layout.dims,
			   slow.point[task],
			   (size_t)layout.dims * sizeof(*layout.task_point)))
			fail_msg("round %d: task %u is not where its slow twin is", round,
				 task);
	}
	compare_places(random, &layout, &slow, round);
	folded += slow.folds > 0;
	merged += slow.merges > 0;
	refolded += slow.merges > 0 && slow.folds > 0;
	slow_layout_free(&slow);
	torus_layout_destroy(&layout);
}

static void random_jobs_are_laid_out_by_the_rule(void **state)
{
	static random_job_t random;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		random_job(&random, TORUS_MAX_DIMS, random_in(1, 60), 5);
		compare(&random, round);
	}
	/* Every rule had its turn. */
	assert_true(folded > 500);
	assert_true(merged > 500);
}

/* Long and thin grids, for which room is made by merging before they are folded. */
static void long_grids_are_laid_out_by_the_rule(void **state)
{
	static random_job_t random;

	(void)state;
	refolded = 0;
	for (int round = 0; round < 3000; round++) {
		torus_task_grid_t *grid = &random.grid;
		int32_t side = (int32_t)random_in(4, 9);

		random.geometry = (torus_geometry_t){.dims = 3};
		*grid = (torus_task_grid_t){.dims = 3};
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			random.geometry.length[axis] = axis < 3 ? side : 1;
			random.geometry.wrap[axis] = axis < 3 && random_in(0, 1);
			grid->length[axis] = axis < 3 ? (int32_t)random_in(2, 3) : 1;
		}
		grid->length[random_in(0, 2)] = (int32_t)random_in(4, 40);
		random.tasks = torus_task_grid_tasks(grid);
		for (uint32_t node = 0; node < random.tasks; node++) {
			random.cell[node] =
				random_in(0, torus_geometry_cells(&random.geometry) - 1);
			random.tasks_on_node[node] = 1;
		}
		random.job = (torus_task_job_t){.grid = grid,
						.geometry = &random.geometry,
						.nodes = random.tasks,
						.cell = random.cell,
						.tasks_on_node = random.tasks_on_node};
		compare(&random, round);
	}
	assert_true(refolded > 100);
}

/* Nodes fill a box, so that reaches are whole numbers and everything is level. */
static void full_boxes_are_laid_out_by_the_rule(void **state)
{
	static random_job_t random;

	(void)state;
	for (int round = 0; round < 5000; round++) {
		torus_geometry_t *geometry = &random.geometry;
		static const uint32_t counts[] = {1, 2, 4, 8, 9, 16, 27, 32, 64};
		uint32_t count = counts[random_in(0, 8)];
		uint32_t nodes;

		*geometry = (torus_geometry_t){.dims = (int)random_in(2, 4)};
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			geometry->length[axis] =
				axis < geometry->dims ? (int32_t)random_in(1, 4) : 1;
			geometry->wrap[axis] = axis < geometry->dims && random_in(0, 1);
		}
		nodes = torus_geometry_cells(geometry);
		for (uint32_t node = 0; node < nodes; node++) {
			random.cell[node] = node;
			random.tasks_on_node[node] = count;
		}
		random.tasks = nodes * count;
		random.grid = random_grid(random.tasks, 4);
		random.job = (torus_task_job_t){.grid = &random.grid,
						.geometry = geometry,
						.nodes = nodes,
						.cell = random.cell,
						.tasks_on_node = random.tasks_on_node};
		compare(&random, round);
	}
}

/* Where axes are kept, a task is at its coordinate in the grid. */
static void axes_kept(void **state)
{
	uint32_t compared = 0;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		static random_job_t random;
		torus_layout_t layout;
		int32_t coord[TORUS_MAX_DIMS] = {0};

		random_job(&random, TORUS_MAX_DIMS, random_in(1, 60), 5);
		random.job.axes_kept = true;
		if (random.grid.dims > random.geometry.dims) {
			torus_error_t err = {""};

			assert_int_equal(torus_task_job_check(&random.job, &err), -1);
			assert_non_null(strstr(err.text, "without rotation"));
			continue;
		}
		assert_int_equal(torus_task_job_check(&random.job, NULL), 0);
		assert_int_equal(torus_layout_init(&random.job, &layout, NULL), 0);
		for (uint32_t task = 0; task < layout.tasks; task++) {
			for (int axis = 0; axis < layout.dims; axis++)
				assert_int_equal(
					layout.task_point[task * (uint32_t)layout.dims +
							  (uint32_t)axis],
					axis < random.grid.dims ? coord[axis] : 0);
			torus_task_grid_next(&random.grid, coord);
		}
		torus_layout_destroy(&layout);
		compared++;
	}
	assert_true(compared > 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_jobs_are_laid_out_by_the_rule),
		cmocka_unit_test(long_grids_are_laid_out_by_the_rule),
		cmocka_unit_test(full_boxes_are_laid_out_by_the_rule),
		cmocka_unit_test(axes_kept),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
