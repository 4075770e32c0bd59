/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The search for an order: see taskmap/any/search.h. */
#include "taskmap/any/search.h"

#include <string.h>

/* Bits of a value behind the point. */
#define FRACTION 20

void torus_any_hops(const torus_any_search_t *search, const uint32_t *order,
		    uint64_t hops[TORUS_ANY_PATTERNS])
{
	const torus_task_graph_t *graph = search->pattern->graph;
	uint64_t sum[TORUS_ANY_PATTERNS] = {0};

	for (uint32_t p = 0; p < graph->tasks; p++) {
		for (uint64_t i = graph->first[p];
		     i < graph->first[p + 1] && graph->neighbor[i] < p; i++)
			torus_any_add_hops(search, i, order[p], order[graph->neighbor[i]],
					   sum);
	}
	memcpy(hops, sum, sizeof(sum));
}

uint64_t torus_any_value(const torus_any_search_t *search,
			 const uint64_t hops[TORUS_ANY_PATTERNS])
{
	uint64_t value = 0;

	for (int k = 0; k < TORUS_ANY_PATTERNS; k++) {
		uint64_t all = search->pattern->all[k];

		value += (hops[k] / all << FRACTION) + (hops[k] % all << FRACTION) / all;
	}
	return value;
}

bool torus_any_is_allowed(const torus_any_search_t *search,
			  const uint64_t hops[TORUS_ANY_PATTERNS])
{
	for (int k = 0; k < TORUS_ANY_PATTERNS; k++) {
		if (hops[k] > search->bound[k])
			return false;
	}
	return true;
}

bool torus_any_offer(torus_any_search_t *search, const uint32_t *order,
		     const uint64_t hops[TORUS_ANY_PATTERNS])
{
	uint64_t value;

	if (!torus_any_is_allowed(search, hops))
		return false;
	value = torus_any_value(search, hops);
	if (value >= search->value)
		return false;
	search->value = value;
	memcpy(search->best, order, search->job->nodes * sizeof(*order));
	return true;
}
