/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exchange of single nodes. Private to place/compact/. */
#ifndef TORUS_PLACE_COMPACT_EXCHANGE_H
#define TORUS_PLACE_COMPACT_EXCHANGE_H

#include "place/compact/near.h"
#include "place/compact/score.h"

/*
 * Exchange nodes of the set, which are on the cells member[0 .. count-1], for free nodes
 * on the cells pool[0 .. cells-1] while that lowers the score, at most [limit] times.
 * Each time the member that adds most to the score leaves, and the node that would add
 * least comes; ties: the lowest cell. member[] is updated. O(limit * (count + cells)).
 */
void torus_compact_exchange(torus_compact_set_t *set,
			    const torus_compact_prices_t *prices, uint32_t *member,
			    uint32_t count, const uint32_t *pool, uint32_t cells,
			    uint32_t limit);

#endif
