/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement by node weights: see torus_place_weighted() in place.h. */
#include "place/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

/* What a weighted decision works with; all bitmaps are of `ranks` ranks. */
typedef struct weighted {
	uint32_t ranks;
	const uint64_t *free;
	const uint64_t *weights;
	const uint64_t *required; /* by the request; NULL: none */
	uint64_t *candidates;	  /* the free ranks that may be chosen */
	uint64_t *forced;	  /* those of them that must be chosen */
	uint64_t *sorted;	  /* weights of the free ranks that are not required */
	uint32_t sorted_count;
	uint32_t required_count;
} weighted_t;

static int compare_weights(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

uint64_t *torus_weights_ascending(const uint64_t *free, const uint64_t *required,
				  const uint64_t *weights, uint32_t ranks,
				  uint32_t *count)
{
	uint64_t *sorted =
		malloc((torus_bitmap_count(free, ranks) + 1) * sizeof(*sorted));

	if (!sorted)
		return NULL;
	*count = 0;
	for (uint32_t rank = torus_bitmap_next_set(free, ranks, 0); rank < ranks;
	     rank = torus_bitmap_next_set(free, ranks, rank + 1)) {
		if (!required || !torus_bit_test(required, rank))
			sorted[(*count)++] = weights[rank];
	}
	qsort(sorted, *count, sizeof(*sorted), compare_weights);
	return sorted;
}

static int begin(weighted_t *work, torus_error_t *err)
{
	size_t words = TORUS_WORDS(work->ranks);

	work->sorted = torus_weights_ascending(work->free, work->required, work->weights,
					       work->ranks, &work->sorted_count);
	work->candidates = malloc(words * sizeof(uint64_t));
	work->forced = malloc(words * sizeof(uint64_t));
	if (!work->sorted || !work->candidates || !work->forced)
		return torus_fail(err, "out of memory for the weights of %u ranks",
				  work->ranks);
	work->required_count =
		torus_bitmap_count(work->free, work->ranks) - work->sorted_count;
	return 0;
}

/*
 * Make the required ranks and the free ranks of weight up to [limit] candidates. Force
 * the required ones and, if [force_lower], all of weight below [limit].
 */
static void divide(weighted_t *work, uint64_t limit, bool force_lower)
{
	size_t words = TORUS_WORDS(work->ranks);

	for (size_t i = 0; i < words; i++) {
		work->forced[i] = work->required ? work->required[i] : 0;
		work->candidates[i] = work->forced[i] & work->free[i];
	}
	for (uint32_t rank = torus_bitmap_next_set(work->free, work->ranks, 0);
	     rank < work->ranks;
	     rank = torus_bitmap_next_set(work->free, work->ranks, rank + 1)) {
		if (work->weights[rank] <= limit)
			torus_bit_set(work->candidates, rank);
		if (force_lower && work->weights[rank] < limit)
			torus_bit_set(work->forced, rank);
	}
}

static int place(torus_placer_t *placer, weighted_t *work, uint64_t limit,
		 bool force_lower, const torus_place_request_t *request, uint32_t *chosen,
		 torus_placement_t *placement, torus_error_t *err)
{
	torus_place_request_t divided = *request;

	divide(work, limit, force_lower);
	divided.required = work->forced;
	return torus_place_by_strategy(placer, work->candidates, &divided, chosen,
				       placement, err);
}

/* Whether ranks of weight up to [limit] have a place: 1, 0, or -1. Whether there is an
 * interval is the same for all strategies, and quickly seen. */
static int has_place(torus_placer_t *placer, weighted_t *work, uint64_t limit,
		     const torus_place_request_t *request, uint32_t *chosen,
		     torus_error_t *err)
{
	torus_place_request_t whether = *request;

	if (request->contiguous)
		whether.allocator = &torus_best_fit;
	return place(placer, work, limit, false, &whether, chosen, NULL, err);
}

/*
 * More candidates take no place away, so the lowest weight that has a place is found by
 * bisection. sorted[low] is the lowest weight with enough ranks.
 */
static int place_by_halving(torus_placer_t *placer, weighted_t *work, uint32_t low,
			    const torus_place_request_t *request, uint32_t *chosen,
			    torus_placement_t *placement, torus_error_t *err)
{
	uint32_t high = work->sorted_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int placed = has_place(placer, work, work->sorted[middle], request,
				       chosen, err);

		if (placed < 0)
			return -1;
		if (placed)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == work->sorted_count)
		return 0;
	return place(placer, work, work->sorted[low], false, request, chosen, placement,
		     err);
}

/* With weights that differ. Returns like torus_place_weighted(). */
static int place_by_weight(torus_placer_t *placer, weighted_t *work,
			   const torus_place_request_t *request, uint32_t *chosen,
			   torus_placement_t *placement, torus_error_t *err)
{
	uint32_t n = request->nodes, rest;
	int placed;

	if (work->required_count >=
	    n) /* torus_place() checks that these are not too many */
		return torus_place(placer, work->free, request, chosen, placement);
	rest = n - work->required_count;
	if (rest > work->sorted_count)
		return 0;
	placed = place(placer, work, work->sorted[rest - 1], true, request, chosen,
		       placement, err);
	if (placed || (!request->contiguous && !torus_allocator_of(request)->waits))
		return placed;
	return place_by_halving(placer, work, rest - 1, request, chosen, placement, err);
}

int torus_place_weighted(torus_placer_t *placer, const uint64_t *free_ranks,
			 const uint64_t *weights, const torus_place_request_t *request,
			 uint32_t *chosen, torus_placement_t *placement,
			 torus_error_t *err)
{
	weighted_t work = {
		.ranks = placer->ranks, .free = free_ranks, .weights = weights};
	int result = -1;

	if (!request->nodes || torus_weights_equal(free_ranks, weights, placer->ranks))
		return torus_place_by_strategy(placer, free_ranks, request, chosen,
					       placement, err);
	if (torus_any_required(request->required, placer->ranks))
		work.required = request->required;
	if (!begin(&work, err))
		result = place_by_weight(placer, &work, request, chosen, placement, err);
	free(work.sorted);
	free(work.candidates);
	free(work.forced);
	return result;
}
