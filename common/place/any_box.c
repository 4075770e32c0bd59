/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any box of so many nodes: see any_box.h. */
#include "place/any_box.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/best_box.h"
#include "place/box_bits.h"
#include "place/box_distance.h"
#include "place/box_sweep.h"

/* The sides of a box, ascending, and the least distance of it in any rotation. */
typedef struct size {
	int32_t side[TORUS_MAX_DIMS];
	uint64_t distance;
} box_size_t;

/* The minimums and sums of a box, as in box.c; nodes only where routers differ. */
enum { LOWEST, MINUS_HIGHEST };
enum { WEIGHT, NODES, SUMS };

typedef struct search {
	const torus_geometry_t *geometry;
	uint32_t cells;
	uint32_t nodes;
	uint32_t fewest, most; /* nodes of a router that has any */
	bool weighted;
	bool plain;	    /* no weights, routers have equally many nodes */
	uint32_t *nodes_on; /* [cells] */
	int32_t *minimums;  /* [2 * cells] */
	uint64_t *sums;	    /* [SUMS * cells], or NULL when plain */
	uint64_t *on_line;  /* nodes at each position along each axis; or NULL */
	uint64_t *bits;	    /* [dims + 2] bitmaps, the first of the usable cells */
	torus_sweep_values_t of_cells;
	int32_t turned[TORUS_MAX_DIMS]; /* the sides whose distance was asked for last, */
	uint64_t distance;		/* and that */
	box_size_t *size;		/* [sizes], malloc'ed */
	size_t sizes;
	size_t room;
	torus_best_box_t best;
	bool out_of_memory;
} search_t;

/* a * factor^2, or UINT64_MAX. */
static uint64_t times_square(uint64_t a, uint64_t factor)
{
	uint64_t product;

	if (a == UINT64_MAX || __builtin_mul_overflow(a, factor * factor, &product))
		return UINT64_MAX;
	return product;
}

/* ---- sizes: which sides have the wanted volume ---- */

/* The lengths of the machine's dimensions, ascending. */
static void sorted_lengths(const torus_geometry_t *geometry, int32_t *length)
{
	memcpy(length, geometry->length, TORUS_MAX_DIMS * sizeof(*length));
	torus_first_rotation(geometry->dims, length);
}

typedef void found_size_t(void *context, const int32_t *side);

/*
 * Call [found] for all ascending sides whose product is [volume], the longest along the
 * longest dimension and so on. The first [axis] are chosen.
 */
static void every_size(int dims, const int32_t *length, uint32_t volume, int axis,
		       int32_t *side, found_size_t *found, void *context)
{
	uint32_t least = axis ? (uint32_t)side[axis - 1] : 1;
	uint32_t most = (uint32_t)length[axis];

	if (axis == dims - 1) {
		side[axis] = (int32_t)volume;
		if (volume >= least && volume <= most)
			found(context, side);
		return;
	}
	for (uint32_t here = least; here <= most && here <= volume / here; here++) {
		if (volume % here == 0) {
			side[axis] = (int32_t)here;
			every_size(dims, length, volume / here, axis + 1, side, found,
				   context);
		}
	}
}

static void every_size_of(const torus_geometry_t *geometry, uint32_t volume,
			  found_size_t *found, void *context)
{
	int32_t length[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

	sorted_lengths(geometry, length);
	every_size(geometry->dims, length, volume, 0, side, found, context);
}

static bool fits(const torus_geometry_t *geometry, const int32_t *side)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] > geometry->length[axis])
			return false;
	}
	return true;
}

/* The least distance of all rotations of [side] that fit. */
static uint64_t least_distance(const torus_geometry_t *geometry, const int32_t *side)
{
	int32_t turned[TORUS_MAX_DIMS];
	uint64_t least = UINT64_MAX;

	memcpy(turned, side, sizeof(turned));
	do {
		uint64_t distance = fits(geometry, turned)
					    ? torus_box_distance(geometry, turned)
					    : UINT64_MAX;

		if (distance < least)
			least = distance;
	} while (torus_next_rotation(geometry->dims, turned));
	return least;
}

static void add_size(void *context, const int32_t *side)
{
	search_t *search = context;

	if (search->sizes == search->room) {
		size_t room = search->room ? 2 * search->room : 64;
		box_size_t *grown = realloc(search->size, room * sizeof(*grown));

		if (!grown) {
			search->out_of_memory = true;
			return;
		}
		search->size = grown;
		search->room = room;
	}
	memcpy(search->size[search->sizes].side, side, sizeof(search->size->side));
	search->size[search->sizes++].distance =
		times_square(least_distance(search->geometry, side), search->fewest);
}

static int compare_sizes(const void *a, const void *b)
{
	const box_size_t *left = a, *right = b;

	if (left->distance != right->distance)
		return left->distance < right->distance ? -1 : 1;
	return memcmp(left->side, right->side, sizeof(left->side));
}

/* All sizes that a box of so many nodes may have, the most compact first. */
static void list_sizes(search_t *search)
{
	uint32_t volume = (search->nodes - 1) / search->most + 1;

	for (; volume <= search->nodes / search->fewest; volume++)
		every_size_of(search->geometry, volume, add_size, search);
	if (search->sizes)
		qsort(search->size, search->sizes, sizeof(*search->size), compare_sizes);
}

static void note_size(void *context, const int32_t *side)
{
	(void)side;
	*(bool *)context = true;
}

bool torus_any_box_possible(const torus_geometry_t *geometry, uint32_t volume)
{
	bool found = false;

	if (volume)
		every_size_of(geometry, volume, note_size, &found);
	return found;
}

/* ---- the best box of all ---- */

/* The positions along all axes together. */
static size_t positions_of(const int32_t *side)
{
	size_t positions = 0;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		positions += (size_t)side[axis];
	return positions;
}

/*
 * The summed distance of the nodes in a box whose routers differ: a pair of positions
 * along an axis counts as often as there are pairs of nodes on them.
 */
static uint64_t distance_of_nodes(const search_t *search, const torus_best_box_t *box)
{
	const torus_geometry_t *geometry = search->geometry;
	int32_t first[TORUS_MAX_DIMS], step[TORUS_MAX_DIMS] = {0};
	uint64_t sum = 0;
	uint64_t *line = search->on_line;
	int axis = 0;

	memset(line, 0, positions_of(box->side) * sizeof(*line));
	torus_cell_to_coord(geometry, box->corner, first);
	while (axis < geometry->dims) {
		int32_t coord[TORUS_MAX_DIMS] = {0};
		uint32_t nodes;

		for (int i = 0; i < geometry->dims; i++)
			coord[i] = (first[i] + step[i]) % geometry->length[i];
		nodes = search->nodes_on[torus_coord_to_cell(geometry, coord)];
		line = search->on_line;
		for (int i = 0; i < geometry->dims; line += box->side[i++])
			line[step[i]] += nodes;
		for (axis = 0; axis < geometry->dims; axis++) {
			if (++step[axis] < box->side[axis])
				break;
			step[axis] = 0;
		}
	}
	line = search->on_line;
	for (int i = 0; i < geometry->dims; line += box->side[i++]) {
		for (int32_t a = 0; a < box->side[i]; a++) {
			for (int32_t b = 0; b < a; b++)
				sum += 2 * line[a] * line[b] *
				       (uint64_t)torus_hops_axis(geometry, i, a, b);
		}
	}
	return sum;
}

static void try_box(search_t *search, const torus_sweep_values_t *boxes,
		    const int32_t *side, uint32_t cell, uint64_t distance)
{
	torus_best_box_t box = {
		.found = true,
		.corner = cell,
		.weight = search->plain ? 0 : boxes->sum[WEIGHT][cell],
		.distance = distance,
		.lowest = boxes->minimum[LOWEST][cell],
	};

	if (!search->plain && boxes->sum[NODES][cell] != search->nodes)
		return;
	memcpy(box.side, side, sizeof(box.side));
	box.width = -(box.lowest + boxes->minimum[MINUS_HIGHEST][cell]);
	if (!torus_box_is_better(&box, &search->best))
		return;
	if (search->fewest < search->most) {
		box.distance = distance_of_nodes(search, &box);
		if (!torus_box_is_better(&box, &search->best))
			return;
	}
	search->best = box;
}

/* What the summed distance in boxes of these sides is at least: where routers differ it
 * is more. Blocks come side by side with others of the same sides. */
static uint64_t distance_of(search_t *search, const int32_t *side)
{
	size_t bytes = (size_t)search->geometry->dims * sizeof(*side);

	if (memcmp(search->turned, side, bytes) != 0) {
		memcpy(search->turned, side, bytes);
		search->distance = times_square(
			torus_box_distance(search->geometry, side), search->fewest);
	}
	return search->distance;
}

/* A visit of torus_box_sweep(). A box that contains one that is not free is not either.
 */
static bool look_at_boxes(const torus_sweep_block_t *block, void *context)
{
	search_t *search = context;
	const int32_t *minus_highest = block->values->minimum[MINUS_HIGHEST];
	uint64_t distance = 0;

	if (block->whole) {
		distance = distance_of(search, block->side);
		if (search->best.found && !search->weighted &&
		    distance > search->best.distance)
			return false;
	}
	for (uint32_t cell = block->first; cell < block->first + block->count; cell++) {
		if (minus_highest[cell] == TORUS_SWEEP_NO_BOX)
			continue;
		if (!block->whole)
			return true;
		try_box(search, block->values, block->side, cell, distance);
	}
	return false;
}

static int look_at_size(search_t *search, const box_size_t *size, torus_error_t *err)
{
	torus_shape_t shape = {.dims = search->geometry->dims};

	if (search->plain &&
	    !torus_box_bits_fit(search->geometry, size->side, search->bits))
		return 0;

	memcpy(shape.side, size->side, sizeof(shape.side));
	return torus_box_sweep(search->geometry, &shape, &search->of_cells, look_at_boxes,
			       search, err);
}

/* ---- what the cells have ---- */

static void count_nodes(search_t *search, const uint32_t *cell_of_rank, uint32_t ranks)
{
	search->fewest = UINT32_MAX;
	for (uint32_t rank = 0; rank < ranks; rank++)
		search->nodes_on[cell_of_rank[rank]]++;
	for (uint32_t cell = 0; cell < search->cells; cell++) {
		uint32_t nodes = search->nodes_on[cell];

		if (nodes && nodes < search->fewest)
			search->fewest = nodes;
		if (nodes > search->most)
			search->most = nodes;
	}
}

static void rank_cells(search_t *search, const uint32_t *cell_of_rank, uint32_t ranks)
{
	int32_t *lowest = search->of_cells.minimum[LOWEST];
	int32_t *minus_highest = search->of_cells.minimum[MINUS_HIGHEST];

	for (uint32_t cell = 0; cell < search->cells; cell++) {
		lowest[cell] = 0;
		minus_highest[cell] = TORUS_SWEEP_NO_BOX;
	}
	for (uint32_t rank = ranks; rank-- > 0;) {
		uint32_t cell = cell_of_rank[rank];

		if (!torus_bit_test(search->bits, cell))
			continue;
		lowest[cell] = (int32_t)rank;
		if (minus_highest[cell] == TORUS_SWEEP_NO_BOX)
			minus_highest[cell] = -(int32_t)rank;
	}
}

static void sum_cells(search_t *search, const uint32_t *cell_of_rank, uint32_t ranks,
		      const uint64_t *free_ranks, const uint64_t *weights)
{
	uint64_t *weight = search->of_cells.sum[WEIGHT];
	uint64_t *nodes = search->of_cells.sum[NODES];

	memset(search->sums, 0, SUMS * (size_t)search->cells * sizeof(*weight));
	for (uint32_t rank = 0; weights && rank < ranks; rank++) {
		if (torus_bit_test(free_ranks, rank))
			weight[cell_of_rank[rank]] += weights[rank];
	}
	for (uint32_t cell = 0; cell < search->cells; cell++)
		nodes[cell] = search->nodes_on[cell];
}

static int begin(search_t *search, torus_error_t *err)
{
	size_t cells = search->cells, maps = (size_t)search->geometry->dims + 2;

	search->minimums = malloc(2 * cells * sizeof(*search->minimums));
	search->bits = malloc(maps * TORUS_WORDS(cells) * sizeof(*search->bits));
	if (!search->plain) {
		search->sums = malloc(SUMS * cells * sizeof(*search->sums));
		search->on_line = malloc(positions_of(search->geometry->length) *
					 sizeof(*search->on_line));
	}
	if (!search->minimums || !search->bits ||
	    (!search->plain && (!search->sums || !search->on_line)))
		return torus_fail(err, "out of memory for the boxes of %zu cells", cells);
	search->of_cells.minimums = 2;
	search->of_cells.minimum[LOWEST] = search->minimums;
	search->of_cells.minimum[MINUS_HIGHEST] = search->minimums + cells;
	search->of_cells.sums = search->plain ? 0 : SUMS;
	search->of_cells.sum[WEIGHT] = search->sums;
	search->of_cells.sum[NODES] = search->plain ? NULL : search->sums + cells;
	return 0;
}

static void end(search_t *search)
{
	free(search->nodes_on);
	free(search->minimums);
	free(search->sums);
	free(search->on_line);
	free(search->bits);
	free(search->size);
}

static void collect(const search_t *search, const uint32_t *cell_of_rank,
		    uint32_t *chosen)
{
	const torus_best_box_t *box = &search->best;
	int32_t corner[TORUS_MAX_DIMS];
	uint32_t lowest = (uint32_t)box->lowest, count = 0;

	torus_cell_to_coord(search->geometry, box->corner, corner);
	for (uint32_t rank = lowest; rank <= lowest + (uint32_t)box->width; rank++) {
		if (torus_box_has(search->geometry, corner, box->side,
				  cell_of_rank[rank]))
			chosen[count++] = rank;
	}
}

/* Look at all sizes, or at the most compact until nothing better can come. */
static int look_at_sizes(search_t *search, torus_error_t *err)
{
	for (size_t i = 0; i < search->sizes; i++) {
		const box_size_t *size = &search->size[i];

		if (search->best.found && !search->weighted &&
		    size->distance > search->best.distance)
			break;
		if (look_at_size(search, size, err))
			return -1;
	}
	return 0;
}

int torus_any_box_place(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
			uint32_t ranks, const uint64_t *free_ranks,
			const uint64_t *weights, uint32_t nodes, uint32_t *chosen,
			uint64_t *distance, torus_error_t *err)
{
	search_t search = {
		.geometry = geometry,
		.cells = torus_geometry_cells(geometry),
		.nodes = nodes,
		.weighted = weights,
	};
	int result = -1;

	if (nodes > ranks)
		return 0;
	search.nodes_on = calloc(search.cells, sizeof(*search.nodes_on));
	if (!search.nodes_on)
		return torus_fail(err, "out of memory for %u cells", search.cells);
	count_nodes(&search, cell_of_rank, ranks);
	search.plain = !weights && search.fewest == search.most;
	if (begin(&search, err))
		goto done;
	torus_box_bits_usable(geometry, cell_of_rank, ranks, free_ranks, search.bits);
	rank_cells(&search, cell_of_rank, ranks);
	if (!search.plain)
		sum_cells(&search, cell_of_rank, ranks, free_ranks, weights);
	list_sizes(&search);
	if (search.out_of_memory) {
		torus_fail(err, "out of memory for the sizes of boxes");
		goto done;
	}
	result = look_at_sizes(&search, err) ? -1 : search.best.found;
	if (result == 1) {
		collect(&search, cell_of_rank, chosen);
		*distance = search.best.distance;
	}
done:
	end(&search);
	return result;
}
