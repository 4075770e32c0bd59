/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sum_of_squares:greedy and sum_of_squares:global: sum_of_squares of Leung et al.,
 * "Processor Allocation on Cplant" (2002), on a line whose ends do not touch; where no
 * interval holds the job they go on by the sum over s of N(s)^2, N(s) being the number of
 * free intervals of s ranks, and not by the span. How is our reading.
 *
 * greedy  One interval after the other, whole, or of a longer one the first ranks that
 *         are still wanted: each time the one after which the sum is smallest. Ties: the
 *         longest, then the first.
 * global  Of all windows of n successive free ranks the one after which the sum is
 *         smallest. Ties: the smallest span, then the first.
 */
#include <stdlib.h>

#include "base/bitmap.h"
#include "strategies/strategies.h"

typedef struct squares {
	torus_site_t *site;
	uint32_t *edge; /* interval i is edge[2i] .. edge[2i+1] - 1 */
	uint32_t count;
	uint32_t *tally; /* [ranks + 1] intervals by length */
} squares_t;

static uint32_t length_of(const squares_t *squares, uint32_t interval)
{
	return squares->edge[2 * interval + 1] - squares->edge[2 * interval];
}

/* Returns 0, or -1 with [err] filled. */
static int find_intervals(squares_t *squares, torus_error_t *err)
{
	uint32_t ranks = squares->site->ranks, end = 0;
	const uint64_t *free_ranks = squares->site->free;

	squares->edge = malloc(((size_t)ranks + 2) * sizeof(*squares->edge));
	squares->tally = calloc((size_t)ranks + 1, sizeof(*squares->tally));
	if (!squares->edge || !squares->tally)
		return torus_fail(err, "out of memory for %u ranks", ranks);
	for (;;) {
		uint32_t begin = torus_bitmap_next_set(free_ranks, ranks, end);

		if (begin >= ranks)
			return 0;
		end = begin + 1;
		while (end < ranks && torus_bit_test(free_ranks, end))
			end++;
		squares->edge[2 * squares->count] = begin;
		squares->edge[2 * squares->count + 1] = end;
		squares->count++;
	}
}

static void count_lengths(squares_t *squares)
{
	for (uint32_t i = 0; i < squares->count; i++)
		squares->tally[length_of(squares, i)]++;
}

/* By how much the sum grows when there is one interval of [length] more, or less. */
static int64_t one_more(squares_t *squares, uint32_t length)
{
	return length ? 2 * (int64_t)squares->tally[length]++ + 1 : 0;
}

static int64_t one_less(squares_t *squares, uint32_t length)
{
	return length ? 1 - 2 * (int64_t)squares->tally[length]-- : 0;
}

/* By how much the sum grows when an interval of [length] becomes one of [left]. */
static int64_t change(squares_t *squares, uint32_t length, uint32_t left)
{
	int64_t grows = one_less(squares, length);

	grows += one_more(squares, left);
	one_less(squares, left);
	one_more(squares, length);
	return grows;
}

static void take_greedily(squares_t *squares, uint32_t wanted)
{
	while (wanted) {
		uint32_t best = 0, longest = 0, taken;
		int64_t least = INT64_MAX;

		for (uint32_t i = 0; i < squares->count; i++) {
			uint32_t length = length_of(squares, i);
			int64_t grows;

			if (!length)
				continue;
			grows = change(squares, length,
				       length > wanted ? length - wanted : 0);
			if (grows > least || (grows == least && length <= longest))
				continue;
			least = grows;
			longest = length;
			best = i;
		}
		taken = longest < wanted ? longest : wanted;
		torus_bitmap_set_range(squares->site->taken, squares->edge[2 * best],
				       taken);
		one_less(squares, longest);
		one_more(squares, longest - taken);
		squares->edge[2 * best] += taken;
		wanted -= taken;
	}
}

/* A window of free ranks, from one in interval `first` up to one in interval `last`. */
typedef struct window {
	uint32_t first, begin, last, end;
} window_t;

/*
 * Move the window, of at least two intervals, as far as it goes with both ends in the
 * intervals where they are; [sum] is that without all intervals that it touches, and the
 * tally is of the others. Keeps the best.
 */
static void slide(squares_t *squares, window_t window, int64_t sum, int64_t *least,
		  window_t *best)
{
	uint32_t begin = squares->edge[2 * window.first];
	uint32_t stop = squares->edge[2 * window.last + 1];
	uint32_t steps = squares->edge[2 * window.first + 1] - window.begin;

	if (steps > stop - window.end + 1)
		steps = stop - window.end + 1;
	for (uint32_t step = 0; step < steps; step++, window.begin++, window.end++) {
		uint32_t before = window.begin - begin, after = stop - window.end;
		int64_t grown = sum;

		grown += one_more(squares, before);
		grown += one_more(squares, after);
		one_less(squares, after);
		one_less(squares, before);
		if (grown > *least ||
		    (grown == *least &&
		     window.end - window.begin >= best->end - best->begin))
			continue;
		*least = grown;
		*best = window;
	}
}

/*
 * No interval holds [wanted] ranks, all together do. The first rank of a window goes
 * through all free ones; where an end of it goes on to the next interval, that one is
 * taken out of the tally, or put back into it.
 */
static void take_window(squares_t *squares, uint32_t wanted)
{
	uint32_t *edge = squares->edge, inside = 0, taken = 0;
	window_t window = {0}, best = {0};
	int64_t sum = 0, least = INT64_MAX;

	/* The tally has intervals window.first .. window.last - 1 not, which hold
	 * [inside]. */
	for (window.first = 0; window.first < squares->count; window.first++) {
		uint32_t length = length_of(squares, window.first);

		window.begin = edge[2 * window.first];
		while (window.begin < edge[2 * window.first + 1]) {
			uint32_t skipped = window.begin - edge[2 * window.first], more;

			while (inside - skipped < wanted &&
			       window.last < squares->count) {
				sum += one_less(squares, length_of(squares, window.last));
				inside += length_of(squares, window.last++);
			}
			if (inside - skipped < wanted)
				break;
			/* So many ranks of the last interval are not in the window. */
			more = inside - skipped - wanted;
			window.last--;
			window.end = edge[2 * window.last + 1] - more;
			slide(squares, window, sum, &least, &best);
			window.last++;
			window.begin += more + 1;
		}
		sum += one_more(squares, length);
		inside -= length;
	}
	for (uint32_t i = best.first; taken < wanted; i++) {
		uint32_t from = i == best.first ? best.begin : edge[2 * i];
		uint32_t to = i == best.last ? best.end : edge[2 * i + 1];

		torus_bitmap_set_range(squares->site->taken, from, to - from);
		taken += to - from;
	}
}

int torus_squares(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	squares_t squares = {.site = ask->site};
	torus_interval_choice_t choice;
	int placed = -1;

	(void)score;
	if (find_intervals(&squares, err))
		goto out;
	placed = 1;
	if (torus_sum_of_squares.interval(squares.edge, squares.count, ask->nodes,
					  squares.tally, &choice)) {
		torus_bitmap_set_range(ask->site->taken, choice.first, ask->nodes);
		goto out;
	}
	count_lengths(&squares);
	if (ask->variant & TORUS_SQUARES_GLOBAL)
		take_window(&squares, ask->nodes);
	else
		take_greedily(&squares, ask->nodes);
out:
	free(squares.edge);
	free(squares.tally);
	return placed;
}
