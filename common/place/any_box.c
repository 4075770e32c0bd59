/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any box of so many nodes: see any_box.h. */
#include "place/any_box.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/best_box.h"
#include "place/box_bits.h"
#include "place/box_distance.h"
#include "place/box_rows.h"
#include "place/box_sizes.h"
#include "place/box_sweep.h"

/* The minimums and sums of a box, as in box.c; sums only where routers differ in nodes,
 * or nodes in weight. */
enum { LOWEST, MINUS_HIGHEST };
enum { SUMS = 2 };

typedef struct search {
	const torus_geometry_t *geometry;
	uint32_t cells;
	uint32_t nodes;
	torus_router_nodes_t on_router;
	bool weighted;
	bool plain;	    /* no weights, routers have equally many nodes */
	int weight_sum;	    /* which sum has the weights, */
	int nodes_sum;	    /* and which the nodes; negative: none needs to */
	uint32_t *nodes_on; /* [cells] */
	uint32_t *fewer; /* [fewers] the routers with nodes, but not the most; or NULL */
	uint32_t fewers;
	int32_t *minimums; /* [2 * cells] */
	uint64_t *sums;	   /* [SUMS * cells], or NULL when plain */
	uint64_t *on_line; /* nodes at each position along each axis; or NULL */
	uint64_t *bits;	   /* [dims + 2] bitmaps, the first of the usable cells */
	torus_sweep_values_t of_cells;
	int32_t turned[TORUS_MAX_DIMS]; /* the sides whose distance was asked for last, */
	uint64_t distance;		/* and that */
	torus_box_sizes_t sizes;
	torus_best_box_t best;
} search_t;

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
 * along an axis counts as often as there are pairs of nodes on them. That is as if all
 * routers had the most nodes, less what some of them lack.
 */
static uint64_t distance_of_nodes(const search_t *search, const torus_best_box_t *box)
{
	const torus_geometry_t *geometry = search->geometry;
	int32_t first[TORUS_MAX_DIMS], step[TORUS_MAX_DIMS];
	uint64_t sum = 0, all = search->on_router.most;
	uint64_t *line = search->on_line;

	for (int axis = 0; axis < geometry->dims; axis++)
		all *= (uint64_t)box->side[axis];
	for (int axis = 0; axis < geometry->dims; line += box->side[axis++]) {
		for (int32_t i = 0; i < box->side[axis]; i++)
			line[i] = all / (uint64_t)box->side[axis];
	}
	torus_cell_to_coord(geometry, box->corner, first);
	for (uint32_t i = 0; i < search->fewers; i++) {
		uint32_t cell = search->fewer[i];

		if (!torus_box_offset(geometry, first, box->side, cell, step))
			continue;
		line = search->on_line;
		for (int axis = 0; axis < geometry->dims; line += box->side[axis++])
			line[step[axis]] -=
				search->on_router.most - search->nodes_on[cell];
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
		.weight = search->weighted ? boxes->sum[search->weight_sum][cell] : 0,
		.distance = distance,
		.lowest = boxes->minimum[LOWEST][cell],
	};

	if (search->nodes_sum >= 0 &&
	    boxes->sum[search->nodes_sum][cell] != search->nodes)
		return;
	memcpy(box.side, side, sizeof(box.side));
	box.width = -(box.lowest + boxes->minimum[MINUS_HIGHEST][cell]);
	if (!torus_box_is_better(&box, &search->best))
		return;
	if (search->on_router.fewest < search->on_router.most) {
		box.distance = distance_of_nodes(search, &box);
		if (!torus_box_is_better(&box, &search->best))
			return;
	}
	search->best = box;
}

/* What the summed distance in boxes of these sides is at least: where routers differ it
 * may be more. Blocks come side by side with others of the same sides. */
static uint64_t distance_of(search_t *search, const int32_t *side)
{
	size_t bytes = (size_t)search->geometry->dims * sizeof(*side);

	if (memcmp(search->turned, side, bytes) != 0) {
		memcpy(search->turned, side, bytes);
		search->distance = torus_box_distance_at_least(
			search->geometry, side, search->on_router, search->nodes);
	}
	return search->distance;
}

/* What a box weighs at most that may come before the best so far. */
static uint64_t heaviest(const search_t *search)
{
	return search->best.found ? search->best.weight : UINT64_MAX;
}

/* A visit of torus_box_sweep(). A box that contains one that is not free is not either.
 */
static bool look_at_boxes(const torus_sweep_block_t *block, void *context)
{
	search_t *search = context;
	const int32_t *minus_highest = block->values->minimum[MINUS_HIGHEST];
	const uint64_t *weight =
		search->weighted ? block->values->sum[search->weight_sum] : NULL;
	uint32_t end = block->first + block->count;
	uint64_t distance;

	if (!block->whole)
		return torus_any_begins(minus_highest + block->first, block->count);
	distance = distance_of(search, block->side);
	if (search->best.found && !search->weighted && distance > search->best.distance)
		return false;
	for (uint32_t cell = torus_next_box(minus_highest, weight, heaviest(search),
					    block->first, end);
	     cell < end; cell = torus_next_box(minus_highest, weight, heaviest(search),
					       cell + 1, end))
		try_box(search, block->values, block->side, cell, distance);
	return false;
}

static int look_at_size(search_t *search, const torus_box_size_t *size,
			torus_error_t *err)
{
	if (!torus_box_bits_fit(search->geometry, size->shape.side, search->bits))
		return 0;
	return torus_box_sweep(search->geometry, &size->shape, &search->of_cells,
			       look_at_boxes, search, err);
}

/* ---- what the cells have ---- */

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
	uint64_t *weight = search->of_cells.sum[0];
	uint64_t *nodes;

	memset(search->sums, 0, SUMS * (size_t)search->cells * sizeof(*weight));
	for (uint32_t rank = 0; weights && rank < ranks; rank++) {
		if (torus_bit_test(free_ranks, rank))
			weight[cell_of_rank[rank]] += weights[rank];
	}
	if (weights)
		torus_outweigh(search->of_cells.minimum[MINUS_HIGHEST], weight,
			       search->cells);
	if (search->nodes_sum < 0)
		return;
	nodes = search->of_cells.sum[search->nodes_sum];
	for (uint32_t cell = 0; cell < search->cells; cell++) {
		nodes[cell] = search->nodes_on[cell];
		if (nodes[cell] && nodes[cell] < search->on_router.most)
			search->fewer[search->fewers++] = cell;
	}
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
		search->fewer = malloc(cells * sizeof(*search->fewer));
	}
	if (!search->minimums || !search->bits ||
	    (!search->plain && (!search->sums || !search->on_line || !search->fewer)))
		return torus_fail(err, "out of memory for the boxes of %zu cells", cells);
	search->of_cells.minimums = 2;
	search->of_cells.minimum[LOWEST] = search->minimums;
	search->of_cells.minimum[MINUS_HIGHEST] = search->minimums + cells;
	search->weight_sum = search->weighted ? search->of_cells.sums++ : -1;
	search->nodes_sum = search->on_router.fewest < search->on_router.most
				    ? search->of_cells.sums++
				    : -1;
	for (int i = 0; i < search->of_cells.sums; i++)
		search->of_cells.sum[i] = search->sums + (size_t)i * cells;
	return 0;
}

static void end(search_t *search)
{
	free(search->nodes_on);
	free(search->fewer);
	free(search->minimums);
	free(search->sums);
	free(search->on_line);
	free(search->bits);
	torus_box_sizes_free(&search->sizes);
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
	for (size_t i = 0; i < search->sizes.count; i++) {
		const torus_box_size_t *size = &search->sizes.size[i];

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
			const uint64_t *weights, uint32_t nodes, bool closed,
			uint32_t *chosen, uint64_t *distance, torus_error_t *err)
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
	search.nodes_on = malloc(search.cells * sizeof(*search.nodes_on));
	if (!search.nodes_on)
		return torus_fail(err, "out of memory for %u cells", search.cells);
	search.on_router =
		torus_router_nodes(geometry, cell_of_rank, ranks, search.nodes_on);
	search.plain = !weights && search.on_router.fewest == search.on_router.most;
	if (begin(&search, err) || torus_box_sizes_list(geometry, search.on_router, nodes,
							closed, &search.sizes, err))
		goto done;
	torus_box_bits_usable(geometry, cell_of_rank, ranks, free_ranks, search.bits);
	rank_cells(&search, cell_of_rank, ranks);
	if (!search.plain)
		sum_cells(&search, cell_of_rank, ranks, free_ranks, weights);
	result = look_at_sizes(&search, err) ? -1 : search.best.found;
	if (result == 1) {
		collect(&search, cell_of_rank, chosen);
		*distance = search.best.distance;
	}
done:
	end(&search);
	return result;
}
