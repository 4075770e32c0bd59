/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that may have one of several boxes: see decide/decide.h. */
#include "decide/private.h"

/* What a number of nodes costs of the request's [most_work], for each cell: a few maps of
 * bits, and the lists of cells. */
#define LOOKS_AT_A_CELL 8

/* Decide for one box. Returns TORUS_NO_PLACE only if that is proved. */
static torus_outcome_t try_shape(torus_deciding_t *d, const torus_shape_t *shape,
				 uint32_t min_nodes, uint32_t max_nodes)
{
	const torus_decide_request_t *asked = d->request;
	torus_decide_request_t one = *asked;
	torus_outcome_t outcome;

	one.cluster.shape = shape;
	one.min_nodes = one.wanted_nodes = min_nodes;
	one.max_nodes = max_nodes;
	d->supplies.cluster.shape = shape;
	d->request = &one;
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
static bool settles_any(torus_deciding_t *d, uint32_t nodes, torus_outcome_t *all)
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
	return settles(try_shape(d, &any, nodes, nodes), all);
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

/* The numbers of nodes in the order of torus_wanted_distance(). */
static torus_outcome_t decide_any(torus_deciding_t *d)
{
	uint32_t least = least_nodes(d), most = most_nodes(d);
	uint32_t wanted = d->request->wanted_nodes;
	torus_outcome_t all = TORUS_NO_PLACE;

	for (uint32_t n = wanted < most ? wanted : most; n >= least; n--) {
		if (settles_any(d, n, &all))
			return all;
	}
	for (uint32_t n = wanted < least ? least - 1 : wanted; n < most;) {
		if (settles_any(d, ++n, &all))
			return all;
	}
	return all;
}

torus_outcome_t torus_decide_shapes(torus_deciding_t *d)
{
	const torus_shapes_t *shapes = d->request->shapes;
	torus_outcome_t all = TORUS_NO_PLACE;

	if (shapes->any)
		return decide_any(d);
	for (int i = 0; i < shapes->count; i++) {
		if (settles(try_shape(d, &shapes->shape[i], d->request->min_nodes,
				      d->request->max_nodes),
			    &all))
			break;
	}
	return all;
}
