/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * best_fit: the interval that leaves fewest ranks over; ties: the first. Leung et al.,
 * "Processor Allocation on Cplant" (2002).
 */
#include "place/strategy.h"

bool torus_best_fit(const uint32_t *edge, uint32_t count, uint32_t n, uint32_t *tally,
		    torus_interval_choice_t *choice)
{
	(void)tally;
	/* Ranks left over: beyond this bound for an interval shorter than n, as the
	 * subtraction then wraps below zero (no interval or n is longer than 2^28). */
	uint32_t least = UINT32_C(1) << 31, best = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t left = edge[2 * i + 1] - edge[2 * i] - n;

		if (left < least) {
			least = left;
			best = i;
		}
	}
	if (least == UINT32_C(1) << 31)
		return false;
	*choice = (torus_interval_choice_t){edge[2 * best], least};
	return true;
}
