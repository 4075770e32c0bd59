/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement by intervals and by minimum span: see place.h. */
#include "place_private.h"

#include <stdlib.h>

#include "bitmap.h"

/*
 * Maximal runs of free ranks, in ascending order: run i is edge[2i] .. edge[2i+1] - 1. On
 * a ring whose first and last run touch, `joined` says that these two are one interval.
 */
typedef struct free_runs {
	uint32_t *edge;
	uint32_t count;
	bool joined;
} free_runs_t;

size_t torus_placer_bytes(uint32_t ranks)
{
	return sizeof(torus_placer_t) + 2 * sizeof(uint32_t) * ((size_t)ranks + 1);
}

torus_placer_t *torus_placer_create(uint32_t ranks)
{
	torus_placer_t *placer = calloc(1, torus_placer_bytes(ranks));

	if (!placer)
		return NULL;
	placer->ranks = ranks;
	placer->edge = (uint32_t *)(placer + 1);
	placer->tally = placer->edge + ranks + 1;
	return placer;
}

void torus_placer_destroy(torus_placer_t *placer)
{
	free(placer);
}

/*
 * A bit that differs from the one before it is an edge, so one XOR finds all edges of a
 * word, and a word that goes on like the last bit of the one before it costs one test.
 */
static free_runs_t find_runs(torus_placer_t *placer, const uint64_t *free,
			     torus_span_t span)
{
	free_runs_t runs = {.edge = placer->edge};
	size_t words = TORUS_WORDS(placer->ranks);
	uint32_t *out = placer->edge;
	uint64_t before = 0;

	for (size_t i = 0; i < words; i++) {
		uint64_t edges = free[i] ^ (free[i] << 1 | before);

		before = free[i] >> 63;
		while (edges) {
			*out++ = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(edges);
			edges &= edges - 1;
		}
	}
	if (before)
		*out++ = placer->ranks;
	runs.count = (uint32_t)(out - placer->edge) / 2;
	runs.joined = span == TORUS_SPAN_RING && runs.count > 1 && runs.edge[0] == 0 &&
		      out[-1] == placer->ranks;
	return runs;
}

/* What choosing an interval found: its first rank and the score of place.h. */
typedef struct interval_choice {
	uint32_t first;
	int64_t score;
} interval_choice_t;

static bool choose_first_fit(const uint32_t *edge, uint32_t count, uint32_t n,
			     interval_choice_t *choice)
{
	for (uint32_t i = 0; i < count; i++) {
		if (edge[2 * i + 1] - edge[2 * i] >= n) {
			*choice = (interval_choice_t){edge[2 * i], 0};
			return true;
		}
	}
	return false;
}

static bool choose_best_fit(const uint32_t *edge, uint32_t count, uint32_t n,
			    interval_choice_t *choice)
{
	/* Ranks left over: beyond this bound for an interval shorter than n, as the
	 * subtraction then wraps below zero (no interval or n is longer than 2^28). */
	uint32_t least = UINT32_C(1) << 31, best = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t left = edge[2 * i + 1] - edge[2 * i] - n;

		if (left < least) {
			least = left;
			best = i;
		}
	}
	if (least == UINT32_C(1) << 31)
		return false;
	*choice = (interval_choice_t){edge[2 * best], least};
	return true;
}

/*
 * Taking n from an interval of size s makes N(s) one less and, unless nothing is left,
 * N(s - n) one more. The sum of the squares changes by the difference of these.
 */
static bool choose_sum_of_squares(const uint32_t *edge, uint32_t count, uint32_t n,
				  uint32_t *tally, interval_choice_t *choice)
{
	bool found = false;

	for (uint32_t i = 0; i < count; i++)
		tally[edge[2 * i + 1] - edge[2 * i]]++;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t size = edge[2 * i + 1] - edge[2 * i];
		int64_t change;

		if (size < n)
			continue;
		change = 1 - 2 * (int64_t)tally[size];
		if (size > n)
			change += 1 + 2 * (int64_t)tally[size - n];
		if (!found || change < choice->score)
			*choice = (interval_choice_t){edge[2 * i], change};
		found = true;
	}
	for (uint32_t i = 0; i < count; i++)
		tally[edge[2 * i + 1] - edge[2 * i]] = 0;
	return found;
}

/* Choose the interval that the job gets its ranks from, if one is long enough. */
static bool choose_interval(torus_placer_t *placer, const free_runs_t *runs,
			    const torus_place_request_t *request,
			    interval_choice_t *choice)
{
	uint32_t *edge = runs->edge;
	uint32_t count = runs->count;
	uint32_t *end = count ? &edge[2 * count - 1] : NULL;
	uint32_t beyond = 0;
	bool found;

	/* The joined interval starts near the end: it is the last one, and the run at
	 * rank 0 is none of its own. */
	if (runs->joined) {
		beyond = edge[1];
		*end += beyond;
		edge += 2;
		count--;
	}
	if (request->allocator == TORUS_BEST_FIT)
		found = choose_best_fit(edge, count, request->nodes, choice);
	else if (request->allocator == TORUS_SUM_OF_SQUARES)
		found = choose_sum_of_squares(edge, count, request->nodes, placer->tally,
					      choice);
	else
		found = choose_first_fit(edge, count, request->nodes, choice);
	if (runs->joined)
		*end -= beyond;
	return found;
}

/* Ranks between run [run] and the one that follows it, around the end. */
static uint32_t gap_after(const free_runs_t *runs, uint32_t run, uint32_t ranks)
{
	if (run + 1 == runs->count)
		return ranks - runs->edge[2 * run + 1] + runs->edge[0];
	return runs->edge[2 * run + 2] - runs->edge[2 * run + 1];
}

/*
 * Find the window of minimum span. Of windows that begin within one run, the one at the
 * run's start is shortest and has the lowest first rank, so only these are looked at. A
 * run at rank 0 that is the tail of a joined interval counts as a start too: its window
 * is never shorter than the one from the interval's start, but on a tie rank 0 is lower.
 *
 * The span is n plus the gaps inside the window. As the window moves on, its end moves
 * too and takes in more gaps; so, to have fewer than the fewest so far, it must first
 * leave behind as many as it has too many, and the starts in between need no closer look.
 * Returns the run that the window begins with; runs->count when fewer than n are free.
 */
static uint32_t find_window(const free_runs_t *runs, uint32_t ranks, uint32_t n,
			    torus_span_t rule, uint32_t *span)
{
	const uint32_t *edge = runs->edge;
	uint32_t last = 0, held = 0, gaps = 0, fewest = UINT32_MAX, best = runs->count;
	bool around = false;

	/* The window begins with run [first], ends in run [last], around the end or not;
	 * [held] are the free ranks from the one to before the other. */
	for (uint32_t first = 0; first < runs->count;) {
		while (held + edge[2 * last + 1] - edge[2 * last] < n) {
			held += edge[2 * last + 1] - edge[2 * last];
			gaps += gap_after(runs, last, ranks);
			if (++last == runs->count) {
				if (around || rule == TORUS_SPAN_LINEAR)
					goto out;
				around = true;
				last = 0;
			}
			if (around && last == first)
				goto out;
		}
		if (gaps < fewest) {
			fewest = gaps;
			best = first;
		}
		do {
			held -= edge[2 * first + 1] - edge[2 * first];
			gaps -= gap_after(runs, first, ranks);
			first++;
		} while (gaps >= fewest && first < runs->count);
	}
out:
	*span = n + fewest;
	return best;
}

/* Take n free ranks from the start of run [run] on, going around the end if need be. */
static void take_from_run(const free_runs_t *runs, uint32_t run, uint32_t n,
			  uint32_t *chosen)
{
	for (uint32_t taken = 0; taken < n; run++) {
		if (run == runs->count)
			run = 0;
		for (uint32_t rank = runs->edge[2 * run];
		     rank < runs->edge[2 * run + 1] && taken < n; rank++)
			chosen[taken++] = rank;
	}
}

static bool has_ranks(const free_runs_t *runs, uint32_t n)
{
	uint32_t have = 0;

	for (uint32_t i = 0; i < runs->count && have < n; i++)
		have += runs->edge[2 * i + 1] - runs->edge[2 * i];
	return have >= n;
}

bool torus_any_required(const uint64_t *required, uint32_t ranks)
{
	return required && torus_bitmap_next_set(required, ranks, 0) < ranks;
}

bool torus_place(torus_placer_t *placer, const uint64_t *free,
		 const torus_place_request_t *request, uint32_t *chosen,
		 torus_placement_t *placement)
{
	uint32_t n = request->nodes, ranks = placer->ranks, run;
	torus_placement_t found = {0};
	interval_choice_t interval = {0};
	free_runs_t runs;

	if (!n || n > ranks)
		return false;
	if (torus_any_required(request->required, ranks))
		return torus_place_required(placer, free, request, chosen, placement);

	runs = find_runs(placer, free, request->span);
	if (request->allocator == TORUS_FREE_LIST && !request->contiguous) {
		if (!has_ranks(&runs, n))
			return false;
		take_from_run(&runs, 0, n, chosen);
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
		run = find_window(&runs, ranks, n, request->span, &found.span);
		if (run == runs.count)
			return false;
		take_from_run(&runs, run, n, chosen);
		found.first = chosen[0];
		found.score = found.span;
	}
	if (placement)
		*placement = found;
	return true;
}
