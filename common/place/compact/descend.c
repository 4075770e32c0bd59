/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exchange of many nodes at a time: see descend.h. */
#include "place/compact/descend.h"

#include <stdlib.h>

int torus_compact_descent_begin(torus_compact_descent_t *descent,
				const torus_site_t *site, torus_error_t *err)
{
	descent->choice = malloc(site->ranks * sizeof(*descent->choice));
	descent->out = malloc(site->ranks * sizeof(*descent->out));
	descent->in = malloc(site->ranks * sizeof(*descent->in));
	if (!descent->choice || !descent->out || !descent->in)
		return torus_fail(err, "out of memory for exchanges among %u ranks",
				  site->ranks);
	return 0;
}

void torus_compact_descent_end(torus_compact_descent_t *descent)
{
	free(descent->choice);
	free(descent->out);
	free(descent->in);
}

/* Whether one choice is better than another; ties: members, then the lowest cell. */
static bool is_before(const torus_compact_choice_t *a, const torus_compact_choice_t *b)
{
	bool outside = a->member == TORUS_COMPACT_OUTSIDE;

	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (outside != (b->member == TORUS_COMPACT_OUTSIDE))
		return !outside;
	return a->cell < b->cell;
}

/* Bring the [wanted] best of the choices to the front. O(count) on average. */
static void select_best(torus_compact_choice_t *choice, uint32_t count, uint32_t wanted)
{
	int64_t first = 0, last = (int64_t)count - 1, at = (int64_t)wanted - 1;

	while (first < last) {
		torus_compact_choice_t pivot = choice[first + (last - first) / 2];
		int64_t low = first, high = last;

		while (low <= high) {
			torus_compact_choice_t kept;

			while (is_before(&choice[low], &pivot))
				low++;
			while (is_before(&pivot, &choice[high]))
				high--;
			if (low > high)
				break;
			kept = choice[low];
			choice[low++] = choice[high];
			choice[high--] = kept;
		}
		if (at <= high)
			last = high;
		else if (at >= low)
			first = low;
		else
			break;
	}
}

/* List the nodes to choose from. */
static uint32_t list(torus_compact_descent_t *descent, const torus_compact_set_t *set,
		     const torus_compact_prices_t *prices, const uint32_t *member,
		     uint32_t count, const uint32_t *pool, uint32_t cells)
{
	torus_compact_choice_t *choice = descent->choice;

	for (uint32_t i = 0; i < count; i++) {
		int64_t cost = torus_compact_cost_with(set, prices, member[i]);

		*choice++ = (torus_compact_choice_t){cost, member[i], i};
	}
	for (uint32_t i = 0; i < cells; i++) {
		uint32_t left = torus_compact_set_left(set, pool[i]);
		int64_t cost;

		if (!left)
			continue;
		cost = torus_compact_cost_of(set, prices, pool[i]);
		for (; left; left--)
			*choice++ = (torus_compact_choice_t){cost, pool[i],
							     TORUS_COMPACT_OUTSIDE};
	}
	return (uint32_t)(choice - descent->choice);
}

/* Make one round. False if it would not lower the score. */
static bool descend_once(torus_compact_descent_t *descent, torus_compact_set_t *set,
			 const torus_compact_prices_t *prices, uint32_t *member,
			 uint32_t count, const uint32_t *pool, uint32_t cells)
{
	int64_t before = torus_compact_cost(set, prices);
	uint32_t choices = list(descent, set, prices, member, count, pool, cells);
	uint32_t outs = 0, ins = 0;

	select_best(descent->choice, choices, count);
	for (uint32_t i = 0; i < count; i++) {
		if (descent->choice[i].member == TORUS_COMPACT_OUTSIDE)
			descent->in[ins++] = descent->choice[i].cell;
	}
	if (!ins)
		return false;
	for (uint32_t i = count; i < choices; i++) {
		if (descent->choice[i].member != TORUS_COMPACT_OUTSIDE)
			descent->out[outs++] = descent->choice[i].cell;
	}
	torus_compact_set_change(set, descent->out, outs, descent->in, ins);
	if (torus_compact_cost(set, prices) >= before) {
		torus_compact_set_change(set, descent->in, ins, descent->out, outs);
		return false;
	}
	for (uint32_t i = count; i < choices; i++) {
		if (descent->choice[i].member != TORUS_COMPACT_OUTSIDE)
			member[descent->choice[i].member] = descent->in[--ins];
	}
	return true;
}

uint32_t torus_compact_descend(torus_compact_descent_t *descent, torus_compact_set_t *set,
			       const torus_compact_prices_t *prices, uint32_t *member,
			       uint32_t count, const uint32_t *pool, uint32_t cells,
			       uint32_t limit)
{
	uint32_t made = 0;

	while (made < limit &&
	       descend_once(descent, set, prices, member, count, pool, cells))
		made++;
	return made;
}
