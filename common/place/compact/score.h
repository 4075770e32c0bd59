/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TORUS_PLACE_COMPACT_SCORE_H
#define TORUS_PLACE_COMPACT_SCORE_H

#include "place/compact/set.h"

typedef struct torus_compact_prices {
	int64_t pair, edge;
} torus_compact_prices_t;

static inline int64_t torus_compact_score(const torus_compact_set_t *set,
					  const torus_compact_prices_t *prices)
{
	return set->pairs * prices->pair + set->edge * prices->edge;
}

/* What a node on [cell] would add to the score. */
static inline int64_t torus_compact_cost(const torus_compact_set_t *set,
					 const torus_compact_prices_t *prices,
					 uint32_t cell)
{
	return torus_compact_set_hops(set, cell) * prices->pair +
	       (torus_compact_set_balance(set, cell) - 1) * prices->edge;
}

/* What the score would fall by without one on [cell]. */
static inline int64_t torus_compact_gain(const torus_compact_set_t *set,
					 const torus_compact_prices_t *prices,
					 uint32_t cell)
{
	return torus_compact_set_hops(set, cell) * prices->pair +
	       (torus_compact_set_balance(set, cell) + 1) * prices->edge;
}
#endif
