/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places on a machine of cubes: see decide/cube_sets.h. */
#include "decide/cube_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "cubes/survey.h"
#include "decide/boxes.h"
#include "place/box_sizes.h"

/* What one cube has for the job. */
typedef struct stock {
	uint32_t lowest;   /* rank */
	uint32_t highest;  /* rank, and one more; 0: there is none */
	uint32_t required; /* nodes that must be among the chosen */
	uint64_t has[TORUS_MAX_KINDS];
} stock_t;

typedef struct search {
	const torus_supply_t *supply;
	const torus_wanted_t *wanted;
	torus_cube_survey_t survey;
	stock_t *stock;		/* [cubes of the machine] */
	uint32_t *whole;	/* [wholes] the whole cubes, required ones first, then the
				   lightest */
	uint32_t wholes, fixed; /* the first [fixed] must be in every set */
	uint32_t cubes;		/* of a set */
	uint32_t *pick;		/* [cubes] ascending places in whole[] */
	int32_t side[TORUS_MAX_DIMS];
	torus_places_t *places;
	uint64_t *work;
	torus_error_t *err;
} search_t;

static int out_of_memory(const search_t *search)
{
	return torus_fail(search->err, "out of memory for the cubes of %u nodes",
			  search->supply->map->nodes);
}

static void take_stock(search_t *search)
{
	const torus_candidates_t *candidates = search->supply->candidates;
	const torus_map_t *map = search->supply->map;
	size_t kinds = (size_t)search->wanted->need->kinds;

	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint32_t cube =
			torus_cube_of(&map->geometry, map->cell_of_rank[rank], NULL);
		stock_t *stock = &search->stock[cube];

		if (!torus_bit_test(candidates->free, rank))
			continue;
		if (!stock->highest)
			stock->lowest = rank;
		stock->highest = rank + 1;
		stock->required += candidates->required &&
				   torus_bit_test(candidates->required, rank);
		for (size_t kind = 0; kind < kinds; kind++)
			stock->has[kind] += search->supply->has[rank * kinds + kind];
	}
}

/* Put the cubes with required nodes first. */
static int sort_whole(search_t *search)
{
	uint32_t *sorted = malloc(search->survey.cubes * sizeof(*sorted)), count = 0;

	if (!sorted)
		return out_of_memory(search);
	search->wholes = torus_cubes_list_whole(&search->survey, search->whole);
	for (int required = 1; required >= 0; required--) {
		for (uint32_t i = 0; i < search->wholes; i++) {
			if (!!search->stock[search->whole[i]].required == required)
				sorted[count++] = search->whole[i];
		}
		if (required)
			search->fixed = count;
	}
	memcpy(search->whole, sorted, count * sizeof(*sorted));
	free(sorted);
	return 0;
}

static int compare_cubes(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* Add the set that is picked, if it meets the conditions. */
static int add_set(const search_t *search)
{
	const torus_wanted_t *wanted = search->wanted;
	torus_place_t place = {
		.torus = search->supply->torus,
		.lowest = UINT32_MAX,
		.cubes = search->cubes,
	};
	uint32_t required = 0, highest = 0;
	uint64_t has[TORUS_MAX_KINDS] = {0};

	for (uint32_t i = 0; i < search->cubes; i++) {
		uint32_t cube = search->whole[search->pick[i]];
		const stock_t *stock = &search->stock[cube];

		place.nodes += search->survey.cube[cube].nodes;
		place.weight += search->survey.cube[cube].weight;
		required += stock->required;
		place.lowest =
			stock->lowest < place.lowest ? stock->lowest : place.lowest;
		highest = stock->highest > highest ? stock->highest : highest;
		for (int kind = 0; kind < wanted->need->kinds; kind++)
			has[kind] += stock->has[kind];
	}
	for (int kind = 0; kind < wanted->need->kinds; kind++) {
		if (has[kind] < wanted->need->sum[kind])
			return 0;
	}
	if (required != wanted->required || place.nodes < wanted->min_nodes ||
	    place.nodes > wanted->max_nodes)
		return 0;
	place.waste = highest - 1 - place.lowest;
	memcpy(place.side, search->side, sizeof(place.side));
	place.cube = malloc(search->cubes * sizeof(*place.cube));
	if (!place.cube)
		return out_of_memory(search);
	for (uint32_t i = 0; i < search->cubes; i++)
		place.cube[i] = search->whole[search->pick[i]];
	qsort(place.cube, search->cubes, sizeof(*place.cube), compare_cubes);
	torus_places_add(search->places, &place);
	return 0;
}

/* Pick the next set in lexicographic order. Whether there is one. */
static bool next_set(search_t *search)
{
	uint32_t at = search->cubes;

	while (at > search->fixed &&
	       search->pick[at - 1] == search->wholes - search->cubes + at - 1)
		at--;
	if (at <= search->fixed)
		return false;
	search->pick[at - 1]++;
	for (; at < search->cubes; at++)
		search->pick[at] = search->pick[at - 1] + 1;
	return true;
}

/* Try sets until the list is full: there may be more of them than can be counted. */
static int try_sets(search_t *search)
{
	const uint64_t cost = (uint64_t)search->cubes;

	if (search->cubes > search->wholes || search->fixed > search->cubes)
		return 0;
	for (uint32_t i = 0; i < search->cubes; i++)
		search->pick[i] = i;
	do {
		if (*search->work < cost ||
		    search->places->count == search->places->room) {
			search->places->complete = false;
			return 0;
		}
		*search->work -= cost;
		if (add_set(search))
			return -1;
	} while (next_set(search));
	return 0;
}

/* All sets of [cubes] cubes, joined to a torus with search->side. */
static int find_sets(search_t *search, uint32_t cubes)
{
	const torus_map_t *map = search->supply->map;
	const torus_candidates_t *candidates = search->supply->candidates;
	int result = -1;

	search->cubes = cubes;
	if (torus_cubes_survey(&search->survey, &map->geometry, map->cell_of_rank,
			       map->nodes, candidates->free, candidates->weights,
			       search->err))
		goto done;
	search->stock = calloc(search->survey.cubes, sizeof(*search->stock));
	search->whole = malloc(search->survey.cubes * sizeof(*search->whole));
	search->pick = malloc(cubes * sizeof(*search->pick));
	if (!search->stock || !search->whole || !search->pick) {
		out_of_memory(search);
		goto done;
	}
	take_stock(search);
	result = sort_whole(search) ? -1 : try_sets(search);
done:
	torus_cubes_survey_free(&search->survey);
	free(search->stock);
	free(search->whole);
	free(search->pick);
	return result;
}

/* Boxes of any sides inside cubes. */
static int find_inside(search_t *search, torus_boxes_t *boxes, const torus_shape_t *shape)
{
	const torus_geometry_t one = torus_cubes_one(&search->supply->map->geometry);
	const torus_router_nodes_t on_router =
		torus_routers_alike(torus_boxes_on_router(boxes).most);
	torus_box_sizes_t sizes;
	int result = 0;

	if (torus_box_sizes_list(&one, on_router, search->wanted->nodes, shape->closed,
				 &sizes, search->err))
		return -1;
	for (size_t i = 0; i < sizes.count && !result; i++)
		result =
			torus_boxes_find(boxes, search->wanted, &sizes.size[i].shape,
					 true, search->places, search->work, search->err);
	torus_box_sizes_free(&sizes);
	return result;
}

/* Boxes inside cubes, and sets of cubes, that have exactly the nodes wanted. */
static int find_any(search_t *search, const torus_shape_t *shape)
{
	const torus_geometry_t *geometry = &search->supply->map->geometry;
	const torus_geometry_t one = torus_cubes_one(geometry);
	const torus_geometry_t grid = torus_cubes_grid(geometry);
	uint32_t of_cube, nodes = search->wanted->nodes;
	torus_boxes_t *boxes =
		torus_boxes_open(search->supply, search->wanted->need, search->err);
	int result;

	if (!boxes)
		return -1;
	of_cube = torus_geometry_cells(&one) * torus_boxes_on_router(boxes).most;
	if (nodes % of_cube) {
		result = find_inside(search, boxes, shape);
	} else if (nodes / of_cube > torus_geometry_cells(&grid)) {
		result = 0;
	} else {
		torus_cubes_compact(geometry, nodes / of_cube, search->side);
		result = find_sets(search, nodes / of_cube);
	}
	torus_boxes_close(boxes);
	return result;
}

int torus_cube_places_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
			   const torus_shape_t *shape, torus_places_t *places,
			   uint64_t *work, torus_error_t *err)
{
	const torus_geometry_t *geometry = &supply->map->geometry;
	search_t search = {.supply = supply,
			   .wanted = wanted,
			   .places = places,
			   .work = work,
			   .err = err};

	if (!shape->dims)
		return find_any(&search, shape);
	switch (torus_cubes_fit(geometry, shape, search.side)) {
	case TORUS_CUBES_WHOLE:
		return find_sets(&search, torus_cubes_needed(geometry, search.side));
	case TORUS_CUBES_INSIDE:
		return torus_boxes_find_once(supply, wanted, shape, places, work, err);
	case TORUS_CUBES_NEVER:
		break;
	}
	return 0;
}
