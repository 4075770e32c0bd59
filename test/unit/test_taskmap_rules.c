/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each mapper against a slow twin that follows its rule word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "random_job.h"
#include "../slow_rcb.h"
#include "taskmap/hops.h"
#include "taskmap/taskmap.h"
#include "taskmap/layout.h"
#include "taskmap/search/bisection.h"

#define TASKS 300

static torus_layout_t layout;

static const int32_t *task_at(uint32_t task)
{
	return layout.task_point + task * (size_t)layout.dims;
}

static const int32_t *place_at(uint32_t place)
{
	return layout.node_point + layout.node_of_place[place] * (size_t)layout.dims;
}

/* A list of points sorted by comparing them in some order of significance. */
typedef int (*comparison_t)(const int32_t *a, const int32_t *b);

static int sign(int64_t difference)
{
	return (difference > 0) - (difference < 0);
}

/* z most significant, then y, then x. */
static int by_row(const int32_t *a, const int32_t *b)
{
	for (int axis = layout.dims - 1; axis >= 0; axis--) {
		if (a[axis] != b[axis])
			return sign(a[axis] - b[axis]);
	}
	return 0;
}

/* y least significant, x next. */
static int by_column(const int32_t *a, const int32_t *b)
{
	for (int axis = layout.dims - 1; axis >= 2; axis--) {
		if (a[axis] != b[axis])
			return sign(a[axis] - b[axis]);
	}
	if (a[0] != b[0])
		return sign(a[0] - b[0]);
	return layout.dims > 1 ? sign(a[1] - b[1]) : 0;
}

static int64_t sum(const int32_t *point)
{
	int64_t total = 0;

	for (int axis = 0; axis < layout.dims; axis++)
		total += point[axis];
	return total;
}

static int by_corner(const int32_t *a, const int32_t *b)
{
	return sum(a) != sum(b) ? sign(sum(a) - sum(b)) : by_row(a, b);
}

/* Insertion sort of 0 .. count-1, stable. */
static void sort(const int32_t *(*point)(uint32_t), uint32_t count, comparison_t compare,
		 uint32_t *sorted)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = i;

		while (at > 0 && compare(point(sorted[at - 1]), point(i)) > 0) {
			sorted[at] = sorted[at - 1];
			at--;
		}
		sorted[at] = i;
	}
}

static void slow_sorted(comparison_t compare, uint32_t *node_of_task)
{
	uint32_t tasks[TASKS], places[TASKS];

	sort(task_at, layout.tasks, compare, tasks);
	sort(place_at, layout.tasks, compare, places);
	for (uint32_t i = 0; i < layout.tasks; i++)
		node_of_task[tasks[i]] = layout.node_of_place[places[i]];
}

static void slow_row_major(uint32_t *node_of_task)
{
	slow_sorted(by_row, node_of_task);
}

static void slow_col_major(uint32_t *node_of_task)
{
	slow_sorted(by_column, node_of_task);
}

static void slow_corner(uint32_t *node_of_task)
{
	slow_sorted(by_corner, node_of_task);
}

/* A place as it is looked at with some of the axes turned around. */
static unsigned flips;

static const int32_t *flipped_place_at(uint32_t place)
{
	static int32_t flipped[2][TORUS_MAX_DIMS]; /* a comparison looks at two */
	static int turn;
	int32_t *point = flipped[turn ^= 1];

	for (int axis = 0; axis < layout.dims; axis++) {
		int32_t at = place_at(place)[axis];

		point[axis] = flips >> axis & 1 ? layout.box[axis] - 1 - at : at;
	}
	return point;
}

/* Row-major before column-major, fewer flips of later axes first. */
static void slow_ordered(uint32_t *node_of_task)
{
	uint32_t tasks[TASKS], places[TASKS], trial[TASKS];
	double fewest = -1;

	for (int order = 0; order < 2; order++) {
		for (flips = 0; flips < 1u << layout.dims; flips++) {
			torus_hop_stats_t stats;

			sort(task_at, layout.tasks, order ? by_column : by_row, tasks);
			sort(flipped_place_at, layout.tasks, order ? by_column : by_row,
			     places);
			for (uint32_t i = 0; i < layout.tasks; i++)
				trial[tasks[i]] = layout.node_of_place[places[i]];
			assert_int_equal(torus_hop_stats(layout.job, trial, &stats, NULL),
					 0);
			if (fewest >= 0 && stats.hop_bytes >= fewest)
				continue;
			fewest = stats.hop_bytes;
			memcpy(node_of_task, trial, layout.tasks * sizeof(*trial));
		}
	}
}

/* Distance of [point] from a corner of a box. */
static int64_t from_corner(const int32_t *point, const int32_t *sides, unsigned corner)
{
	int64_t distance = 0;

	for (int axis = 0; axis < layout.dims; axis++)
		distance +=
			corner >> axis & 1 ? sides[axis] - 1 - point[axis] : point[axis];
	return distance;
}

/* The undone point nearest to the corner; ties by z, then y, then x. */
static uint32_t take_at_corner(const int32_t *(*point)(uint32_t), const int32_t *sides,
			       unsigned corner, bool *done)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < layout.tasks; i++) {
		int64_t nearer;

		if (done[i])
			continue;
		nearer = best == UINT32_MAX
				 ? -1
				 : from_corner(point(i), sides, corner) -
					   from_corner(point(best), sides, corner);
		if (nearer < 0 || (nearer == 0 && by_row(point(i), point(best)) < 0))
			best = i;
	}
	done[best] = true;
	return best;
}

static void slow_all_corners(uint32_t *node_of_task)
{
	bool task_done[TASKS] = {false}, place_done[TASKS] = {false};

	for (uint32_t i = 0; i < layout.tasks; i++) {
		unsigned at = i % (1u << layout.dims), y = at & 1, x = at >> 1 & 1;
		unsigned corner = layout.dims < 2 ? at : at - at % 4 + x + 2 * (x ^ y);
		uint32_t task = take_at_corner(task_at, layout.grid, corner, task_done);
		uint32_t place = take_at_corner(place_at, layout.box, corner, place_done);

		node_of_task[task] = layout.node_of_place[place];
	}
}

/* The free place nearest to [target]; ties by x, then y, then z, then allocation order.
 */
static uint32_t take_nearest(const int32_t *target, bool *taken)
{
	uint32_t best = UINT32_MAX;
	int64_t nearest = 0;

	for (uint32_t place = 0; place < layout.tasks; place++) {
		const int32_t *at = place_at(place);
		int64_t distance = 0;
		int order = 0;

		for (int axis = 0; axis < layout.dims; axis++)
			distance += abs(at[axis] - target[axis]);
		for (int axis = 0; axis < layout.dims && !order && best < UINT32_MAX;
		     axis++)
			order = sign(at[axis] - place_at(best)[axis]);
		if (!taken[place] && (best == UINT32_MAX || distance < nearest ||
				      (distance == nearest && order < 0))) {
			best = place;
			nearest = distance;
		}
	}
	taken[best] = true;
	return best;
}

static void slow_overlays(int ends, uint32_t *node_of_task)
{
	bool taken[TASKS] = {false};
	uint32_t tasks[TASKS], first = 0, last = layout.tasks - 1;

	sort(task_at, layout.tasks, by_column, tasks);
	for (uint32_t i = 0; i < layout.tasks; i++) {
		bool far = ends == 2 && i % 2 == 1;
		uint32_t task = far ? tasks[last--] : tasks[first++];
		int32_t target[TORUS_MAX_DIMS];

		for (int axis = 0; axis < layout.dims; axis++) {
			int32_t at = task_at(task)[axis];

			/* As far from the highest corner as the task is from the grid's.
			 */
			target[axis] =
				far ? layout.box[axis] - 1 - (layout.grid[axis] - 1 - at)
				    : at;
		}
		node_of_task[task] = layout.node_of_place[take_nearest(target, taken)];
	}
}

static void slow_overlay(uint32_t *node_of_task)
{
	slow_overlays(1, node_of_task);
}

static void slow_two_way_overlay(uint32_t *node_of_task)
{
	slow_overlays(2, node_of_task);
}

static void slow_rcb_ours(uint32_t *node_of_task)
{
	slow_rcb(&layout, false, node_of_task);
}

static void slow_rcb_by_text(uint32_t *node_of_task)
{
	slow_rcb_longest(&layout, node_of_task);
}

static void slow_baseline(uint32_t *node_of_task)
{
	uint32_t task = 0;

	for (uint32_t node = 0; node < layout.job->nodes; node++) {
		for (uint32_t i = 0; i < layout.job->tasks_on_node[node]; i++)
			node_of_task[task++] = node;
	}
}

static void mappers_follow_their_rules(void **state)
{
	static const struct {
		torus_mapper_t mapper;
		void (*slow)(uint32_t *node_of_task);
	} table[] = {
		{TORUS_MAPPER_BASELINE, slow_baseline},
		{TORUS_MAPPER_ROW_MAJOR, slow_row_major},
		{TORUS_MAPPER_COL_MAJOR, slow_col_major},
		{TORUS_MAPPER_ORDERED, slow_ordered},
		{TORUS_MAPPER_CORNER, slow_corner},
		{TORUS_MAPPER_ALL_CORNERS, slow_all_corners},
		{TORUS_MAPPER_OVERLAY, slow_overlay},
		{TORUS_MAPPER_TWO_WAY_OVERLAY, slow_two_way_overlay},
		{TORUS_MAPPER_RCB, slow_rcb_ours},
		{TORUS_MAPPER_RCB_LONGEST, slow_rcb_by_text},
	};
	static random_job_t random;
	uint32_t fast[TASKS], slow[TASKS];

	(void)state;
	for (int round = 0; round < RANDOM_CASES(2500); round++) {
		do
			random_job(&random, 5, random_in(1, 60), 5);
		while (random.tasks > TASKS);
		assert_int_equal(torus_layout_init(&random.job, &layout, NULL), 0);
		for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
			assert_int_equal(torus_taskmap(table[i].mapper, &random.job, NULL,
						       fast, NULL),
					 0);
			table[i].slow(slow);
			if (memcmp(fast, slow, random.tasks * sizeof(*fast)))
				fail_msg("%s differs from its slow twin in round %d",
					 torus_mapper_name(table[i].mapper), round);
		}
		torus_layout_destroy(&layout);
	}
}

/* The bisection that the paper does not have: by product, the grid turned. */
static void bisection_by_product_follows_its_rule(void **state)
{
	static random_job_t random;
	uint32_t fast[TASKS], slow[TASKS];

	(void)state;
	for (int round = 0; round < RANDOM_CASES(1000); round++) {
		int turn[TORUS_MAX_DIMS] = {0};
		torus_bisection_t *bisection;
		int32_t *straight;

		do
			random_job(&random, 5, random_in(1, 60), 5);
		while (random.tasks > TASKS);
		assert_int_equal(torus_layout_init(&random.job, &layout, NULL), 0);
		for (int axis = 0; axis < layout.dims; axis++) {
			int other = (int)random_in(0, (uint32_t)axis);

			turn[axis] = turn[other];
			turn[other] = axis;
		}
		bisection = torus_bisection_create(&layout, NULL);
		assert_non_null(bisection);
		torus_bisection_run(bisection, TORUS_BISECTION_PRODUCT, turn, fast);
		torus_bisection_destroy(bisection);
		straight = layout.task_point;
		layout.task_point = calloc((size_t)layout.tasks * (size_t)layout.dims,
					   sizeof(*straight));
		for (uint32_t task = 0; task < layout.tasks; task++) {
			size_t at = task * (size_t)layout.dims;

			for (int axis = 0; axis < layout.dims; axis++)
				layout.task_point[at + (size_t)turn[axis]] =
					straight[at + (size_t)axis];
		}
		slow_rcb_by_product(&layout, slow);
		free(straight);
		if (memcmp(fast, slow, random.tasks * sizeof(*fast)))
			fail_msg("bisection by product differs in round %d", round);
		torus_layout_destroy(&layout);
	}
}

/* Even counts whose sub-box divides the grid: each node holds one whole sub-box. */
static void grouping_gives_each_node_a_box(void **state)
{
	static const struct {
		int32_t grid[3];
		uint32_t count;
		int32_t box[3];
	} table[] = {
		{{4, 4, 8}, 16, {2, 2, 4}}, {{8, 8, 8}, 16, {2, 2, 4}},
		{{6, 4, 2}, 8, {2, 2, 2}},  {{4, 8, 3}, 4, {2, 2, 1}},
		{{16, 3, 3}, 4, {4, 1, 1}}, {{6, 6, 6}, 12, {2, 2, 3}},
		{{3, 5, 2}, 1, {1, 1, 1}},  {{9, 9, 1}, 9, {3, 3, 1}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_task_grid_t grid = {.dims = 3};
		torus_geometry_t geometry = {.dims = 1, .length = {1000, 1, 1, 1, 1, 1}};
		uint32_t tasks, cell[64], counts[64], node_of_task[1024];
		torus_task_job_t job = {.grid = &grid,
					.geometry = &geometry,
					.cell = cell,
					.tasks_on_node = counts};

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			grid.length[axis] = axis < 3 ? table[i].grid[axis] : 1;
		tasks = torus_task_grid_tasks(&grid);
		job.nodes = tasks / table[i].count;
		for (uint32_t node = 0; node < job.nodes; node++) {
			cell[node] = 999 - node;
			counts[node] = table[i].count;
		}
		assert_int_equal(torus_taskmap(TORUS_MAPPER_GROUPING, &job, NULL,
					       node_of_task, NULL),
				 0);
		for (uint32_t task = 0; task < tasks; task++) {
			uint32_t expected = 0;
			int32_t coord[TORUS_MAX_DIMS];

			task_coord(&grid, task, coord);
			for (int axis = 2; axis >= 0; axis--)
				expected = expected * (uint32_t)(grid.length[axis] /
								 table[i].box[axis]) +
					   (uint32_t)(coord[axis] / table[i].box[axis]);
			assert_int_equal(node_of_task[task], expected);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mappers_follow_their_rules),
		cmocka_unit_test(bisection_by_product_follows_its_rule),
		cmocka_unit_test(grouping_gives_each_node_a_box),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
