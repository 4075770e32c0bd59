/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a strategy is: a rule for the interval that a job gets. Each stands in a file of
 * its own; strategy.c has the table of all. Private to place/.
 */
#ifndef TORUS_PLACE_STRATEGY_H
#define TORUS_PLACE_STRATEGY_H

#include "place/place.h"

/* The interval chosen: its first rank, and the score of place.h. */
typedef struct torus_interval_choice {
	uint32_t first;
	int64_t score;
} torus_interval_choice_t;

/*
 * Choose among the intervals i = 0 .. count-1 of free ranks, which are edge[2i] ..
 * edge[2i+1] - 1 and ascend, one that holds [n] (>= 1) ranks. [tally] is scratch memory:
 * an entry for each length an interval can have, all zero at entry and at return. Returns
 * whether there is one, and then fills *choice. O(count).
 */
typedef bool torus_interval_rule_t(const uint32_t *edge, uint32_t count, uint32_t n,
				   uint32_t *tally, torus_interval_choice_t *choice);

torus_interval_rule_t torus_best_fit, torus_first_fit, torus_sum_of_squares;

typedef struct torus_strategy {
	const char *name; /* in torus.conf */
	torus_interval_rule_t *interval;
	bool ignores_intervals; /* unless one is demanded, the lowest free ranks will do
				 */
} torus_strategy_t;

/* The strategy behind [allocator]. */
const torus_strategy_t *torus_strategy(torus_allocator_t allocator);

#endif
