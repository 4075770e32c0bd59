/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scores of a curve against their definitions, pair by pair. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "curve/curve.h"
#include "measures/score.h"
#include "random.h"

/* Oracle: every pair of every window. */
static uint64_t slow_pair_sum(const torus_geometry_t *geometry, const uint32_t *cells,
			      uint32_t count, uint32_t length)
{
	uint64_t sum = 0;

	for (uint32_t first = 0; first + length <= count; first++) {
		for (uint32_t a = first; a < first + length; a++) {
			for (uint32_t b = a + 1; b < first + length; b++)
				sum += torus_hops_cells(geometry, cells[a], cells[b]);
		}
	}
	return sum;
}

static void assert_score(const torus_geometry_t *geometry, const uint32_t *cells,
			 uint32_t count)
{
	torus_curve_score_t score;
	uint32_t long_steps = 0, longest = 0, length = 2;

	assert_int_equal(
		torus_curve_score(geometry, cells, count, NULL, NULL, &score, NULL), 0);
	for (uint32_t rank = 1; rank < count; rank++) {
		uint32_t hops = torus_hops_cells(geometry, cells[rank - 1], cells[rank]);

		long_steps += hops > 1;
		longest = hops > longest ? hops : longest;
	}
	assert_int_equal(score.long_steps, long_steps);
	assert_int_equal(score.longest_step, longest);
	assert_int_equal(score.closing_step,
			 torus_hops_cells(geometry, cells[count - 1], cells[0]));
	for (int i = 0; i < score.windows; i++, length *= 2) {
		double windows = count - length + 1;
		double sum = (double)slow_pair_sum(geometry, cells, count, length);
		double average = sum / windows / (length * (length - 1.0) / 2);
		double apd = sum * 2 / (windows * length * (length + 1.0));

		assert_int_equal(score.window[i].length, length);
		assert_true(fabs(score.window[i].average_distance - average) < 1e-9);
		assert_true(fabs(score.window[i].apd - apd) < 1e-9);
	}
	assert_true(length > count); /* no window length is missing */
}

/* Windows of a few lengths, in any order. */
static void assert_windows(const torus_geometry_t *geometry, const uint32_t *cells,
			   uint32_t count)
{
	torus_curve_window_t window[5];

	for (int i = 0; i < 5; i++)
		window[i].length = random_in(2, count);
	assert_int_equal(
		torus_curve_windows(geometry, cells, count, NULL, NULL, window, 5, NULL),
		0);
	for (int i = 0; i < 5; i++) {
		uint32_t length = window[i].length;
		double windows = count - length + 1;
		double sum = (double)slow_pair_sum(geometry, cells, count, length);

		assert_true(fabs(window[i].average_distance -
				 sum / windows / (length * (length - 1.0) / 2)) < 1e-9);
		assert_true(fabs(window[i].apd -
				 sum * 2 / (windows * length * (length + 1.0))) < 1e-9);
	}
}

static void scores_curves(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(500); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 90);
		torus_curve_t curve = (torus_curve_t)random_in(0, TORUS_CURVE_HILBERT);
		uint32_t cells = torus_geometry_cells(&geometry), order[90];

		assert_int_equal(torus_curve_order(&geometry, curve, order, NULL), 0);
		assert_score(&geometry, order, cells);
		if (cells > 1)
			assert_windows(&geometry, order, cells);
	}
}

/* Site orders jump at will, leave cells out and have several nodes on a router. */
static void scores_any_order(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(500); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 3000);
		uint32_t cells = torus_geometry_cells(&geometry);
		uint32_t count = random_in(1, 90), order[90];

		for (uint32_t rank = 0; rank < count; rank++)
			order[rank] = rank && random_in(0, 1) ? order[rank - 1]
							      : random_in(0, cells - 1);
		assert_score(&geometry, order, count);
		if (count > 1)
			assert_windows(&geometry, order, count);
	}
}

static void scores_known_orders(void **state)
{
	static const uint32_t square[] = {0, 1, 3, 2};
	static const uint32_t jumpy[] = {0, 3, 1, 2};
	torus_geometry_t geometry;
	torus_curve_score_t score;

	(void)state;
	assert_int_equal(torus_geometry_parse("2x2", NULL, &geometry, NULL), 0);
	assert_int_equal(
		torus_curve_score(&geometry, square, 4, NULL, NULL, &score, NULL), 0);
	assert_int_equal(score.long_steps, 0);
	assert_int_equal(score.longest_step, 1);
	assert_int_equal(score.closing_step, 1);
	assert_int_equal(score.windows, 2);
	assert_true(fabs(score.window[0].average_distance - 1) < 1e-12);
	assert_true(fabs(score.window[0].apd - 1 / 3.0) < 1e-12);
	assert_true(fabs(score.window[1].average_distance - 8 / 6.0) < 1e-12);
	assert_true(fabs(score.window[1].apd - 8 / 10.0) < 1e-12);
	assert_int_equal(torus_curve_score(&geometry, jumpy, 4, NULL, NULL, &score, NULL),
			 0);
	assert_int_equal(score.long_steps, 2);
	assert_int_equal(score.longest_step, 2);
	assert_true(fabs(score.window[0].average_distance - 5 / 3.0) < 1e-12);
	assert_int_equal(
		torus_curve_score(&geometry, square, 1, NULL, NULL, &score, NULL), 0);
	assert_int_equal(score.windows, 0);
	assert_int_equal(score.longest_step, 0);
	assert_int_equal(score.closing_step, 0);
}

typedef struct progress {
	uint64_t calls, done, total;
} progress_t;

static void note_progress(uint64_t done, uint64_t total, void *argument)
{
	progress_t *progress = argument;

	assert_true(done > progress->done && done <= total);
	if (progress->calls++)
		assert_int_equal(total, progress->total);
	progress->done = done;
	progress->total = total;
}

/* It only grows, ends at the total, and on large machines grows in small steps. */
static void tells_progress(void **state)
{
	static const struct {
		const char *dims;
		uint64_t least_calls;
	} table[] = {{"1", 0}, {"2", 1}, {"3x5", 3}, {"1024x64", 16}, {"1000x999", 256}};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		progress_t progress = {0};
		torus_geometry_t geometry;
		torus_curve_score_t with, without;
		uint32_t cells, *order;

		assert_int_equal(
			torus_geometry_parse(table[i].dims, NULL, &geometry, NULL), 0);
		cells = torus_geometry_cells(&geometry);
		order = malloc(cells * sizeof(*order));
		assert_non_null(order);
		assert_int_equal(
			torus_curve_order(&geometry, TORUS_CURVE_SNAKE, order, NULL), 0);
		assert_int_equal(torus_curve_score(&geometry, order, cells, note_progress,
						   &progress, &with, NULL),
				 0);
		assert_true(progress.calls >= table[i].least_calls);
		assert_int_equal(progress.done, progress.total);
		assert_int_equal(torus_curve_score(&geometry, order, cells, NULL, NULL,
						   &without, NULL),
				 0);
		assert_int_equal(with.windows, without.windows);
		for (int w = 0; w < with.windows; w++)
			assert_true(with.window[w].apd == without.window[w].apd);
		free(order);
	}
}

/* Closed forms on a line and on a ring, at sizes where sums pass 2^32. */
static void scores_a_long_line_and_ring(void **state)
{
	const uint32_t length = UINT32_C(1) << 17;
	uint32_t *order = malloc(length * sizeof(*order));
	torus_geometry_t geometry;
	torus_curve_score_t score;

	(void)state;
	assert_non_null(order);
	assert_int_equal(torus_geometry_parse("131072", NULL, &geometry, NULL), 0);
	assert_int_equal(torus_curve_order(&geometry, TORUS_CURVE_ROW_MAJOR, order, NULL),
			 0);
	assert_int_equal(
		torus_curve_score(&geometry, order, length, NULL, NULL, &score, NULL), 0);
	assert_int_equal(score.windows, 17);
	for (int i = 0; i < score.windows; i++)
		assert_true(fabs(score.window[i].average_distance /
					 ((score.window[i].length + 1) / 3.0) -
				 1) < 1e-12);
	geometry.wrap[0] = true;
	assert_int_equal(
		torus_curve_score(&geometry, order, length, NULL, NULL, &score, NULL), 0);
	/* From any node: one at length/2 and two at each distance below. */
	assert_true(fabs(score.window[16].average_distance /
				 ((double)length * length / 4 / (length - 1)) -
			 1) < 1e-12);
	free(order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scores_curves),
		cmocka_unit_test(scores_any_order),
		cmocka_unit_test(scores_known_orders),
		cmocka_unit_test(tells_progress),
		cmocka_unit_test(scores_a_long_line_and_ring),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
