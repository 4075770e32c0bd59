/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a job's segments are: see place/segments.h. */
#include "place/segments.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "metrics/metrics.h"
#include "place/coord_hops.h"
#include "place/cover.h"

/* Classes of pieces, by how many hops they have beyond the fewest, in eighths; after the
 * last one all others. */
static const uint64_t class_eighths[] = {0, 1, 2, 4, 8};
#define CLASSES (sizeof(class_eighths) / sizeof(class_eighths[0]) + 1)

/* A choice on its way, and the best one so far. */
typedef struct choosing {
	const torus_segments_site_t *site;
	uint32_t size, count;
	torus_pieces_t pieces;
	uint32_t end[CLASSES]; /* of each class in the list of pieces */
	uint64_t *taken;       /* bitmap of ranks */
	uint32_t *open;	       /* [pieces] those of a class that may have no taken rank */
	uint32_t *ranks;       /* [size] of one piece */
	uint32_t *cells;       /* [count * size] */
	torus_coord_hops_t to_middles; /* of the pieces taken */
	int32_t *coord;		       /* [cells * dims] */
	uint64_t work;		       /* looks at pieces that are left */
	bool found, gave_up;
	torus_segments_hops_t best;
	uint32_t *chosen; /* the caller's, of the best */
} choosing_t;

static uint32_t chosen_nodes(const choosing_t *c)
{
	return c->count * c->size;
}

/* ---- memory ---- */

static int make(choosing_t *c, torus_error_t *err)
{
	const torus_geometry_t *geometry = c->site->geometry;
	size_t cells = torus_geometry_cells(geometry), dims = (size_t)geometry->dims;

	c->taken = torus_bitmap_create(c->site->ranks);
	c->open = malloc(((size_t)c->pieces.count + 1) * sizeof(*c->open));
	c->ranks = malloc(c->size * sizeof(*c->ranks));
	c->cells = malloc(chosen_nodes(c) * sizeof(*c->cells));
	c->coord = malloc(cells * dims * sizeof(*c->coord));
	if (!c->taken || !c->open || !c->ranks || !c->cells || !c->coord)
		return torus_fail(err, "out of memory for %u segments", c->count);
	if (torus_coord_hops_begin(&c->to_middles, geometry, err))
		return -1;
	for (uint32_t cell = 0; cell < cells; cell++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(geometry, cell, coord);
		memcpy(c->coord + cell * dims, coord, dims * sizeof(*coord));
	}
	return 0;
}

static void clear(choosing_t *c)
{
	torus_pieces_free(&c->pieces);
	free(c->taken);
	free(c->open);
	free(c->ranks);
	free(c->cells);
	free(c->coord);
	torus_coord_hops_end(&c->to_middles);
}

/* ---- pieces put together ---- */

/* Divide the list into classes. */
static void classify(choosing_t *c)
{
	const torus_pieces_t *pieces = &c->pieces;
	uint64_t fewest = pieces->count ? pieces->piece[0].hops : 0;
	uint32_t end = 0;

	for (size_t class = 0; class < CLASSES - 1; class ++) {
		uint64_t limit = fewest + fewest / 8 * class_eighths[class] +
				 fewest % 8 * class_eighths[class] / 8;

		while (end < pieces->count && pieces->piece[end].hops <= limit)
			end++;
		c->end[class] = end;
	}
	c->end[CLASSES - 1] = pieces->count;
}

static const int32_t *middle_of(const choosing_t *c, const torus_piece_t *piece)
{
	return c->coord + (size_t)piece->middle * (size_t)c->site->geometry->dims;
}

/*
 * How many looks there are for one way: half of those that are left, where a look takes
 * as long as on a torus of LOOK_DIMS dimensions.
 */
#define LOOK_DIMS 3

static uint64_t allowed(const choosing_t *c)
{
	uint64_t dims = (uint64_t)c->site->geometry->dims;

	if (!c->site->work)
		return TORUS_SEGMENTS_WORK;
	return *c->site->work / 2 * LOOK_DIMS / (dims > LOOK_DIMS ? dims : LOOK_DIMS);
}

static void count_looks(choosing_t *c, uint64_t looks)
{
	c->work = c->work > looks ? c->work - looks : 0;
}

/* Take away what was done since c->work was [before]. */
static void settle(const choosing_t *c, uint64_t before)
{
	if (c->site->work)
		*c->site->work -= before - c->work;
}

static bool is_open(choosing_t *c, const torus_piece_t *piece)
{
	uint64_t looks = 0;
	bool open = torus_piece_all(&c->pieces, piece, c->taken, false, &looks);

	count_looks(c, looks);
	return open;
}

static void take(choosing_t *c, const torus_piece_t *piece)
{
	torus_piece_ranks(&c->pieces, piece, c->ranks);
	for (uint32_t i = 0; i < c->size; i++)
		torus_bit_set(c->taken, c->ranks[i]);
	torus_coord_hops_change(&c->to_middles, middle_of(c, piece), true);
}

/*
 * Of the pieces in open[0 .. *count-1] the next to be taken, or NULL. Those that turn out
 * to have a taken rank leave the list.
 */
static const torus_piece_t *next_piece(choosing_t *c, uint32_t *count)
{
	const torus_piece_t *best = NULL;
	uint64_t fewest = 0;
	uint32_t kept = 0;

	count_looks(c, *count);
	for (uint32_t i = 0; i < *count; i++) {
		const torus_piece_t *piece = &c->pieces.piece[c->open[i]];
		uint64_t hops = torus_coord_hops_to(&c->to_middles, middle_of(c, piece));

		if (!best || hops < fewest) {
			if (!is_open(c, piece))
				continue;
			best = piece;
			fewest = hops;
		}
		c->open[kept++] = c->open[i];
	}
	*count = kept;
	return best;
}

/* Fill open[] with the pieces of a class. Returns how many they are. */
static uint32_t open_class(choosing_t *c, size_t class)
{
	uint32_t first = class ? c->end[class - 1] : 0, count = 0;

	while (first < c->end[class])
		c->open[count++] = first++;
	return count;
}

/* Put pieces together, beginning with those of the numbers begin[0 .. begins-1] in the
 * list. Whether that gives enough of them, in the bitmap of taken ranks, with *within
 * hops. */
static bool grow(choosing_t *c, const uint32_t *begin, uint32_t begins, uint64_t *within)
{
	uint32_t open = open_class(c, 0), pieces;
	size_t class = 0;

	memset(c->taken, 0, TORUS_WORDS(c->site->ranks) * sizeof(*c->taken));
	torus_coord_hops_reset(&c->to_middles);
	*within = 0;
	for (pieces = 0; pieces < begins; pieces++) {
		*within += c->pieces.piece[begin[pieces]].hops;
		take(c, &c->pieces.piece[begin[pieces]]);
	}
	while (pieces < c->count && c->work) {
		const torus_piece_t *piece = next_piece(c, &open);

		if (piece) {
			take(c, piece);
			*within += piece->hops;
			pieces++;
		} else if (++class == CLASSES) {
			break;
		} else {
			open = open_class(c, class);
		}
	}
	return pieces == c->count;
}

/* Keep the taken ranks if they are better than the best so far. 0, or -1. */
static int keep(choosing_t *c, uint64_t within, torus_error_t *err)
{
	uint32_t count = 0, ranks = c->site->ranks;
	uint64_t all;

	if (c->found && within > c->best.within)
		return 0;
	for (uint32_t rank = torus_bitmap_next_set(c->taken, ranks, 0); rank < ranks;
	     rank = torus_bitmap_next_set(c->taken, ranks, rank + 1))
		c->cells[count++] = c->site->cell_of_rank[rank];
	if (torus_summed_own_distance(c->site->geometry, c->cells, count, &all, err))
		return -1;
	if (c->found && within == c->best.within && all >= c->best.all)
		return 0;
	c->found = true;
	c->best = (torus_segments_hops_t){.within = within, .all = all};
	count = 0;
	for (uint32_t rank = torus_bitmap_next_set(c->taken, ranks, 0); rank < ranks;
	     rank = torus_bitmap_next_set(c->taken, ranks, rank + 1))
		c->chosen[count++] = rank;
	return 0;
}

static int put_together(choosing_t *c, torus_error_t *err)
{
	uint64_t within, each = (uint64_t)c->count * (c->end[0] ? c->end[0] : 1);
	uint64_t work = allowed(c), begins = work / each;
	int result = 0;

	if (begins < 1)
		begins = 1;
	if (begins > c->end[0])
		begins = c->end[0];
	c->work = work;
	for (uint64_t i = 0; i < begins && c->work && !result; i++) {
		uint32_t begin = (uint32_t)(i * c->end[0] / begins);

		if (grow(c, &begin, 1, &within))
			result = keep(c, within, err);
		if (c->found && c->site->whether)
			break;
	}
	settle(c, work);
	return result;
}

/* ---- intervals cut ---- */

/* A free interval, and the rank at which its first segment begins. */
typedef struct interval {
	uint32_t begin, segments;
} interval_t;

typedef struct intervals {
	interval_t *interval;
	uint32_t count;
	uint32_t segments; /* in all */
} intervals_t;

/* The hops within of the interval that begins with each rank, UINT64_MAX: none. */
static uint64_t *hops_from_ranks(const choosing_t *c, torus_error_t *err)
{
	uint64_t *hops = malloc(c->site->ranks * sizeof(*hops));

	if (!hops) {
		torus_fail(err, "out of memory for %u intervals", c->site->ranks);
		return NULL;
	}
	for (uint32_t rank = 0; rank < c->site->ranks; rank++)
		hops[rank] = UINT64_MAX;
	for (uint32_t i = 0; i < c->pieces.count; i++) {
		const torus_piece_t *piece = &c->pieces.piece[i];

		if (piece->turn < 0)
			hops[piece->first] = piece->hops;
	}
	return hops;
}

/* Where the segments of the interval of [length] ranks from [first] on begin. */
static uint32_t best_begin(const choosing_t *c, const uint64_t *hops, uint32_t first,
			   uint32_t length)
{
	uint32_t best = 0;
	uint64_t fewest = UINT64_MAX;

	for (uint32_t skip = 0; skip <= length % c->size; skip++) {
		uint64_t sum = 0;

		for (uint32_t at = skip; at + c->size <= length; at += c->size)
			sum += hops[(first + at) % c->site->ranks];
		if (sum < fewest) {
			fewest = sum;
			best = skip;
		}
	}
	return (first + best) % c->site->ranks;
}

/* The first rank on a line and, on a ring, the first after one that is not free. */
static uint32_t first_rank(const torus_segments_site_t *site, const uint64_t *free_ranks)
{
	uint32_t first = 0;

	if (site->span == TORUS_SPAN_RING && torus_bit_test(free_ranks, site->ranks - 1))
		first = torus_bitmap_next_clear(free_ranks, site->ranks, 0);
	return first < site->ranks ? first : 0;
}

/*
 * Go to the first free interval from place [*at] on of a line that begins with rank
 * [first]. Returns its length; 0, with all ranks passed: there is none.
 */
static uint32_t next_interval(const torus_segments_site_t *site,
			      const uint64_t *free_ranks, uint32_t first, uint32_t *at)
{
	uint32_t ranks = site->ranks, rank = first + *at, end;

	if (rank < ranks) {
		uint32_t begin = torus_bitmap_next_set(free_ranks, ranks, rank);

		*at += begin - rank;
		end = torus_bitmap_next_clear(free_ranks, ranks, begin);
		if (end < ranks)
			return end - begin;
		/* Around the end, up to where the line began. */
		end += torus_bitmap_next_clear(free_ranks, first, 0);
		if (end > begin && begin < ranks)
			return end - begin;
		rank = begin;
	}
	rank -= ranks;
	end = torus_bitmap_next_set(free_ranks, ranks, rank);
	if (end > first) /* not on the line a second time */
		end = first;
	*at += end - rank;
	return torus_bitmap_next_clear(free_ranks, first, end) - end;
}

static void list_intervals(const choosing_t *c, const uint64_t *free_ranks,
			   const uint64_t *hops, intervals_t *intervals)
{
	const torus_segments_site_t *site = c->site;
	uint32_t first = first_rank(site, free_ranks), length;

	for (uint32_t at = 0; at < site->ranks; at += length + 1) {
		length = next_interval(site, free_ranks, first, &at);
		if (length < c->size)
			continue;
		intervals->interval[intervals->count++] = (interval_t){
			best_begin(c, hops, (first + at) % site->ranks, length),
			length / c->size,
		};
		intervals->segments += length / c->size;
	}
}

uint32_t torus_segments_in_intervals(const torus_segments_site_t *site,
				     const uint64_t *free_ranks, uint32_t size)
{
	uint32_t first = first_rank(site, free_ranks), segments = 0, length;

	for (uint32_t at = 0; at < site->ranks; at += length + 1) {
		length = next_interval(site, free_ranks, first, &at);
		if (length >= size)
			segments += length / size;
	}
	return segments;
}

/* The first rank of each segment of all intervals, in the order of the line. */
static uint32_t *list_begins(const choosing_t *c, const intervals_t *intervals,
			     torus_error_t *err)
{
	uint32_t *begin = malloc(((size_t)intervals->segments + 1) * sizeof(*begin));
	uint32_t count = 0;

	if (!begin) {
		torus_fail(err, "out of memory for %u segments", intervals->segments);
		return NULL;
	}
	for (uint32_t i = 0; i < intervals->count; i++) {
		const interval_t *interval = &intervals->interval[i];

		for (uint32_t j = 0; j < interval->segments; j++)
			begin[count++] = (interval->begin + j * c->size) % c->site->ranks;
	}
	return begin;
}

/* Take the successive segments of smallest span of the [segments] that there are. */
static int take_segments(choosing_t *c, const uint32_t *begin, uint32_t segments,
			 const uint64_t *hops, torus_error_t *err)
{
	uint32_t ranks = c->site->ranks, best = 0, smallest = UINT32_MAX;
	bool ring = c->site->span == TORUS_SPAN_RING;
	uint64_t within = 0;

	for (uint32_t i = 0; i < segments && (ring || i + c->count <= segments); i++) {
		uint32_t last = begin[(i + c->count - 1) % segments];
		uint32_t span = (last + ranks - begin[i]) % ranks;

		if (span < smallest) {
			smallest = span;
			best = i;
		}
	}
	memset(c->taken, 0, TORUS_WORDS(ranks) * sizeof(*c->taken));
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t first = begin[(best + i) % segments];

		within += hops[first];
		for (uint32_t j = 0; j < c->size; j++)
			torus_bit_set(c->taken, (first + j) % ranks);
	}
	return keep(c, within, err);
}

static int cut_intervals(choosing_t *c, const uint64_t *free_ranks, torus_error_t *err)
{
	intervals_t intervals = {
		.interval = malloc(((size_t)c->site->ranks + 1) *
				   sizeof(*intervals.interval)),
	};
	uint64_t *hops = hops_from_ranks(c, err);
	uint32_t *begin = NULL;
	int result = -1;

	if (!intervals.interval)
		torus_fail(err, "out of memory for the intervals");
	if (!intervals.interval || !hops)
		goto done;
	list_intervals(c, free_ranks, hops, &intervals);
	result = 0;
	if (intervals.segments < c->count)
		goto done;
	begin = list_begins(c, &intervals, err);
	result = begin ? take_segments(c, begin, intervals.segments, hops, err) : -1;
done:
	free(begin);
	free(hops);
	free(intervals.interval);
	return result;
}

/* ---- by trying ---- */

/* Any pieces that do not overlap, where nothing else finds enough of them. */
static int pack(choosing_t *c, const uint64_t *free_ranks, torus_error_t *err)
{
	uint32_t *covered = malloc(c->count * sizeof(*covered));
	uint64_t within = 0;
	int result = -1;

	if (!covered)
		return torus_fail(err, "out of memory for %u segments", c->count);
	switch (torus_pieces_cover(&c->pieces, free_ranks, c->site->required, c->count,
				   covered, err)) {
	case TORUS_COVERED:
		memset(c->taken, 0, TORUS_WORDS(c->site->ranks) * sizeof(*c->taken));
		for (uint32_t i = 0; i < c->count; i++) {
			take(c, &c->pieces.piece[covered[i]]);
			within += c->pieces.piece[covered[i]].hops;
		}
		result = keep(c, within, err);
		break;
	case TORUS_COVER_ERROR:
		break;
	case TORUS_COVER_GAVE_UP:
		c->gave_up = true;
		result = 0;
		break;
	default:
		result = 0;
	}
	free(covered);
	return result;
}

/* ---- with required ranks ---- */

static bool any_required(const torus_segments_site_t *site)
{
	return site->required &&
	       torus_bitmap_next_set(site->required, site->ranks, 0) < site->ranks;
}

/* The pieces with all required ranks, and others beside them. */
static int put_beside_required(choosing_t *c, const uint64_t *free_ranks,
			       torus_error_t *err)
{
	uint32_t *begin = malloc(c->count * sizeof(*begin)), begins = 0;
	uint64_t within, work;
	int result = -1;

	if (!begin)
		return torus_fail(err, "out of memory for %u segments", c->count);
	switch (torus_pieces_cover_required(&c->pieces, free_ranks, c->site->required,
					    c->count, begin, &begins, err)) {
	case TORUS_COVERED:
		c->work = work = allowed(c);
		result = grow(c, begin, begins, &within) ? keep(c, within, err) : 0;
		settle(c, work);
		break;
	case TORUS_COVER_ERROR:
		break;
	default:
		result = 0;
	}
	free(begin);
	return result;
}

/* ---- all ---- */

/* By the ways there are, until one finds something. 0, or -1. */
static int try_ways(choosing_t *c, const uint64_t *free_ranks, torus_error_t *err)
{
	if (any_required(c->site)) {
		if (put_beside_required(c, free_ranks, err))
			return -1;
	} else if (put_together(c, err) ||
		   (!c->found && cut_intervals(c, free_ranks, err))) {
		return -1;
	}
	return c->found ? 0 : pack(c, free_ranks, err);
}

/* The first segments that the intervals hold, by their ranks in chosen[]. 1; 0: they hold
 * too few; or -1. */
static int place_first(const torus_segments_site_t *site, const uint64_t *free_ranks,
		       uint32_t size, uint32_t count, uint32_t *chosen,
		       torus_error_t *err)
{
	uint32_t first = first_rank(site, free_ranks), length, nodes = 0;
	uint64_t *taken;

	if (torus_segments_in_intervals(site, free_ranks, size) < count)
		return 0;
	taken = torus_bitmap_create(site->ranks);
	if (!taken)
		return torus_fail(err, "out of memory for %u segments", count);
	for (uint32_t at = 0; at < site->ranks && count; at += length + 1) {
		length = next_interval(site, free_ranks, first, &at);
		for (uint32_t i = 0; i < length / size && count; i++, count--) {
			for (uint32_t j = 0; j < size; j++)
				torus_bit_set(taken,
					      (first + at + i * size + j) % site->ranks);
		}
	}
	for (uint32_t rank = torus_bitmap_next_set(taken, site->ranks, 0);
	     rank < site->ranks;
	     rank = torus_bitmap_next_set(taken, site->ranks, rank + 1))
		chosen[nodes++] = rank;
	free(taken);
	return 1;
}

/* Looks that listing the pieces counts as for each rank; for each piece, one a dimension.
 */
#define LIST_RANK 16

/* Whether the pieces can be listed with the looks that are left. */
static bool may_list(const torus_segments_site_t *site)
{
	return !site->work || *site->work > (uint64_t)LIST_RANK * site->ranks;
}

static int list(choosing_t *c, const uint64_t *free_ranks, torus_error_t *err)
{
	uint64_t *work = c->site->work, looks;

	if (torus_pieces_list(&c->pieces, c->site, free_ranks, c->size, err))
		return -1;
	looks = (uint64_t)LIST_RANK * c->site->ranks +
		(uint64_t)c->site->geometry->dims * c->pieces.count;
	if (work)
		*work = *work > looks ? *work - looks : 0;
	return 0;
}

int torus_segments_place(const torus_segments_site_t *site, const uint64_t *free_ranks,
			 uint32_t size, uint32_t count, uint32_t *chosen,
			 torus_segments_hops_t *hops, torus_error_t *err)
{
	choosing_t c = {.site = site, .size = size, .count = count, .chosen = chosen};
	bool first = site->whether || !may_list(site);
	int result = -1;

	if ((uint64_t)size * count > torus_bitmap_count(free_ranks, site->ranks))
		return 0;
	if (first && !any_required(site)) {
		int placed = place_first(site, free_ranks, size, count, chosen, err);

		if (placed)
			return placed;
	}
	if (!may_list(site)) {
		hops->gave_up = true;
		return 0;
	}
	if (list(&c, free_ranks, err) || make(&c, err))
		goto done;
	classify(&c);
	if (!try_ways(&c, free_ranks, err))
		result = c.found;
	if (result == 1)
		*hops = c.best;
	else if (c.gave_up)
		hops->gave_up = true;
done:
	clear(&c);
	return result;
}
