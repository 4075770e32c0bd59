/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as digits against printf(). */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/digits.h"
#include "random.h"

static void counts_are_as_printf_writes_them(void **state)
{
	(void)state;
	for (int round = 0; round < 100000; round++) {
		uint64_t number = random_next() >> random_in(0, 63);
		char text[TORUS_DIGITS], expected[32];

		if (!round)
			number = UINT64_MAX;
		*torus_digits(number, text) = '\0';
		snprintf(expected, sizeof(expected), "%" PRIu64, number);
		assert_string_equal(text, expected);
	}
}

static void compare_ratio(double ratio)
{
	char text[TORUS_DIGITS], expected[64];

	*torus_digits_of_ratio(ratio, text) = '\0';
	snprintf(expected, sizeof(expected), "%#.9g", ratio);
	assert_string_equal(text, expected);
}

/* The number and those beside it. */
static void compare_around(double ratio)
{
	compare_ratio(ratio);
	compare_ratio(nextafter(ratio, -DBL_MAX));
	compare_ratio(nextafter(ratio, DBL_MAX));
}

static void ratios_are_as_printf_writes_them(void **state)
{
	static const double special[] = {
		0,	 -0.0,	   -1,	   INFINITY,   -INFINITY, NAN, DBL_MIN,
		DBL_MAX, -DBL_MAX, 1e-310, 99999999.5, 1e8,	  1e-3};

	(void)state;
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		compare_ratio(special[i]);
	for (int exponent = -12; exponent <= 12; exponent++)
		compare_around(pow(10, exponent));
	for (int round = 0; round < 300000; round++) {
		double random = (double)(random_next() >> 11);

		/* Of any size; of few digits; between two that have nine. */
		compare_ratio(ldexp(random, -(int)random_in(20, 80)));
		compare_around((double)random_in(0, 1000000) / random_in(1, 1000));
		compare_around(
			ldexp((double)random_in(0, UINT32_MAX), -(int)random_in(0, 40)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_as_printf_writes_them),
		cmocka_unit_test(ratios_are_as_printf_writes_them),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
