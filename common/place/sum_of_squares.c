/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sum_of_squares: the interval after which the sum over sizes s of N(s)^2 is smallest,
 * N(s) being the number of free intervals of size s; ties: the first. Leung et al.,
 * "Processor Allocation on Cplant" (2002), after the bin packing of Csirik et al.
 */
#include "place/strategy.h"

/*
 * Taking n from an interval of size s makes N(s) one less and, unless nothing is left,
 * N(s - n) one more. The sum of the squares changes by the difference of these.
 */
bool torus_sum_of_squares(const uint32_t *edge, uint32_t count, uint32_t n,
			  uint32_t *tally, torus_interval_choice_t *choice)
{
	bool found = false;

	for (uint32_t i = 0; i < count; i++)
		tally[edge[2 * i + 1] - edge[2 * i]]++;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t size = edge[2 * i + 1] - edge[2 * i];
		int64_t change;

		if (size < n)
			continue;
		change = 1 - 2 * (int64_t)tally[size];
		if (size > n)
			change += 1 + 2 * (int64_t)tally[size - n];
		if (!found || change < choice->score)
			*choice = (torus_interval_choice_t){edge[2 * i], change};
		found = true;
	}
	for (uint32_t i = 0; i < count; i++)
		tally[edge[2 * i + 1] - edge[2 * i]] = 0;
	return found;
}
