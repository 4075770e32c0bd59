/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job's nodes cut into segments: see torus_segments_cut() in place/segments.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "metrics/metrics.h"
#include "place/cover.h"

typedef struct cutting {
	const torus_segments_site_t *site;
	const uint32_t *set;
	uint32_t size, count, nodes;
	uint64_t *members; /* bitmap of ranks: the set */
	torus_pieces_t pieces;
	uint32_t *cells;   /* [size] of one segment */
	uint32_t *covered; /* [count] the pieces that cover the set */
	uint32_t *order;   /* the caller's */
} cutting_t;

static int make(cutting_t *cut, torus_error_t *err)
{
	cut->members = torus_bitmap_create(cut->site->ranks);
	cut->cells = malloc(cut->size * sizeof(*cut->cells));
	cut->covered = malloc(cut->count * sizeof(*cut->covered));
	if (!cut->members || !cut->cells || !cut->covered)
		return torus_fail(err, "out of memory for %u segments", cut->count);
	for (uint32_t i = 0; i < cut->nodes; i++)
		torus_bit_set(cut->members, cut->set[i]);
	return torus_pieces_list(&cut->pieces, cut->site, cut->members, cut->size, err);
}

static void clear(cutting_t *cut)
{
	torus_pieces_free(&cut->pieces);
	free(cut->members);
	free(cut->cells);
	free(cut->covered);
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
	torus_covering_t found = torus_pieces_cover(&cut->pieces, cut->members, NULL,
						    cut->count, cut->covered, err);
	uint32_t *line;
	int result = -1;

	if (found != TORUS_COVERED)
		return found == TORUS_COVER_ERROR ? -1 : 0;
	line = malloc(cut->nodes * sizeof(*line));
	if (!line)
		return torus_fail(err, "out of memory for %u segments", cut->count);
	*within = 0;
	for (uint32_t i = 0; i < cut->count; i++) {
		const torus_piece_t *piece = &cut->pieces.piece[cut->covered[i]];

		*within += piece->hops;
		torus_piece_ranks(&cut->pieces, piece, line + (size_t)i * cut->size);
	}
	if (sort_segments(cut, line, cut->order, err) == 0)
		result = 1;
	free(line);
	return result;
}

static int hops_within(const cutting_t *cut, const uint32_t *order, uint64_t *within,
		       torus_error_t *err)
{
	uint64_t hops;

	*within = 0;
	for (uint32_t i = 0; i < cut->count; i++) {
		for (uint32_t j = 0; j < cut->size; j++)
			cut->cells[j] = cut->site->cell_of_rank[order[i * cut->size + j]];
		if (torus_summed_own_distance(cut->site->geometry, cut->cells,
					      cut->size, &hops, err))
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
		result = torus_summed_own_distance(site->geometry, cells, cut.nodes,
						   &hops->all, err);
	free(cells);
	clear(&cut);
	return result;
}
