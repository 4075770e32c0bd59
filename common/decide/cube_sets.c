/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of cubes: see decide/cube_sets.h. */
#include "decide/cube_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "torus/survey.h"

/* What one cube has for the job. */
typedef struct stock {
	uint32_t lowest;   /* rank */
	uint32_t highest;  /* rank, and one more; 0: there is none */
	uint32_t required; /* nodes that must be among the chosen */
	bool picked;
	uint64_t has[TORUS_MAX_KINDS];
} stock_t;

/* The fewest and the most nodes, and the most of each kind, that one cube of some has. */
typedef struct extent {
	uint32_t fewest, most;
	uint64_t has[TORUS_MAX_KINDS];
} extent_t;

/* What the first cubes of a set have, and what it lacks without the others. */
typedef struct begun {
	uint64_t nodes;
	uint64_t missing[TORUS_MAX_KINDS];
} begun_t;

typedef struct search {
	const torus_supply_t *supply;
	const torus_wanted_t *wanted;
	torus_cube_survey_t survey;
	stock_t *stock;		/* [cubes of the machine] */
	uint32_t *cube;		/* [ranks] that has it */
	uint32_t *whole;	/* [wholes] the whole cubes, required ones first, then the
				   lightest */
	uint32_t wholes, fixed; /* the first [fixed] must be in every set */
	uint32_t cubes;		/* of a set */
	uint32_t *pick;		/* [cubes] ascending places in whole[] */
	extent_t *from;		/* [wholes] of whole[i] and those behind it */
	begun_t *begun;		/* [cubes + 1] of the first i that are picked */
	int scarce;		/* the kind that was missing last */
	const int32_t *side; /* [TORUS_MAX_DIMS] of the torus that they are joined to */
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

		search->cube[rank] = cube;
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

/* Add the set that is picked. */
static int add_set(const search_t *search)
{
	const torus_map_t *map = search->supply->map;
	torus_place_t place = {
		.torus = search->supply->torus,
		.nodes = (uint32_t)search->begun[search->cubes].nodes,
		.lowest = UINT32_MAX,
		.ranks = torus_bitmap_create(map->nodes),
	};
	uint32_t highest = 0;

	if (!place.ranks)
		return out_of_memory(search);
	for (uint32_t i = 0; i < search->cubes; i++) {
		uint32_t cube = search->whole[search->pick[i]];
		stock_t *stock = &search->stock[cube];

		stock->picked = true;
		place.weight += search->survey.cube[cube].weight;
		place.lowest =
			stock->lowest < place.lowest ? stock->lowest : place.lowest;
		highest = stock->highest > highest ? stock->highest : highest;
	}
	for (uint32_t rank = place.lowest; rank < highest; rank++) {
		if (search->stock[search->cube[rank]].picked)
			torus_bit_set(place.ranks, rank);
	}
	for (uint32_t i = 0; i < search->cubes; i++)
		search->stock[search->whole[search->pick[i]]].picked = false;
	place.waste = highest - 1 - place.lowest;
	memcpy(place.side, search->side, sizeof(place.side));
	torus_places_add(search->places, &place);
	return 0;
}

static void find_extents(search_t *search)
{
	extent_t extent = {.fewest = UINT32_MAX};

	for (uint32_t i = search->wholes; i-- > 0;) {
		uint32_t nodes = search->survey.cube[search->whole[i]].nodes;
		const stock_t *stock = &search->stock[search->whole[i]];

		extent.fewest = nodes < extent.fewest ? nodes : extent.fewest;
		extent.most = nodes > extent.most ? nodes : extent.most;
		for (int kind = 0; kind < search->wanted->need->kinds; kind++) {
			if (stock->has[kind] > extent.has[kind])
				extent.has[kind] = stock->has[kind];
		}
		search->from[i] = extent;
	}
}

/* Whether the nodes of the first cubes, the [at]-th being the last, are too few or too
 * many whatever the others are. */
static bool has_wrong_nodes(search_t *search, uint32_t at)
{
	uint32_t cube = search->whole[search->pick[at]], left = search->cubes - at - 1;
	uint64_t nodes = search->begun[at].nodes + search->survey.cube[cube].nodes;
	const extent_t *others = &search->from[search->pick[at] + 1];

	search->begun[at + 1].nodes = nodes;
	if (!left)
		return nodes < search->wanted->min_nodes ||
		       nodes > search->wanted->max_nodes;
	return nodes + (uint64_t)left * others->most < search->wanted->min_nodes ||
	       nodes + (uint64_t)left * others->fewest > search->wanted->max_nodes;
}

/* Whether they have too little of [kind]. */
static bool lacks(search_t *search, uint32_t at, int kind)
{
	uint64_t has = search->stock[search->whole[search->pick[at]]].has[kind];
	uint64_t missing = search->begun[at].missing[kind];
	uint32_t left = search->cubes - at - 1;

	missing = missing > has ? missing - has : 0;
	search->begun[at + 1].missing[kind] = missing;
	if (!left)
		return missing > 0;
	/* Without a product, which could be beyond 64 bits. */
	return search->from[search->pick[at] + 1].has[kind] < (missing + left - 1) / left;
}

/*
 * Whether a set may begin with the first cubes, the [at]-th being the last; if it is the
 * last of the set, whether that meets the conditions. What was missing last is looked at
 * first, for among sets that begin alike it mostly is missing again.
 */
static bool may_begin(search_t *search, uint32_t at)
{
	--*search->work;
	if (lacks(search, at, search->scarce) || has_wrong_nodes(search, at))
		return false;
	for (int kind = 0; kind < search->wanted->need->kinds; kind++) {
		--*search->work;
		if (kind != search->scarce && lacks(search, at, kind)) {
			search->scarce = kind;
			return false;
		}
	}
	return true;
}

/* Pick another cube for the [at]-th place or, where there is none left, for the next one
 * before it that has one left. Whether there is. */
static bool pick_other(search_t *search, uint32_t *at)
{
	while (*at >= search->fixed &&
	       search->pick[*at] == search->wholes - search->cubes + *at) {
		if (!*at)
			return false;
		--*at;
	}
	if (*at < search->fixed)
		return false;
	search->pick[*at]++;
	return true;
}

/*
 * Try sets, in lexicographic order, until the list is full: there may be more of them
 * than can be counted. Sets whose first cubes leave too much to the others are passed
 * over together.
 */
static int try_sets(search_t *search)
{
	const torus_need_t *need = search->wanted->need;
	const uint64_t cost = (uint64_t)need->kinds + 1;
	uint32_t required = 0, at = 0;

	for (uint32_t i = 0; i < search->fixed; i++)
		required += search->stock[search->whole[i]].required;
	if (required != search->wanted->required || search->cubes > search->wholes ||
	    search->fixed > search->cubes)
		return 0;
	find_extents(search);
	memcpy(search->begun[0].missing, need->sum,
	       (size_t)need->kinds * sizeof(*need->sum));
	search->pick[0] = 0;
	for (bool more = true; more;) {
		if (*search->work < cost ||
		    search->places->count == search->places->room) {
			search->places->complete = false;
			return 0;
		}
		if (!may_begin(search, at)) {
			more = pick_other(search, &at);
		} else if (at + 1 < search->cubes) {
			search->pick[at + 1] = search->pick[at] + 1;
			at++;
		} else {
			if (add_set(search))
				return -1;
			more = pick_other(search, &at);
		}
	}
	return 0;
}

int torus_cube_sets_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
			 const int32_t *side, torus_places_t *places, uint64_t *work,
			 torus_error_t *err)
{
	const torus_map_t *map = supply->map;
	const torus_candidates_t *candidates = supply->candidates;
	uint32_t cubes = torus_cubes_needed(&map->geometry, side);
	search_t search = {
		.supply = supply,
		.wanted = wanted,
		.cubes = cubes,
		.side = side,
		.places = places,
		.work = work,
		.err = err,
	};
	int result = -1;

	if (torus_cubes_survey(&search.survey, &map->geometry, map->cell_of_rank,
			       map->nodes, candidates->free, candidates->weights,
			       search.err))
		goto done;
	search.stock = calloc(search.survey.cubes, sizeof(*search.stock));
	search.cube = malloc(map->nodes * sizeof(*search.cube));
	search.whole = malloc(search.survey.cubes * sizeof(*search.whole));
	search.pick = malloc(cubes * sizeof(*search.pick));
	search.from = malloc(search.survey.cubes * sizeof(*search.from));
	search.begun = calloc((size_t)cubes + 1, sizeof(*search.begun));
	if (!search.stock || !search.cube || !search.whole || !search.pick ||
	    !search.from || !search.begun) {
		out_of_memory(&search);
		goto done;
	}
	take_stock(&search);
	result = sort_whole(&search) ? -1 : try_sets(&search);
done:
	torus_cubes_survey_free(&search.survey);
	free(search.stock);
	free(search.cube);
	free(search.whole);
	free(search.pick);
	free(search.from);
	free(search.begun);
	return result;
}
