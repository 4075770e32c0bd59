/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers of given distributions: see variates.h. */
#include "sim/synthetic/variates.h"

#include "base/random.h"

double torus_variate_uniform(uint64_t *random)
{
	return (double)(torus_random_next(random) >> 11) * 0x1p-53;
}

double torus_variate_exponential(uint64_t *random)
{
	for (uint32_t whole = 0;; whole++) {
		double first = torus_variate_uniform(random), last = first;
		uint32_t length = 1;

		for (;;) {
			double next = torus_variate_uniform(random);

			if (next >= last)
				break;
			last = next;
			length++;
		}
		if (length % 2)
			return whole + first;
	}
}

double torus_variate_beta(uint64_t *random, int alpha, int beta)
{
	double sorted[16];
	int count = alpha + beta - 1;

	for (int i = 0; i < count; i++) {
		double value = torus_variate_uniform(random);
		int at = i;

		for (; at > 0 && sorted[at - 1] > value; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = value;
	}
	return sorted[alpha - 1];
}

uint32_t torus_variate_log_uniform(uint64_t *random, uint32_t low, uint32_t high)
{
	uint32_t octaves = 1; /* [low, 2 low), [2 low, 4 low) ...: each as likely */

	while ((uint64_t)low << octaves <= high)
		octaves++;
	for (;;) {
		uint32_t start = low << torus_random_below(random, octaves);
		/* Narrower than an octave: nothing is drawn in vain beyond its end. */
		uint32_t width = octaves > 1 ? start : high - low + 1;
		uint64_t value = (uint64_t)start + torus_random_below(random, width);
		double exact = (double)value + torus_variate_uniform(random);

		if (value <= high && torus_variate_uniform(random) * exact < start)
			return (uint32_t)value;
	}
}
