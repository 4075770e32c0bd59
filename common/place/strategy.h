/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a strategy is. On the line of ranks it is a rule for the interval that a job gets;
 * others look at the machine. Each stands in a file of its own; strategy.c has the table
 * of all. Private to place/.
 */
#ifndef TORUS_PLACE_STRATEGY_H
#define TORUS_PLACE_STRATEGY_H

#include "place/place.h"
#include "place/site.h"

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

/* What is asked of a strategy that looks at the machine. */
typedef struct torus_ask {
	torus_site_t *site;	    /* of whose ranks at least [nodes] are free */
	uint32_t nodes;		    /* n, at least 1; of no meaning with a shape */
	const torus_shape_t *shape; /* NULL but for strategies with `boxes` */
	uint64_t seed;
	unsigned variant; /* as the table says */
	/* For strategies with `demands`; of others neither is asked: */
	const uint64_t *required; /* bitmap of ranks to be taken, at most n, all free; or
				   * NULL */
	bool contiguous;	  /* one interval of ranks, by the rule [span] */
	torus_span_t span;
	uint32_t isolation;	  /* as in the request */
	const uint32_t *best_fit; /* [n] the ranks that best_fit would take */
} torus_ask_t;

/*
 * Take n free ranks of the site, or all of a box of the shape. Returns 1; 0, with nothing
 * taken, when there is no place; -1 with [err] filled. *score is that of place.h; a
 * strategy that has none leaves it alone.
 */
typedef int torus_site_rule_t(const torus_ask_t *ask, int64_t *score, torus_error_t *err);

torus_site_rule_t torus_random, torus_interval, torus_paging, torus_mbs, torus_buddy,
	torus_contiguous, torus_frame_sliding, torus_mc1x1, torus_mm, torus_partner,
	torus_multipartner, torus_compact;

/* Variants of paging: the order of the pages, and the logarithm of their side. */
#define TORUS_PAGES_SNAKE 0x100u
#define TORUS_PAGES_SIDE_LOG 0xffu

/* Variants of interval. */
#define TORUS_INTERVAL_BEST 1u /* of all intervals the one that leaves fewest over */

/* Variants of contiguous. */
#define TORUS_BOX_BEST 1u  /* of all free boxes the one that fits in best */
#define TORUS_BOX_TURNS 2u /* in any rotation */

typedef struct torus_strategy {
	const char *name;
	torus_interval_rule_t *interval; /* also where one interval is demanded */
	torus_site_rule_t *rule;	 /* or NULL: on the line of ranks only */
	unsigned variant;		 /* of that rule */
	bool ignores_intervals; /* unless one is demanded, the lowest free ranks will do
				 */
	bool production;	/* may be named in torus.conf */
	bool waits;		/* when the rule finds no place; else the interval's */
	bool boxes;		/* the rule knows shapes */
	bool demands;		/* the rule knows required ranks and intervals */
	bool by_chance;		/* the rule uses the seed */
} torus_strategy_t;

/* The strategy behind [allocator]. */
const torus_strategy_t *torus_strategy(torus_allocator_t allocator);

#endif
