/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search for an order: what it may do, and the best found so far.
 *
 * An order is an array of nodes by position. It is *allowed* if no pattern has more hops
 * in it than in the order in which the nodes come.
 */
#ifndef TORUS_TASKMAP_ANY_SEARCH_H
#define TORUS_TASKMAP_ANY_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "taskmap/any/chip_pairs.h"
#include "taskmap/any/pattern.h"
#include "taskmap/hops.h"

typedef struct torus_any_search {
	torus_any_pattern_t *pattern; /* of positions */
	const torus_task_job_t
		*job; /* of a task a position; its graph is the pattern's */
	const torus_hop_table_t *table; /* of the job */
	/* With a task a chip: hops are counted between these. The job is then on the
	 * chips' machine, on the first chip of each node, which is what a search goes by.
	 * Else NULL. */
	const torus_any_chip_pairs_t *chips;
	/* [nodes] tasks of each node as they come, and so of each position: only nodes of
	 * as many change places. NULL: a position has as many whoever has it. */
	const uint32_t *tasks_on;
	bool free_head;			    /* the first node may leave its position */
	uint64_t bound[TORUS_ANY_PATTERNS]; /* hops of the order in which they come */
	uint32_t *best;			    /* [nodes] an allowed order */
	uint64_t value;			    /* of it */
} torus_any_search_t;

/* Add to hops[] those of each pattern between the positions of [entry] of the graph, if
 * the one that the entry is of has node a, and its neighbour b. */
static inline void torus_any_add_hops(const torus_any_search_t *search, uint64_t entry,
				      uint32_t a, uint32_t b,
				      uint64_t hops[TORUS_ANY_PATTERNS])
{
	const torus_any_chip_pairs_t *chips = search->chips;

	if (!chips) {
		uint64_t apart = torus_hop_table_hops(search->table, a, b);

		for (int k = 0; k < TORUS_ANY_PATTERNS; k++)
			hops[k] += search->pattern->pairs[entry][k] * apart;
		return;
	}
	for (uint64_t i = chips->first[entry]; i < chips->first[entry + 1]; i++)
		hops[chips->pair[i].pattern] += torus_hop_table_hops(
			&chips->table, a * chips->of_node + chips->pair[i].here,
			b * chips->of_node + chips->pair[i].there);
}

/* Count the hops of each pattern in [order]. O(entries), or O(tasks) on chips. */
void torus_any_hops(const torus_any_search_t *search, const uint32_t *order,
		    uint64_t hops[TORUS_ANY_PATTERNS]);

/* What hops are worth together: the sum over the patterns of average hops a pair, in
 * 2^-20 of a hop. */
uint64_t torus_any_value(const torus_any_search_t *search,
			 const uint64_t hops[TORUS_ANY_PATTERNS]);

bool torus_any_is_allowed(const torus_any_search_t *search,
			  const uint64_t hops[TORUS_ANY_PATTERNS]);

/* Keep [order], whose hops are given, if it is allowed and better than the best. Whether
 * it is. */
bool torus_any_offer(torus_any_search_t *search, const uint32_t *order,
		     const uint64_t hops[TORUS_ANY_PATTERNS]);

/* Whether the nodes at positions p and q may change places. */
static inline bool torus_any_may_swap(const torus_any_search_t *search, uint32_t p,
				      uint32_t q)
{
	return (search->free_head || (p && q)) &&
	       (!search->tasks_on || search->tasks_on[p] == search->tasks_on[q]);
}

#endif
