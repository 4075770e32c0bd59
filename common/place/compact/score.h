/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The score of `compact`: what a set of nodes is worth as the place of a job; the smaller
 * the better. Private to place/compact/.
 *
 *   mean hops between two nodes of the job
 * + 3/16 of the mean hops between two of the nodes that stay free
 * + the pairs of neighbours, one of the job, the other free, for each node of the job,
 *   where routers have one node; where they have more, divided by the most that one has
 * + W times the nodes in the job's bounding box that are not free for it, for each of its
 *   own, where Isolation=W asks for that
 *
 * The first is what this job gets; the others are what it leaves to later ones. Compact
 * jobs alone are not enough: nearest nodes shred the rest. The weights were found by
 * simulation: docs/strategies.md. The last is counted for whole candidates only (see
 * isolation.h), not as single nodes come and go: boxes are not sums over nodes.
 */
#ifndef TORUS_PLACE_COMPACT_SCORE_H
#define TORUS_PLACE_COMPACT_SCORE_H

#include "place/compact/set.h"

/*
 * The score of sets of one size in one decision, times a factor and without what they
 * have in common: integers, so that every compiler and library decides alike.
 */
typedef struct torus_compact_prices {
	int64_t pair;	 /* of a hop of set->pairs */
	int64_t reach;	 /* of a hop of set->reach, taken off */
	int64_t edge;	 /* of each of set->edge */
	int64_t foreign; /* of each node that is in the box and not free; 0: not counted
			  */
} torus_compact_prices_t;

/*
 * Prices for sets of [nodes] (>= 1) of the free nodes, after torus_compact_set_reset();
 * [isolation] is W in thousandths, up to TORUS_ISOLATION_WEIGHT_MOST. False when the sums
 * of such sets may not fit their types: the machine or the job is too large.
 */
bool torus_compact_prices(const torus_compact_set_t *set, uint32_t nodes,
			  uint32_t isolation, torus_compact_prices_t *prices);

/*
 * The score in thousandths of a hop, the mean over the nodes that stay free less that
 * over all that were free before, so that machines may be compared; W = [isolation]
 * thousandths, with [foreign] nodes in the box.
 */
int64_t torus_compact_score(const torus_compact_set_t *set, uint32_t isolation,
			    uint32_t foreign);

/* Without what is counted for whole candidates only. */
static inline int64_t torus_compact_cost(const torus_compact_set_t *set,
					 const torus_compact_prices_t *prices)
{
	return set->pairs * prices->pair - set->reach * prices->reach +
	       set->edge * prices->edge;
}

/* What a node on [cell] would add. */
static inline int64_t torus_compact_cost_of(const torus_compact_set_t *set,
					    const torus_compact_prices_t *prices,
					    uint32_t cell)
{
	return torus_compact_set_hops(set, cell) * prices->pair -
	       torus_compact_set_total(set, cell) * prices->reach +
	       (torus_compact_set_balance(set, cell) - 1) * prices->edge;
}

/* What a node of the set that is on [cell] does add. */
static inline int64_t torus_compact_cost_with(const torus_compact_set_t *set,
					      const torus_compact_prices_t *prices,
					      uint32_t cell)
{
	return torus_compact_set_hops(set, cell) * prices->pair -
	       torus_compact_set_total(set, cell) * prices->reach +
	       (torus_compact_set_balance(set, cell) + 1) * prices->edge;
}

#endif
