/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of segments: on how many nodes, and on which. See decide/decide.h. */
#include "decide/private.h"
#include "place/segments.h"

/* Larger numbers of nodes that are tried where it takes more to have enough in all. */
#define MORE_TRIED 16
/* Numbers of segments that are tried for the required nodes to fit into them. */
#define FEWEST_TRIED 16

/* To find the number of nodes, each try may take such a part of all looks, and all
 * together what is not kept for the choice in the end. */
#define PART_OF_A_TRY 8
#define PART_KEPT 3

/* The engine's choice of [nodes] of the candidates in d->supplies.cluster. A job that is
 * not more than a segment may be anywhere. */
static int choose(torus_deciding_t *d, uint32_t nodes)
{
	uint32_t segment = d->request->cluster.segment;
	int chosen;

	d->supplies.cluster.segment = nodes > segment ? segment : 0;
	chosen = torus_deciding_choose(d, nodes);
	d->unproved |= !chosen && d->placement->gave_up;
	return chosen;
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

/* Whether more is needed in all than nodes with features. */
static bool has_shares(const torus_need_t *need)
{
	for (int kind = 0; kind < need->kinds; kind++) {
		if (need->sum[kind] && !torus_need_is_feature(need, kind))
			return true;
	}
	return false;
}

/* The choice of [nodes] that has enough: among nodes with an even share, of all, or of
 * those with a feature. Required nodes may have less than a share. */
static int place(torus_deciding_t *d, uint32_t nodes)
{
	const torus_decide_request_t *request = d->request;
	int chosen;

	if (torus_supplies_use_shares(&d->supplies, request, nodes, d->err))
		return -1;
	chosen = choose(d, nodes);
	if (chosen < 0 || !torus_need_sums(request->need))
		return chosen;
	if (chosen && (is_on_one_torus(d) ? suffices(d) : !request->need->features))
		return 1;
	if (has_shares(request->need)) {
		torus_supplies_use_all(&d->supplies, request);
		chosen = choose(d, nodes);
	}
	if (chosen <= 0)
		return chosen;
	if (is_on_one_torus(d) && suffices(d))
		return 1;
	d->unproved = true;
	if (!request->need->features)
		return 0;
	if (torus_supplies_use_featured(&d->supplies, request, d->err))
		return -1;
	chosen = choose(d, nodes);
	return chosen > 0 ? is_on_one_torus(d) && suffices(d) : chosen;
}

/* Do [what] with a part of the looks that are left; [whether] as in the request. */
static int with_a_part(torus_deciding_t *d, uint32_t nodes, bool whether,
		       int (*what)(torus_deciding_t *, uint32_t))
{
	torus_cluster_request_t *cluster = &d->supplies.cluster;
	uint64_t all = d->request->most_work, kept = all / PART_KEPT;
	uint64_t left = d->looks > kept ? d->looks - kept : 0;
	uint64_t part = left < all / PART_OF_A_TRY ? left : all / PART_OF_A_TRY;
	uint64_t before = part;
	bool was = cluster->whether;
	int result;

	cluster->segments_work = &part;
	cluster->whether = whether;
	result = what(d, nodes);
	cluster->whether = was;
	cluster->segments_work = &d->looks;
	d->looks -= before - part;
	return result;
}

/* A choice of [nodes], whatever they have in all. */
static int choose_any(torus_deciding_t *d, uint32_t nodes)
{
	torus_supplies_use_all(&d->supplies, d->request);
	return choose(d, nodes);
}

/*
 * Whether place() has a choice, with a part of the looks that are left. The choice itself
 * matters where it has to have enough in all; else any will do. If looks were too few to
 * find such a choice, or to see that there is none, they may still do to see that there
 * is no choice at all.
 */
static int find(torus_deciding_t *d, uint32_t nodes)
{
	bool sums = torus_need_sums(d->request->need), unproved = d->unproved;
	int placed = with_a_part(d, nodes, d->supplies.cluster.whether || !sums, place);

	if (placed || !sums || unproved || !d->unproved)
		return placed;
	placed = with_a_part(d, nodes, true, choose_any);
	if (!placed)
		d->unproved = d->placement->gave_up;
	return placed < 0 ? -1 : 0;
}

/* The best choice of [nodes], of which there is one. It may take more looks than are left
 * to find that: then it is any. */
static int place_found(torus_deciding_t *d, uint32_t nodes)
{
	int placed = place(d, nodes);

	return placed ? placed : find(d, nodes);
}

/*
 * The fewest segments, [least] to [most] of them, that have a place with all required
 * nodes, of which each may need a segment of its own. *fewest: their number. 1, 0, or -1.
 */
static int find_fewest(torus_deciding_t *d, uint32_t least, uint32_t most,
		       uint32_t *fewest)
{
	uint32_t required = torus_deciding_required(d);

	if (most > required)
		most = required;
	for (uint32_t i = 0; least + i <= most; i++) {
		int found;

		if (i == FEWEST_TRIED) {
			d->unproved = true;
			break;
		}
		found = find(d, (least + i) * d->request->cluster.segment);
		*fewest = least + i;
		if (found)
			return found;
	}
	return 0;
}

/*
 * The most segments, [least] to [most] of them, that have a place: 1, 0, or -1. From
 * those that the required nodes need on, fewer have one if more have.
 */
static int place_most(torus_deciding_t *d, uint32_t least, uint32_t most)
{
	uint32_t segment = d->request->cluster.segment, low = least, high = most;
	int found;

	if (least > most)
		return 0;
	found = find(d, most * segment);
	if (found)
		return found < 0 ? -1 : place_found(d, most * segment);
	if (least < torus_deciding_required(d)) {
		found = find_fewest(d, least, most, &low);
		if (found <= 0)
			return found;
		least = low++;
	}
	while (low < high) { /* [low - 1] have a place or are too few, [high] have none */
		uint32_t middle = low + (high - low) / 2;

		found = find(d, middle * segment);
		if (found < 0)
			return -1;
		if (found)
			low = middle + 1;
		else
			high = middle;
	}
	return low > least ? place_found(d, (low - 1) * segment) : 0;
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
	int found = 0;

	if (most > d->request->max_nodes)
		most = d->request->max_nodes;
	for (int i = 0; i < MORE_TRIED && !found && nodes; i++) {
		nodes = torus_deciding_next_share(d->request->need, nodes);
		if (nodes > segment)
			nodes += (segment - nodes % segment) % segment;
		if (nodes > most)
			break;
		if (nodes)
			found = find(d, nodes);
	}
	return found > 0 ? place_found(d, nodes) : found;
}

/* The choice for the best number of nodes that has one. */
static int choose_number(torus_deciding_t *d)
{
	const torus_decide_request_t *request = d->request;
	uint32_t segment = request->cluster.segment, least = torus_deciding_fewest(d);
	uint32_t wanted = request->wanted_nodes, all, most, fewest = 0;
	int placed;

	torus_supplies_use_all(&d->supplies, request);
	all = count_all(d);
	most = request->max_nodes < all ? request->max_nodes : all;
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
	if (!placed && most > wanted) {
		placed = find_fewest(d, wanted / segment + 1, most / segment, &fewest);
		if (placed > 0)
			placed = place_found(d, fewest * segment);
	}
	return placed ? placed : place_more(d, wanted);
}

torus_outcome_t torus_decide_segments(torus_deciding_t *d)
{
	d->supplies.cluster.segments_work = &d->looks;
	for (int tries = 0; tries < 2; tries++) {
		int placed;

		if (tries && !torus_deciding_narrow(d))
			break;
		placed = choose_number(d);
		if (placed < 0)
			return TORUS_OUTCOME_ERROR;
		if (!placed)
			return d->unproved ? TORUS_UNDECIDED : TORUS_NO_PLACE;
		if (torus_deciding_verify(d))
			return TORUS_PLACE_FOUND;
	}
	return TORUS_UNDECIDED;
}
