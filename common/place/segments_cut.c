/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job's nodes cut into segments: see torus_segments_cut() in place/segments.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "metrics/metrics.h"
#include "place/pieces.h"

/* Numbers in the lists of pieces by rank, beyond which no cover is looked for. */
#define MOST_LISTED (UINT64_C(1) << 24)

typedef struct cutting {
	const torus_segments_site_t *site;
	const uint32_t *set;
	uint32_t size, count, nodes;
	uint64_t *left; /* bitmap of ranks: the set, then what is not covered */
	torus_pieces_t pieces;
	/* The pieces of each rank, the fewest hops first: listed[from[rank] ..] */
	uint32_t *from, *listed;
	uint32_t *ranks;   /* [size] of one piece */
	uint32_t *covered; /* [count] the pieces that cover the set so far */
	uint32_t *order;   /* the caller's */
} cutting_t;

static int make(cutting_t *cut, torus_error_t *err)
{
	cut->left = torus_bitmap_create(cut->site->ranks);
	cut->ranks = malloc(cut->size * sizeof(*cut->ranks));
	cut->covered = malloc(cut->count * sizeof(*cut->covered));
	if (!cut->left || !cut->ranks || !cut->covered)
		return torus_fail(err, "out of memory for %u segments", cut->count);
	for (uint32_t i = 0; i < cut->nodes; i++)
		torus_bit_set(cut->left, cut->set[i]);
	return torus_pieces_list(&cut->pieces, cut->site, cut->left, cut->size, err);
}

static void clear(cutting_t *cut)
{
	torus_pieces_free(&cut->pieces);
	free(cut->left);
	free(cut->from);
	free(cut->listed);
	free(cut->ranks);
	free(cut->covered);
}

/* ---- into pieces ---- */

static int list_by_rank(cutting_t *cut, torus_error_t *err)
{
	const torus_pieces_t *pieces = &cut->pieces;
	uint32_t ranks = cut->site->ranks;

	cut->from = calloc((size_t)ranks + 2, sizeof(*cut->from));
	cut->listed =
		malloc(((size_t)pieces->count * cut->size + 1) * sizeof(*cut->listed));
	if (!cut->from || !cut->listed)
		return torus_fail(err, "out of memory for %u pieces", pieces->count);
	for (uint32_t i = 0; i < pieces->count; i++) {
		torus_piece_ranks(pieces, &pieces->piece[i], cut->ranks);
		for (uint32_t j = 0; j < cut->size; j++)
			cut->from[cut->ranks[j] + 2]++;
	}
	for (uint32_t rank = 0; rank < ranks; rank++)
		cut->from[rank + 2] += cut->from[rank + 1];
	for (uint32_t i = 0; i < pieces->count; i++) {
		torus_piece_ranks(pieces, &pieces->piece[i], cut->ranks);
		for (uint32_t j = 0; j < cut->size; j++)
			cut->listed[cut->from[cut->ranks[j] + 1]++] = i;
	}
	return 0;
}

/* Whether the piece has only ranks that are left. */
static bool is_left(cutting_t *cut, uint32_t piece)
{
	torus_piece_ranks(&cut->pieces, &cut->pieces.piece[piece], cut->ranks);
	for (uint32_t i = 0; i < cut->size; i++) {
		if (!torus_bit_test(cut->left, cut->ranks[i]))
			return false;
	}
	return true;
}

/* Take the piece's ranks away, or put them back. */
static void turn_over(cutting_t *cut, uint32_t piece, bool away)
{
	torus_piece_ranks(&cut->pieces, &cut->pieces.piece[piece], cut->ranks);
	for (uint32_t i = 0; i < cut->size; i++) {
		if (away)
			torus_bit_clear(cut->left, cut->ranks[i]);
		else
			torus_bit_set(cut->left, cut->ranks[i]);
	}
}

/*
 * The next piece for the lowest rank that is left, in its list from place [at] on. The
 * place after it is *at. UINT32_MAX: none.
 */
static uint32_t next_of(cutting_t *cut, uint32_t rank, uint32_t *at, uint32_t *steps)
{
	while (*at < cut->from[rank + 1] && *steps) {
		uint32_t piece = cut->listed[(*at)++];

		--*steps;
		if (is_left(cut, piece))
			return piece;
	}
	return UINT32_MAX;
}

/* The pieces of a rank that are left, counted as far as [most]. */
static uint32_t count_left(cutting_t *cut, uint32_t rank, uint32_t most, uint32_t *steps)
{
	uint32_t count = 0, at = cut->from[rank];

	while (count < most && next_of(cut, rank, &at, steps) != UINT32_MAX)
		count++;
	return count;
}

/* The rank that is covered next: the lowest that is left or, among those with the fewest
 * pieces left, the lowest. */
static uint32_t next_rank(cutting_t *cut, bool fewest_first, uint32_t *steps)
{
	uint32_t ranks = cut->site->ranks, fewest = UINT32_MAX;
	uint32_t rank = torus_bitmap_next_set(cut->left, ranks, 0), best = rank;

	while (fewest_first && rank < ranks && fewest && *steps) {
		uint32_t count = count_left(cut, rank, fewest, steps);

		if (count < fewest) {
			fewest = count;
			best = rank;
		}
		rank = torus_bitmap_next_set(cut->left, ranks, rank + 1);
	}
	return best;
}

typedef enum covering { NOT_COVERED, COVERED, GAVE_UP } covering_t;

/* Cover the set by the pieces covered[], in at most so many steps. [place], [rank_at]:
 * [count] of the lists. If it is not covered, nothing is taken away in the end. */
static covering_t cover(cutting_t *cut, uint32_t *place, uint32_t *rank_at,
			bool fewest_first, uint32_t steps)
{
	uint32_t depth = 0;
	bool forward = true;

	for (;;) {
		uint32_t piece;

		if (depth == cut->count)
			return COVERED;
		if (!forward) {
			if (!depth--)
				return NOT_COVERED;
			turn_over(cut, cut->covered[depth], false);
		} else {
			rank_at[depth] = next_rank(cut, fewest_first, &steps);
			place[depth] = cut->from[rank_at[depth]];
		}
		piece = next_of(cut, rank_at[depth], &place[depth], &steps);
		forward = piece != UINT32_MAX;
		if (!forward && !steps) {
			while (depth--)
				turn_over(cut, cut->covered[depth], false);
			return GAVE_UP;
		}
		if (forward) {
			cut->covered[depth++] = piece;
			turn_over(cut, piece, true);
		}
	}
}

static int compare_ranks(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* ---- along the line ---- */

/* The number in the set at which an interval begins: on a ring not the first one, if that
 * goes on from the last. */
static uint32_t first_of_line(const cutting_t *cut)
{
	const torus_segments_site_t *site = cut->site;
	uint32_t first = 0;

	if (site->span == TORUS_SPAN_LINEAR || cut->set[0] ||
	    cut->set[cut->nodes - 1] != site->ranks - 1)
		return 0;
	for (first = cut->nodes - 1; first; first--) {
		if (cut->set[first] != cut->set[first - 1] + 1)
			break;
	}
	return first;
}

static bool is_interval(const cutting_t *cut, const uint32_t *segment)
{
	for (uint32_t i = 1; i < cut->size; i++) {
		if (segment[i] != (segment[i - 1] + 1) % cut->site->ranks)
			return false;
	}
	return true;
}

static int compare_lines(const void *a, const void *b)
{
	return compare_ranks(*(uint32_t *const *)a, *(uint32_t *const *)b);
}

/* Sort the segments of line[] by their lowest ranks into [order]. */
static int sort_segments(const cutting_t *cut, uint32_t *line, uint32_t *order,
			 torus_error_t *err)
{
	uint32_t **segment = malloc(cut->count * sizeof(*segment));

	if (!segment)
		return torus_fail(err, "out of memory for %u segments", cut->count);
	for (uint32_t i = 0; i < cut->count; i++) {
		segment[i] = line + (size_t)i * cut->size;
		qsort(segment[i], cut->size, sizeof(*line), compare_ranks);
	}
	qsort(segment, cut->count, sizeof(*segment), compare_lines);
	for (uint32_t i = 0; i < cut->count; i++)
		memcpy(order + (size_t)i * cut->size, segment[i],
		       cut->size * sizeof(*order));
	free(segment);
	return 0;
}

/* 1 with order[] and *within, 0 or -1. */
static int cut_into_pieces(cutting_t *cut, uint64_t *within, torus_error_t *err)
{
	uint32_t *place, *rank_at, *line;
	covering_t found;
	int result = -1;

	if ((uint64_t)cut->pieces.count * cut->size > MOST_LISTED)
		return 0;
	place = malloc(cut->count * sizeof(*place));
	rank_at = malloc(cut->count * sizeof(*rank_at));
	line = malloc(cut->nodes * sizeof(*line));
	if (!place || !rank_at || !line || list_by_rank(cut, err)) {
		torus_fail(err, "out of memory for %u segments", cut->count);
		goto done;
	}
	found = cover(cut, place, rank_at, false, TORUS_CUT_STEPS);
	if (found == GAVE_UP)
		found = cover(cut, place, rank_at, true, TORUS_CUT_MORE_STEPS);
	*within = 0;
	for (uint32_t i = 0; found == COVERED && i < cut->count; i++) {
		const torus_piece_t *piece = &cut->pieces.piece[cut->covered[i]];

		*within += piece->hops;
		torus_piece_ranks(&cut->pieces, piece, line + (size_t)i * cut->size);
	}
	if (found != COVERED)
		result = 0;
	else if (sort_segments(cut, line, cut->order, err) == 0)
		result = 1;
done:
	free(line);
	free(rank_at);
	free(place);
	return result;
}

static int hops_within(const cutting_t *cut, const uint32_t *order, uint64_t *within,
		       torus_error_t *err)
{
	uint64_t hops;

	*within = 0;
	for (uint32_t i = 0; i < cut->count; i++) {
		for (uint32_t j = 0; j < cut->size; j++)
			cut->ranks[j] = cut->site->cell_of_rank[order[i * cut->size + j]];
		if (torus_summed_distance(cut->site->geometry, cut->ranks, cut->size,
					  &hops, err))
			return -1;
		*within += hops;
	}
	return 0;
}

/* *pieces: whether all segments are intervals. */
static int cut_line(const cutting_t *cut, uint32_t *order, bool *pieces, uint64_t *within,
		    torus_error_t *err)
{
	uint32_t *line = malloc(cut->nodes * sizeof(*line));
	uint32_t first = first_of_line(cut);
	int result = -1;

	if (!line)
		return torus_fail(err, "out of memory for %u nodes", cut->nodes);
	*pieces = true;
	for (uint32_t i = 0; i < cut->nodes; i++)
		line[i] = cut->set[(first + i) % cut->nodes];
	for (uint32_t i = 0; i < cut->count; i++)
		*pieces &= is_interval(cut, line + (size_t)i * cut->size);
	if (!sort_segments(cut, line, order, err))
		result = hops_within(cut, order, within, err);
	free(line);
	return result;
}

/* ---- the better of the two ---- */

static int choose(cutting_t *cut, bool *pieces, uint64_t *within, torus_error_t *err)
{
	uint32_t *order = malloc(cut->nodes * sizeof(*order));
	uint64_t of_pieces = 0;
	int found = -1;

	if (!order)
		return torus_fail(err, "out of memory for %u nodes", cut->nodes);
	if (!cut_line(cut, order, pieces, within, err))
		found = cut_into_pieces(cut, &of_pieces, err);
	if (found == 1 && (!*pieces || of_pieces < *within)) {
		*pieces = true;
		*within = of_pieces;
	} else if (found >= 0) {
		memcpy(cut->order, order, cut->nodes * sizeof(*order));
	}
	free(order);
	return found < 0 ? -1 : 0;
}

int torus_segments_cut(const torus_segments_site_t *site, const uint32_t *set,
		       uint32_t size, uint32_t count, uint32_t *order, bool *pieces,
		       torus_segments_hops_t *hops, torus_error_t *err)
{
	cutting_t cut = {
		.site = site,
		.set = set,
		.size = size,
		.count = count,
		.nodes = size * count,
		.order = order,
	};
	uint32_t *cells = malloc(cut.nodes * sizeof(*cells));
	int result = -1;

	if (!cells) {
		torus_fail(err, "out of memory for %u nodes", cut.nodes);
		return -1;
	}
	for (uint32_t i = 0; i < cut.nodes; i++)
		cells[i] = site->cell_of_rank[set[i]];
	if (!make(&cut, err) && !choose(&cut, pieces, &hops->within, err))
		result = torus_summed_distance(site->geometry, cells, cut.nodes,
					       &hops->all, err);
	free(cells);
	clear(&cut);
	return result;
}
