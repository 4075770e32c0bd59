/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sets of nodes that may be a segment: see place/pieces.h. */
#include "place/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/box_bits.h"
#include "place/box_distance.h"
#include "place/box_sizes.h"
#include "place/coord_hops.h"

static int add(torus_pieces_t *pieces, const torus_piece_t *piece, torus_error_t *err)
{
	if (pieces->count == pieces->room) {
		uint32_t room = pieces->room ? 2 * pieces->room : 256;
		torus_piece_t *more = realloc(pieces->piece, room * sizeof(*more));

		if (!more)
			return torus_fail(err, "out of memory for %u pieces", room);
		pieces->piece = more;
		pieces->room = room;
	}
	pieces->piece[pieces->count] = *piece;
	pieces->piece[pieces->count].order = pieces->count;
	pieces->count++;
	return 0;
}

/* ---- boxes ---- */

/* Index the ranks by cell. */
static int index_ranks(torus_pieces_t *pieces, torus_error_t *err)
{
	const torus_segments_site_t *site = pieces->site;
	uint32_t cells = torus_geometry_cells(site->geometry);

	pieces->first_on = calloc((size_t)cells + 2, sizeof(*pieces->first_on));
	pieces->rank_on = malloc(site->ranks * sizeof(*pieces->rank_on));
	if (!pieces->first_on || !pieces->rank_on)
		return torus_fail(err, "out of memory for the ranks on %u cells", cells);
	for (uint32_t rank = 0; rank < site->ranks; rank++)
		pieces->first_on[site->cell_of_rank[rank] + 2]++;
	for (uint32_t cell = 0; cell < cells; cell++)
		pieces->first_on[cell + 2] += pieces->first_on[cell + 1];
	for (uint32_t rank = 0; rank < site->ranks; rank++)
		pieces->rank_on[pieces->first_on[site->cell_of_rank[rank] + 1]++] = rank;
	return 0;
}

/* The boxes with the sides side[], whose corners are set in [corners]. */
static int add_boxes(torus_pieces_t *pieces, const int32_t *side, int turn,
		     const uint64_t *corners, uint32_t per_router, torus_error_t *err)
{
	const torus_geometry_t *geometry = pieces->site->geometry;
	uint32_t cells = torus_geometry_cells(geometry);
	uint64_t hops =
		torus_distance_of_nodes(torus_box_distance(geometry, side), per_router);

	for (uint32_t cell = torus_bitmap_next_set(corners, cells, 0); cell < cells;
	     cell = torus_bitmap_next_set(corners, cells, cell + 1)) {
		torus_piece_t piece = {.hops = hops, .first = cell, .turn = turn};
		uint32_t rest = cell, stride = 1;
		bool repeated = false;

		for (int axis = 0; axis < geometry->dims; axis++) {
			uint32_t length = (uint32_t)geometry->length[axis];
			uint32_t at = rest % length;

			/* All the way around, every corner is the same box. */
			repeated |= (uint32_t)side[axis] == length && at;
			at = (at + (uint32_t)side[axis] / 2) % length;
			piece.middle += at * stride;
			rest /= length;
			stride *= length;
		}
		if (!repeated && add(pieces, &piece, err))
			return -1;
	}
	return 0;
}

static torus_piece_sides_t sides_of(const torus_geometry_t *geometry, const int32_t *side)
{
	torus_piece_sides_t sides = {0};
	uint32_t stride = 1;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];

		if (side[axis] > 1) {
			sides.side[sides.axes] = side[axis];
			sides.length[sides.axes] = length;
			sides.stride[sides.axes++] = stride;
		}
		stride *= length;
	}
	return sides;
}

static bool fits(const torus_geometry_t *geometry, const int32_t *side)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] > geometry->length[axis])
			return false;
	}
	return true;
}

/*
 * Where boxes with the same sides up to some axis may have their corners: bitmaps of
 * cells, those of one axis made of those of the axis before. Rotations that come one
 * after the other share most of them.
 */
typedef struct corners {
	uint64_t *usable;		/* the cells; one block, with all others */
	uint64_t *upto[TORUS_MAX_DIMS]; /* with the sides up to an axis */
	uint64_t *scratch;
	int32_t side[TORUS_MAX_DIMS];
	int made;      /* axes of which upto[] is that of side[] */
	bool is_empty; /* there are none with these sides, whatever the others */
} corners_t;

static int make_corners(const torus_geometry_t *geometry, corners_t *corners)
{
	size_t words = TORUS_WORDS(torus_geometry_cells(geometry));

	corners->usable =
		malloc(((size_t)geometry->dims + 2) * words * sizeof(*corners->usable));
	for (int axis = 0; axis < geometry->dims; axis++)
		corners->upto[axis] = corners->usable + (size_t)(axis + 1) * words;
	corners->scratch = corners->usable + (size_t)(geometry->dims + 1) * words;
	return corners->usable ? 0 : -1;
}

/* The corners of boxes with the sides side[], or NULL: there are none. */
static const uint64_t *corners_of(const torus_geometry_t *geometry, corners_t *corners,
				  const int32_t *side)
{
	uint32_t cells = torus_geometry_cells(geometry);
	int axis = 0;

	while (axis < corners->made && side[axis] == corners->side[axis])
		axis++;
	if (axis < corners->made || !corners->made)
		corners->is_empty = false;
	for (; axis < geometry->dims && !corners->is_empty; axis++) {
		uint64_t *grown = corners->upto[axis];

		memcpy(grown, axis ? corners->upto[axis - 1] : corners->usable,
		       TORUS_WORDS(cells) * sizeof(*grown));
		torus_box_bits_grow(geometry, axis, 1, side[axis], grown,
				    corners->scratch);
		corners->side[axis] = side[axis];
		corners->made = axis + 1;
		corners->is_empty = torus_bitmap_next_set(grown, cells, 0) == cells;
	}
	return corners->is_empty ? NULL : corners->upto[geometry->dims - 1];
}

/* Add the boxes of one size, rotation by rotation as long as there are less than [most]
 * pieces. */
static int add_size(torus_pieces_t *pieces, const torus_box_size_t *size, uint64_t most,
		    uint32_t per_router, corners_t *corners, torus_error_t *err)
{
	const torus_geometry_t *geometry = pieces->site->geometry;
	int32_t side[TORUS_MAX_DIMS];

	memcpy(side, size->shape.side, sizeof(side));
	do {
		const uint64_t *at;
		torus_piece_sides_t *more;

		at = fits(geometry, side) ? corners_of(geometry, corners, side) : NULL;
		if (!at)
			continue;
		more = realloc(pieces->sides,
			       ((size_t)pieces->turns + 1) * sizeof(*more));
		if (!more)
			return torus_fail(err, "out of memory for a box's sides");
		pieces->sides = more;
		more[pieces->turns] = sides_of(geometry, side);
		if (add_boxes(pieces, side, pieces->turns++, at, per_router, err))
			return -1;
	} while (pieces->count < most && torus_next_rotation(geometry->dims, side));
	return 0;
}

static int add_sizes(torus_pieces_t *pieces, torus_router_nodes_t on_router,
		     corners_t *corners, torus_error_t *err)
{
	const torus_segments_site_t *site = pieces->site;
	uint64_t most = TORUS_PIECES_MOST;
	torus_box_sizes_t sizes;
	int result = 0;

	if (site->work && (uint64_t)site->ranks * TORUS_PIECES_A_RANK < most)
		most = (uint64_t)site->ranks * TORUS_PIECES_A_RANK;
	if (torus_box_sizes_list(site->geometry, on_router, pieces->size, false, &sizes,
				 err))
		return -1;
	for (size_t i = 0;
	     i < sizes.count && i < TORUS_PIECES_SIZES && !result && pieces->count < most;
	     i++)
		result = add_size(pieces, &sizes.size[i], most, on_router.most, corners,
				  err);
	torus_box_sizes_free(&sizes);
	return result;
}

static int add_all_boxes(torus_pieces_t *pieces, const uint64_t *free_ranks,
			 torus_error_t *err)
{
	const torus_segments_site_t *site = pieces->site;
	uint32_t cells = torus_geometry_cells(site->geometry);
	uint32_t *nodes_on = malloc(cells * sizeof(*nodes_on));
	torus_router_nodes_t on_router;
	corners_t corners = {0};
	int result = -1;

	if (make_corners(site->geometry, &corners) || !nodes_on) {
		torus_fail(err, "out of memory for the boxes of %u cells", cells);
	} else {
		on_router = torus_router_nodes(site->geometry, site->cell_of_rank,
					       site->ranks, nodes_on);
		torus_box_bits_usable(site->geometry, site->cell_of_rank, site->ranks,
				      free_ranks, corners.usable);
		result = on_router.fewest == on_router.most
				 ? add_sizes(pieces, on_router, &corners, err)
				 : 0;
	}
	free(nodes_on);
	free(corners.usable);
	return result;
}

/* ---- intervals ---- */

/*
 * The hops from nodes that come and go to the others: by sums for each coordinate, which
 * change with each node, unless the axes are much longer than the list of nodes.
 */
typedef struct window {
	const torus_segments_site_t *site;
	torus_coord_hops_t hops; /* to them; without memory: node by node */
	int32_t *coord;		 /* [ranks * dims] */
	uint32_t first, nodes;	 /* the ranks from first on */
	uint64_t pairs;		 /* hops over unordered pairs */
} window_t;

/* Nodes times dimensions, by which the lengths of all axes may be more. */
#define LONG_AXES 2

static int begin(window_t *window, uint32_t size, torus_error_t *err)
{
	const torus_geometry_t *geometry = window->site->geometry;
	size_t dims = (size_t)geometry->dims, lengths = 0;

	for (int axis = 0; axis < geometry->dims; axis++)
		lengths += (size_t)geometry->length[axis];
	window->coord = malloc(window->site->ranks * dims * sizeof(*window->coord));
	if (!window->coord)
		return torus_fail(err, "out of memory for %u coordinates",
				  window->site->ranks);
	for (uint32_t rank = 0; rank < window->site->ranks; rank++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(geometry, window->site->cell_of_rank[rank], coord);
		memcpy(window->coord + rank * dims, coord, dims * sizeof(*coord));
	}
	return lengths <= LONG_AXES * dims * size
		       ? torus_coord_hops_begin(&window->hops, geometry, err)
		       : 0;
}

static const int32_t *coord_of(const window_t *window, uint32_t rank)
{
	return window->coord + (size_t)rank * (size_t)window->site->geometry->dims;
}

static uint64_t hops_by_nodes(const window_t *window, const int32_t *coord)
{
	uint32_t rank = window->first;
	uint64_t hops = 0;

	for (uint32_t i = 0; i < window->nodes; i++) {
		hops += torus_straight_hops(window->site->geometry,
					    coord_of(window, rank), coord);
		if (++rank == window->site->ranks)
			rank = 0;
	}
	return hops;
}

/* The next rank comes, or the first one goes. */
static void change(window_t *window, bool comes)
{
	const torus_segments_site_t *site = window->site;
	uint32_t rank = (window->first + (comes ? window->nodes : 0)) % site->ranks;
	const int32_t *coord = coord_of(window, rank);
	uint64_t hops = window->hops.sum[0]
				? torus_coord_hops_change(&window->hops, coord, comes)
				: hops_by_nodes(window, coord);

	window->nodes += comes ? 1 : UINT32_MAX;
	window->pairs += comes ? hops : -hops;
	if (!comes)
		window->first = (window->first + 1) % site->ranks;
}

/* Add the windows of a run of [length] free ranks from [first] on. */
static int add_run(torus_pieces_t *pieces, window_t *window, uint32_t first,
		   uint32_t length, uint32_t windows, torus_error_t *err)
{
	const torus_segments_site_t *site = pieces->site;

	if (length < pieces->size)
		return 0;
	while (window->nodes)
		change(window, false);
	window->first = first;
	while (window->nodes < pieces->size)
		change(window, true);
	for (uint32_t i = 0; i < windows; i++) {
		torus_piece_t piece = {
			.hops = 2 * window->pairs,
			.first = window->first,
			.turn = -1,
		};

		piece.middle = site->cell_of_rank[(window->first + pieces->size / 2) %
						  site->ranks];
		if (add(pieces, &piece, err))
			return -1;
		if (i + 1 < windows) {
			change(window, false);
			change(window, true);
		}
	}
	return 0;
}

static uint32_t run_from(const torus_segments_site_t *site, const uint64_t *free_ranks,
			 uint32_t first)
{
	uint32_t length = 0;

	while (length < site->ranks &&
	       (site->span == TORUS_SPAN_RING || first + length < site->ranks) &&
	       torus_bit_test(free_ranks, (first + length) % site->ranks))
		length++;
	return length;
}

/* Runs one by one; on a ring the one that goes around the end comes last. */
static int add_windows(torus_pieces_t *pieces, window_t *window,
		       const uint64_t *free_ranks, torus_error_t *err)
{
	const torus_segments_site_t *site = pieces->site;
	bool joined = site->span == TORUS_SPAN_RING && torus_bit_test(free_ranks, 0) &&
		      torus_bit_test(free_ranks, site->ranks - 1);
	uint32_t first = 0, length;

	if (joined && torus_bitmap_count(free_ranks, site->ranks) == site->ranks)
		return add_run(pieces, window, 0, site->ranks,
			       pieces->size < site->ranks ? site->ranks : 1, err);
	if (joined)
		first = run_from(site, free_ranks, 0);
	for (;;) {
		first = torus_bitmap_next_set(free_ranks, site->ranks, first);
		if (first == site->ranks)
			return 0;
		length = run_from(site, free_ranks, first);
		if (length >= pieces->size && add_run(pieces, window, first, length,
						      length - pieces->size + 1, err))
			return -1;
		first = first + length < site->ranks ? first + length : site->ranks;
		if (first == site->ranks)
			return 0;
	}
}

static int add_intervals(torus_pieces_t *pieces, const uint64_t *free_ranks,
			 torus_error_t *err)
{
	window_t window = {.site = pieces->site};
	int result = -1;

	if (!begin(&window, pieces->size, err))
		result = add_windows(pieces, &window, free_ranks, err);
	torus_coord_hops_end(&window.hops);
	free(window.coord);
	return result;
}

/* ---- all ---- */

static int compare(const void *a, const void *b)
{
	const torus_piece_t *one = a, *other = b;

	if (one->hops != other->hops)
		return one->hops < other->hops ? -1 : 1;
	return one->order < other->order ? -1 : one->order > other->order;
}

/* Boxes of the same sides, all with the same hops: [end] is behind them in the list. */
typedef struct alike {
	torus_piece_t first;
	uint32_t end;
} alike_t;

/* Divide the first [boxes] pieces, which come size by size, and sort what that gives.
 * Returns how many they are. */
static uint32_t divide(const torus_pieces_t *pieces, uint32_t boxes, alike_t *alike)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < boxes; i++) {
		const torus_piece_t *piece = &pieces->piece[i];

		if (!i || piece->turn != piece[-1].turn)
			alike[count++].first = *piece;
		alike[count - 1].end = i + 1;
	}
	qsort(alike, count, sizeof(*alike), compare);
	return count;
}

/* Sort the pieces: [boxes], then intervals. */
static int sort(torus_pieces_t *pieces, uint32_t boxes, torus_error_t *err)
{
	torus_piece_t *sorted = malloc(((size_t)pieces->count + 1) * sizeof(*sorted));
	alike_t *alike = malloc(((size_t)pieces->turns + 1) * sizeof(*alike));
	uint32_t groups, interval = boxes, count = 0;

	if (!sorted || !alike) {
		free(sorted);
		free(alike);
		return torus_fail(err, "out of memory for %u pieces", pieces->count);
	}
	groups = divide(pieces, boxes, alike);
	if (pieces->count > boxes)
		qsort(pieces->piece + boxes, pieces->count - boxes,
		      sizeof(*pieces->piece), compare);
	for (uint32_t i = 0; i < groups; i++) {
		uint32_t first = alike[i].first.order, end = alike[i].end;

		while (interval < pieces->count &&
		       pieces->piece[interval].hops < alike[i].first.hops)
			sorted[count++] = pieces->piece[interval++];
		memcpy(sorted + count, pieces->piece + first,
		       (end - first) * sizeof(*sorted));
		count += end - first;
	}
	while (interval < pieces->count)
		sorted[count++] = pieces->piece[interval++];
	free(pieces->piece);
	free(alike);
	pieces->piece = sorted;
	pieces->room = pieces->count + 1;
	return 0;
}

int torus_pieces_list(torus_pieces_t *pieces, const torus_segments_site_t *site,
		      const uint64_t *free_ranks, uint32_t size, torus_error_t *err)
{
	uint32_t boxes;

	*pieces = (torus_pieces_t){.site = site, .size = size};
	if (size > site->ranks)
		return 0;
	if (index_ranks(pieces, err) || add_all_boxes(pieces, free_ranks, err))
		return -1;
	boxes = pieces->count;
	if (add_intervals(pieces, free_ranks, err))
		return -1;
	return sort(pieces, boxes, err);
}

void torus_pieces_free(torus_pieces_t *pieces)
{
	free(pieces->piece);
	free(pieces->sides);
	free(pieces->first_on);
	free(pieces->rank_on);
	*pieces = (torus_pieces_t){0};
}

/* A walk through the cells of a box. */
typedef struct walk {
	const torus_piece_sides_t *sides;
	int32_t step[TORUS_MAX_DIMS];
	int32_t to_end[TORUS_MAX_DIMS]; /* steps that lead around the end */
	uint32_t cell;
} walk_t;

static walk_t begin_walk(const torus_pieces_t *pieces, const torus_piece_t *piece)
{
	const torus_piece_sides_t *sides = &pieces->sides[piece->turn];
	walk_t walk = {.sides = sides, .cell = piece->first};

	for (int i = 0; i < sides->axes; i++)
		walk.to_end[i] =
			(int32_t)(sides->length[i] -
				  piece->first / sides->stride[i] % sides->length[i]);
	return walk;
}

/* Go on to the next cell. Whether there is one. */
static bool next_cell(walk_t *walk)
{
	const torus_piece_sides_t *sides = walk->sides;

	for (int i = 0; i < sides->axes; i++) {
		uint32_t around = (sides->length[i] - 1) * sides->stride[i];
		int32_t back = sides->side[i] - 1;

		if (++walk->step[i] < sides->side[i]) {
			walk->cell += walk->step[i] == walk->to_end[i] ? -around
								       : sides->stride[i];
			return true;
		}
		walk->step[i] = 0;
		walk->cell -= (uint32_t)back * sides->stride[i];
		if (back >= walk->to_end[i])
			walk->cell += around + sides->stride[i];
	}
	return false;
}

void torus_piece_ranks(const torus_pieces_t *pieces, const torus_piece_t *piece,
		       uint32_t *ranks)
{
	uint32_t count = 0;
	walk_t walk;

	if (piece->turn < 0) {
		for (uint32_t i = 0; i < pieces->size; i++)
			ranks[i] = (piece->first + i) % pieces->site->ranks;
		return;
	}
	walk = begin_walk(pieces, piece);
	do {
		for (uint32_t i = pieces->first_on[walk.cell];
		     i < pieces->first_on[walk.cell + 1]; i++)
			ranks[count++] = pieces->rank_on[i];
	} while (next_cell(&walk));
}

bool torus_piece_all(const torus_pieces_t *pieces, const torus_piece_t *piece,
		     const uint64_t *ranks, bool set, uint64_t *looks)
{
	walk_t walk;

	if (piece->turn < 0) {
		for (uint32_t i = 0; i < pieces->size; i++) {
			++*looks;
			if (torus_bit_test(ranks, (piece->first + i) %
							  pieces->site->ranks) != set)
				return false;
		}
		return true;
	}
	walk = begin_walk(pieces, piece);
	do {
		for (uint32_t i = pieces->first_on[walk.cell];
		     i < pieces->first_on[walk.cell + 1]; i++) {
			++*looks;
			if (torus_bit_test(ranks, pieces->rank_on[i]) != set)
				return false;
		}
	} while (next_cell(&walk));
	return true;
}
