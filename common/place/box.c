/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free boxes of a given shape: see place/box.h. */
#include "place/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

/* The highest rank of a cell or box that is not free. */
#define NOT_FREE UINT32_MAX

/* The best box so far. */
typedef struct best_box {
	bool found;
	int32_t side[TORUS_MAX_DIMS];
	uint32_t corner; /* the cell it begins with; a box goes upwards, around the end */
	uint64_t weight;
	uint32_t lowest; /* rank */
	uint32_t highest;
} best_box_t;

/*
 * Lowest and highest rank and sum of weights, first of each cell and then, one dimension
 * after the other, of the box that begins there. `line_*` are room for twice the longest
 * side. Where weights do not differ, there are no arrays of them.
 */
typedef struct search {
	const torus_geometry_t *geometry;
	uint32_t cells;
	void *block; /* of all arrays */
	uint32_t *cell_lowest, *cell_highest;
	uint32_t *box_lowest, *box_highest;
	uint32_t *line_lowest, *line_highest;
	uint64_t *cell_weight, *box_weight, *line_weight;
} search_t;

int torus_shape_parse(const char *text, torus_shape_t *shape, torus_error_t *err)
{
	torus_shape_t parsed;

	if (torus_lengths_parse(text, &parsed.dims, parsed.side, err))
		return -1;
	*shape = parsed;
	return 0;
}

static int compare_sides(const void *a, const void *b)
{
	int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;

	return left < right ? -1 : left > right;
}

void torus_first_rotation(int dims, int32_t *side)
{
	qsort(side, (size_t)dims, sizeof(*side), compare_sides);
}

/*
 * Fill [side] with as many sides as the machine has dimensions, ascending: the first
 * rotation. False when the shape has more than that.
 */
static bool sides_of(const torus_shape_t *shape, int dims, int32_t *side)
{
	int count = 0;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = 1;
	for (int axis = 0; axis < shape->dims; axis++) {
		if (shape->side[axis] == 1)
			continue;
		if (count == dims)
			return false;
		side[count++] = shape->side[axis];
	}
	torus_first_rotation(dims, side);
	return true;
}

bool torus_next_rotation(int dims, int32_t *side)
{
	int pivot = dims - 2, swap = dims - 1, low, high;
	int32_t kept;

	while (pivot >= 0 && side[pivot] >= side[pivot + 1])
		pivot--;
	if (pivot < 0)
		return false;
	while (side[swap] <= side[pivot])
		swap--;
	kept = side[pivot];
	side[pivot] = side[swap];
	side[swap] = kept;
	for (low = pivot + 1, high = dims - 1; low < high; low++, high--) {
		kept = side[low];
		side[low] = side[high];
		side[high] = kept;
	}
	return true;
}

static bool rotation_fits(const torus_geometry_t *geometry, const int32_t *side)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] > geometry->length[axis])
			return false;
	}
	return true;
}

static void rank_cells(search_t *search, const uint32_t *cell_of_rank, uint32_t ranks,
		       const uint64_t *free_ranks)
{
	for (uint32_t cell = 0; cell < search->cells; cell++) {
		search->cell_lowest[cell] = UINT32_MAX;
		search->cell_highest[cell] = NOT_FREE; /* holds no rank */
	}
	for (uint32_t rank = 0; rank < ranks; rank++) {
		uint32_t cell = cell_of_rank[rank];

		if (search->cell_lowest[cell] == UINT32_MAX) {
			search->cell_lowest[cell] = rank;
			search->cell_highest[cell] = rank;
		}
		/* One that is not free spoils its cell, whatever comes later. */
		if (!torus_bit_test(free_ranks, rank))
			search->cell_highest[cell] = NOT_FREE;
		else if (search->cell_highest[cell] != NOT_FREE)
			search->cell_highest[cell] = rank;
	}
}

static void weigh_cells(search_t *search, const uint32_t *cell_of_rank, uint32_t ranks,
			const uint64_t *free_ranks, const uint64_t *weights)
{
	memset(search->cell_weight, 0, search->cells * sizeof(uint64_t));
	for (uint32_t rank = 0; rank < ranks; rank++) {
		if (torus_bit_test(free_ranks, rank))
			search->cell_weight[cell_of_rank[rank]] += weights[rank];
	}
}

static uint32_t lower(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t higher(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/*
 * Make each of the first [places] entries of the lines cover the [window] entries from it
 * on: by windows of 1, 2, 4 ..., and at last two that overlap.
 */
static void cover_line(search_t *search, size_t places, size_t window)
{
	uint32_t *lowest = search->line_lowest, *highest = search->line_highest;
	size_t have = 1, length = places + window - 1;

	while (have < window) {
		size_t step = 2 * have <= window ? have : window - have;

		for (size_t i = 0; i + have + step <= length; i++) {
			lowest[i] = lower(lowest[i], lowest[i + step]);
			highest[i] = higher(highest[i], highest[i + step]);
		}
		have += step;
	}
}

/* Make each of the first [places] weights the sum of the [window] from it on. */
static void sum_line(uint64_t *weight, size_t places, size_t window)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < window; i++)
		sum += weight[i];
	for (size_t i = 0; i < places; i++) {
		uint64_t first = weight[i];

		weight[i] = sum;
		if (i + 1 < places)
			sum += weight[i + window] - first;
	}
}

/* Extend the boxes to [window] cells along the dimension of this stride and length. */
static void extend_boxes(search_t *search, size_t stride, size_t length, size_t window,
			 bool wrap)
{
	size_t places = wrap ? length : length - window + 1;

	for (size_t first = 0; first < search->cells; first++) {
		if (first / stride % length) {
			first += stride * (length - 1) - 1;
			continue;
		}
		for (size_t i = 0; i < places + window - 1; i++) {
			size_t cell = first + (i < length ? i : i - length) * stride;

			search->line_lowest[i] = search->box_lowest[cell];
			search->line_highest[i] = search->box_highest[cell];
			if (search->box_weight)
				search->line_weight[i] = search->box_weight[cell];
		}
		cover_line(search, places, window);
		if (search->box_weight)
			sum_line(search->line_weight, places, window);
		for (size_t i = 0; i < length; i++) {
			size_t cell = first + i * stride;

			search->box_lowest[cell] = search->line_lowest[i];
			search->box_highest[cell] =
				i < places ? search->line_highest[i] : NOT_FREE;
			if (search->box_weight && i < places)
				search->box_weight[cell] = search->line_weight[i];
		}
	}
}

static bool better(const best_box_t *a, const best_box_t *b)
{
	uint32_t a_width = a->highest - a->lowest, b_width = b->highest - b->lowest;

	if (!b->found)
		return true;
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (a_width != b_width)
		return a_width < b_width;
	return a->lowest < b->lowest;
}

static void try_rotation(search_t *search, const int32_t *side, best_box_t *best)
{
	const torus_geometry_t *geometry = search->geometry;
	size_t stride = 1;

	memcpy(search->box_lowest, search->cell_lowest, search->cells * sizeof(uint32_t));
	memcpy(search->box_highest, search->cell_highest,
	       search->cells * sizeof(uint32_t));
	if (search->box_weight)
		memcpy(search->box_weight, search->cell_weight,
		       search->cells * sizeof(uint64_t));
	for (int axis = 0; axis < geometry->dims; axis++) {
		size_t length = (size_t)geometry->length[axis];

		if (side[axis] > 1)
			extend_boxes(search, stride, length, (size_t)side[axis],
				     geometry->wrap[axis]);
		stride *= length;
	}
	for (uint32_t cell = 0; cell < search->cells; cell++) {
		best_box_t box;

		if (search->box_highest[cell] == NOT_FREE)
			continue;
		box = (best_box_t){
			.found = true,
			.corner = cell,
			.weight = search->box_weight ? search->box_weight[cell] : 0,
			.lowest = search->box_lowest[cell],
			.highest = search->box_highest[cell],
		};

		if (!better(&box, best))
			continue;
		memcpy(box.side, side, sizeof(box.side));
		*best = box;
	}
}

static bool in_box(const torus_geometry_t *geometry, const best_box_t *box,
		   const int32_t *corner, uint32_t cell)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];
		int32_t at = (int32_t)(cell % (uint32_t)length) - corner[axis];

		if (at < 0)
			at += length;
		if (at >= box->side[axis])
			return false;
		cell /= (uint32_t)length;
	}
	return true;
}

static uint32_t collect(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
			const best_box_t *box, uint32_t *chosen)
{
	int32_t corner[TORUS_MAX_DIMS];
	uint32_t count = 0;

	torus_cell_to_coord(geometry, box->corner, corner);
	for (uint32_t rank = box->lowest; rank <= box->highest; rank++) {
		if (in_box(geometry, box, corner, cell_of_rank[rank]))
			chosen[count++] = rank;
	}
	return count;
}

static int begin(search_t *search, bool weighted, torus_error_t *err)
{
	size_t cells = search->cells, longest = 1, words;
	uint64_t *block;
	uint32_t *ranks;

	for (int axis = 0; axis < search->geometry->dims; axis++) {
		if ((size_t)search->geometry->length[axis] > longest)
			longest = (size_t)search->geometry->length[axis];
	}
	words = 2 * cells + 2 * longest; /* of 64 bits */
	block = malloc((weighted ? 2 * words : words) * sizeof(*block));
	if (!block)
		return torus_fail(err, "out of memory for the boxes of %zu cells", cells);
	ranks = (uint32_t *)block;
	search->block = block;
	search->cell_lowest = ranks;
	search->cell_highest = ranks + cells;
	search->box_lowest = ranks + 2 * cells;
	search->box_highest = ranks + 3 * cells;
	search->line_lowest = ranks + 4 * cells;
	search->line_highest = ranks + 4 * cells + 2 * longest;
	if (weighted) {
		search->cell_weight = block + words;
		search->box_weight = search->cell_weight + cells;
		search->line_weight = search->box_weight + cells;
	}
	return 0;
}

int torus_box_place(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
		    uint32_t ranks, const uint64_t *free_ranks, const uint64_t *weights,
		    const torus_shape_t *shape, uint32_t *chosen, uint32_t *count,
		    torus_error_t *err)
{
	search_t search = {.geometry = geometry, .cells = torus_geometry_cells(geometry)};
	int32_t side[TORUS_MAX_DIMS];
	best_box_t best = {0};

	if (!sides_of(shape, geometry->dims, side))
		return 0;
	if (begin(&search, weights != NULL, err))
		return -1;
	rank_cells(&search, cell_of_rank, ranks, free_ranks);
	if (weights)
		weigh_cells(&search, cell_of_rank, ranks, free_ranks, weights);
	do {
		if (rotation_fits(geometry, side))
			try_rotation(&search, side, &best);
	} while (torus_next_rotation(geometry->dims, side));
	free(search.block);
	if (!best.found)
		return 0;
	*count = collect(geometry, cell_of_rank, &best, chosen);
	return 1;
}
