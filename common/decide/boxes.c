/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes that have enough in all: see decide/boxes.h. */
#include "decide/boxes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "cubes/cubes.h"
#include "place/box_distance.h"
#include "place/box_sizes.h"
#include "place/box_sweep.h"

/* What is known of each cell and each box: minimums ... */
enum {
	USABLE,	 /* -1: a node that is no candidate, or a cell without nodes */
	LOWEST,	 /* its lowest rank */
	HIGHEST, /* its highest rank, negative */
	MINIMUMS,
};

/* ... and those sums of which boxes may differ: where each is, or NONE. */
#define NONE (-1)
typedef struct fields {
	int count;
	int nodes, weight, required;
	int kind[TORUS_MAX_KINDS];
} fields_t;

_Static_assert(3 + TORUS_MAX_KINDS <= TORUS_SWEEP_SUMS, "room for all kinds");
_Static_assert(MINIMUMS <= TORUS_SWEEP_MINIMUMS, "room for all minimums");

typedef struct search {
	const torus_supply_t *supply;
	const torus_wanted_t *wanted;
	torus_places_t *places;
	uint64_t *work;
	uint32_t cells;
	torus_router_nodes_t on_router;
	uint64_t nodes;	      /* of a box, where all have as many, */
	uint64_t each_weight; /* and of each candidate, where they weigh the same */
	fields_t fields;
	bool by_distance;
	uint64_t hops; /* between the routers of a box of the block that is looked at */
} search_t;

/* ---- what has to be added up ---- */

/* The least and the most that a candidate has of a kind. */
static void find_extremes(const search_t *search, int kind, uint64_t *least,
			  uint64_t *most)
{
	const torus_supply_t *supply = search->supply;
	size_t kinds = (size_t)search->wanted->need->kinds;

	*least = UINT64_MAX;
	*most = 0;
	for (uint32_t rank = 0; rank < supply->map->nodes; rank++) {
		uint64_t has;

		if (!torus_bit_test(supply->candidates->free, rank))
			continue;
		has = supply->has[rank * kinds + (size_t)kind];
		*least = has < *least ? has : *least;
		*most = has > *most ? has : *most;
	}
}

/* Whether all candidates weigh the same: search->each_weight. */
static bool weigh_the_same(search_t *search)
{
	const torus_candidates_t *candidates = search->supply->candidates;
	uint32_t ranks = search->supply->map->nodes;
	uint32_t rank = torus_bitmap_next_set(candidates->free, ranks, 0);

	if (!torus_candidates_weigh_the_same(candidates, ranks))
		return false;
	if (rank < ranks)
		search->each_weight = torus_candidates_weight(candidates, rank);
	return true;
}

/* Routers of a box: *least to *most of them. */
static void find_volume(const search_t *search, const torus_shape_t *shape,
			uint64_t *least, uint64_t *most)
{
	*least = 1;
	*most = search->cells;
	if (shape->in_chips)
		return;
	for (int axis = 0; axis < shape->dims && *least <= search->cells; axis++)
		*least *= (uint64_t)shape->side[axis];
	*most = *least;
}

static int count_nodes_on(search_t *search, torus_error_t *err)
{
	const torus_map_t *map = search->supply->map;
	uint32_t *nodes_on = malloc(search->cells * sizeof(*nodes_on));

	if (!nodes_on)
		return torus_fail(err, "out of memory for the routers' nodes");
	search->on_router = torus_router_nodes(&map->geometry, map->cell_of_rank,
					       map->nodes, nodes_on);
	free(nodes_on);
	return 0;
}

/*
 * Find out which sums there have to be. Returns false if no box can have as many nodes,
 * or as much in all, as is wanted.
 */
static bool choose_fields(search_t *search, const torus_shape_t *shape)
{
	const torus_wanted_t *wanted = search->wanted;
	fields_t *fields = &search->fields;
	bool even = search->on_router.fewest == search->on_router.most;
	uint64_t fewest, most;

	find_volume(search, shape, &fewest, &most);
	fewest = torus_fewest_in_box(search->on_router, fewest);
	most = torus_most_in_box(search->on_router, most);
	if (most < wanted->min_nodes || fewest > wanted->max_nodes)
		return false;
	search->nodes = fewest;
	fields->nodes = even && fewest == most ? NONE : fields->count++;
	fields->weight = weigh_the_same(search) ? NONE : fields->count++;
	fields->required = wanted->required ? fields->count++ : NONE;
	for (int kind = 0; kind < wanted->need->kinds; kind++) {
		uint64_t sum = wanted->need->sum[kind], low, high;

		fields->kind[kind] = NONE;
		if (!sum)
			continue;
		find_extremes(search, kind, &low, &high);
		/* Without products, which could be beyond 64 bits. */
		if (high < (sum + most - 1) / most)
			return false;
		if (!fewest || low < (sum + fewest - 1) / fewest)
			fields->kind[kind] = fields->count++;
	}
	return true;
}

/* ---- the cells ---- */

static int make_cells(torus_sweep_values_t *values, int sums, uint32_t cells,
		      torus_error_t *err)
{
	*values = (torus_sweep_values_t){.minimums = MINIMUMS, .sums = sums};
	for (int i = 0; i < values->minimums; i++) {
		values->minimum[i] = calloc(cells, sizeof(*values->minimum[i]));
		if (!values->minimum[i])
			goto fail;
	}
	for (int i = 0; i < values->sums; i++) {
		values->sum[i] = calloc(cells, sizeof(*values->sum[i]));
		if (!values->sum[i])
			goto fail;
	}
	return 0;
fail:
	return torus_fail(err, "out of memory for the boxes of %u cells", cells);
}

static void free_cells(torus_sweep_values_t *values)
{
	for (int i = 0; i < values->minimums; i++)
		free(values->minimum[i]);
	for (int i = 0; i < values->sums; i++)
		free(values->sum[i]);
}

/* Add the candidate [rank] to the sums of its cell. */
static void sum_up(const search_t *search, torus_sweep_values_t *values, uint32_t rank)
{
	const torus_candidates_t *candidates = search->supply->candidates;
	const fields_t *fields = &search->fields;
	size_t kinds = (size_t)search->wanted->need->kinds;
	uint32_t cell = search->supply->map->cell_of_rank[rank];

	if (fields->nodes != NONE)
		values->sum[fields->nodes][cell]++;
	if (fields->weight != NONE)
		values->sum[fields->weight][cell] +=
			torus_candidates_weight(candidates, rank);
	if (fields->required != NONE && candidates->required)
		values->sum[fields->required][cell] +=
			torus_bit_test(candidates->required, rank);
	for (size_t kind = 0; kind < kinds; kind++) {
		if (fields->kind[kind] != NONE)
			values->sum[fields->kind[kind]][cell] +=
				search->supply->has[rank * kinds + kind];
	}
}

static void fill_cells(const search_t *search, torus_sweep_values_t *values)
{
	const torus_map_t *map = search->supply->map;
	int32_t *usable = values->minimum[USABLE], *highest = values->minimum[HIGHEST];

	/* Ranks that a cell has show by its highest one, which is 1 until then. */
	for (uint32_t cell = 0; cell < search->cells; cell++)
		highest[cell] = 1;
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint32_t cell = map->cell_of_rank[rank];

		if (highest[cell] > 0)
			values->minimum[LOWEST][cell] = (int32_t)rank;
		highest[cell] = -(int32_t)rank;
		if (torus_bit_test(search->supply->candidates->free, rank))
			sum_up(search, values, rank);
		else
			usable[cell] = -1;
	}
	for (uint32_t cell = 0; cell < search->cells; cell++) {
		if (highest[cell] > 0)
			usable[cell] = -1;
	}
}

/* ---- the boxes ---- */

/* The axes along which boxes go all the way around, so that those that begin elsewhere
 * along them are the same. */
typedef struct repeats {
	int axes;
	uint32_t stride[TORUS_MAX_DIMS], length[TORUS_MAX_DIMS];
} repeats_t;

static repeats_t find_repeats(const torus_geometry_t *geometry, const int32_t *side)
{
	repeats_t repeats = {0};
	uint32_t stride = 1;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];

		if (geometry->wrap[axis] && (uint32_t)side[axis] == length) {
			repeats.stride[repeats.axes] = stride;
			repeats.length[repeats.axes++] = length;
		}
		stride *= length;
	}
	return repeats;
}

/* Whether the box that begins at [cell] is the same as one that begins elsewhere. */
static bool is_repeated(const repeats_t *repeats, uint32_t cell)
{
	for (int i = 0; i < repeats->axes; i++) {
		if (cell / repeats->stride[i] % repeats->length[i])
			return true;
	}
	return false;
}

/* Whether the box that begins at [cell] goes beyond its cube. */
static bool leaves_cube(const torus_geometry_t *geometry, const int32_t *side,
			uint32_t cell)
{
	for (int axis = 0; torus_has_cubes(geometry) && axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t cube = (uint32_t)geometry->cube[axis];

		if (cell % length % cube + (uint32_t)side[axis] > cube)
			return true;
		cell /= length;
	}
	return false;
}

/* Whether the box, all of whose nodes may be had, is as wanted. */
static bool has_enough(const search_t *search, const torus_sweep_values_t *values,
		       uint32_t cell)
{
	const torus_wanted_t *wanted = search->wanted;
	const fields_t *fields = &search->fields;

	if (fields->nodes != NONE &&
	    (values->sum[fields->nodes][cell] < wanted->min_nodes ||
	     values->sum[fields->nodes][cell] > wanted->max_nodes))
		return false;
	if (fields->required != NONE &&
	    values->sum[fields->required][cell] != wanted->required)
		return false;
	for (int kind = 0; kind < wanted->need->kinds; kind++) {
		if (fields->kind[kind] != NONE &&
		    values->sum[fields->kind[kind]][cell] < wanted->need->sum[kind])
			return false;
	}
	return true;
}

static void add_box(const search_t *search, const torus_sweep_values_t *values,
		    const int32_t *side, uint32_t cell)
{
	uint64_t nodes = search->fields.nodes != NONE
				 ? values->sum[search->fields.nodes][cell]
				 : search->nodes;
	torus_place_t place = {
		.torus = search->supply->torus,
		.nodes = (uint32_t)nodes,
		.first = cell,
		.weight = search->fields.weight != NONE
				  ? values->sum[search->fields.weight][cell]
				  : nodes * search->each_weight,
		.waste = (uint64_t)-values->minimum[HIGHEST][cell] -
			 (uint64_t)values->minimum[LOWEST][cell],
		.lowest = (uint32_t)values->minimum[LOWEST][cell],
	};

	if (search->by_distance) {
		place.distance = torus_wanted_distance(search->wanted, place.nodes);
		place.hops = search->hops;
	}
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		place.side[axis] =
			axis < search->supply->map->geometry.dims ? side[axis] : 1;
	torus_places_add(search->places, &place);
}

/* What looking at a block takes of the work: of whole boxes the sums have been slid along
 * each axis, too. */
static uint64_t cost_of(const search_t *search, const torus_sweep_block_t *block)
{
	uint64_t each = MINIMUMS;

	if (block->whole)
		each += 4 + (uint64_t)search->fields.count *
				    (uint64_t)(1 + search->supply->map->geometry.dims);
	return block->count * each;
}

/* Add the boxes that are whole; of others whether some may do. */
static bool visit(const torus_sweep_block_t *block, void *context)
{
	search_t *search = context;
	const torus_geometry_t *geometry = &search->supply->map->geometry;
	const torus_sweep_values_t *values = block->values;
	const int32_t *usable = values->minimum[USABLE];
	repeats_t repeats = find_repeats(geometry, block->side);
	uint64_t cost = cost_of(search, block);
	bool any = false;

	if (*search->work < cost) {
		*search->work = 0;
		search->places->complete = false;
		return false;
	}
	*search->work -= cost;
	if (block->whole && search->by_distance)
		search->hops = torus_box_distance(geometry, block->side);
	for (uint32_t cell = block->first; cell < block->first + block->count; cell++) {
		if (usable[cell] < 0)
			continue;
		any = true;
		if (!block->whole)
			break;
		if (has_enough(search, values, cell) && !is_repeated(&repeats, cell) &&
		    !leaves_cube(geometry, block->side, cell))
			add_box(search, values, block->side, cell);
	}
	return any;
}

int torus_boxes_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
		     const torus_shape_t *shape, bool by_distance, torus_places_t *places,
		     uint64_t *work, torus_error_t *err)
{
	search_t search = {
		.supply = supply,
		.wanted = wanted,
		.places = places,
		.work = work,
		.cells = torus_geometry_cells(&supply->map->geometry),
		.by_distance = by_distance,
	};
	torus_sweep_values_t values;
	uint64_t cost;
	int result;

	if (count_nodes_on(&search, err))
		return -1;
	if (!choose_fields(&search, shape))
		return 0;
	cost = supply->map->nodes * (uint64_t)(8 + 2 * search.fields.count);
	if (*work < cost) {
		*work = 0;
		places->complete = false;
		return 0;
	}
	*work -= cost;
	result = make_cells(&values, search.fields.count, search.cells, err);
	if (!result) {
		fill_cells(&search, &values);
		result = torus_box_sweep(&supply->map->geometry, shape, &values, visit,
					 &search, err);
	}
	free_cells(&values);
	return result;
}
