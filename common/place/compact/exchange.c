/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exchange of single nodes: see exchange.h. */
#include "place/compact/exchange.h"

/* Make one exchange. False if no free node is better than the member that adds most. */
static bool exchange_one(torus_compact_set_t *set, const torus_compact_prices_t *prices,
			 uint32_t *member, uint32_t count, const uint32_t *pool,
			 uint32_t cells)
{
	uint32_t worst = 0, out, in;
	int64_t most = INT64_MIN, least;

	for (uint32_t i = 0; i < count; i++) {
		int64_t gain = torus_compact_cost_with(set, prices, member[i]);

		if (gain > most || (gain == most && member[i] < member[worst])) {
			most = gain;
			worst = i;
		}
	}
	in = out = member[worst];
	torus_compact_set_remove(set, out);
	least = torus_compact_cost_of(set, prices, out);
	for (uint32_t i = 0; i < cells; i++) {
		int64_t cost;

		if (!torus_compact_set_left(set, pool[i]))
			continue;
		cost = torus_compact_cost_of(set, prices, pool[i]);
		if (cost < least || (cost == least && in != out && pool[i] < in)) {
			least = cost;
			in = pool[i];
		}
	}
	torus_compact_set_add(set, in);
	member[worst] = in;
	return in != out;
}

void torus_compact_exchange(torus_compact_set_t *set,
			    const torus_compact_prices_t *prices, uint32_t *member,
			    uint32_t count, const uint32_t *pool, uint32_t cells,
			    uint32_t limit)
{
	while (limit && exchange_one(set, prices, member, count, pool, cells))
		limit--;
}
