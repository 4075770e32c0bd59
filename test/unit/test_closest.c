/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exact optimum that strategies are measured by (test/closest.h): against trying all
 * sets; on a line, where the closest n of the free nodes are next to each other among
 * these, against all windows; and against boxes whose sums are known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../closest.h"
#include "random.h"

/* Hops between two cells, coordinate by coordinate. */
static uint32_t slow_hops(const torus_geometry_t *geometry, uint32_t a, uint32_t b)
{
	uint32_t hops = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t up = (b % length + length - a % length) % length;
		uint32_t down = (length - up) % length;

		if (geometry->wrap[axis])
			hops += up < down ? up : down;
		else
			hops += a % length < b % length ? up : down;
		a /= length;
		b /= length;
	}
	return hops;
}

static uint32_t sum_of(const torus_geometry_t *geometry, const uint32_t *cells,
		       uint32_t count, uint64_t set)
{
	uint32_t sum = 0;

	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if ((set >> a & 1) && (set >> b & 1))
				sum += slow_hops(geometry, cells[a], cells[b]);
		}
	}
	return sum;
}

/* The optimum is [expected], and the set is one that has it. */
static void check(const torus_geometry_t *geometry, const uint32_t *cells, uint32_t count,
		  uint32_t n, uint32_t expected)
{
	uint64_t chosen = 0;

	assert_int_equal(closest_nodes(geometry, cells, count, n, &chosen), expected);
	assert_int_equal(closest_nodes(geometry, cells, count, n, NULL), expected);
	assert_int_equal(__builtin_popcountll(chosen), n);
	assert_true(count == CLOSEST_NODES || chosen >> count == 0);
	assert_int_equal(sum_of(geometry, cells, count, chosen), expected);
}

static void no_other_set_is_closer(void **state)
{
	(void)state;
	for (int round = 0; round < 1500; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 40);
		uint32_t cells[14], most = torus_geometry_cells(&geometry);
		uint32_t count = random_in(1, 14), n = random_in(1, count);
		uint32_t least = UINT32_MAX;

		/* Now and then two on a router. */
		for (uint32_t i = 0; i < count; i++)
			cells[i] = random_in(0, most - 1);
		for (uint64_t set = 0; set < UINT64_C(1) << count; set++) {
			uint32_t sum;

			if (__builtin_popcountll(set) != (int)n)
				continue;
			sum = sum_of(&geometry, cells, count, set);
			least = sum < least ? sum : least;
		}
		check(&geometry, cells, count, n, least);
	}
}

static void on_a_line_it_is_a_window(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = {.dims = 1, .length = {64, 1, 1, 1, 1, 1}};
		uint32_t cells[64], count = 0, busy = random_in(0, 9), n;
		uint32_t least = UINT32_MAX;

		for (uint32_t cell = 0; cell < 64; cell++) {
			if (random_in(0, 9) >= busy)
				cells[count++] = cell;
		}
		if (!count)
			continue;
		n = random_in(1, count < 16 ? count : 16);
		for (uint32_t first = 0; first + n <= count; first++) {
			uint32_t sum = sum_of(&geometry, cells + first, n, ~UINT64_C(0));

			least = sum < least ? sum : least;
		}
		check(&geometry, cells, count, n, least);
	}
}

/* Of an empty machine; sums by hand from the sides: each pair counts its differences. */
static void known_shapes(void **state)
{
	static const struct {
		const char *dims, *wrap;
		uint32_t nodes, sum;
	} table[] = {
		{"9", "none", 4, 10},	  /* 3*1 + 2*2 + 1*3 */
		{"4", "all", 4, 8},	  /* the ring: 4*1 + 2*2 */
		{"6", "all", 6, 27},	  /* 6*1 + 6*2 + 3*3 */
		{"8x8", "none", 4, 8},	  /* a square */
		{"8x8", "none", 5, 16},	  /* a square and one beside it, or a cross */
		{"8x8", "all", 9, 72},	  /* 3x3 */
		{"4x4x4", "none", 8, 48}, /* a cube */
		{"4x4x4", "all", 8, 48},
		{"4x4x4", "none", 64, 7680}, /* all: 3 * 64 * 16 * 10 / 4 */
		{"4x4x4", "all", 64, 6144},  /* 3 * 64 * 64 / 2 * 1 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_geometry_t geometry;
		uint32_t cells[CLOSEST_NODES], count;
		torus_error_t err;

		assert_int_equal(torus_geometry_parse(table[i].dims, table[i].wrap,
						      &geometry, &err),
				 0);
		count = torus_geometry_cells(&geometry);
		for (uint32_t cell = 0; cell < count; cell++)
			cells[cell] = cell;
		check(&geometry, cells, count, table[i].nodes, table[i].sum);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_other_set_is_closer),
		cmocka_unit_test(on_a_line_it_is_a_window),
		cmocka_unit_test(known_shapes),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
