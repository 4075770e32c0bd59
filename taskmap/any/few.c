/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The best order of a few nodes. Positions get their nodes one after the other, in every
 * way, unless the hops so far are too many in a pattern, or worth no less than the best
 * order.
 */
#include "taskmap/any/few.h"

#include <string.h>

typedef struct few {
	torus_any_search_t *search;
	uint32_t order[TORUS_ANY_FEW];
	bool used[TORUS_ANY_FEW]; /* nodes */
} few_t;

/* Add to hops[] those between position p and the ones before it. */
static void add_hops(const few_t *few, uint32_t p, uint64_t hops[TORUS_ANY_PATTERNS])
{
	const torus_task_graph_t *graph = few->search->pattern->graph;

	for (uint64_t i = graph->first[p];
	     i < graph->first[p + 1] && graph->neighbor[i] < p; i++)
		torus_any_add_hops(few->search, i, few->order[p],
				   few->order[graph->neighbor[i]], hops);
}

/* Whether [node] may have position p. */
static bool may_have(const few_t *few, uint32_t p, uint32_t node)
{
	const torus_any_search_t *search = few->search;

	return !few->used[node] && (node == p || torus_any_may_swap(search, p, node));
}

static void try_from(few_t *few, uint32_t p, const uint64_t before[TORUS_ANY_PATTERNS])
{
	torus_any_search_t *search = few->search;

	if (p == search->job->nodes) {
		torus_any_offer(search, few->order, before);
		return;
	}
	for (uint32_t node = 0; node < search->job->nodes; node++) {
		uint64_t hops[TORUS_ANY_PATTERNS];

		if (!may_have(few, p, node))
			continue;
		few->order[p] = node;
		memcpy(hops, before, sizeof(hops));
		add_hops(few, p, hops);
		if (!torus_any_is_allowed(search, hops) ||
		    torus_any_value(search, hops) >= search->value)
			continue;
		few->used[node] = true;
		try_from(few, p + 1, hops);
		few->used[node] = false;
	}
}

void torus_any_few(torus_any_search_t *search)
{
	static const uint64_t none[TORUS_ANY_PATTERNS];
	few_t few = {.search = search};

	try_from(&few, 0, none);
}
