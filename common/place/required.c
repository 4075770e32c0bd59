/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement with required ranks: see torus_place() in place.h. */
#include "place/private.h"

#include "base/bitmap.h"

/* The free ranks in ascending order, and which of them are required. */
typedef struct free_ranks {
	const uint32_t *rank;
	uint32_t count;
	uint32_t required;	 /* how many of them are required */
	uint32_t first_required; /* index in rank[] */
	uint32_t last_required;
} free_ranks_t;

/* A window: [length] consecutive free ranks from index [start] on, around the end. */
typedef struct window {
	uint32_t start;
	uint32_t length;
	uint32_t span;
} window_t;

/* List the free ranks; false if a required one is not free. */
static bool list_free(torus_placer_t *placer, const uint64_t *free,
		      const uint64_t *required, free_ranks_t *list)
{
	uint32_t count = 0;

	*list = (free_ranks_t){.rank = placer->edge};
	placer->edges = 0;
	for (size_t i = 0; i < TORUS_WORDS(placer->ranks); i++) {
		if (required[i] & ~free[i])
			return false;
		for (uint64_t bits = free[i]; bits; bits &= bits - 1) {
			uint64_t lowest = bits & -bits;

			if (required[i] & lowest) {
				if (!list->required++)
					list->first_required = count;
				list->last_required = count;
			}
			placer->edge[count++] =
				(uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(bits);
		}
	}
	list->count = count;
	return true;
}

/*
 * The shortest window that starts at free rank number [start], holds n free ranks, and
 * includes the free rank [reach] places after it.
 */
static window_t window_from(const free_ranks_t *list, uint32_t ranks, uint32_t start,
			    uint32_t reach, uint32_t n)
{
	window_t window = {.start = start, .length = reach + 1 > n ? reach + 1 : n};
	uint32_t last = start + window.length - 1;
	uint32_t turn = last < list->count ? 0 : ranks;

	if (turn)
		last -= list->count;
	window.span = list->rank[last] + turn - list->rank[start] + 1;
	return window;
}

/*
 * Try a window from every free rank. It must reach the required rank that comes last from
 * there: on a line the last one, on a ring the one just before the start. A window of
 * more than n free ranks that starts with a rank not required is worse than the next one,
 * so the best window begins and ends with a chosen rank.
 */
static bool shortest_window(const free_ranks_t *list, const uint64_t *required,
			    uint32_t ranks, uint32_t n, torus_span_t rule, window_t *best)
{
	bool ring = rule == TORUS_SPAN_RING;
	uint32_t starts = ring ? list->count : list->first_required + 1;
	uint32_t before = list->last_required;
	bool found = false;

	for (uint32_t start = 0; start < starts; start++) {
		uint32_t reach =
			before >= start ? before - start : before + list->count - start;
		window_t window;

		if (ring || start + n <= list->count) {
			window = window_from(list, ranks, start, reach, n);
			if (!found || window.span < best->span)
				*best = window;
			found = true;
		}
		if (ring && torus_bit_test(required, list->rank[start]))
			before = start;
	}
	return found;
}

bool torus_place_required(torus_placer_t *placer, const uint64_t *free,
			  const torus_place_request_t *request, uint32_t *chosen,
			  torus_placement_t *placement)
{
	uint32_t n = request->nodes, taken = 0, spare;
	free_ranks_t list;
	window_t window;

	if (!list_free(placer, free, request->required, &list) || list.required > n ||
	    list.count < n)
		return false;
	if (!shortest_window(&list, request->required, placer->ranks, n, request->span,
			     &window))
		return false;
	if (request->contiguous && window.span != n)
		return false;

	spare = n - list.required;
	for (uint32_t i = 0; i < window.length; i++) {
		uint32_t at = window.start + i;
		uint32_t rank = list.rank[at < list.count ? at : at - list.count];

		if (torus_bit_test(request->required, rank))
			chosen[taken++] = rank;
		else if (spare) {
			chosen[taken++] = rank;
			spare--;
		}
	}
	if (placement)
		*placement = (torus_placement_t){chosen[0], window.span, window.span == n,
						 window.span};
	return true;
}
