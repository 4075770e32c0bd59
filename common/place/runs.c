/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of free ranks: see runs.h. */
#include "place/runs.h"

#include <string.h>

#include "base/bitmap.h"

/* Words that are compared with the last ones at once. */
#define PART_WORDS 32
/* If more parts differ, all is done anew. */
#define PARTS_MOST 64

/*
 * The edges within words from .. until-1 into [out]; returns what is behind them. A bit
 * that differs from the one before it is an edge, so one XOR finds all edges of a word. A
 * word all of whose bits equal the last bit before it costs one test.
 */
static uint32_t *find_edges(const uint64_t *free, size_t from, size_t until,
			    uint32_t *out)
{
	uint64_t before = from ? free[from - 1] >> 63 : 0;

	for (size_t i = from; i < until; i++) {
		uint64_t edges = free[i] ^ (free[i] << 1 | before);

		before = free[i] >> 63;
		while (edges) {
			*out++ = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(edges);
			edges &= edges - 1;
		}
	}
	return out;
}

/* The edge behind the last word, if its last rank is free; as above. */
static uint32_t *end_edges(const torus_placer_t *placer, const uint64_t *free,
			   uint32_t *out)
{
	if (placer->ranks % 64 == 0 && free[TORUS_WORDS(placer->ranks) - 1] >> 63)
		*out++ = placer->ranks;
	return out;
}

static size_t part_end(const torus_placer_t *placer, size_t from)
{
	size_t words = TORUS_WORDS(placer->ranks);

	return from + PART_WORDS < words ? from + PART_WORDS : words;
}

static bool has_changed(const torus_placer_t *placer, const uint64_t *free, size_t from)
{
	return memcmp(free + from, placer->seen + from,
		      (part_end(placer, from) - from) * sizeof(*free)) != 0;
}

/* The first of edge[] that is not before [rank]. */
static uint32_t first_edge(const torus_placer_t *placer, uint64_t rank)
{
	uint32_t low = 0, high = placer->edges;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (placer->edge[middle] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Put the edges of the part from word [from] on in the place of the old ones; and those
 * of the word behind it, as its first bit may have become one, or none any more.
 */
static void update_part(torus_placer_t *placer, const uint64_t *free, size_t from)
{
	size_t words = TORUS_WORDS(placer->ranks), until = part_end(placer, from);
	uint32_t found[(PART_WORDS + 1) * 64 + 1], *out = found, first, last, count;

	until += until < words;
	out = find_edges(free, from, until, out);
	if (until == words)
		out = end_edges(placer, free, out);
	count = (uint32_t)(out - found);
	first = first_edge(placer, from * 64);
	last = until == words ? placer->edges : first_edge(placer, until * 64);
	memmove(placer->edge + first + count, placer->edge + last,
		(placer->edges - last) * sizeof(*placer->edge));
	memcpy(placer->edge + first, found, count * sizeof(*found));
	placer->edges = placer->edges - (last - first) + count;
}

/*
 * Bring edge[] from the runs of [seen] to those of [free]: a scheduler asks again and
 * again while only a job or two have begun and ended. False if all is to be done anew,
 * as many parts differ or there are few of them.
 */
static bool update(torus_placer_t *placer, const uint64_t *free)
{
	size_t words = TORUS_WORDS(placer->ranks), changed[PARTS_MOST], count = 0;
	size_t most = words / PART_WORDS / 4;

	if (!most || !placer->edges)
		return false;
	for (size_t from = 0; from < words; from += PART_WORDS) {
		if (!has_changed(placer, free, from))
			continue;
		if (count == most || count == PARTS_MOST)
			return false;
		changed[count++] = from;
	}
	for (size_t i = 0; i < count; i++) {
		size_t from = changed[i];

		update_part(placer, free, from);
		memcpy(placer->seen + from, free + from,
		       (part_end(placer, from) - from) * sizeof(*free));
	}
	return true;
}

torus_free_runs_t torus_free_runs_find(torus_placer_t *placer, const uint64_t *free,
				       torus_span_t span)
{
	torus_free_runs_t runs = {.edge = placer->edge};
	size_t words = TORUS_WORDS(placer->ranks);

	if (!update(placer, free)) {
		uint32_t *out = find_edges(free, 0, words, placer->edge);

		out = end_edges(placer, free, out);
		placer->edges = (uint32_t)(out - placer->edge);
		memcpy(placer->seen, free, words * sizeof(*free));
	}
	runs.count = placer->edges / 2;
	runs.joined = span == TORUS_SPAN_RING && runs.count > 1 && runs.edge[0] == 0 &&
		      runs.edge[placer->edges - 1] == placer->ranks;
	return runs;
}

bool torus_free_runs_have(const torus_free_runs_t *runs, uint32_t n)
{
	uint32_t have = 0;

	for (uint32_t i = 0; i < runs->count && have < n; i++)
		have += runs->edge[2 * i + 1] - runs->edge[2 * i];
	return have >= n;
}

/* The number of ranks between run [run] and the next one, around the end. */
static uint32_t gap_after(const torus_free_runs_t *runs, uint32_t run, uint32_t ranks)
{
	if (run + 1 == runs->count)
		return ranks - runs->edge[2 * run + 1] + runs->edge[0];
	return runs->edge[2 * run + 2] - runs->edge[2 * run + 1];
}

/*
 * Find the window of minimum span. Of all windows that begin within one run, the one at
 * the run's start is shortest and has the lowest first rank, so only these are tried. A
 * run at rank 0 that is the tail of a joined interval is tried as a start too: its window
 * is never shorter than the one from the interval's start, but on a tie rank 0 is lower.
 *
 * The span is n plus the gaps inside the window. When the start moves on, the end moves
 * as well and may add gaps. So a window with more gaps than the best so far can only win
 * after its start has passed that many more, and the starts in between are skipped.
 */
uint32_t torus_free_runs_window(const torus_free_runs_t *runs, uint32_t ranks, uint32_t n,
				torus_span_t rule, uint32_t *span)
{
	const uint32_t *edge = runs->edge;
	uint32_t last = 0, held = 0, gaps = 0, fewest = UINT32_MAX, best = runs->count;
	bool around = false;

	/*
	 * The window begins with run [first] and ends in run [last], possibly around the
	 * end; [held] is the number of free ranks from run [first] up to, but not in, run
	 * [last].
	 */
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

void torus_free_runs_take(const torus_free_runs_t *runs, uint32_t run, uint32_t n,
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
