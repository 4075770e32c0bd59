/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement by intervals and by minimum span: see place.h. */
#include "place/private.h"
#include "place/runs.h"

#include <stdlib.h>

#include "base/bitmap.h"

torus_placer_t *torus_placer_create(uint32_t ranks)
{
	size_t numbers = (size_t)ranks + 1, words = TORUS_WORDS(ranks);
	torus_placer_t *placer =
		calloc(1, sizeof(*placer) + words * sizeof(*placer->seen) +
				  2 * numbers * sizeof(*placer->edge));

	if (!placer)
		return NULL;
	placer->ranks = ranks;
	placer->seen = (uint64_t *)(placer + 1);
	placer->edge = (uint32_t *)(placer->seen + words);
	placer->tally = placer->edge + numbers;
	return placer;
}

void torus_placer_destroy(torus_placer_t *placer)
{
	if (!placer)
		return;
	torus_site_destroy(placer->site);
	free(placer);
}

/* Choose the interval that the job gets its ranks from, if one is long enough. */
static bool choose_interval(torus_placer_t *placer, const torus_free_runs_t *runs,
			    const torus_place_request_t *request,
			    torus_interval_choice_t *choice)
{
	const torus_allocator_t *allocator = torus_allocator_of(request);
	uint32_t *edge = runs->edge;
	uint32_t count = runs->count;
	uint32_t *end = count ? &edge[2 * count - 1] : NULL;
	uint32_t beyond = 0;
	bool found;

	/*
	 * The joined interval counts as the last one, lengthened by the run at rank 0,
	 * which is then no interval of its own.
	 */
	if (runs->joined) {
		beyond = edge[1];
		*end += beyond;
		edge += 2;
		count--;
	}
	if (!allocator->interval)
		allocator = &torus_best_fit;
	found = allocator->interval(edge, count, request->nodes, placer->tally, choice);
	if (runs->joined)
		*end -= beyond;
	return found;
}

bool torus_place(torus_placer_t *placer, const uint64_t *free,
		 const torus_place_request_t *request, uint32_t *chosen,
		 torus_placement_t *placement)
{
	uint32_t n = request->nodes, ranks = placer->ranks, run;
	torus_placement_t found = {0};
	torus_interval_choice_t interval = {0};
	torus_free_runs_t runs;

	if (!n || n > ranks)
		return false;
	if (torus_any_required(request->required, ranks))
		return torus_place_required(placer, free, request, chosen, placement);

	runs = torus_free_runs_find(placer, free, request->span);
	if (torus_allocator_of(request)->ignores_intervals && !request->contiguous) {
		if (!torus_free_runs_have(&runs, n))
			return false;
		torus_free_runs_take(&runs, 0, n, chosen);
		found.first = chosen[0];
		found.span = torus_ascending_span(chosen, n, ranks, request->span);
		found.contiguous = found.span == n;
		found.score = found.contiguous ? 0 : found.span;
	} else if (choose_interval(placer, &runs, request, &interval)) {
		for (uint32_t i = 0; i < n; i++) {
			uint32_t rank = interval.first + i;

			chosen[i] = rank < ranks ? rank : rank - ranks;
		}
		found = (torus_placement_t){interval.first, n, true, interval.score};
	} else {
		if (request->contiguous)
			return false;
		run = torus_free_runs_window(&runs, ranks, n, request->span, &found.span);
		if (run == runs.count)
			return false;
		torus_free_runs_take(&runs, run, n, chosen);
		found.first = chosen[0];
		found.score = found.span;
	}
	if (placement)
		*placement = found;
	return true;
}
