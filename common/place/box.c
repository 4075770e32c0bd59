/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free boxes of a given shape: see place/box.h. */
#include "place/box.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "geometry/chips.h"
#include "place/best_box.h"
#include "place/box_rows.h"
#include "place/box_sweep.h"

/*
 * The minimums of a box: its lowest rank, and minus its highest rank (TORUS_SWEEP_NO_BOX:
 * the box is not free). With weights there is one sum: theirs.
 */
enum { LOWEST, MINUS_HIGHEST };

typedef struct search {
	uint32_t cells;
	torus_sweep_values_t of_cells;
	uint64_t least_weight; /* no box has a lower one */
	torus_best_box_t best;
} search_t;

static void rank_cells(search_t *search, const uint32_t *cell_of_rank, uint32_t ranks,
		       const uint64_t *free_ranks)
{
	int32_t *lowest = search->of_cells.minimum[LOWEST];
	int32_t *minus_highest = search->of_cells.minimum[MINUS_HIGHEST];

	for (uint32_t cell = 0; cell < search->cells; cell++) {
		lowest[cell] = 0;
		minus_highest[cell] = TORUS_SWEEP_NO_BOX; /* holds no rank */
	}
	for (uint32_t rank = ranks; rank-- > 0;) {
		uint32_t cell = cell_of_rank[rank];

		lowest[cell] = (int32_t)rank;
		if (minus_highest[cell] == TORUS_SWEEP_NO_BOX)
			minus_highest[cell] = -(int32_t)rank;
	}
	/* A rank that is not free makes its cell unusable. */
	for (uint32_t rank = 0; rank < ranks; rank++) {
		if (!torus_bit_test(free_ranks, rank))
			minus_highest[cell_of_rank[rank]] = TORUS_SWEEP_NO_BOX;
	}
}

static void weigh_cells(search_t *search, const torus_geometry_t *geometry,
			const uint32_t *cell_of_rank, uint32_t ranks,
			const uint64_t *free_ranks, const uint64_t *weights,
			const torus_shape_t *shape)
{
	const int32_t *minus_highest = search->of_cells.minimum[MINUS_HIGHEST];
	uint64_t *weight = search->of_cells.sum[0], lightest = UINT64_MAX, volume = 1;
	uint64_t chips = shape->in_chips ? torus_node_chips(geometry) : 1;

	memset(weight, 0, search->cells * sizeof(*weight));
	for (uint32_t rank = 0; rank < ranks; rank++) {
		if (torus_bit_test(free_ranks, rank))
			weight[cell_of_rank[rank]] += weights[rank];
	}
	for (uint32_t cell = 0; cell < search->cells; cell++) {
		if (minus_highest[cell] != TORUS_SWEEP_NO_BOX && weight[cell] < lightest)
			lightest = weight[cell];
	}
	torus_outweigh(minus_highest, weight, search->cells);
	for (int axis = 0; axis < shape->dims; axis++)
		volume *= (uint64_t)shape->side[axis];
	/* Part of a node is one. */
	search->least_weight = lightest * ((volume + chips - 1) / chips);
}

/*
 * Whether only a box that is not wider than the best so far may come before it. It is so
 * unless a lower weight is possible.
 */
static bool width_decides(const search_t *search)
{
	return search->best.found &&
	       (!search->of_cells.sums || search->best.weight == search->least_weight);
}

static void try_box(search_t *search, const torus_sweep_values_t *boxes,
		    const int32_t *side, uint32_t cell)
{
	torus_best_box_t box = {
		.found = true,
		.corner = cell,
		.weight = boxes->sums ? boxes->sum[0][cell] : 0,
		.lowest = boxes->minimum[LOWEST][cell],
	};

	memcpy(box.side, side, sizeof(box.side));
	box.width = -(box.lowest + boxes->minimum[MINUS_HIGHEST][cell]);
	if (torus_box_is_better(&box, &search->best))
		search->best = box;
}

/* What a box weighs at most that may come before the best so far. */
static uint64_t heaviest(const search_t *search)
{
	return search->best.found ? search->best.weight : UINT64_MAX;
}

/*
 * A visit of torus_box_sweep(). A box that contains another is as wide at least, and free
 * only if the other is, too: if none of these boxes may win, none that contains one does.
 */
static bool look_at_boxes(const torus_sweep_block_t *block, void *context)
{
	search_t *search = context;
	const int32_t *low = block->values->minimum[LOWEST];
	const int32_t *minus_high = block->values->minimum[MINUS_HIGHEST];
	int32_t width = width_decides(search) ? search->best.width : INT32_MAX / 4;
	const uint64_t *weight = block->values->sums ? block->values->sum[0] : NULL;
	uint32_t end = block->first + block->count;

	if (torus_all_wider(low + block->first, minus_high + block->first, block->count,
			    width))
		return false;
	if (!block->whole)
		return true;
	for (uint32_t cell = torus_next_box(minus_high, weight, heaviest(search),
					    block->first, end);
	     cell < end; cell = torus_next_box(minus_high, weight, heaviest(search),
					       cell + 1, end))
		try_box(search, block->values, block->side, cell);
	return true;
}

static uint32_t collect(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
			const torus_best_box_t *box, uint32_t *chosen)
{
	int32_t corner[TORUS_MAX_DIMS];
	uint32_t count = 0, lowest = (uint32_t)box->lowest;

	torus_cell_to_coord(geometry, box->corner, corner);
	for (uint32_t rank = lowest; rank <= lowest + (uint32_t)box->width; rank++) {
		if (torus_box_has(geometry, corner, box->side, cell_of_rank[rank]))
			chosen[count++] = rank;
	}
	return count;
}

static int begin(search_t *search, bool weighted, torus_error_t *err)
{
	torus_sweep_values_t *of_cells = &search->of_cells;
	size_t cells = search->cells;
	uint64_t *block = malloc((weighted ? 2 : 1) * cells * sizeof(*block));

	if (!block)
		return torus_fail(err, "out of memory for the boxes of %zu cells", cells);
	of_cells->minimums = 2;
	of_cells->minimum[LOWEST] = (int32_t *)block;
	of_cells->minimum[MINUS_HIGHEST] = of_cells->minimum[LOWEST] + cells;
	of_cells->sums = weighted;
	of_cells->sum[0] = weighted ? block + cells : NULL;
	return 0;
}

int torus_box_place(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
		    uint32_t ranks, const uint64_t *free_ranks, const uint64_t *weights,
		    const torus_shape_t *shape, uint32_t *chosen, uint32_t *count,
		    torus_error_t *err)
{
	search_t search = {.cells = torus_geometry_cells(geometry)};
	int failed;

	if (begin(&search, weights != NULL, err))
		return -1;
	rank_cells(&search, cell_of_rank, ranks, free_ranks);
	if (weights)
		weigh_cells(&search, geometry, cell_of_rank, ranks, free_ranks, weights,
			    shape);
	failed = torus_box_sweep(geometry, shape, &search.of_cells, look_at_boxes,
				 &search, err);
	free(search.of_cells.minimum[LOWEST]);
	if (failed)
		return -1;
	if (!search.best.found)
		return 0;
	*count = collect(geometry, cell_of_rank, &search.best, chosen);
	return 1;
}
