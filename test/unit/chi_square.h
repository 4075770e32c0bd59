/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether counts, or numbers, are as a distribution has them. */
#ifndef TORUS_TEST_CHI_SQUARE_H
#define TORUS_TEST_CHI_SQUARE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Pearson's test of counted[0 .. cells-1] against expected[]: whether the sum is below
 * what one of a thousand fair samples goes over (Wilson and Hilferty's approximation).
 */
static inline bool chi_square_fits(const uint32_t *counted, const double *expected,
				   size_t cells)
{
	double sum = 0, degrees = (double)cells - 1, limit;

	for (size_t i = 0; i < cells; i++)
		sum += (counted[i] - expected[i]) * (counted[i] - expected[i]) /
		       expected[i];
	limit = 1 - 2 / (9 * degrees) + 3.09 * sqrt(2 / (9 * degrees));
	limit *= degrees * limit * limit;
	printf("# chi-square %.1f, limit %.1f\n", sum, limit);
	return sum < limit;
}

static inline int compare_doubles(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return first < second ? -1 : first > second;
}

/*
 * Kolmogorov and Smirnov's test of value[0 .. count-1], which is sorted, against the
 * cumulative distribution: whether they are as near as all but one of a thousand fair
 * samples are.
 */
static inline bool kolmogorov_fits(double *value, size_t count,
				   double (*distribution)(double, const void *),
				   const void *context)
{
	double farthest = 0;

	qsort(value, count, sizeof(*value), compare_doubles);
	for (size_t i = 0; i < count; i++) {
		double is = distribution(value[i], context);
		double below = fabs(is - (double)i / (double)count);
		double above = fabs(is - (double)(i + 1) / (double)count);

		farthest = fmax(farthest, fmax(below, above));
	}
	printf("# Kolmogorov-Smirnov %.5f, limit %.5f\n", farthest,
	       1.949 / sqrt((double)count));
	return farthest < 1.949 / sqrt((double)count);
}

#endif
