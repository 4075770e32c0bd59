/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Student's quantiles against published tables, and intervals worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/random.h"
#include "sim/statistics.h"

/* Two-sided: the usual tables, to their last digit. */
static void quantiles_are_those_of_the_tables(void **state)
{
	static const struct {
		uint32_t degrees;
		double probability, quantile;
	} table[] = {
		{1, 0.95, 12.706}, {2, 0.95, 4.303},   {3, 0.95, 3.182},
		{4, 0.95, 2.776},  {5, 0.95, 2.571},   {6, 0.95, 2.447},
		{7, 0.95, 2.365},  {8, 0.95, 2.306},   {9, 0.95, 2.262},
		{10, 0.95, 2.228}, {11, 0.95, 2.201},  {12, 0.95, 2.179},
		{15, 0.95, 2.131}, {20, 0.95, 2.086},  {24, 0.95, 2.064},
		{29, 0.95, 2.045}, {30, 0.95, 2.042},  {40, 0.95, 2.021},
		{60, 0.95, 2.000}, {120, 0.95, 1.980}, {1000000, 0.95, 1.960},
		{1, 0.5, 1.000},   {2, 0.5, 0.816},    {5, 0.9, 2.015},
		{10, 0.99, 3.169}, {30, 0.99, 2.750},  {1, 0.99, 63.657},
		{5, 0.999, 6.869}, {120, 0.99, 2.617}, {3, 0.998, 10.215},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		double quantile =
			torus_student_quantile(table[i].degrees, table[i].probability);

		if (!(fabs(quantile - table[i].quantile) < 0.00051))
			fail_msg("%u degrees, %g: %.6f is not %.3f", table[i].degrees,
				 table[i].probability, quantile, table[i].quantile);
	}
}

/* Where the distribution has a closed form: tan, and t / sqrt(2 + t^2). */
static void quantiles_are_exact_where_there_is_a_formula(void **state)
{
	(void)state;
	for (double p = 0.01; p < 1; p += 0.01) {
		double one = tan(p * M_PI / 2), two = p * sqrt(2 / (1 - p * p));

		assert_true(fabs(torus_student_quantile(1, p) / one - 1) < 1e-12);
		assert_true(fabs(torus_student_quantile(2, p) / two - 1) < 1e-12);
	}
}

static void means_and_intervals(void **state)
{
	static const double values[] = {3, 5, 4};
	torus_mean_t mean = torus_mean(values, 3);

	(void)state;
	/* Variance 1, standard error 1/sqrt(3), times t(2). */
	assert_true(mean.mean == 4);
	assert_true(fabs(mean.half_width - 4.302652729749464 / sqrt(3)) < 1e-12);
	mean = torus_mean(values, 2);
	assert_true(mean.mean == 4);
	assert_true(fabs(mean.half_width - 12.706204736174704) < 1e-12);
	mean = torus_mean(values, 1);
	assert_true(mean.mean == 3 && isnan(mean.half_width));
	mean = torus_mean(values, 0);
	assert_true(isnan(mean.mean) && isnan(mean.half_width));
	mean = torus_mean((const double[]){7, 7, 7, 7}, 4);
	assert_true(mean.mean == 7 && mean.half_width == 0);
}

/* What a 95% interval promises: of many samples, 95% hold the true mean. */
static void intervals_hold_the_mean_as_often_as_they_say(void **state)
{
	enum { TRIALS = 20000, SIZE = 5 };
	uint64_t random = 1;
	int held = 0;

	(void)state;
	for (int trial = 0; trial < TRIALS; trial++) {
		double values[SIZE];
		torus_mean_t mean;

		for (int i = 0; i < SIZE; i++) {
			/* Twelve uniform numbers are as good as normal here. */
			values[i] = -6;
			for (int k = 0; k < 12; k++)
				values[i] += (double)(torus_random_next(&random) >> 11) *
					     0x1p-53;
		}
		mean = torus_mean(values, SIZE);
		held += fabs(mean.mean) <= mean.half_width;
	}
	/* Four standard deviations of a count. */
	assert_in_range(held, 0.95 * TRIALS - 124, 0.95 * TRIALS + 124);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_those_of_the_tables),
		cmocka_unit_test(quantiles_are_exact_where_there_is_a_formula),
		cmocka_unit_test(means_and_intervals),
		cmocka_unit_test(intervals_hold_the_mean_as_often_as_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
