/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that may be anywhere: on how many nodes, and on which. See decide/decide.h. */
#include "decide/private.h"

static uint32_t count_all(const torus_deciding_t *d)
{
	uint32_t all = 0;

	for (int t = 0; t <= d->supplies.tori; t++)
		all += torus_supplies_count(&d->supplies, t);
	return all;
}

int torus_deciding_choose(torus_deciding_t *d, uint32_t nodes)
{
	torus_cluster_request_t *cluster = &d->supplies.cluster;
	torus_cluster_placer_t *placer = d->decider->placer;
	int chosen;

	cluster->nodes = nodes;
	cluster->spread = false;
	chosen = torus_cluster_place(placer, cluster, d->placement, d->err);
	if (chosen || placer->tori < 2 || count_all(d) < nodes ||
	    torus_decider_is_confined(d->decider))
		return chosen;
	cluster->spread = true;
	return torus_cluster_place(placer, cluster, d->placement, d->err);
}

/* How many of the candidates the job could have: those of one place, if it must. */
static uint32_t room(const torus_deciding_t *d, uint32_t nodes)
{
	uint32_t all = 0, most = 0;

	for (int t = 0; t <= d->supplies.tori; t++) {
		uint32_t count = torus_supplies_count(&d->supplies, t);

		all += count;
		most = count > most ? count : most;
	}
	if (d->supplies.tori < 2 || all < nodes || most >= nodes)
		return all;
	return torus_decider_is_confined(d->decider) ? most : all;
}

uint32_t torus_deciding_fewest(const torus_deciding_t *d)
{
	const torus_need_t *need = d->request->need;
	uint64_t nodes = 1;

	for (int kind = 0; kind < need->kinds; kind++) {
		uint64_t most = d->supplies.most[kind];

		if (!need->sum[kind])
			continue;
		if (!most)
			return 0;
		if ((need->sum[kind] + most - 1) / most > nodes)
			nodes = (need->sum[kind] + most - 1) / most;
	}
	return nodes > UINT32_MAX ? 0 : (uint32_t)nodes;
}

uint32_t torus_deciding_next_share(const torus_need_t *need, uint32_t nodes)
{
	uint64_t next = 0;

	for (int kind = 0; kind < need->kinds; kind++) {
		uint64_t share = torus_need_share(need, kind, nodes), more;

		if (share <= 1)
			continue;
		more = (need->sum[kind] + share - 2) / (share - 1);
		if (!next || more < next)
			next = more;
	}
	return next > UINT32_MAX ? 0 : (uint32_t)next;
}

/*
 * The engine's choice for as many nodes as wanted, or what there is of a range, or as
 * many more as it takes to have enough with an even share on each. 1, 0, or -1.
 */
static int choose_number(torus_deciding_t *d)
{
	const torus_decide_request_t *request = d->request;
	uint32_t nodes = request->wanted_nodes, least = torus_deciding_fewest(d), there;
	int chosen = 0;

	if (!least)
		return 0;
	for (nodes = nodes < least ? least : nodes;; nodes = there) { /* down */
		if (torus_supplies_use_shares(&d->supplies, request, nodes, d->err))
			return -1;
		there = room(d, nodes);
		if (there >= nodes || there < request->min_nodes || !there)
			break;
	}
	while (nodes && nodes <= request->max_nodes) { /* up, for more in all */
		chosen = request->need->features
				 ? torus_deciding_choose_featured(d, nodes)
				 : torus_deciding_choose(d, nodes);
		if (chosen)
			break;
		nodes = torus_deciding_next_share(request->need, nodes);
		if (nodes &&
		    torus_supplies_use_shares(&d->supplies, request, nodes, d->err))
			return -1;
	}
	return chosen;
}

torus_outcome_t torus_decide_freely(torus_deciding_t *d)
{
	const torus_decide_request_t *request = d->request;
	bool fixed = request->min_nodes == request->max_nodes &&
		     !torus_need_sums(request->need);

	for (int tries = 0; tries < 2; tries++) {
		int chosen;

		if (tries && !torus_deciding_narrow(d))
			break;
		chosen = fixed ? torus_deciding_choose(d, request->min_nodes)
			       : choose_number(d);
		if (chosen < 0)
			return TORUS_OUTCOME_ERROR;
		if (!chosen)
			break;
		if (torus_deciding_verify(d))
			return TORUS_PLACE_FOUND;
	}
	return TORUS_UNDECIDED;
}
