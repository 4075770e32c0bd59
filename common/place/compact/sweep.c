/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Windows along a line: see sweep.h. */
#include "place/compact/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

/* Nodes that come or go in one sweep, at most. */
#define MOVED_MOST (UINT32_C(1) << 13)

/* Spans are told from each other up to this many places over n. */
#define SPANS 1024

int torus_compact_line_begin(torus_compact_line_t *line, const torus_site_t *site,
			     torus_error_t *err)
{
	*line = (torus_compact_line_t){.ranks = site->ranks};
	line->cell = malloc(site->ranks * sizeof(*line->cell));
	line->place = malloc(site->ranks * sizeof(*line->place));
	line->tally = malloc(SPANS * sizeof(*line->tally));
	if (!line->cell || !line->place || !line->tally)
		return torus_fail(err, "out of memory for a line of %u ranks",
				  site->ranks);
	return 0;
}

void torus_compact_line_end(torus_compact_line_t *line)
{
	free(line->cell);
	free(line->place);
	free(line->tally);
}

void torus_compact_line_of_ranks(torus_compact_line_t *line, const torus_ask_t *ask)
{
	const torus_site_t *site = ask->site;

	line->count = 0;
	line->places = site->ranks;
	for (size_t i = 0; i < TORUS_WORDS(site->ranks); i++) {
		uint64_t bits = site->free[i];

		if (ask->required)
			bits &= ~ask->required[i];
		for (; bits; bits &= bits - 1) {
			uint32_t rank =
				(uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(bits);

			line->place[line->count] = rank;
			line->cell[line->count++] = site->cell_of_rank[rank];
		}
	}
}

/* The number of a node [steps] (at most the count) behind another. */
static uint32_t behind(const torus_compact_line_t *line, uint32_t node, uint32_t steps)
{
	uint32_t to = node + steps;

	return to < line->count ? to : to - line->count;
}

void torus_compact_line_take(const torus_compact_line_t *line, uint32_t start, uint32_t n,
			     uint32_t *cells)
{
	for (uint32_t i = 0; i < n; i++)
		cells[i] = line->cell[behind(line, start, i)];
}

/* Places from the first node of a window to the last, less one. */
static uint32_t span_of(const torus_compact_line_t *line, uint32_t start, uint32_t n)
{
	uint32_t first = line->place[start],
		 last = line->place[behind(line, start, n - 1)];

	return last >= first ? last - first : last + line->places - first;
}

/* Let the set hold the window at [start] instead of the one at *held (UINT32_MAX: none).
 */
static void move(const torus_compact_line_t *line, torus_compact_set_t *set, uint32_t n,
		 uint32_t start, uint32_t *held)
{
	uint32_t steps = *held == UINT32_MAX ? n : start - *held, from = *held;

	if (steps > n)
		steps = n;
	for (uint32_t i = 0; i < steps && from != UINT32_MAX; i++)
		torus_compact_set_remove(set, line->cell[behind(line, from, i)]);
	for (uint32_t i = n - steps; i < n; i++)
		torus_compact_set_add(set, line->cell[behind(line, start, i)]);
	*held = start;
}

static void let_go(const torus_compact_line_t *line, torus_compact_set_t *set, uint32_t n,
		   uint32_t held)
{
	for (uint32_t i = 0; i < n && held != UINT32_MAX; i++)
		torus_compact_set_remove(set, line->cell[behind(line, held, i)]);
}

/*
 * Tell the windows to look at: those of a span up to the result, and of those of just
 * that span the first *equal.
 */
static uint32_t widest(const torus_compact_line_t *line, uint32_t n, uint32_t windows,
		       uint32_t *equal)
{
	uint32_t span = 0, wanted = MOVED_MOST / (2 * n) + 1;

	*equal = windows;
	if (windows <= wanted || windows + n <= MOVED_MOST / 2)
		return UINT32_MAX;
	memset(line->tally, 0, SPANS * sizeof(*line->tally));
	for (uint32_t start = 0; start < windows; start++) {
		uint32_t over = span_of(line, start, n) + 1;

		over = over > n ? over - n : 0;
		line->tally[over < SPANS ? over : SPANS - 1]++;
	}
	while (line->tally[span] < wanted)
		wanted -= line->tally[span++];
	*equal = wanted;
	return span;
}

void torus_compact_sweep(const torus_compact_line_t *line, torus_compact_set_t *set,
			 const torus_compact_prices_t *prices, uint32_t n,
			 torus_compact_window_t *best)
{
	uint32_t windows = line->count > n ? line->count : 1, held = UINT32_MAX, equal;
	uint32_t most;

	best->start = 0;
	best->cost = INT64_MAX;
	if (!n) {
		best->cost = torus_compact_cost(set, prices);
		return;
	}
	most = widest(line, n, windows, &equal);
	for (uint32_t start = 0; start < windows; start++) {
		int64_t cost;

		if (most != UINT32_MAX) {
			uint32_t over = span_of(line, start, n) + 1;

			over = over > n ? over - n : 0;
			over = over < SPANS ? over : SPANS - 1;
			if (over > most || (over == most && !equal))
				continue;
			equal -= over == most;
		}
		move(line, set, n, start, &held);
		cost = torus_compact_cost(set, prices);
		if (cost < best->cost) {
			best->cost = cost;
			best->start = start;
		}
	}
	let_go(line, set, n, held);
}

bool torus_compact_sweep_intervals(const torus_compact_line_t *line,
				   torus_compact_set_t *set,
				   const torus_compact_prices_t *prices, uint32_t n,
				   torus_span_t span, torus_compact_window_t *best)
{
	uint32_t starts = span == TORUS_SPAN_RING || line->count < n
				  ? line->count
				  : line->count - n + 1;
	uint32_t held = UINT32_MAX;

	best->cost = INT64_MAX;
	for (uint32_t start = 0; line->count >= n && start < starts; start++) {
		int64_t cost;

		if (span_of(line, start, n) != n - 1)
			continue;
		move(line, set, n, start, &held);
		cost = torus_compact_cost(set, prices);
		if (cost < best->cost) {
			best->cost = cost;
			best->start = start;
		}
	}
	let_go(line, set, n, held);
	return held != UINT32_MAX;
}
