/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments where nodes have weights: see place/segments.h. */
#include "place/segments.h"

#include <stdlib.h>

#include "base/bitmap.h"
#include "place/private.h"

/* What is asked, and what the question for one weight needs. */
typedef struct weighted {
	uint32_t ranks;
	const uint64_t *free_ranks, *weights;
	torus_segments_choose_t choose;
	void *context;
	uint64_t *candidates; /* bitmap */
	uint64_t *sorted;     /* weights of the free ranks, ascending */
	uint32_t free_count;
} weighted_t;

static int begin(weighted_t *work, torus_error_t *err)
{
	work->candidates = torus_bitmap_create(work->ranks);
	work->sorted = torus_weights_ascending(work->free_ranks, NULL, work->weights,
					       work->ranks, &work->free_count);
	if (!work->candidates || !work->sorted)
		return torus_fail(err, "out of memory for the weights of %u ranks",
				  work->ranks);
	return 0;
}

static int place(const weighted_t *work, uint64_t limit, uint32_t *chosen,
		 torus_segments_hops_t *hops, torus_error_t *err)
{
	for (uint32_t rank = 0; rank < work->ranks; rank++) {
		if (torus_bit_test(work->free_ranks, rank) &&
		    work->weights[rank] <= limit)
			torus_bit_set(work->candidates, rank);
		else
			torus_bit_clear(work->candidates, rank);
	}
	return work->choose(work->context, work->candidates, chosen, hops, err);
}

static int place_by_halving(const weighted_t *work, uint32_t nodes, uint32_t *chosen,
			    torus_segments_hops_t *hops, torus_error_t *err)
{
	uint32_t low = nodes - 1, high = work->free_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int placed = place(work, work->sorted[middle], chosen, hops, err);

		if (placed < 0)
			return -1;
		if (placed)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == work->free_count)
		return 0;
	return place(work, work->sorted[low], chosen, hops, err);
}

int torus_segments_lowest_weight(uint32_t ranks, const uint64_t *free_ranks,
				 const uint64_t *weights, uint32_t nodes,
				 torus_segments_choose_t choose, void *context,
				 uint32_t *chosen, torus_segments_hops_t *hops,
				 torus_error_t *err)
{
	weighted_t work = {
		.ranks = ranks,
		.free_ranks = free_ranks,
		.weights = weights,
		.choose = choose,
		.context = context,
	};
	int result = -1;

	if (nodes > torus_bitmap_count(free_ranks, ranks))
		return 0;
	if (torus_weights_equal(free_ranks, weights, ranks))
		return choose(context, free_ranks, chosen, hops, err);
	if (!begin(&work, err))
		result = place_by_halving(&work, nodes, chosen, hops, err);
	free(work.candidates);
	free(work.sorted);
	return result;
}

/* What torus_segments_place() is asked. */
typedef struct asked {
	const torus_segments_site_t *site;
	uint32_t size, count;
} asked_t;

static int place_asked(void *context, const uint64_t *free_ranks, uint32_t *chosen,
		       torus_segments_hops_t *hops, torus_error_t *err)
{
	const asked_t *asked = context;

	return torus_segments_place(asked->site, free_ranks, asked->size, asked->count,
				    chosen, hops, err);
}

int torus_segments_place_weighted(const torus_segments_site_t *site,
				  const uint64_t *free_ranks, const uint64_t *weights,
				  uint32_t size, uint32_t count, uint32_t *chosen,
				  torus_segments_hops_t *hops, torus_error_t *err)
{
	asked_t asked = {site, size, count};

	if ((uint64_t)size * count > torus_bitmap_count(free_ranks, site->ranks))
		return 0;
	return torus_segments_lowest_weight(site->ranks, free_ranks, weights,
					    size * count, place_asked, &asked, chosen,
					    hops, err);
}
