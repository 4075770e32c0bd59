/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes that have enough in all: see decide/boxes.h. */
#include "decide/boxes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/box_distance.h"
#include "place/box_rows.h"
#include "place/box_sweep.h"
#include "torus/fit.h"

/* What is known of each cell and each box: minimums ... */
enum {
	LOWEST,	       /* its lowest rank */
	MINUS_HIGHEST, /* its highest rank, negative; TORUS_SWEEP_NO_BOX: it has a node
			* that is no candidate, or a cell without nodes */
	MINIMUMS,
};

/*
 * ... and those numbers of which boxes may differ. Each is some bits of a sum, so many
 * that no box has more, and of which a box must have so much at least one bit more: they
 * are added up, and compared, together.
 */
typedef struct field {
	int sum; /* or NONE: boxes do not differ */
	int shift;
	uint64_t mask;
} field_t;

#define NONE (-1)
typedef struct fields {
	int sums;
	int room; /* bits of the last sum that no field has */
	field_t nodes, weight, required;
	field_t kind[TORUS_MAX_KINDS];
} fields_t;

_Static_assert(3 + TORUS_MAX_KINDS <= TORUS_SWEEP_SUMS, "room for all kinds");
_Static_assert(MINIMUMS <= TORUS_SWEEP_MINIMUMS, "room for all minimums");

/* What the candidates of a torus have of a kind: one the least and the most, and all of
 * them together, at most UINT64_MAX. */
typedef struct extent {
	uint64_t least, most, all;
} extent_t;

struct torus_boxes {
	torus_supply_t supply;
	const torus_need_t *need;
	uint32_t cells;
	torus_router_nodes_t on_router;
	extent_t kind[TORUS_MAX_KINDS], weight;
	fields_t fields;	     /* of the cells as they are */
	torus_sweep_values_t values; /* of the cells, in one block of memory; NULL: */
	void *block;		     /* there are none yet */
};

/* The boxes of one shape. */
typedef struct search {
	torus_boxes_t *boxes;
	const torus_wanted_t *wanted;
	torus_places_t *places;
	uint64_t *work;
	uint64_t nodes; /* of a box, where all have as many */
	fields_t fields;
	/* Of each sum what a box must have at least, and the bits above the fields that
	 * stay where it has. */
	uint64_t least[TORUS_SWEEP_SUMS], above[TORUS_SWEEP_SUMS];
	bool by_distance;
	uint64_t hops; /* between the routers of a box of the block that is looked at */
} search_t;

/* ---- what there is ---- */

static void extend(extent_t *extent, uint64_t has)
{
	extent->least = has < extent->least ? has : extent->least;
	extent->most = has > extent->most ? has : extent->most;
	if (__builtin_add_overflow(extent->all, has, &extent->all))
		extent->all = UINT64_MAX;
}

static void find_extents(torus_boxes_t *boxes)
{
	const torus_supply_t *supply = &boxes->supply;
	const torus_need_t *need = boxes->need;
	uint32_t ranks = supply->map->nodes;

	int summed[TORUS_MAX_KINDS], count = 0;

	boxes->weight.least = UINT64_MAX;
	for (int kind = 0; kind < need->kinds; kind++) {
		boxes->kind[kind].least = UINT64_MAX;
		if (need->sum[kind])
			summed[count++] = kind;
	}
	for (uint32_t rank = torus_bitmap_next_set(supply->candidates->free, ranks, 0);
	     rank < ranks;
	     rank = torus_bitmap_next_set(supply->candidates->free, ranks, rank + 1)) {
		const uint64_t *has = supply->has + rank * (size_t)need->kinds;

		extend(&boxes->weight, torus_candidates_weight(supply->candidates, rank));
		for (int i = 0; i < count; i++)
			extend(&boxes->kind[summed[i]], has[summed[i]]);
	}
}

torus_boxes_t *torus_boxes_open(const torus_supply_t *supply, const torus_need_t *need,
				torus_error_t *err)
{
	const torus_map_t *map = supply->map;
	uint32_t cells = torus_geometry_cells(&map->geometry);
	uint32_t *nodes_on = malloc(cells * sizeof(*nodes_on));
	torus_boxes_t *boxes = malloc(sizeof(*boxes));

	if (!nodes_on || !boxes) {
		free(nodes_on);
		free(boxes);
		torus_fail(err, "out of memory for the boxes of %u cells", cells);
		return NULL;
	}
	*boxes = (torus_boxes_t){.supply = *supply, .need = need, .cells = cells};
	boxes->on_router = torus_router_nodes(&map->geometry, map->cell_of_rank,
					      map->nodes, nodes_on);
	free(nodes_on);
	find_extents(boxes);
	return boxes;
}

torus_router_nodes_t torus_boxes_on_router(const torus_boxes_t *boxes)
{
	return boxes->on_router;
}

static void free_cells(torus_boxes_t *boxes)
{
	free(boxes->block);
	boxes->block = NULL;
}

void torus_boxes_close(torus_boxes_t *boxes)
{
	if (!boxes)
		return;
	free_cells(boxes);
	free(boxes);
}

/* ---- what has to be added up ---- */

/* Routers of a box: *least to *most of them. */
static void find_volume(const search_t *search, const torus_shape_t *shape,
			uint64_t *least, uint64_t *most)
{
	*least = 1;
	*most = search->boxes->cells;
	if (shape->in_chips)
		return;
	for (int axis = 0; axis < shape->dims && *least <= search->boxes->cells; axis++)
		*least *= (uint64_t)shape->side[axis];
	*most = *least;
}

/* A number of boxes that is [most] at most, with a bit above it if [compared], or if not
 * [differs] no number. */
static field_t add_field(fields_t *fields, bool differs, uint64_t most, bool compared)
{
	field_t field = {.sum = NONE};
	int bits = most ? 64 - __builtin_clzll(most) : 1;
	int all = bits + compared;

	if (!differs)
		return field;
	if (all > fields->room) {
		fields->sums++;
		fields->room = 64;
	}
	field.sum = fields->sums - 1;
	field.shift = 64 - fields->room;
	field.mask = UINT64_MAX >> (64 - bits);
	fields->room -= all;
	return field;
}

/* Have boxes with less than [least] in the field passed over. Whether some may have so
 * much. */
static bool compare(search_t *search, const field_t *field, uint64_t least)
{
	if (field->sum == NONE)
		return true;
	if (least > field->mask)
		return false;
	search->least[field->sum] |= least << field->shift;
	search->above[field->sum] |= (field->mask + 1) << field->shift;
	return true;
}

/*
 * Find out which sums there have to be. Returns false if no box can have as many nodes,
 * or as much in all, as is wanted.
 */
static bool choose_fields(search_t *search, const torus_shape_t *shape)
{
	const torus_boxes_t *boxes = search->boxes;
	const torus_wanted_t *wanted = search->wanted;
	torus_router_nodes_t on_router = boxes->on_router;
	uint32_t ranks = boxes->supply.map->nodes;
	fields_t *fields = &search->fields;
	uint64_t fewest, most;

	find_volume(search, shape, &fewest, &most);
	fewest = torus_fewest_in_box(on_router, fewest);
	most = torus_most_in_box(on_router, most);
	if (most < wanted->min_nodes || fewest > wanted->max_nodes)
		return false;
	search->nodes = fewest;
	fields->weight = add_field(fields, boxes->weight.least < boxes->weight.most,
				   boxes->weight.all, false);
	fields->nodes =
		add_field(fields, on_router.fewest != on_router.most || fewest != most,
			  ranks, true);
	fields->required = add_field(fields, wanted->required, ranks, true);
	if (!compare(search, &fields->nodes, wanted->min_nodes) ||
	    !compare(search, &fields->required, wanted->required))
		return false;
	for (int kind = 0; kind < wanted->need->kinds; kind++) {
		const extent_t *extent = &boxes->kind[kind];
		uint64_t sum = wanted->need->sum[kind];

		/* Without products, which could be beyond 64 bits. */
		if (sum && extent->most < (sum + most - 1) / most)
			return false;
		fields->kind[kind] = add_field(
			fields,
			sum && (!fewest || extent->least < (sum + fewest - 1) / fewest),
			extent->all, true);
		if (!compare(search, &fields->kind[kind], sum))
			return false;
	}
	return true;
}

/* ---- the cells ---- */

/* Room for the values of all cells, and nothing in the sums. */
static int make_cells(torus_boxes_t *boxes, int sums, torus_error_t *err)
{
	torus_sweep_values_t *values = &boxes->values;
	size_t cells = boxes->cells, wide = (size_t)sums * cells;
	uint64_t *sum = malloc(wide * sizeof(*sum) + MINIMUMS * cells * sizeof(int32_t));
	int32_t *minimum;

	if (!sum)
		return torus_fail(err, "out of memory for the boxes of %zu cells", cells);
	memset(sum, 0, wide * sizeof(*sum));
	boxes->block = sum;
	minimum = (int32_t *)(sum + wide);
	*values = (torus_sweep_values_t){.minimums = MINIMUMS, .sums = sums};
	for (int i = 0; i < sums; i++, sum += cells)
		values->sum[i] = sum;
	for (int i = 0; i < MINIMUMS; i++, minimum += cells)
		values->minimum[i] = minimum;
	return 0;
}

static void add(const torus_sweep_values_t *values, const field_t *field, uint32_t cell,
		uint64_t amount)
{
	if (field->sum != NONE)
		values->sum[field->sum][cell] += amount << field->shift;
}

/* Add the candidate [rank] to the sums of its cell; of the kinds those in [kind]. */
static void sum_up(const torus_boxes_t *boxes, uint32_t rank, const int *kind, int count)
{
	const torus_candidates_t *candidates = boxes->supply.candidates;
	const torus_sweep_values_t *values = &boxes->values;
	const fields_t *fields = &boxes->fields;
	const uint64_t *has = boxes->supply.has + rank * (size_t)boxes->need->kinds;
	uint32_t cell = boxes->supply.map->cell_of_rank[rank];

	add(values, &fields->nodes, cell, 1);
	add(values, &fields->weight, cell, torus_candidates_weight(candidates, rank));
	add(values, &fields->required, cell,
	    candidates->required && torus_bit_test(candidates->required, rank));
	for (int i = 0; i < count; i++)
		add(values, &fields->kind[kind[i]], cell, has[kind[i]]);
}

static void fill_cells(const torus_boxes_t *boxes)
{
	const torus_map_t *map = boxes->supply.map;
	const uint64_t *free_ranks = boxes->supply.candidates->free;
	int32_t *lowest = boxes->values.minimum[LOWEST];
	int32_t *minus_highest = boxes->values.minimum[MINUS_HIGHEST];
	int kind[TORUS_MAX_KINDS], count = 0;

	for (int i = 0; i < boxes->need->kinds; i++) {
		if (boxes->fields.kind[i].sum != NONE)
			kind[count++] = i;
	}
	for (uint32_t cell = 0; cell < boxes->cells; cell++) {
		lowest[cell] = 0;
		minus_highest[cell] = TORUS_SWEEP_NO_BOX; /* holds no rank */
	}
	for (uint32_t rank = map->nodes; rank-- > 0;) {
		uint32_t cell = map->cell_of_rank[rank];

		lowest[cell] = (int32_t)rank;
		if (minus_highest[cell] == TORUS_SWEEP_NO_BOX)
			minus_highest[cell] = -(int32_t)rank;
	}
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		if (!torus_bit_test(free_ranks, rank))
			minus_highest[map->cell_of_rank[rank]] = TORUS_SWEEP_NO_BOX;
		else if (boxes->fields.sums)
			sum_up(boxes, rank, kind, count);
	}
}

/* Have the values of all cells, unless they are there. Returns 1; 0: there is not enough
 * work left, and the list is not complete; or -1. */
static int need_cells(search_t *search, torus_error_t *err)
{
	torus_boxes_t *boxes = search->boxes;
	uint64_t cost =
		boxes->supply.map->nodes * (uint64_t)(8 + 2 * search->fields.sums);

	if (boxes->block &&
	    !memcmp(&boxes->fields, &search->fields, sizeof(boxes->fields)))
		return 1;
	if (*search->work < cost) {
		*search->work = 0;
		search->places->complete = false;
		return 0;
	}
	*search->work -= cost;
	free_cells(boxes);
	if (make_cells(boxes, search->fields.sums, err))
		return -1;
	boxes->fields = search->fields;
	fill_cells(boxes);
	return 1;
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

static uint64_t value_of(const torus_sweep_values_t *values, const field_t *field,
			 uint32_t cell)
{
	return values->sum[field->sum][cell] >> field->shift & field->mask;
}

/* Whether the box, all of whose nodes may be had, is as wanted. No box has more required
 * nodes than there are. */
static bool has_enough(const search_t *search, const torus_sweep_values_t *values,
		       uint32_t cell)
{
	const field_t *nodes = &search->fields.nodes;

	for (int i = 0; i < values->sums; i++) {
		uint64_t above = search->above[i];

		if ((((values->sum[i][cell] | above) - search->least[i]) & above) !=
		    above)
			return false;
	}
	return nodes->sum == NONE ||
	       value_of(values, nodes, cell) <= search->wanted->max_nodes;
}

static void add_box(const search_t *search, const torus_sweep_values_t *values,
		    const int32_t *side, uint32_t cell)
{
	const fields_t *fields = &search->fields;
	uint64_t nodes = fields->nodes.sum != NONE
				 ? value_of(values, &fields->nodes, cell)
				 : search->nodes;
	torus_place_t place = {
		.torus = search->boxes->supply.torus,
		.nodes = (uint32_t)nodes,
		.first = cell,
		.weight = fields->weight.sum != NONE
				  ? value_of(values, &fields->weight, cell)
				  : nodes * search->boxes->weight.most,
		.waste = (uint64_t)-values->minimum[MINUS_HIGHEST][cell] -
			 (uint64_t)values->minimum[LOWEST][cell],
		.lowest = (uint32_t)values->minimum[LOWEST][cell],
	};

	if (search->by_distance) {
		place.distance = torus_wanted_distance(search->wanted, place.nodes);
		place.hops = search->hops;
	}
	memcpy(place.side, side, sizeof(place.side));
	torus_places_add(search->places, &place);
}

/* What looking at a block takes of the work: of whole boxes the sums have been slid along
 * each axis, too. */
static uint64_t cost_of(const search_t *search, const torus_sweep_block_t *block)
{
	const torus_geometry_t *geometry = &search->boxes->supply.map->geometry;
	uint64_t each = MINIMUMS;

	if (block->whole)
		each += 4 +
			(uint64_t)search->fields.sums * (uint64_t)(1 + geometry->dims);
	return block->count * each;
}

/* Add the boxes that are whole; of others whether some may do. */
static bool visit(const torus_sweep_block_t *block, void *context)
{
	search_t *search = context;
	const torus_geometry_t *geometry = &search->boxes->supply.map->geometry;
	const torus_sweep_values_t *values = block->values;
	const int32_t *minus_highest = values->minimum[MINUS_HIGHEST];
	uint32_t end = block->first + block->count;
	uint64_t cost = cost_of(search, block);
	repeats_t repeats;

	if (*search->work < cost) {
		*search->work = 0;
		search->places->complete = false;
		return false;
	}
	*search->work -= cost;
	if (!block->whole)
		return torus_any_begins(minus_highest + block->first, block->count);
	repeats = find_repeats(geometry, block->side);
	if (search->by_distance)
		search->hops = torus_box_distance(geometry, block->side);
	for (uint32_t cell = torus_next_box(minus_highest, NULL, 0, block->first, end);
	     cell < end; cell = torus_next_box(minus_highest, NULL, 0, cell + 1, end)) {
		if (has_enough(search, values, cell) && !is_repeated(&repeats, cell) &&
		    torus_box_is_wired(geometry, block->side, cell))
			add_box(search, values, block->side, cell);
	}
	return false;
}

int torus_boxes_find(torus_boxes_t *boxes, const torus_wanted_t *wanted,
		     const torus_shape_t *shape, bool by_distance, torus_places_t *places,
		     uint64_t *work, torus_error_t *err)
{
	search_t search = {
		.boxes = boxes,
		.wanted = wanted,
		.places = places,
		.work = work,
		.by_distance = by_distance,
	};
	int there;

	if (!choose_fields(&search, shape))
		return 0;
	there = need_cells(&search, err);
	if (there <= 0)
		return there;
	return torus_box_sweep(&boxes->supply.map->geometry, shape, &boxes->values, visit,
			       &search, err);
}

int torus_boxes_find_once(const torus_supply_t *supply, const torus_wanted_t *wanted,
			  const torus_shape_t *shape, torus_places_t *places,
			  uint64_t *work, torus_error_t *err)
{
	torus_boxes_t *boxes = torus_boxes_open(supply, wanted->need, err);
	int result = -1;

	if (boxes)
		result = torus_boxes_find(boxes, wanted, shape, false, places, work, err);
	torus_boxes_close(boxes);
	return result;
}
