/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments where nodes have weights: see place/segments.h. */
#include "place/segments.h"

#include <stdlib.h>

#include "base/bitmap.h"
#include "place/private.h"

/* What each weight that is tried counts as. */
#define LOOKS_A_RANK 2

/* What is asked, and what the question for one weight needs. */
typedef struct weighted {
	const torus_segments_site_t *site;
	const uint64_t *free_ranks, *weights;
	torus_segments_choose_t choose;
	void *context;
	uint64_t *candidates; /* bitmap */
	uint64_t *sorted;     /* weights of the free ranks, ascending */
	uint32_t free_count;
} weighted_t;

static int begin(weighted_t *work, torus_error_t *err)
{
	uint32_t ranks = work->site->ranks;

	work->candidates = torus_bitmap_create(ranks);
	work->sorted = torus_weights_ascending(work->free_ranks, NULL, work->weights,
					       ranks, &work->free_count);
	if (!work->candidates || !work->sorted)
		return torus_fail(err, "out of memory for the weights of %u ranks",
				  ranks);
	return 0;
}

/* Choose among the ranks of weight up to [limit]. */
static int place(const weighted_t *work, const torus_segments_site_t *site,
		 uint64_t limit, uint32_t *chosen, torus_segments_hops_t *hops,
		 torus_error_t *err)
{
	for (uint32_t rank = 0; rank < site->ranks; rank++) {
		if (torus_bit_test(work->free_ranks, rank) &&
		    (work->weights[rank] <= limit ||
		     (site->required && torus_bit_test(site->required, rank))))
			torus_bit_set(work->candidates, rank);
		else
			torus_bit_clear(work->candidates, rank);
	}
	return work->choose(work->context, site, work->candidates, chosen, hops, err);
}

/* Take the looks for one more weight, whatever the choice takes. Whether there were as
 * many. */
static bool may_try(const torus_segments_site_t *site)
{
	uint64_t looks = (uint64_t)LOOKS_A_RANK * site->ranks;
	bool may = !site->work || *site->work >= looks;

	if (site->work)
		*site->work -= may ? looks : *site->work;
	return may;
}

/* The place in the sorted weights of the lowest with which there is a choice;
 * free_count: there is none. 0, or -1. */
static int find_limit(const weighted_t *work, uint32_t nodes, uint32_t *chosen,
		      torus_segments_hops_t *hops, uint32_t *found, torus_error_t *err)
{
	torus_segments_site_t site = *work->site;
	uint32_t named =
		site.required ? torus_bitmap_count(site.required, site.ranks) : 0;
	uint32_t low = nodes > named ? nodes - named - 1 : 0, high = work->free_count;
	uint64_t kept = site.work ? *site.work / 2 : 0;

	site.whether = true;
	if (site.work)
		*site.work -= kept;
	while (low < high && may_try(&site)) {
		uint32_t middle = low + (high - low) / 2;
		int placed = place(work, &site, work->sorted[middle], chosen, hops, err);

		if (placed < 0)
			return -1;
		if (placed)
			high = middle;
		else
			low = middle + 1;
	}
	if (site.work)
		*site.work += kept;
	/* Without looks left it is the lowest that was seen, or all ranks. */
	*found = low == high || high < work->free_count ? high : work->free_count - 1;
	return 0;
}

static int place_by_halving(const weighted_t *work, uint32_t nodes, uint32_t *chosen,
			    torus_segments_hops_t *hops, torus_error_t *err)
{
	torus_segments_site_t site = *work->site;
	uint32_t found;
	int placed;

	if (find_limit(work, nodes, chosen, hops, &found, err))
		return -1;
	if (found == work->free_count)
		return 0;
	placed = place(work, &site, work->sorted[found], chosen, hops, err);
	if (placed || !site.work)
		return placed;
	/* It took more looks than are left to find the best: any will do. */
	site.whether = true;
	return place(work, &site, work->sorted[found], chosen, hops, err);
}

int torus_segments_lowest_weight(const torus_segments_site_t *site,
				 const uint64_t *free_ranks, const uint64_t *weights,
				 uint32_t nodes, torus_segments_choose_t choose,
				 void *context, uint32_t *chosen,
				 torus_segments_hops_t *hops, torus_error_t *err)
{
	weighted_t work = {
		.site = site,
		.free_ranks = free_ranks,
		.weights = weights,
		.choose = choose,
		.context = context,
	};
	int result = -1;

	if (nodes > torus_bitmap_count(free_ranks, site->ranks))
		return 0;
	if (site->whether || torus_weights_equal(free_ranks, weights, site->ranks))
		return choose(context, site, free_ranks, chosen, hops, err);
	if (!begin(&work, err))
		result = place_by_halving(&work, nodes, chosen, hops, err);
	free(work.candidates);
	free(work.sorted);
	return result;
}

/* What torus_segments_place() is asked. */
typedef struct asked {
	uint32_t size, count;
} asked_t;

static int place_asked(void *context, const torus_segments_site_t *site,
		       const uint64_t *free_ranks, uint32_t *chosen,
		       torus_segments_hops_t *hops, torus_error_t *err)
{
	const asked_t *asked = context;

	return torus_segments_place(site, free_ranks, asked->size, asked->count, chosen,
				    hops, err);
}

int torus_segments_place_weighted(const torus_segments_site_t *site,
				  const uint64_t *free_ranks, const uint64_t *weights,
				  uint32_t size, uint32_t count, uint32_t *chosen,
				  torus_segments_hops_t *hops, torus_error_t *err)
{
	asked_t asked = {size, count};

	if ((uint64_t)size * count > torus_bitmap_count(free_ranks, site->ranks))
		return 0;
	return torus_segments_lowest_weight(site, free_ranks, weights, size * count,
					    place_asked, &asked, chosen, hops, err);
}
