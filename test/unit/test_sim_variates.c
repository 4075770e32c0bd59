/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers of given distributions, at a fixed seed, against these distributions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "chi_square.h"
#include "sim/synthetic/variates.h"

enum { SAMPLES = 200000 };

static double uniform(double x, const void *context)
{
	(void)context;
	return x;
}

static double exponential(double x, const void *context)
{
	(void)context;
	return 1 - exp(-x);
}

/* alpha and beta: whole numbers, so this is a sum of binomials. */
static double beta_distribution(double x, const void *context)
{
	const int *alpha_beta = context;
	int count = alpha_beta[0] + alpha_beta[1] - 1;
	double sum = 0;

	for (int k = alpha_beta[0]; k <= count; k++)
		sum += exp(lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1)) *
		       pow(x, k) * pow(1 - x, count - k);
	return sum;
}

static void uniform_numbers_are_uniform(void **state)
{
	static double value[SAMPLES];
	uint64_t random = 1;

	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		value[i] = torus_variate_uniform(&random);
		assert_true(value[i] >= 0 && value[i] < 1);
	}
	assert_true(kolmogorov_fits(value, SAMPLES, uniform, NULL));
}

/* von Neumann, "Various techniques used in connection with random digits" */
static void exponential_numbers_are_exponential(void **state)
{
	static double value[SAMPLES];
	uint64_t random = 2;
	double sum = 0;

	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		value[i] = torus_variate_exponential(&random);
		assert_true(value[i] >= 0);
		sum += value[i];
	}
	assert_true(fabs(sum / SAMPLES - 1) < 0.01);
	assert_true(kolmogorov_fits(value, SAMPLES, exponential, NULL));
	/* The test would notice another distribution as near as this. */
	for (size_t i = 0; i < SAMPLES; i++)
		value[i] *= 1.02;
	assert_false(kolmogorov_fits(value, SAMPLES, exponential, NULL));
}

static void beta_numbers_are_beta_distributed(void **state)
{
	static const int table[][2] = {{1, 1}, {2, 6}, {4, 4}, {6, 2}, {1, 15}, {15, 1}};
	static double value[SAMPLES];
	uint64_t random = 3;

	(void)state;
	for (size_t row = 0; row < sizeof(table) / sizeof(table[0]); row++) {
		for (size_t i = 0; i < SAMPLES; i++) {
			value[i] =
				torus_variate_beta(&random, table[row][0], table[row][1]);
			assert_true(value[i] >= 0 && value[i] < 1);
		}
		assert_true(
			kolmogorov_fits(value, SAMPLES, beta_distribution, table[row]));
	}
}

static void logarithms_are_uniform(void **state)
{
	static const uint32_t table[][2] = {{1, 2},	  {1, 128}, {1, 100}, {3, 5},
					    {1000, 1003}, {20, 79}, {16, 31}, {7, 200}};
	uint64_t random = 4;

	(void)state;
	for (size_t row = 0; row < sizeof(table) / sizeof(table[0]); row++) {
		uint32_t low = table[row][0], high = table[row][1];
		uint32_t counted[200] = {0};
		double expected[200];

		for (size_t i = 0; i < SAMPLES; i++) {
			uint32_t n = torus_variate_log_uniform(&random, low, high);

			assert_true(n >= low && n <= high);
			counted[n - low]++;
		}
		for (uint32_t n = low; n <= high; n++)
			expected[n - low] =
				SAMPLES * log((n + 1.) / n) / log((high + 1.) / low);
		assert_true(chi_square_fits(counted, expected, high - low + 1));
	}
}

static void logarithms_have_their_limits(void **state)
{
	uint64_t random = 5;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(torus_variate_log_uniform(&random, 1, 1), 1);
		assert_int_equal(
			torus_variate_log_uniform(&random, UINT32_MAX, UINT32_MAX),
			UINT32_MAX);
		assert_in_range(torus_variate_log_uniform(&random, 1, UINT32_MAX), 1,
				UINT32_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uniform_numbers_are_uniform),
		cmocka_unit_test(exponential_numbers_are_exponential),
		cmocka_unit_test(beta_numbers_are_beta_distributed),
		cmocka_unit_test(logarithms_are_uniform),
		cmocka_unit_test(logarithms_have_their_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
