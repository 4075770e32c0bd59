/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interval: consecutive free ranks; otherwise the job waits. These are the partitions
 * contiguous along the curve in Pascual, Lozano and Miguel-Alonso, "Analyzing the
 * Performance of Allocation Strategies Based on Space-Filling Curves" (2015). The job
 * gets the lowest ranks of the first interval that is long enough, or of the one that
 * leaves fewest ranks over (ties: the first). Intervals do not go around the end of the
 * curve.
 */
#include "strategies/strategies.h"

#include "base/bitmap.h"

int torus_interval(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	torus_site_t *site = ask->site;
	uint32_t ranks = site->ranks, begin, end, best = ranks, least = UINT32_MAX;

	(void)err;
	for (begin = torus_bitmap_next_set(site->free, ranks, 0); begin < ranks;
	     begin = torus_bitmap_next_set(site->free, ranks, end)) {
		end = begin + 1;
		while (end < ranks && torus_bit_test(site->free, end))
			end++;
		if (end - begin < ask->nodes || end - begin - ask->nodes >= least)
			continue;
		best = begin;
		least = end - begin - ask->nodes;
		if (!(ask->variant & TORUS_INTERVAL_BEST))
			break;
	}
	if (best == ranks)
		return 0;
	torus_bitmap_set_range(site->taken, best, ask->nodes);
	*score = ask->variant & TORUS_INTERVAL_BEST ? least : 0;
	return 1;
}
