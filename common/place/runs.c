/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of free ranks: see runs.h. */
#include "place/runs.h"

#include "base/bitmap.h"

/*
 * A bit that differs from the one before it is an edge, so one XOR finds all edges of a
 * word. A word all of whose bits equal the last bit before it costs one test.
 */
torus_free_runs_t torus_free_runs_find(torus_placer_t *placer, const uint64_t *free,
				       torus_span_t span)
{
	torus_free_runs_t runs = {.edge = placer->edge};
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
