/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Means of repeated measurements: see statistics.h. */
#include "sim/statistics.h"

#include <math.h>

static const double half_pi = 1.57079632679489661923;

/*
 * The probability to lie within -t .. t, where t = sqrt(degrees) * tan(angle). The terms
 * are cos^k times 2/3 * 4/5 ... (odd degrees) or 1/2 * 3/4 ... (even ones).
 */
static double probability_within(uint32_t degrees, double angle)
{
	double square = cos(angle) * cos(angle);
	double term = degrees % 2 ? cos(angle) : 1, sum = 0;

	for (uint32_t k = degrees % 2 ? 3 : 2; k <= degrees; k += 2) {
		sum += term;
		term *= square * (k - 1) / k;
	}
	sum *= sin(angle);
	return degrees % 2 ? (angle + sum) / half_pi : sum;
}

double torus_student_quantile(uint32_t degrees, double probability)
{
	double low = 0, high = half_pi;

	for (;;) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			return sqrt(degrees) * tan(low);
		if (probability_within(degrees, middle) < probability)
			low = middle;
		else
			high = middle;
	}
}

torus_mean_t torus_mean(const double *value, size_t count)
{
	torus_mean_t result = {.mean = NAN, .half_width = NAN};
	double sum = 0, squares = 0;

	if (!count)
		return result;
	for (size_t i = 0; i < count; i++)
		sum += value[i];
	result.mean = sum / (double)count;
	if (count < 2)
		return result;
	for (size_t i = 0; i < count; i++)
		squares += (value[i] - result.mean) * (value[i] - result.mean);
	result.half_width = torus_student_quantile((uint32_t)(count - 1), 0.95) *
			    sqrt(squares / (double)(count - 1) / (double)count);
	return result;
}
