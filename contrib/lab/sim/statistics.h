/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Means of repeated measurements, and how far they may be off. */
#ifndef TORUS_SIM_STATISTICS_H
#define TORUS_SIM_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The number t that a variable of Student's distribution with [degrees] >= 1 degrees of
 * freedom stays within, on both sides of 0, with [probability] (above 0, below 1): 12.706
 * for 1 and 0.95, 1.960 for very many. By bisection of the finite sums of the
 * distribution for whole degrees (Abramowitz and Stegun, "Handbook of Mathematical
 * Functions", 26.7.3 and 26.7.4), to the last digits of a double but for rounding. Time
 * O(degrees).
 */
double torus_student_quantile(uint32_t degrees, double probability);

typedef struct torus_mean {
	double mean;
	/*
	 * The 95% confidence interval is mean +- this, for values that are independent
	 * and normally distributed; NaN for fewer than two values, which say nothing of
	 * how far they spread.
	 */
	double half_width;
} torus_mean_t;

/* The mean of value[0 .. count-1] (NaN for none) and its interval. */
torus_mean_t torus_mean(const double *value, size_t count);

#endif
