/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes that have enough in all: see decide/boxes.h. */
#include "decide/boxes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "cubes/cubes.h"
#include "place/box_distance.h"
#include "place/box_sweep.h"

/* What is known of each cell and each box: minimums ... */
enum {
	USABLE,	 /* -1: a node that is no candidate, or a cell without nodes */
	LOWEST,	 /* its lowest rank */
	HIGHEST, /* its highest rank, negative */
	MINIMUMS,
};
/* ... and sums, then those of each kind. */
enum {
	NODES,
	WEIGHT,
	REQUIRED,
	FIRST_KIND,
};

_Static_assert(FIRST_KIND + TORUS_MAX_KINDS <= TORUS_SWEEP_SUMS, "room for all kinds");
_Static_assert(MINIMUMS <= TORUS_SWEEP_MINIMUMS, "room for all minimums");

typedef struct search {
	const torus_supply_t *supply;
	const torus_wanted_t *wanted;
	torus_places_t *places;
	uint64_t *work;
	uint32_t cells;
	bool by_distance;
} search_t;

static int make_cells(torus_sweep_values_t *values, int kinds, uint32_t cells,
		      torus_error_t *err)
{
	*values =
		(torus_sweep_values_t){.minimums = MINIMUMS, .sums = FIRST_KIND + kinds};
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

static void fill_cells(const search_t *search, torus_sweep_values_t *values)
{
	const torus_candidates_t *candidates = search->supply->candidates;
	const torus_map_t *map = search->supply->map;
	size_t kinds = (size_t)search->wanted->need->kinds;

	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint32_t cell = map->cell_of_rank[rank];

		if (!values->sum[NODES][cell]++)
			values->minimum[LOWEST][cell] = (int32_t)rank;
		values->minimum[HIGHEST][cell] = -(int32_t)rank;
		if (!torus_bit_test(candidates->free, rank)) {
			values->minimum[USABLE][cell] = -1;
			continue;
		}
		values->sum[WEIGHT][cell] += torus_candidates_weight(candidates, rank);
		values->sum[REQUIRED][cell] += candidates->required &&
					       torus_bit_test(candidates->required, rank);
		for (size_t kind = 0; kind < kinds; kind++)
			values->sum[FIRST_KIND + kind][cell] +=
				search->supply->has[rank * kinds + kind];
	}
	for (uint32_t cell = 0; cell < search->cells; cell++) {
		if (!values->sum[NODES][cell])
			values->minimum[USABLE][cell] = -1;
	}
}

/* Whether the box that begins at [cell] is the same as one that begins elsewhere. */
static bool is_repeated(const torus_geometry_t *geometry, const int32_t *side,
			uint32_t cell)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];

		if (geometry->wrap[axis] && (uint32_t)side[axis] == length &&
		    cell % length)
			return true;
		cell /= length;
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

static bool has_enough(const search_t *search, const torus_sweep_values_t *values,
		       uint32_t cell)
{
	const torus_wanted_t *wanted = search->wanted;

	if (values->minimum[USABLE][cell] < 0 ||
	    values->sum[NODES][cell] < wanted->min_nodes ||
	    values->sum[NODES][cell] > wanted->max_nodes ||
	    values->sum[REQUIRED][cell] != wanted->required)
		return false;
	for (int kind = 0; kind < wanted->need->kinds; kind++) {
		if (values->sum[FIRST_KIND + kind][cell] < wanted->need->sum[kind])
			return false;
	}
	return true;
}

static void add_box(const search_t *search, const torus_sweep_values_t *values,
		    const int32_t *side, uint32_t cell)
{
	torus_place_t place = {
		.torus = search->supply->torus,
		.nodes = (uint32_t)values->sum[NODES][cell],
		.first = cell,
		.weight = values->sum[WEIGHT][cell],
		.waste = (uint64_t)-values->minimum[HIGHEST][cell] -
			 (uint64_t)values->minimum[LOWEST][cell],
		.lowest = (uint32_t)values->minimum[LOWEST][cell],
	};

	if (search->by_distance)
		place.hops = torus_box_distance(&search->supply->map->geometry, side);

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		place.side[axis] =
			axis < search->supply->map->geometry.dims ? side[axis] : 1;
	torus_places_add(search->places, &place);
}

/* Add the boxes that are whole; of others whether some may do. */
static bool visit(const torus_sweep_block_t *block, void *context)
{
	search_t *search = context;
	const torus_sweep_values_t *values = block->values;
	uint64_t cost =
		(uint64_t)block->count * (uint64_t)(values->minimums + values->sums);
	bool any = false;

	if (*search->work < cost) {
		*search->work = 0;
		search->places->complete = false;
		return false;
	}
	*search->work -= cost;
	for (uint32_t cell = block->first; cell < block->first + block->count; cell++) {
		if (values->minimum[USABLE][cell] < 0)
			continue;
		any = true;
		if (!block->whole)
			break;
		if (has_enough(search, values, cell) &&
		    !is_repeated(&search->supply->map->geometry, block->side, cell) &&
		    !leaves_cube(&search->supply->map->geometry, block->side, cell))
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
	int result = make_cells(&values, wanted->need->kinds, search.cells, err);

	if (!result) {
		fill_cells(&search, &values);
		result = torus_box_sweep(&supply->map->geometry, shape, &values, visit,
					 &search, err);
	}
	free_cells(&values);
	return result;
}
