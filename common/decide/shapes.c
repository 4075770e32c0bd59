/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that may have one of several boxes: see decide/decide.h. */
#include <stdlib.h>

#include "base/bitmap.h"
#include "decide/any_numbers.h"
#include "place/box_bits.h"
#include "place/turns.h"
#include "torus/choose.h"

/* What a number of nodes costs of the request's [most_work], for each cell: a few maps of
 * bits, and the lists of cells. */
#define LOOKS_AT_A_CELL 16

/*
 * Decide for one box, [last] or not of those that would do. Returns TORUS_NO_PLACE only
 * if that is proved.
 */
static torus_outcome_t try_shape(torus_deciding_t *d, const torus_shape_t *shape,
				 uint32_t min_nodes, uint32_t max_nodes, bool last)
{
	const torus_decide_request_t *asked = d->request;
	torus_decide_request_t one = *asked;
	torus_outcome_t outcome;

	one.cluster.shape = shape;
	one.min_nodes = one.wanted_nodes = min_nodes;
	one.max_nodes = max_nodes;
	d->supplies.cluster.shape = shape;
	d->request = &one;
	d->most_now = asked->most_verified;
	if (!last)
		d->most_now -= (asked->most_verified - d->verified) / 2;
	outcome = torus_decide_strictly(d);
	d->request = asked;
	return outcome;
}

/* Whether [now] ends the search; if it does not, *all is what came of it so far. */
static bool settles(torus_outcome_t now, torus_outcome_t *all)
{
	if (now != TORUS_NO_PLACE)
		*all = now;
	return now == TORUS_PLACE_FOUND || now == TORUS_OUTCOME_ERROR;
}

/* Try a box of exactly [nodes], of whichever sides. Whether that ends the search. */
static bool settles_any(torus_deciding_t *d, uint32_t nodes, bool last,
			torus_outcome_t *all)
{
	const torus_shape_t any = {.closed = d->request->shapes->closed};
	const torus_cluster_placer_t *placer = d->decider->placer;
	uint64_t cost = 0;

	for (int t = 0; t < placer->tori; t++)
		cost += LOOKS_AT_A_CELL * torus_geometry_cells(&placer->map[t]->geometry);
	if (d->verified == d->request->most_verified || d->work < cost) {
		*all = TORUS_UNDECIDED;
		return true;
	}
	d->work -= cost;
	return settles(try_shape(d, &any, nodes, nodes, last), all);
}

/* The fewest nodes that can have enough in all. */
static uint32_t least_nodes(const torus_deciding_t *d)
{
	const torus_need_t *need = d->request->need;
	uint64_t least = d->request->min_nodes;

	for (int kind = 0; kind < need->kinds; kind++) {
		uint64_t has = d->supplies.most[kind], nodes;

		if (!need->sum[kind])
			continue;
		nodes = has ? (need->sum[kind] + has - 1) / has : UINT32_MAX;
		if (nodes > least)
			least = nodes;
	}
	return least < UINT32_MAX ? (uint32_t)least : UINT32_MAX;
}

/* The most nodes that the request allows and a torus has. */
static uint32_t most_nodes(const torus_deciding_t *d)
{
	uint32_t most = 0;

	for (int t = 0; t < d->supplies.tori; t++) {
		uint32_t candidates = torus_supplies_count(&d->supplies, t);

		if (candidates > most)
			most = candidates;
	}
	return most < d->request->max_nodes ? most : d->request->max_nodes;
}

/*
 * Try the numbers from [least] to [most] of which there is a box, from the largest, or
 * with [upwards] from the smallest. Whether that ends the search.
 */
static bool try_numbers(torus_deciding_t *d, uint32_t least, uint32_t most, bool upwards,
			torus_outcome_t *all)
{
	while (least <= most) {
		bool complete = true;
		uint32_t number;
		int found;

		torus_supplies_use_all(&d->supplies, d->request);
		found = torus_any_number(d, least, most, upwards, &number, &complete);
		if (!complete)
			*all = TORUS_UNDECIDED;
		if (found < 0)
			*all = TORUS_OUTCOME_ERROR;
		if (found <= 0)
			return found < 0 || !complete;
		if (settles_any(d, number, false, all))
			return true;
		if (upwards)
			least = number + 1;
		else
			most = number - 1;
	}
	return false;
}

/* A single number is looked for at once. Of a range there may be thousands, so it is
 * found out each time of which one there is a box. */
static torus_outcome_t decide_any(torus_deciding_t *d)
{
	uint32_t least = least_nodes(d), most = most_nodes(d);
	uint32_t wanted = d->request->wanted_nodes;
	torus_outcome_t all = TORUS_NO_PLACE;

	if (least > most)
		return TORUS_NO_PLACE;
	if (least == most) {
		settles_any(d, least, true, &all);
		return all;
	}
	/* In the order of torus_wanted_distance(). */
	if (wanted < least)
		wanted = least - 1;
	if (wanted > most)
		wanted = most;
	if (!try_numbers(d, least, wanted, false, &all))
		try_numbers(d, wanted + 1, most, true, &all);
	return all;
}

static void free_maps(const torus_deciding_t *d, uint64_t **maps)
{
	for (int t = 0; maps && t < d->supplies.tori; t++)
		free(maps[t]);
	free(maps);
}

/* The usable cells of each torus, and room for the boxes that grow from them, as
 * torus_box_bits_fit() takes them: [tori]. NULL with the error filled: memory. */
static uint64_t **find_cells(torus_deciding_t *d)
{
	int tori = d->supplies.tori;
	uint64_t **maps = calloc((uint32_t)tori, sizeof(*maps));

	torus_supplies_use_all(&d->supplies, d->request);
	for (int t = 0; maps && t < tori; t++) {
		const torus_map_t *map = d->decider->placer->map[t];
		size_t words = TORUS_WORDS(torus_geometry_cells(&map->geometry));

		maps[t] =
			malloc(((size_t)map->geometry.dims + 2) * words * sizeof(**maps));
		if (!maps[t]) {
			free_maps(d, maps);
			maps = NULL;
			break;
		}
		torus_box_bits_usable(&map->geometry, map->cell_of_rank, map->nodes,
				      d->supplies.torus[t].free, maps[t]);
	}
	if (!maps)
		torus_fail(d->err, "out of memory for the cells of %d tori", tori);
	return maps;
}

/* Whether it is quickly seen that no torus has a box of [shape] free. */
static bool has_no_box(const torus_deciding_t *d, const torus_shape_t *shape,
		       uint64_t **maps)
{
	for (int t = 0; t < d->supplies.tori; t++) {
		if (torus_box_may_be_free(&d->decider->placer->map[t]->geometry, shape,
					  maps[t]))
			return false;
	}
	return true;
}

/* The most nodes on a router of any torus. */
static uint64_t most_on_router(const torus_deciding_t *d)
{
	uint64_t most = 1;

	for (int t = 0; t < d->supplies.tori; t++) {
		const torus_map_t *map = d->decider->placer->map[t];
		uint64_t here = torus_map_nodes_per_router(map);

		if (!here) /* not the same everywhere */
			here = map->nodes;
		most = here > most ? here : most;
	}
	return most;
}

/* Whether a box of [shape] has fewer than [least] nodes wherever it is. */
static bool is_too_small(const torus_shape_t *shape, uint64_t on_router, uint32_t least)
{
	uint64_t nodes = on_router;

	for (int axis = 0; axis < shape->dims && nodes < least; axis++)
		nodes *= (uint64_t)shape->side[axis];
	return nodes < least;
}

torus_outcome_t torus_decide_shapes(torus_deciding_t *d)
{
	const torus_shapes_t *shapes = d->request->shapes;
	torus_outcome_t all = TORUS_NO_PLACE;
	uint64_t on_router, **maps;
	uint32_t least;

	if (shapes->any)
		return decide_any(d);
	on_router = most_on_router(d);
	least = least_nodes(d);
	maps = find_cells(d);
	if (!maps)
		return TORUS_OUTCOME_ERROR;
	for (int i = 0; i < shapes->count; i++) {
		if (is_too_small(&shapes->shape[i], on_router, least) ||
		    has_no_box(d, &shapes->shape[i], maps))
			continue;
		if (d->verified == d->request->most_verified) {
			all = TORUS_UNDECIDED;
			break;
		}
		if (settles(try_shape(d, &shapes->shape[i], d->request->min_nodes,
				      d->request->max_nodes, i + 1 == shapes->count),
			    &all))
			break;
	}
	free_maps(d, maps);
	return all;
}
