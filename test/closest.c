/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The closest n of the free nodes: see closest.h. */
#include "closest.h"

#include <string.h>

#include "base/bitmap.h"

typedef struct search {
	uint32_t count;
	uint32_t diameter; /* of the nodes there are */
	uint8_t hops[CLOSEST_NODES][CLOSEST_NODES];
	/* [node][h]: the other nodes at h hops. */
	uint64_t at[CLOSEST_NODES][CLOSEST_NODES + 1];
	uint32_t best;
	uint64_t best_set;
} search_t;

/* A partial choice: those in, those undecided, and what the latter have to the former. */
typedef struct choice {
	uint64_t in;
	uint64_t open;
	uint32_t need; /* of those open */
	uint32_t sum;  /* over pairs of those in */
	uint32_t links[CLOSEST_NODES];
} choice_t;

static uint64_t bit(uint32_t node)
{
	return UINT64_C(1) << node;
}

static uint32_t lowest(uint64_t set)
{
	return (uint32_t)__builtin_ctzll(set);
}

static void open_search(search_t *search, const torus_geometry_t *geometry,
			const uint32_t *cells, uint32_t count)
{
	memset(search, 0, sizeof(*search));
	search->count = count;
	search->best = UINT32_MAX;
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < count; b++) {
			uint32_t hops = torus_hops_cells(geometry, cells[a], cells[b]);

			search->hops[a][b] = (uint8_t)hops;
			if (a != b)
				search->at[a][hops] |= bit(b);
			if (hops > search->diameter)
				search->diameter = hops;
		}
	}
}

/* Hops from [node] to the [number] nearest of [among]. */
static uint32_t to_nearest(const search_t *search, uint32_t node, uint64_t among,
			   uint32_t number)
{
	uint32_t sum = 0;

	for (uint32_t hops = 0; number; hops++) {
		uint32_t here =
			(uint32_t)__builtin_popcountll(search->at[node][hops] & among);

		here = here < number ? here : number;
		sum += here * hops;
		number -= here;
	}
	return sum;
}

static void take(const search_t *search, choice_t *choice, uint32_t node)
{
	choice->sum += choice->links[node];
	choice->in |= bit(node);
	choice->open &= ~bit(node);
	choice->need--;
	for (uint64_t left = choice->open; left; left &= left - 1)
		choice->links[lowest(left)] += search->hops[node][lowest(left)];
}

/*
 * Twice the least that each open node adds, sorted, into value[]; its node into node[].
 * Returns how many there are.
 */
static uint32_t weigh(const search_t *search, const choice_t *choice, uint32_t *value,
		      uint32_t *node)
{
	uint32_t count = 0;

	for (uint64_t left = choice->open; left; left &= left - 1) {
		uint32_t one = lowest(left), at = count++;
		uint32_t twice = 2 * choice->links[one] +
				 to_nearest(search, one, choice->open, choice->need - 1);

		for (; at && value[at - 1] > twice; at--) {
			value[at] = value[at - 1];
			node[at] = node[at - 1];
		}
		value[at] = twice;
		node[at] = one;
	}
	return count;
}

/* Close the open nodes that are in no better choice. Returns the most promising of those
 * left, or CLOSEST_NODES when there is no better choice. */
static uint32_t narrow(const search_t *search, choice_t *choice)
{
	uint32_t value[CLOSEST_NODES], node[CLOSEST_NODES], count, kept;

	do {
		uint32_t others = 0;

		if ((uint32_t)__builtin_popcountll(choice->open) < choice->need)
			return CLOSEST_NODES;
		count = kept = weigh(search, choice, value, node);
		for (uint32_t i = 0; i + 1 < choice->need; i++)
			others += value[i];
		if (choice->sum + (others + value[choice->need - 1] + 1) / 2 >=
		    search->best)
			return CLOSEST_NODES;
		while (choice->sum + (others + value[kept - 1] + 1) / 2 >= search->best)
			choice->open &= ~bit(node[--kept]);
	} while (kept < count);
	return node[0];
}

static void branch(search_t *search, choice_t choice)
{
	while (choice.need) {
		uint32_t node = narrow(search, &choice);
		choice_t with = choice;

		if (node == CLOSEST_NODES)
			return;
		take(search, &with, node);
		branch(search, with);
		choice.open &= ~bit(node);
	}
	if (choice.sum < search->best) {
		search->best = choice.sum;
		search->best_set = choice.in;
	}
}

uint32_t closest_nodes(const torus_geometry_t *geometry, const uint32_t *cells,
		       uint32_t count, uint32_t n, uint64_t *chosen)
{
	search_t search;
	choice_t choice = {.need = n};

	open_search(&search, geometry, cells, count);
	for (uint32_t node = 0; node < count; node++)
		choice.open |= bit(node);
	branch(&search, choice);
	if (chosen)
		*chosen = search.best_set;
	return search.best;
}
