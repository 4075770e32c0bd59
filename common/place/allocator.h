/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an allocator is: a strategy with a name. It either chooses an interval on the line
 * of ranks, or looks at the machine. Those for production clusters are in place/, those
 * for comparison in strategies/.
 */
#ifndef TORUS_PLACE_ALLOCATOR_H
#define TORUS_PLACE_ALLOCATOR_H

#include "place/place.h"
#include "place/site.h"

/* The interval chosen: its first rank, and the score of place.h. */
typedef struct torus_interval_choice {
	uint32_t first;
	int64_t score;
} torus_interval_choice_t;

/*
 * Choose an interval that holds [n] (>= 1) ranks. The intervals i = 0 .. count-1 are
 * edge[2i] .. edge[2i+1] - 1, ascending. [tally] is scratch memory: an entry for each
 * length an interval can have, all zero at entry and at return. Returns whether there is
 * such an interval, and then fills *choice. O(count).
 */
typedef bool torus_interval_rule_t(const uint32_t *edge, uint32_t count, uint32_t n,
				   uint32_t *tally, torus_interval_choice_t *choice);

/* What is asked of a strategy that looks at the machine. */
typedef struct torus_ask {
	torus_site_t *site;	    /* at least [nodes] of its ranks are free */
	uint32_t nodes;		    /* n, at least 1; ignored with a shape */
	const torus_shape_t *shape; /* only for strategies with `boxes`; NULL: none */
	uint64_t seed;
	unsigned variant; /* of the allocator */
	/* Only set for strategies with `demands`: */
	const uint64_t *required; /* bitmap of ranks to be taken, at most n, all free; or
				   * NULL */
	bool contiguous;	  /* one interval of ranks, by the rule [span] */
	torus_span_t span;
	uint32_t isolation;	  /* as in the request */
	bool loose;		  /* the same */
	const uint32_t *best_fit; /* [n] the ranks that best_fit would take */
} torus_ask_t;

/*
 * Take n free ranks of the site, or all ranks of a box of the shape. Returns 1; 0, with
 * nothing taken, when there is no place; -1 with [err] filled. *score is the score of
 * place.h; a strategy without one leaves it as it is.
 */
typedef int torus_site_rule_t(const torus_ask_t *ask, int64_t *score, torus_error_t *err);

struct torus_allocator {
	const char *name;
	/* One of the two: */
	torus_interval_rule_t *interval; /* on the line of ranks only */
	torus_site_rule_t *rule; /* looks at the machine; on the line of ranks it is
				  * best_fit */
	unsigned variant;	 /* of that rule */
	bool ignores_intervals;	 /* takes the lowest free ranks, unless one interval is
				  * demanded */
	bool waits;		 /* when the rule finds no place; else best_fit serves */
	bool boxes;		 /* the rule knows shapes */
	bool demands;		 /* the rule knows required ranks and intervals */
	bool by_chance;		 /* the rule uses the seed */
};

#endif
