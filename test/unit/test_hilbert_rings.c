/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Hilbert curve on machines with wraps: each cell once and one hop a step, never
 * worse than the order of the mesh, the best of the curves on the boxes of
 * docs/curves.md; and the measures by which it is chosen, by their definitions.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "curve/hilbert/looseness.h"
#include "curve/hilbert/rings.h"
#include "measures/score.h"
#include "hilbert_case.h"

static torus_geometry_t wrapped_box(const char *dims)
{
	torus_geometry_t geometry;

	assert_int_equal(torus_geometry_parse(dims, "all", &geometry, NULL), 0);
	return geometry;
}

static torus_geometry_t mesh_of(torus_geometry_t geometry)
{
	memset(geometry.wrap, 0, sizeof(geometry.wrap));
	return geometry;
}

static bool same_order_as_mesh(const torus_geometry_t *geometry)
{
	const torus_geometry_t mesh = mesh_of(*geometry);
	uint32_t *ours = order_of(geometry), *theirs = order_of(&mesh);
	bool same = !memcmp(ours, theirs, torus_geometry_cells(geometry) * sizeof(*ours));

	free(ours);
	free(theirs);
	return same;
}

static void wrap_at_random(torus_geometry_t *geometry)
{
	for (int axis = 0; axis < geometry->dims; axis++)
		geometry->wrap[axis] = random_in(0, 1);
}

static void continuous_on_random_boxes(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(100); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 200);

		assert_continuous(&geometry);
	}
	for (int round = 0; round < RANDOM_CASES(5); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 4000);

		assert_continuous(&geometry);
	}
}

/* Boxes planned by models, and thin ones; all axes wrapped, or some. */
static void continuous_on_large_boxes(void **state)
{
	static const char *const boxes[] = {
		"24x24x24", "30x20x40",	   "100x99",  "16x12x24",
		"31x7x41",  "2x2001",	   "9x9x9x9", "40x3x3x3",
		"60x2x60",  "2x3x4x5x6x7", "5x301x3", "3x3x3x3x3x3",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		torus_geometry_t geometry = wrapped_box(boxes[i]);

		if (!random_listed())
			continue;
		if (random_in(0, 1))
			wrap_at_random(&geometry);
		assert_continuous(&geometry);
	}
}

static double score_of(const torus_geometry_t *geometry, const uint32_t *order)
{
	torus_curve_score_t score;
	double sum = 0;

	assert_int_equal(torus_curve_score(geometry, order,
					   torus_geometry_cells(geometry), NULL, NULL,
					   &score, NULL),
			 0);
	for (int w = 0; w < score.windows; w++)
		sum += score.window[w].average_distance;
	return score.windows ? sum / score.windows : 0;
}

/* Either the mesh's order, or one with a score that is no higher and a gain in all. */
static void assert_worth_it(const torus_geometry_t *geometry)
{
	const torus_geometry_t mesh = mesh_of(*geometry);
	uint32_t *ours = order_of(geometry), *theirs = order_of(&mesh);
	hilbert_means_t our, their;

	if (memcmp(ours, theirs, torus_geometry_cells(geometry) * sizeof(*ours)) != 0) {
		assert_true(score_of(geometry, ours) <=
			    score_of(geometry, theirs) + 1.0 / (1 << 16));
		assert_int_equal(torus_hilbert_means(geometry, ours, &our), 0);
		assert_int_equal(torus_hilbert_means(geometry, theirs, &their), 0);
		assert_true(our.log <= their.log - HILBERT_GAIN);
	}
	free(ours);
	free(theirs);
}

static void never_worse_than_the_order_of_the_mesh(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(60); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 300);

		assert_worth_it(&geometry);
	}
	for (int round = 0; round < RANDOM_CASES(5); round++) {
		torus_geometry_t geometry = random_geometry(3, 700);

		assert_worth_it(&geometry);
	}
}

static double score_of_curve(const torus_geometry_t *geometry, torus_curve_t curve)
{
	uint32_t *order = malloc(torus_geometry_cells(geometry) * sizeof(*order));
	double score;

	assert_non_null(order);
	assert_int_equal(torus_curve_order(geometry, curve, order, NULL), 0);
	score = score_of(geometry, order);
	free(order);
	return score;
}

/* The boxes of docs/curves.md, as meshes and tori. On wrapped 5x4x5 it is a snake. */
static void has_the_lowest_score(void **state)
{
	static const char *const boxes[] = {"8x8x5", "11x12x16", "16x12x24", "16x16x16",
					    "20x20", "10x12x16", "5x4x5"};
	static const torus_curve_t others[] = {
		TORUS_CURVE_ROW_MAJOR,
		TORUS_CURVE_COLUMN_MAJOR,
		TORUS_CURVE_SNAKE,
		TORUS_CURVE_Z_ORDER,
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(boxes) / sizeof(boxes[0]); i++) {
		const char *dims = boxes[i / 2];
		torus_geometry_t geometry = i % 2 ? wrapped_box(dims) : box_of(dims);
		bool snake = i % 2 && !strcmp(dims, "5x4x5");
		double ours;

		if (!random_listed())
			continue;
		ours = score_of_curve(&geometry, TORUS_CURVE_HILBERT);
		for (size_t c = 0; c < sizeof(others) / sizeof(others[0]); c++)
			assert_true(ours - (snake ? 1e-9 : 0) <
				    score_of_curve(&geometry, others[c]));
	}
}

/* Where every axis wraps; another order gains less than HILBERT_GAIN asks for. */
static void cubes_of_powers_of_two_keep_hilberts_own(void **state)
{
	static const char *const cubes[] = {
		"4x4",	 "8x8",	     "16x16",	"32x32",   "2x2x2",	"4x4x4",
		"8x8x8", "16x16x16", "4x4x4x4", "8x8x8x8", "4x4x4x4x4", "2x2x2x2x2x2",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cubes) / sizeof(cubes[0]); i++) {
		torus_geometry_t geometry = wrapped_box(cubes[i]);

		assert_true(same_order_as_mesh(&geometry));
	}
}

/* Two cells are neighbours either way; 1-dimensional rings are a line, large machines are
 * not searched. */
static void keeps_the_order_where_wraps_do_not_matter(void **state)
{
	static const char *const boxes[] = {"5x2x2", "7", "1x9x1", "100x60x30"};

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		torus_geometry_t geometry = wrapped_box(boxes[i]);

		if (i == 0)
			geometry.wrap[0] = false;
		assert_true(same_order_as_mesh(&geometry));
	}
}

/* The hops of all pairs of all windows of [length], one by one. */
static uint64_t slow_hops(const torus_geometry_t *geometry, const uint32_t *order,
			  uint32_t length, bool around)
{
	uint32_t cells = torus_geometry_cells(geometry);
	uint64_t sum = 0;

	for (uint32_t start = 0; start < (around ? cells : cells - length + 1); start++) {
		for (uint32_t a = 0; a < length; a++) {
			for (uint32_t b = 0; b < a; b++)
				sum += torus_hops_cells(geometry,
							order[(start + a) % cells],
							order[(start + b) % cells]);
		}
	}
	return sum;
}

static void shuffle(uint32_t *order, uint32_t cells)
{
	for (uint32_t i = 0; i < cells; i++) {
		uint32_t j = random_in(0, i);

		order[i] = order[j];
		order[j] = i;
	}
}

static void means_by_definition(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(300); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 70);
		uint32_t cells = torus_geometry_cells(&geometry), order[70];
		double score = 0, log = 0;
		hilbert_means_t means;
		int windows = 0;

		shuffle(order, cells);
		for (uint32_t length = 2; length <= cells; length *= 2, windows++) {
			double pairs = length * (length - 1) / 2;
			double line = (double)slow_hops(&geometry, order, length, false) /
				      (cells - length + 1) / pairs;
			double ring = (double)slow_hops(&geometry, order, length, true) /
				      cells / pairs;

			score += line;
			log += (log2(line) + log2(ring)) / 2;
		}
		assert_int_equal(torus_hilbert_means(&geometry, order, &means), 0);
		if (windows == 0)
			continue;
		assert_true(fabs((double)means.score / HILBERT_ONE - score / windows) <
			    2.0 / HILBERT_ONE);
		assert_true(fabs((double)means.log / HILBERT_ONE - log / windows) <
			    3.0 / HILBERT_ONE);
	}
}

/* The looseness of a box with a ring, as looseness.h defines it. */
static double slow_looseness(const torus_geometry_t *geometry, const uint32_t *order)
{
	uint32_t cells = torus_geometry_cells(geometry);
	double dims = geometry->dims, sum = 0;
	int windows = 0;

	for (uint32_t length = 2; length <= cells; length *= 2, windows++) {
		double pairs = (cells - length + 1.0) * length * (length - 1) / 2;
		double hops = (double)slow_hops(geometry, order, length, false) / pairs;

		sum += log2(hops * hops) - log2(2 * dims / 3) - 2 / dims * log2(length);
	}
	return sum / windows;
}

static void looseness_by_definition(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(300); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 70);
		uint32_t cells = torus_geometry_cells(&geometry), order[70];
		hilbert_task_t task = torus_hilbert_task(&geometry);
		int32_t looseness;

		if (!task.wrap || cells < 2)
			continue;
		shuffle(order, cells);
		assert_int_equal(
			torus_hilbert_looseness(geometry.dims, &task, order, &looseness),
			0);
		assert_true(fabs((double)looseness / HILBERT_ONE -
				 slow_looseness(&geometry, order)) < 0.001);
	}
}

static void looseness_of_a_ring_is_that_of_its_cells(void **state)
{
	uint32_t order[200];

	(void)state;
	for (uint32_t i = 0; i < 200; i++)
		order[i] = i;
	for (int32_t length = 3; length <= 200; length++) {
		hilbert_task_t task = {.side = {length, 1, 1}, .wrap = 1};
		int32_t looseness;

		assert_int_equal(torus_hilbert_looseness(3, &task, order, &looseness), 0);
		assert_in_range(torus_hilbert_line_looseness(3, length, true) -
					looseness + 8,
				0, 16);
	}
}

/* In counted work; boxes that take much of it, as measured. */
static void planning_is_bounded(void **state)
{
	static const char *const boxes[] = {
		"24x23x24x2x3x2", "5x222x17x4", "39x6x17",   "5x5x5x5x5x5",
		"3x5x7x3x5x9",	  "4x5x408x5",	"5x6x7x8x9",
	};
	uint64_t digest;

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		torus_geometry_t geometry = wrapped_box(boxes[i]);

		if (!random_listed())
			continue;
		assert_in_range(work_of(&geometry, &digest), 1, HILBERT_WORK_MAX_RINGS);
	}
	for (int round = 0; round < RANDOM_CASES(5); round++) {
		torus_geometry_t geometry = random_large_geometry();

		wrap_at_random(&geometry);
		assert_in_range(work_of(&geometry, &digest), 0, HILBERT_WORK_MAX_RINGS);
	}
}

/* As in test_hilbert.c: if a digest changes, ranks of a site's machine have. */
static void orders_stay_as_they_are(void **state)
{
	static const struct {
		const char *dims, *wrap;
		uint64_t digest;
	} table[] = {
		{"8x8x5", "all", UINT64_C(0xd434514910a7e6b5)},
		{"8x8x5", "xy", UINT64_C(0xd92721bfec0a7375)},
		{"11x12x16", "all", UINT64_C(0x92316419e2960455)},
		{"16x12x24", "all", UINT64_C(0xd4b74953d7722cc5)},
		{"16x16x16", "all", UINT64_C(0xcf757b5588ae3b25)},
		{"20x20", "all", UINT64_C(0xd1f41795fe83989d)},
		{"10x12x16", "all", UINT64_C(0xe50d9694bdf745e5)},
		{"5x4x5", "all", UINT64_C(0xd1ff0c98715423f1)},
		{"8x8x8", "z", UINT64_C(0x77871bd69aab5025)},
		{"4x4x4", "xy", UINT64_C(0x85f94cd2413edda5)},
		{"17x19x23", "all", UINT64_C(0xb7ce3f24da56c4ef)},
		{"39x6x17", "all", UINT64_C(0x3e77e6774648fb26)},
		{"10x10x10x10", "all", UINT64_C(0x1f29d26999ff2839)},
		{"100x99", "x", UINT64_C(0x9734db2f4d347121)},
		{"3x1x7", "all", UINT64_C(0x9425fc05a03d0f27)},
		{"2x3x4x5x6x7", "all", UINT64_C(0x6d82f7c5c3fff195)},
		{"4x4x408", "z", UINT64_C(0x9ddb84039278e845)},
		{"6x6x6", "all", UINT64_C(0x7340eba8a3983ee9)},
		{"5x7x9", "yz", UINT64_C(0x9769e7824d5f11a4)},
		{"24x18x24", "all", UINT64_C(0x4dbd9f993b422a15)},
	};
	int changed = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_geometry_t geometry;
		uint64_t digest;

		if (!random_listed())
			continue;
		assert_int_equal(torus_geometry_parse(table[i].dims, table[i].wrap,
						      &geometry, NULL),
				 0);
		work_of(&geometry, &digest);
		if (digest != table[i].digest) {
			print_message("{\"%s\", \"%s\", UINT64_C(0x%016llx)},\n",
				      table[i].dims, table[i].wrap,
				      (unsigned long long)digest);
			changed++;
		}
	}
	assert_int_equal(changed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(continuous_on_random_boxes),
		cmocka_unit_test(continuous_on_large_boxes),
		cmocka_unit_test(never_worse_than_the_order_of_the_mesh),
		cmocka_unit_test(has_the_lowest_score),
		cmocka_unit_test(cubes_of_powers_of_two_keep_hilberts_own),
		cmocka_unit_test(keeps_the_order_where_wraps_do_not_matter),
		cmocka_unit_test(means_by_definition),
		cmocka_unit_test(looseness_by_definition),
		cmocka_unit_test(looseness_of_a_ring_is_that_of_its_cells),
		cmocka_unit_test(planning_is_bounded),
		cmocka_unit_test(orders_stay_as_they_are),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
