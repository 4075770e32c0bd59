/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Curves: every order is a bijection; row-, column-major, snake and z_order against their
 * definitions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "curve/curve.h"
#include "random.h"

static const torus_curve_t computed[] = {
	TORUS_CURVE_ROW_MAJOR, TORUS_CURVE_COLUMN_MAJOR, TORUS_CURVE_SNAKE,
	TORUS_CURVE_Z_ORDER,   TORUS_CURVE_HILBERT,
};

static uint32_t *order_of(const torus_geometry_t *geometry, torus_curve_t curve)
{
	uint32_t *order = malloc(torus_geometry_cells(geometry) * sizeof(*order));

	assert_non_null(order);
	assert_int_equal(torus_curve_order(geometry, curve, order, NULL), 0);
	return order;
}

static void reads_names(void **state)
{
	static const struct {
		const char *text;
		torus_curve_t curve;
		const char *path;
	} table[] = {
		{"row_major", TORUS_CURVE_ROW_MAJOR, NULL},
		{"Column_Major", TORUS_CURVE_COLUMN_MAJOR, NULL},
		{"snake", TORUS_CURVE_SNAKE, NULL},
		{"Z_ORDER", TORUS_CURVE_Z_ORDER, NULL},
		{"hilbert", TORUS_CURVE_HILBERT, NULL},
		{"gray", TORUS_CURVE_GRAY, NULL},
		{"file:/etc/Order", TORUS_CURVE_FILE, "/etc/Order"},
		{"FILE:order", TORUS_CURVE_FILE, "order"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		const char *path = "untouched";
		torus_curve_t curve;

		assert_int_equal(torus_curve_parse(table[i].text, &curve, &path, &err),
				 0);
		assert_int_equal(curve, table[i].curve);
		if (table[i].path)
			assert_string_equal(path, table[i].path);
		else
			assert_null(path);
		assert_string_equal(err.text, "");
	}
	for (size_t i = 0; i < sizeof(computed) / sizeof(computed[0]); i++) {
		torus_curve_t curve;
		const char *path;

		assert_int_equal(torus_curve_parse(torus_curve_name(computed[i]), &curve,
						   &path, NULL),
				 0);
		assert_int_equal(curve, computed[i]);
	}
}

static void rejects_names(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} table[] = {
		{"", "row_major, column_major, snake, z_order, hilbert, gray or "
		     "file:PATH"},
		{"hilbert ", "'hilbert '"},
		{"hilber", "'hilber'"},
		{"file", "'file'"},
		{"file:", "names no file"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		torus_curve_t curve;
		const char *path;

		assert_int_equal(torus_curve_parse(table[i].text, &curve, &path, &err),
				 -1);
		assert_non_null(strstr(err.text, table[i].says));
	}
}

static void refuses_to_order_a_file(void **state)
{
	torus_geometry_t geometry;
	torus_error_t err = {""};
	uint32_t order[4];

	(void)state;
	assert_int_equal(torus_geometry_parse("2x2", NULL, &geometry, NULL), 0);
	assert_int_equal(torus_curve_order(&geometry, TORUS_CURVE_FILE, order, &err), -1);
	assert_non_null(strstr(err.text, "file"));
}

static void assert_bijection(const torus_geometry_t *geometry, const uint32_t *order)
{
	uint32_t cells = torus_geometry_cells(geometry);
	uint8_t *seen = calloc(cells, 1);

	assert_non_null(seen);
	for (uint32_t rank = 0; rank < cells; rank++) {
		assert_in_range(order[rank], 0, cells - 1);
		assert_false(seen[order[rank]]);
		seen[order[rank]] = 1;
	}
	free(seen);
}

/* Of the Hilbert curve, test_hilbert.c asks more. */
static void every_cell_once(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 3000);

		for (size_t i = 0; i < sizeof(computed) / sizeof(computed[0]); i++) {
			uint32_t *order;

			if (computed[i] == TORUS_CURVE_HILBERT)
				continue;
			order = order_of(&geometry, computed[i]);
			assert_bijection(&geometry, order);
			free(order);
		}
	}
}

static void major_orders_by_definition(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 2000);
		uint32_t *row = order_of(&geometry, TORUS_CURVE_ROW_MAJOR);
		uint32_t *column = order_of(&geometry, TORUS_CURVE_COLUMN_MAJOR);
		uint32_t X = (uint32_t)geometry.length[0],
			 Y = (uint32_t)geometry.length[1];

		for (uint32_t cell = 0; cell < torus_geometry_cells(&geometry); cell++) {
			uint32_t x = cell % X, y = cell / X % Y, above = cell / (X * Y);

			assert_int_equal(row[cell], cell);
			assert_int_equal(column[y + x * Y + above * X * Y], cell);
		}
		free(row);
		free(column);
	}
}

/*
 * The snake's rank of a coordinate: the digit of each dimension is mirrored when the rank
 * of the slower dimensions' digits is odd.
 */
static uint32_t slow_snake_rank(const torus_geometry_t *geometry, const int32_t *coord)
{
	uint32_t rank = 0;
	uint32_t used = 0;

	for (int turn = 0; turn < geometry->dims; turn++) {
		int slowest = -1;

		for (int axis = 0; axis < geometry->dims; axis++) {
			if (used >> axis & 1)
				continue;
			if (slowest < 0 ||
			    geometry->length[axis] >= geometry->length[slowest])
				slowest = axis;
		}
		used |= 1u << slowest;
		rank = rank * (uint32_t)geometry->length[slowest] +
		       (uint32_t)(rank % 2
					  ? geometry->length[slowest] - 1 - coord[slowest]
					  : coord[slowest]);
	}
	return rank;
}

static void snake_by_definition(void **state)
{
	(void)state;
	for (int round = 0; round < 1000; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 3000);
		uint32_t *order = order_of(&geometry, TORUS_CURVE_SNAKE);

		for (uint32_t rank = 0; rank < torus_geometry_cells(&geometry); rank++) {
			int32_t coord[TORUS_MAX_DIMS];

			torus_cell_to_coord(&geometry, order[rank], coord);
			assert_int_equal(slow_snake_rank(&geometry, coord), rank);
			if (rank)
				assert_int_equal(torus_hops_cells(&geometry,
								  order[rank - 1],
								  order[rank]),
						 1);
		}
		free(order);
	}
}

/* Whether Morton puts [a] before [b]: the bits compared from the highest down, last axis
 * first. */
static int morton_before(const torus_geometry_t *geometry, uint32_t a, uint32_t b)
{
	int32_t left[TORUS_MAX_DIMS], right[TORUS_MAX_DIMS];

	torus_cell_to_coord(geometry, a, left);
	torus_cell_to_coord(geometry, b, right);
	for (int bit = 28; bit >= 0; bit--) {
		for (int axis = geometry->dims - 1; axis >= 0; axis--) {
			int difference =
				(left[axis] >> bit & 1) - (right[axis] >> bit & 1);

			if (difference)
				return difference < 0;
		}
	}
	return 0;
}

/* An order that is a bijection and ascends in the Morton key at every step is the sorted
 * one. */
static void assert_morton(const torus_geometry_t *geometry)
{
	uint32_t *order = order_of(geometry, TORUS_CURVE_Z_ORDER);

	assert_bijection(geometry, order);
	for (uint32_t rank = 1; rank < torus_geometry_cells(geometry); rank++)
		assert_true(morton_before(geometry, order[rank - 1], order[rank]));
	free(order);
}

static void z_order_sorts_morton_keys(void **state)
{
	(void)state;
	for (int round = 0; round < 1000; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 2000);

		assert_morton(&geometry);
	}
}

static void z_order_of_thin_boxes(void **state)
{
	static const char *const boxes[] = {
		"1x1x1000000", "1000000", "1x2x300001x1x1x1", "3x70001", "1x1x1x1x1x1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		torus_geometry_t geometry;

		assert_int_equal(torus_geometry_parse(boxes[i], NULL, &geometry, NULL),
				 0);
		assert_morton(&geometry);
	}
}

/* "Processor Allocation in an N-Cube Multiprocessor Using Gray Codes" (Chen, Shin): from
 * one node to the next one bit changes, and it begins with 0. */
static void gray_code_of_hypercubes(void **state)
{
	static const uint32_t cube[8] = {0, 1, 3, 2, 6, 7, 5, 4};
	torus_geometry_t geometry = {.dims = 3, .length = {2, 3, 2, 1, 1, 1}};
	torus_error_t err = {""};

	(void)state;
	for (int dims = 1; dims <= TORUS_MAX_DIMS; dims++) {
		torus_geometry_t hypercube = {.dims = dims, .length = {1, 1, 1, 1, 1, 1}};
		uint32_t *order, *snake;

		for (int axis = 0; axis < dims; axis++)
			hypercube.length[axis] = 2;
		order = order_of(&hypercube, TORUS_CURVE_GRAY);
		snake = order_of(&hypercube, TORUS_CURVE_SNAKE);
		assert_bijection(&hypercube, order);
		for (uint32_t i = 1; i < 1u << dims; i++)
			assert_int_equal(__builtin_popcount(order[i - 1] ^ order[i]), 1);
		assert_memory_equal(order, snake, sizeof(*order) << dims);
		if (dims == 3)
			assert_memory_equal(order, cube, sizeof(cube));
		free(order);
		free(snake);
	}
	/* With more than two values a digit it is the boustrophedon, too. */
	for (int32_t base = 3; base <= 8; base++) {
		torus_geometry_t other = {.dims = 3,
					  .length = {base, base, base, 1, 1, 1}};
		uint32_t *order = order_of(&other, TORUS_CURVE_GRAY);
		uint32_t *snake = order_of(&other, TORUS_CURVE_SNAKE);

		assert_memory_equal(order, snake, sizeof(*order) * base * base * base);
		free(order);
		free(snake);
	}
	assert_int_equal(torus_curve_order(&geometry, TORUS_CURVE_GRAY, NULL, &err), -1);
	assert_non_null(strstr(err.text, "2x3x2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_names),
		cmocka_unit_test(rejects_names),
		cmocka_unit_test(refuses_to_order_a_file),
		cmocka_unit_test(every_cell_once),
		cmocka_unit_test(gray_code_of_hypercubes),
		cmocka_unit_test(major_orders_by_definition),
		cmocka_unit_test(snake_by_definition),
		cmocka_unit_test(z_order_sorts_morton_keys),
		cmocka_unit_test(z_order_of_thin_boxes),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
