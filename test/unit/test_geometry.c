/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Geometry: texts accepted and rejected, cells and coordinates, Lee distance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "geometry/geometry.h"
#include "random.h"

static void accepts_dims(void **state)
{
	static const struct {
		const char *text;
		int dims;
		int32_t length[TORUS_MAX_DIMS];
	} table[] = {
		{"8", 1, {8, 1, 1, 1, 1, 1}},
		{"8x8x5", 3, {8, 8, 5, 1, 1, 1}},
		{"16X12x24", 3, {16, 12, 24, 1, 1, 1}},
		{"1x2x3x4x5x6", 6, {1, 2, 3, 4, 5, 6}},
		{"268435456", 1, {268435456, 1, 1, 1, 1, 1}},
		{"008x08", 2, {8, 8, 1, 1, 1, 1}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		int32_t length[TORUS_MAX_DIMS];
		int dims;

		assert_int_equal(torus_lengths_parse(table[i].text, &dims, length, &err),
				 0);
		assert_int_equal(dims, table[i].dims);
		assert_memory_equal(length, table[i].length, sizeof(length));
		assert_string_equal(err.text, "");
	}
}

static void rejects_dims(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} table[] = {
		{"", "not of the form"},
		{"x", "not of the form"},
		{"8x", "not of the form"},
		{"8xx8", "not of the form"},
		{"-8", "not of the form"},
		{"8 x 8", "not of the form"},
		{"8*8", "not of the form"},
		{"8x0x5", "length 0"},
		{"1x1x1x1x1x1x1", "more than 6"},
		{"268435457", "larger than"},
		{"99999999999999999999999999", "larger than"},
		{"20000x20000", "larger than"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		int32_t length[TORUS_MAX_DIMS];
		int dims;

		assert_int_equal(torus_lengths_parse(table[i].text, &dims, length, &err),
				 -1);
		assert_non_null(strstr(err.text, table[i].says));
	}
}

static void reads_wrap(void **state)
{
	static const struct {
		const char *text;
		const char *wrapped; /* 3 digits, or what the error says */
	} table[] = {
		{"all", "111"},	   {"NONE", "000"},	  {"xyz", "111"},
		{"zx", "101"},	   {"Y", "010"},	  {"1,0,1", "101"},
		{"0,0,0", "000"},  {"", "empty"},	  {"w", "not one of"},
		{"xx", "twice"},   {"1,0", "one 0 or 1"}, {"1,0,1,0", "one 0 or 1"},
		{"1,2,1", "form"}, {"101", "one 0 or 1"}, {"x,y", "not one of"},
		{"1 0 1", "form"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		bool wrap[TORUS_MAX_DIMS];
		int result = torus_wrap_parse(table[i].text, 3, wrap, &err);

		if (table[i].wrapped[0] > '1') {
			assert_int_equal(result, -1);
			assert_non_null(strstr(err.text, table[i].wrapped));
			continue;
		}
		assert_int_equal(result, 0);
		for (int axis = 0; axis < 3; axis++)
			assert_int_equal(wrap[axis], table[i].wrapped[axis] == '1');
		assert_false(wrap[3] || wrap[4] || wrap[5]);
	}
}

static void cells_and_coordinates_are_inverse(void **state)
{
	(void)state;
	for (int round = 0; round < 2000; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 3000);
		uint32_t cells = torus_geometry_cells(&geometry);
		uint32_t cell = random_in(0, cells - 1);
		int32_t coord[TORUS_MAX_DIMS];
		uint32_t weight = 1, sum = 0;

		torus_cell_to_coord(&geometry, cell, coord);
		assert_int_equal(torus_coord_to_cell(&geometry, coord), cell);
		for (int axis = 0; axis < geometry.dims; axis++) {
			assert_in_range(coord[axis], 0, geometry.length[axis] - 1);
			sum += (uint32_t)coord[axis] * weight;
			weight *= (uint32_t)geometry.length[axis];
		}
		assert_int_equal(sum, cell); /* x fastest */
	}
}

/* Oracle: walk the ring both ways, step by step. */
static uint32_t slow_hops(const torus_geometry_t *geometry, const int32_t *a,
			  const int32_t *b)
{
	uint32_t hops = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis], up = 0, down = 0;

		if (!geometry->wrap[axis]) {
			hops += (uint32_t)(a[axis] < b[axis] ? b[axis] - a[axis]
							     : a[axis] - b[axis]);
			continue;
		}
		while ((a[axis] + up) % length != b[axis])
			up++;
		while ((b[axis] + down) % length != a[axis])
			down++;
		hops += (uint32_t)(up < down ? up : down);
	}
	return hops;
}

static void hops_are_lee_distance(void **state)
{
	(void)state;
	for (int round = 0; round < 5000; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 3000);
		uint32_t cells = torus_geometry_cells(&geometry);
		uint32_t a = random_in(0, cells - 1), b = random_in(0, cells - 1);
		int32_t from[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS];

		torus_cell_to_coord(&geometry, a, from);
		torus_cell_to_coord(&geometry, b, to);
		assert_int_equal(torus_hops(&geometry, from, to),
				 slow_hops(&geometry, from, to));
		assert_int_equal(torus_hops_cells(&geometry, a, b),
				 torus_hops_cells(&geometry, b, a));
	}
}

static void formats_lengths(void **state)
{
	char text[TORUS_DIMS_TEXT];
	torus_geometry_t geometry;

	(void)state;
	assert_int_equal(torus_geometry_parse("8x8x5", "xz", &geometry, NULL), 0);
	assert_string_equal(torus_lengths_format(geometry.dims, geometry.length, text),
			    "8x8x5");
	assert_true(torus_geometry_wraps(&geometry));
	assert_int_equal(torus_geometry_parse("8x8x5", NULL, &geometry, NULL), 0);
	assert_false(torus_geometry_wraps(&geometry));
}

static void formats_wrap(void **state)
{
	static const struct {
		const char *dims, *wrap, *text;
	} table[] = {
		{"4", NULL, "none"},
		{"4", "x", "x"},
		{"8x8x5", "zx", "xz"},
		{"8x8x5", "none", "none"},
		{"1x2x3x4x5x6", "0,1,0,0,0,1", "yw"},
		{"1x2x3x4x5x6", "all", "xyzuvw"},
	};
	char text[TORUS_WRAP_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_geometry_t geometry;

		assert_int_equal(torus_geometry_parse(table[i].dims, table[i].wrap,
						      &geometry, NULL),
				 0);
		assert_string_equal(torus_wrap_format(&geometry, text), table[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_dims),
		cmocka_unit_test(rejects_dims),
		cmocka_unit_test(reads_wrap),
		cmocka_unit_test(cells_and_coordinates_are_inverse),
		cmocka_unit_test(hops_are_lee_distance),
		cmocka_unit_test(formats_lengths),
		cmocka_unit_test(formats_wrap),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
