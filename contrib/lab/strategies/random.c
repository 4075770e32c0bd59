/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random: any n free nodes, every set of them with the same chance. The lower bound of
 * locality in "Noncontiguous Processor Allocation Algorithms for Mesh-Connected
 * Multicomputers" (Lo, Windisch, Liu, Nitzberg, 1997).
 */
#include "strategies/strategies.h"

#include "base/bitmap.h"
#include "base/random.h"

/*
 * One pass over the free ranks (selection sampling): each is taken with probability
 * (still wanted) / (still to come).
 */
int torus_random(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	torus_site_t *site = ask->site;
	uint32_t left = ask->nodes, to_come, ranks = site->ranks;
	uint64_t state = ask->seed;

	(void)score;
	(void)err;
	to_come = torus_bitmap_count(site->free, ranks);
	for (uint32_t rank = torus_bitmap_next_set(site->free, ranks, 0); left;
	     rank = torus_bitmap_next_set(site->free, ranks, rank + 1)) {
		if (torus_random_below(&state, to_come--) >= left)
			continue;
		torus_bit_set(site->taken, rank);
		left--;
	}
	return 1;
}
