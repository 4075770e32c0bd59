/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Windows along a line: see sweep.h. */
#include "place/compact/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

/* The most nodes that may be added or removed in one sweep. */
#define MOVED_MOST (UINT32_C(1) << 13)

/*
 * Where not all windows can be scored those of at least so many nodes are that begin each
 * an eighth of a window after the one before.
 */
#define STEPPED_LEAST 256
#define STEPS 8

/* No window. */
#define NONE UINT32_MAX

/* Windows are sorted by span exactly up to this many places more than n. */
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

/* The number of the node [steps] (at most the count) after another, around the end. */
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

/*
 * How many places more than [n] the window takes up. It can take fewer than n, as nodes
 * of a router may share a place; this counts as 0.
 */
static uint32_t places_over(const torus_compact_line_t *line, uint32_t start, uint32_t n)
{
	uint32_t first = line->place[start],
		 last = line->place[behind(line, start, n - 1)];
	uint32_t span = last >= first ? last - first : last + line->places - first;

	return span + 1 > n ? span + 1 - n : 0;
}

/* Which windows are scored. */
typedef struct sieve {
	uint32_t starts; /* number of windows */
	uint32_t over;	 /* the largest number of places over n */
	uint32_t equal;	 /* how many windows with exactly that many are scored: the first
			  * ones */
	bool all;	 /* no matter how many */
} sieve_t;

/*
 * All windows are scored if sliding over them is not too much work: at each step one node
 * comes and one goes. Otherwise as many small ones as can be put together one by one,
 * those of least span.
 */
static sieve_t sieve_all(const torus_compact_line_t *line, uint32_t n)
{
	uint32_t wanted = MOVED_MOST / (2 * n) + 1;
	sieve_t sieve = {.starts = line->count > n ? line->count : 1};

	sieve.all = sieve.starts <= wanted || sieve.starts + n <= MOVED_MOST / 2;
	if (sieve.all)
		return sieve;
	memset(line->tally, 0, SPANS * sizeof(*line->tally));
	for (uint32_t start = 0; start < sieve.starts; start++) {
		uint32_t over = places_over(line, start, n);

		line->tally[over < SPANS ? over : SPANS - 1]++;
	}
	while (line->tally[sieve.over] < wanted)
		wanted -= line->tally[sieve.over++];
	sieve.equal = wanted;
	return sieve;
}

static sieve_t sieve_intervals(const torus_compact_line_t *line, uint32_t n, bool ring)
{
	return (sieve_t){.starts = ring ? line->count : line->count - n + 1,
			 .equal = UINT32_MAX};
}

/* Whether to score the window at [start]. Asked for all windows in order. */
static bool passes(sieve_t *sieve, const torus_compact_line_t *line, uint32_t start,
		   uint32_t n)
{
	uint32_t over;

	if (sieve->all)
		return true;
	over = places_over(line, start, n);
	if (over >= SPANS)
		over = SPANS - 1;
	if (over != sieve->over)
		return over < sieve->over;
	if (!sieve->equal)
		return false;
	sieve->equal--;
	return true;
}

/*
 * Let the set hold the window at [start] instead of the one at *held, which is before it
 * or NONE.
 */
static void move(const torus_compact_line_t *line, torus_compact_set_t *set, uint32_t n,
		 uint32_t start, uint32_t *held)
{
	uint32_t steps = *held == NONE || start - *held > n ? n : start - *held;

	for (uint32_t i = 0; i < steps; i++) {
		uint32_t in = line->cell[behind(line, start, n - steps + i)];

		if (*held == NONE)
			torus_compact_set_add(set, in);
		else
			torus_compact_set_exchange(
				set, line->cell[behind(line, *held, i)], in);
	}
	*held = start;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * Go along the line by large steps. They are shorter where otherwise what comes or goes
 * would not be in one piece. In the end the first window is held again.
 */
static void go_by_steps(const torus_compact_line_t *line, torus_compact_set_t *set,
			const torus_compact_prices_t *prices, uint32_t n,
			torus_compact_window_t *best)
{
	uint32_t start = 0, step;

	torus_compact_set_change(set, NULL, 0, line->cell, n);
	for (; start < line->count; start += step) {
		uint32_t next = behind(line, start, n);
		int64_t cost = torus_compact_cost(set, prices);

		if (cost < best->cost) {
			best->cost = cost;
			best->start = start;
		}
		step = least(n / STEPS, line->count - (start > next ? start : next));
		torus_compact_set_change(set, line->cell + start, step, line->cell + next,
					 step);
	}
	torus_compact_set_change(set, line->cell, n, NULL, 0);
}

bool torus_compact_sweep(const torus_compact_line_t *line, torus_compact_set_t *set,
			 const torus_compact_prices_t *prices, uint32_t n,
			 torus_compact_which_t which, torus_compact_window_t *best)
{
	uint32_t held = NONE;
	sieve_t sieve;

	best->cost = INT64_MAX;
	if (!n || line->count < n)
		return false;
	sieve = which == TORUS_COMPACT_ALL
			? sieve_all(line, n)
			: sieve_intervals(line, n, which == TORUS_COMPACT_RING);
	if (which == TORUS_COMPACT_ALL && !sieve.all && n >= STEPPED_LEAST) {
		go_by_steps(line, set, prices, n, best);
		return true;
	}
	for (uint32_t start = 0; start < sieve.starts; start++) {
		int64_t cost;

		if (!passes(&sieve, line, start, n))
			continue;
		move(line, set, n, start, &held);
		cost = torus_compact_cost(set, prices);
		if (cost < best->cost) {
			best->cost = cost;
			best->start = start;
		}
	}
	for (uint32_t i = 0; i < n && held != NONE; i++)
		torus_compact_set_remove(set, line->cell[behind(line, held, i)]);
	return held != NONE;
}
