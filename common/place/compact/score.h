/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The score of `compact`: how good a set of nodes is as the place of a job; lower is
 * better. Private to place/compact/. It is the sum of
 *
 * - the mean hops between two nodes of the job,
 * - 3/16 of the mean hops between two of the nodes that stay free,
 * - the pairs of neighbours of which one is the job's and the other free, divided by the
 *   nodes of the job and by the nodes of the fullest router,
 * - with Isolation=W: W times the foreign nodes in the job's bounding box, divided by the
 *   nodes of the job.
 *
 * Of a loose job the first term counts a quarter.
 *
 * The first term is what this job gets; the others are what it leaves to later jobs.
 * Without them the nearest nodes would fragment what stays free. The weights were found
 * by simulation: docs/strategies.md. The last term is counted for whole candidates only
 * (foreign.h): a box is no sum over nodes, so it cannot follow single exchanges.
 */
#ifndef TORUS_PLACE_COMPACT_SCORE_H
#define TORUS_PLACE_COMPACT_SCORE_H

#include "place/compact/set.h"

/*
 * Prices: the score of sets of one size in one decision, times a factor and without terms
 * that are the same for all of them. These are integers, so that every compiler and
 * library makes the same decisions.
 */
typedef struct torus_compact_prices {
	int64_t pair;	 /* of a hop of set->pairs */
	int64_t reach;	 /* of a hop of set->reach, subtracted */
	int64_t edge;	 /* of each of set->edge */
	int64_t foreign; /* of each foreign node in the box; 0: not counted */
} torus_compact_prices_t;

/*
 * Prices for sets of [nodes] (>= 1) of the free nodes, after torus_compact_set_reset();
 * [isolation] is W in thousandths, up to TORUS_ISOLATION_WEIGHT_MOST; of a [loose] job
 * its own distance counts less. False when the sums
 * of such sets may not fit their types: the machine or the job is too large.
 */
bool torus_compact_prices(const torus_compact_set_t *set, uint32_t nodes,
			  uint32_t isolation, bool loose, torus_compact_prices_t *prices);

/*
 * The score in thousandths of a hop. To be comparable between machines, its second term
 * is the change of the mean over free nodes, not the mean. [isolation] is W in
 * thousandths, [foreign] the number of foreign nodes in the box.
 */
int64_t torus_compact_score(const torus_compact_set_t *set, uint32_t isolation,
			    bool loose, uint32_t foreign);

/* The cost of the set, without terms that are counted for whole candidates only. */
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

/* What a node of the set on [cell] adds. */
static inline int64_t torus_compact_cost_with(const torus_compact_set_t *set,
					      const torus_compact_prices_t *prices,
					      uint32_t cell)
{
	return torus_compact_set_hops(set, cell) * prices->pair -
	       torus_compact_set_total(set, cell) * prices->reach +
	       (torus_compact_set_balance(set, cell) + 1) * prices->edge;
}

#endif
