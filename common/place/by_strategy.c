/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decisions of strategies that look at the machine: see place.h, private.h. */
#include "place/private.h"

#include "base/bitmap.h"

/* The score of a strategy that has none of its own. */
#define NO_SCORE INT64_MIN

/*
 * Ask a strategy that looks at the machine. Returns what its rule returns; when placed,
 * chosen[] are the ranks, *count their number.
 */
static int ask_strategy(torus_placer_t *placer, const uint64_t *free,
			const torus_place_request_t *request, const torus_shape_t *shape,
			uint32_t *chosen, uint32_t *count, int64_t *score,
			torus_error_t *err)
{
	const torus_allocator_t *allocator = torus_allocator_of(request);
	torus_ask_t ask = {.nodes = request->nodes,
			   .shape = shape,
			   .seed = request->seed,
			   .variant = allocator->variant,
			   .contiguous = !shape && request->contiguous,
			   .span = request->span,
			   .isolation = request->isolation,
			   .loose = request->loose};
	uint32_t ranks = placer->ranks;
	int placed;

	if (!placer->site) {
		placer->site = torus_site_create(request->geometry, request->cell_of_rank,
						 ranks, err);
		if (!placer->site)
			return -1;
	}
	ask.site = placer->site;
	if (!shape && torus_any_required(request->required, ranks))
		ask.required = request->required;
	if (!shape && allocator->demands) {
		if (!torus_place(placer, free, request, chosen, NULL))
			return 0;
		ask.best_fit = chosen;
	}
	if (torus_site_begin(ask.site, free) < request->nodes)
		return 0;
	placed = allocator->rule(&ask, score, err);
	if (placed <= 0)
		return placed;
	*count = 0;
	for (uint32_t rank = torus_bitmap_next_set(ask.site->taken, ranks, 0);
	     rank < ranks; rank = torus_bitmap_next_set(ask.site->taken, ranks, rank + 1))
		chosen[(*count)++] = rank;
	return 1;
}

/* Whether the request has required ranks or wants one interval. */
static bool demands(const torus_placer_t *placer, const torus_place_request_t *request)
{
	return request->contiguous ||
	       torus_any_required(request->required, placer->ranks);
}

/*
 * Whether a strategy with `demands` can meet the request: the required ranks, if any, are
 * free and at most n, and one interval is not wanted as well.
 */
static bool can_be_met(const torus_placer_t *placer, const uint64_t *free,
		       const torus_place_request_t *request)
{
	if (!torus_any_required(request->required, placer->ranks))
		return true;
	if (request->contiguous ||
	    torus_bitmap_count(request->required, placer->ranks) > request->nodes)
		return false;
	for (size_t i = 0; i < TORUS_WORDS(placer->ranks); i++) {
		if (request->required[i] & ~free[i])
			return false;
	}
	return true;
}

int torus_place_by_strategy(torus_placer_t *placer, const uint64_t *free,
			    const torus_place_request_t *request, uint32_t *chosen,
			    torus_placement_t *placement, torus_error_t *err)
{
	const torus_allocator_t *allocator = torus_allocator_of(request);
	uint32_t count, n = request->nodes;
	torus_placement_t found = {.score = NO_SCORE};
	int placed;

	if (!allocator->rule || !n || n > placer->ranks ||
	    (demands(placer, request) &&
	     !(allocator->demands && can_be_met(placer, free, request))))
		return torus_place(placer, free, request, chosen, placement);
	placed = ask_strategy(placer, free, request, NULL, chosen, &count, &found.score,
			      err);
	if (placed == 0 && !allocator->waits)
		return torus_place(placer, free, request, chosen, placement);
	if (placed <= 0 || !placement)
		return placed;
	found.first = chosen[0];
	found.span = torus_ascending_span(chosen, n, placer->ranks, request->span);
	found.contiguous = found.span == n;
	if (found.score == NO_SCORE)
		found.score = found.span;
	*placement = found;
	return 1;
}

int torus_place_shape(torus_placer_t *placer, const uint64_t *free,
		      const uint64_t *weights, const torus_place_request_t *request,
		      const torus_shape_t *shape, uint32_t *chosen, uint32_t *count,
		      torus_error_t *err)
{
	torus_place_request_t one = *request;
	int64_t score;

	if (!torus_allocator_of(request)->boxes ||
	    !torus_weights_equal(free, weights, placer->ranks))
		return torus_box_place(request->geometry, request->cell_of_rank,
				       placer->ranks, free, weights, shape, chosen, count,
				       err);
	one.nodes = 1;
	return ask_strategy(placer, free, &one, shape, chosen, count, &score, err);
}
