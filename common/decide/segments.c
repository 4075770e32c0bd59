/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of segments: on how many nodes, and on which. See decide/decide.h. */
#include "decide/private.h"
#include "place/segments.h"

/* Larger numbers of nodes that are tried where it takes more to have enough in all. */
#define MORE_TRIED 16

/* The engine's choice of [nodes] of the candidates in d->supplies.cluster. A job that is
 * not more than a segment may be anywhere. */
static int choose(torus_deciding_t *d, uint32_t nodes)
{
	uint32_t segment = d->request->cluster.segment;

	d->supplies.cluster.segment = nodes > segment ? segment : 0;
	return torus_deciding_choose(d, nodes);
}

static bool is_on_one_torus(const torus_deciding_t *d)
{
	return d->placement->torus >= 0 && !d->placement->elsewhere;
}

/* Whether the nodes chosen, which are on one torus, have enough in all. */
static bool suffices(const torus_deciding_t *d)
{
	return torus_supplies_suffice(&d->supplies, d->request->need, d->decider->placer,
				      d->placement);
}

/* The choice of [nodes] that has enough: among nodes with an even share, or of all.
 * Required nodes may have less than a share. */
static int place(torus_deciding_t *d, uint32_t nodes)
{
	const torus_decide_request_t *request = d->request;
	int chosen;

	if (torus_supplies_use_shares(&d->supplies, request, nodes, d->err))
		return -1;
	chosen = choose(d, nodes);
	if (chosen < 0 || !torus_need_sums(request->need))
		return chosen;
	if (chosen && (!is_on_one_torus(d) || suffices(d)))
		return 1;
	torus_supplies_use_all(&d->supplies, request);
	chosen = choose(d, nodes);
	if (chosen <= 0)
		return chosen;
	if (is_on_one_torus(d) && suffices(d))
		return 1;
	d->too_little = true;
	return 0;
}

/* The most segments, [least] to [most] of them, that have a place: 1, 0, or -1. */
static int place_most(torus_deciding_t *d, uint32_t least, uint32_t most)
{
	uint32_t segment = d->request->cluster.segment, low = least, high = most;
	int placed;

	if (least > most)
		return 0;
	placed = place(d, most * segment);
	if (placed)
		return placed;
	while (low < high) { /* [low - 1] have a place or are too few, [high] have none */
		uint32_t middle = low + (high - low) / 2;

		placed = place(d, middle * segment);
		if (placed < 0)
			return -1;
		if (placed)
			low = middle + 1;
		else
			high = middle;
	}
	return low > least ? place(d, (low - 1) * segment) : 0;
}

static uint32_t count_all(const torus_deciding_t *d)
{
	uint32_t all = 0;

	for (int t = 0; t <= d->supplies.tori; t++)
		all += torus_supplies_count(&d->supplies, t);
	return all;
}

/* Not more than one segment, on [least] to [most] nodes. */
static int place_one(torus_deciding_t *d, uint32_t least, uint32_t most)
{
	uint32_t segment = d->request->cluster.segment;
	int placed = 0;

	for (uint32_t nodes = most < segment ? most : segment; nodes >= least && !placed;
	     nodes--)
		placed = place(d, nodes);
	return placed;
}

/* As many segments as have enough in all, where that takes more than [nodes]. */
static int place_more(torus_deciding_t *d, uint32_t nodes)
{
	uint32_t segment = d->request->cluster.segment, most = count_all(d);
	int placed = 0;

	if (most > d->request->max_nodes)
		most = d->request->max_nodes;
	for (int i = 0; i < MORE_TRIED && !placed && nodes; i++) {
		nodes = torus_deciding_next_share(d->request->need, nodes);
		if (nodes > segment)
			nodes += (segment - nodes % segment) % segment;
		if (nodes > most)
			break;
		if (nodes)
			placed = place(d, nodes);
	}
	return placed;
}

/* The choice for the best number of nodes that has one. */
static int choose_number(torus_deciding_t *d)
{
	const torus_decide_request_t *request = d->request;
	uint32_t segment = request->cluster.segment, least = torus_deciding_fewest(d);
	uint32_t wanted = request->wanted_nodes, all;
	int placed;

	torus_supplies_use_all(&d->supplies, request);
	all = count_all(d);
	if (!least)
		return 0;
	if (least < request->min_nodes)
		least = request->min_nodes;
	if (wanted < least)
		wanted = least;
	if (least > segment) /* the next that can be cut */
		least += (segment - least % segment) % segment;
	if (wanted < least)
		wanted = least;
	if (least > request->max_nodes || least > all)
		return 0;
	placed = place_most(d, least > segment ? least / segment : 2,
			    (wanted < all ? wanted : all) / segment);
	if (!placed)
		placed = place_one(d, least, wanted < all ? wanted : all);
	return placed ? placed : place_more(d, wanted);
}

torus_outcome_t torus_decide_segments(torus_deciding_t *d)
{
	for (int tries = 0; tries < 2; tries++) {
		int placed;

		if (tries && !torus_deciding_narrow(d))
			break;
		placed = choose_number(d);
		if (placed < 0)
			return TORUS_OUTCOME_ERROR;
		if (!placed)
			return d->too_little ? TORUS_UNDECIDED : TORUS_NO_PLACE;
		if (torus_deciding_verify(d))
			return TORUS_PLACE_FOUND;
	}
	return TORUS_UNDECIDED;
}
