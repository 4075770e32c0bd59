/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The strategies on the line of ranks: which of the free intervals a job gets. Leung et
 * al., "Processor Allocation on Cplant" (2002); sum_of_squares is the bin packing of
 * Csirik et al., applied there.
 */
#include "place/allocator.h"

/* The interval that leaves fewest ranks over; ties: the first. */
static bool leave_fewest(const uint32_t *edge, uint32_t count, uint32_t n,
			 uint32_t *tally, torus_interval_choice_t *choice)
{
	(void)tally;
	/*
	 * For an interval shorter than n the subtraction below wraps around to more than
	 * this bound, as no interval and no n is above 2^28.
	 */
	uint32_t least = UINT32_C(1) << 31, best = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t left = edge[2 * i + 1] - edge[2 * i] - n;

		if (left < least) {
			least = left;
			best = i;
			if (!left)
				break;
		}
	}
	if (least == UINT32_C(1) << 31)
		return false;
	*choice = (torus_interval_choice_t){edge[2 * best], least};
	return true;
}

/* The first interval that is long enough. */
static bool take_first(const uint32_t *edge, uint32_t count, uint32_t n, uint32_t *tally,
		       torus_interval_choice_t *choice)
{
	(void)tally;
	for (uint32_t i = 0; i < count; i++) {
		if (edge[2 * i + 1] - edge[2 * i] >= n) {
			*choice = (torus_interval_choice_t){edge[2 * i], 0};
			return true;
		}
	}
	return false;
}

/*
 * The interval after which the sum over sizes s of N(s)^2 is smallest, N(s) being the
 * number of free intervals of size s; ties: the first. Taking n from an interval of size
 * s makes N(s) one less and, unless nothing is left, N(s - n) one more. The sum of the
 * squares changes by the difference of these.
 */
static bool least_squares(const uint32_t *edge, uint32_t count, uint32_t n,
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

const torus_allocator_t torus_best_fit = {"best_fit", .interval = leave_fewest};
const torus_allocator_t torus_first_fit = {"first_fit", .interval = take_first};
const torus_allocator_t torus_sum_of_squares = {"sum_of_squares",
						.interval = least_squares};
const torus_allocator_t torus_free_list = {"free_list", .interval = take_first,
					   .ignores_intervals = true};
