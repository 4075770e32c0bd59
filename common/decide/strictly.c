/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that must have one interval or a box: see decide/decide.h. */
#include <stdlib.h>

#include "base/bitmap.h"
#include "decide/intervals.h"
#include "decide/private.h"
#include "decide/shape_places.h"

/* Places refused that the search could find again: what the engine chose by itself, and
 * what was refused before candidates went. */
#define MOST_REFUSED 4

/* Places kept for each that may be verified: others of them come another time. */
#define KEPT 4

typedef struct refused {
	int torus;
	uint32_t nodes;
	uint64_t *ranks; /* bitmap */
} refused_t;

typedef struct strictly {
	torus_deciding_t *d;
	torus_places_t places;
	bool searched; /* the places are those of the present candidates */
	bool learned;  /* which candidates will not do */
	bool none;     /* the engine has looked at all boxes, and none is free */
	int refused_count;
	refused_t refused[MOST_REFUSED];
} strictly_t;

static const torus_part_t *part_of(const strictly_t *s)
{
	return &s->d->decider->placer->part[s->d->placement->torus];
}

/* A box of exactly the nodes wanted, whatever its sides. */
static bool is_any_box(const torus_decide_request_t *request)
{
	return request->cluster.shape && !request->cluster.shape->dims;
}

static bool was_refused(const strictly_t *s)
{
	const torus_part_t *part = part_of(s);

	for (int i = 0; i < s->refused_count; i++) {
		const refused_t *refused = &s->refused[i];
		uint32_t same = 0;

		if (refused->torus != s->d->placement->torus ||
		    refused->nodes != part->count)
			continue;
		while (same < part->count &&
		       torus_bit_test(refused->ranks, part->rank[same]))
			same++;
		if (same == part->count)
			return true;
	}
	return false;
}

static int remember(strictly_t *s)
{
	const torus_part_t *part = part_of(s);
	uint32_t nodes = s->d->decider->placer->map[s->d->placement->torus]->nodes;
	refused_t *refused = &s->refused[s->refused_count];

	if (s->refused_count == MOST_REFUSED)
		return 0;
	refused->ranks = torus_bitmap_create(nodes);
	if (!refused->ranks)
		return torus_fail(s->d->err, "out of memory for a place of %u nodes",
				  part->count);
	refused->torus = s->d->placement->torus;
	refused->nodes = part->count;
	for (uint32_t i = 0; i < part->count; i++)
		torus_bit_set(refused->ranks, part->rank[i]);
	s->refused_count++;
	return 0;
}

static int search_torus(strictly_t *s, int t, const torus_wanted_t *wanted)
{
	const torus_deciding_t *d = s->d;
	const torus_shape_t *shape = d->request->cluster.shape;
	const torus_supply_t supply = {
		.torus = t,
		.map = d->decider->placer->map[t],
		.candidates = &d->supplies.torus[t],
		.has = d->supplies.stock[t].has,
	};

	if (!shape)
		return torus_intervals_find(&supply, wanted, &s->places, &s->d->work,
					    d->err);
	return torus_shape_places_find(&supply, wanted, shape, &s->places, &s->d->work,
				       d->err);
}

/* Find the best places among all usable nodes, once for the same candidates. */
static int search(strictly_t *s)
{
	const torus_deciding_t *d = s->d;
	const torus_decide_request_t *request = d->request;
	torus_wanted_t wanted = {
		.min_nodes = request->min_nodes,
		.max_nodes = request->max_nodes,
		.nodes = request->wanted_nodes,
		.need = request->need,
		.required = torus_deciding_required(d),
	};
	int result = 0;

	torus_supplies_use_all(&s->d->supplies, request);
	if (s->searched)
		return 0;
	s->searched = true;
	torus_places_clear(&s->places);
	for (int t = 0; t < d->supplies.tori && !result; t++)
		result = search_torus(s, t, &wanted);
	return result;
}

/*
 * Have the engine choose: a box, or an interval of [nodes] with an even share on each.
 * Whether it has found a place that meets the need: 1, 0, or -1.
 */
static int choose(strictly_t *s, uint32_t nodes)
{
	torus_deciding_t *d = s->d;
	const torus_decide_request_t *request = d->request;
	int chosen;

	if (request->cluster.shape)
		torus_supplies_use_all(&d->supplies, request);
	else if (torus_supplies_use_shares(&d->supplies, request, nodes, d->err))
		return -1;
	d->supplies.cluster.nodes = nodes;
	d->supplies.cluster.spread = false;
	chosen = torus_cluster_place(d->decider->placer, &d->supplies.cluster,
				     d->placement, d->err);
	s->none = !chosen && is_any_box(request) && !torus_deciding_required(d);
	if (chosen <= 0)
		return chosen;
	return d->placement->nodes >= request->min_nodes &&
	       d->placement->nodes <= request->max_nodes &&
	       torus_supplies_suffice(&d->supplies, request->need, d->decider->placer,
				      d->placement);
}

/* Make [place] the placement. */
static void take(strictly_t *s, const torus_place_t *place)
{
	torus_cluster_placer_t *placer = s->d->decider->placer;
	const torus_map_t *map = placer->map[place->torus];
	torus_part_t *part = &placer->part[place->torus];
	uint32_t candidates = 0;

	for (int t = 0; t < placer->tori; t++) {
		placer->part[t].count = placer->part[t].span = 0;
		candidates += torus_supplies_count(&s->d->supplies, t);
	}
	part->count = torus_place_ranks(place, map, part->rank);
	part->span = place->side[0] ? torus_ascending_span(part->rank, part->count,
							   map->nodes, map->span)
				    : part->count;
	*s->d->placement = (torus_cluster_placement_t){
		.torus = place->torus,
		.candidates = candidates,
		.nodes = part->count,
		.span = part->span,
		.contiguous = part->span == part->count,
		.score = place->side[0] ? part->span : 0,
		.weight = place->weight,
	};
}

/* What came of a place. */
typedef enum answer {
	ANSWER_ERROR = -1,
	ANSWER_REFUSED, /* now or before */
	ANSWER_ACCEPTED,
	ANSWER_NARROWED, /* refused, and there are fewer candidates now */
	ANSWER_NO_MORE,	 /* it may not be asked */
} answer_t;

static answer_t ask(strictly_t *s)
{
	if (was_refused(s))
		return ANSWER_REFUSED;
	if (s->d->verified >= s->d->most_now)
		return ANSWER_NO_MORE;
	s->d->verified++;
	if (torus_deciding_verify(s->d))
		return ANSWER_ACCEPTED;
	if (remember(s))
		return ANSWER_ERROR;
	if (s->learned)
		return ANSWER_REFUSED;
	s->learned = true;
	if (!torus_deciding_narrow(s->d))
		return ANSWER_REFUSED;
	s->searched = false;
	return ANSWER_NARROWED;
}

/* The engine's place, if there is one. The number of nodes of an interval is known, or
 * that of the best one found. */
static answer_t ask_for_chosen(strictly_t *s)
{
	const torus_decide_request_t *request = s->d->request;
	uint32_t nodes = request->min_nodes;
	int chosen;

	if (!request->cluster.shape && request->min_nodes != request->max_nodes) {
		if (search(s))
			return ANSWER_ERROR;
		if (!s->places.count)
			return ANSWER_REFUSED;
		nodes = s->places.place[0]->nodes;
	}
	chosen = choose(s, nodes);
	if (chosen <= 0)
		return chosen < 0 ? ANSWER_ERROR : ANSWER_REFUSED;
	return ask(s);
}

/*
 * The [i]-th place to ask about: the best ones in order, and with the second half of the
 * verifications, where not all can be asked about, some of the others: see
 * torus_decide_request_t.
 */
static const torus_place_t *place_to_ask(const strictly_t *s, int i, int left)
{
	int best = left - left / 2, others = s->places.count - best;

	if (s->places.count > left && i >= best)
		i = best + (int)(((uint64_t)s->d->request->turn * (uint32_t)(left / 2) +
				  (uint32_t)(i - best)) %
				 (uint32_t)others);
	return s->places.place[i];
}

/* All places that the search finds, in turn. */
static answer_t ask_for_found(strictly_t *s)
{
	answer_t answer = ANSWER_REFUSED;
	int left;

	if (s->none) {
		s->places.complete = true;
		return ANSWER_REFUSED;
	}
	if (search(s))
		return ANSWER_ERROR;
	left = s->d->most_now - s->d->verified;
	for (int i = 0; i < s->places.count && answer == ANSWER_REFUSED; i++) {
		take(s, place_to_ask(s, i, left));
		answer = ask(s);
	}
	return answer;
}

torus_outcome_t torus_decide_strictly(torus_deciding_t *d)
{
	strictly_t s = {.d = d};
	answer_t answer = ANSWER_ERROR;
	bool complete;

	if (torus_places_open(&s.places, KEPT * d->request->most_verified + MOST_REFUSED))
		torus_fail(d->err, "out of memory for %d places", s.places.room);
	else
		do {
			answer = ask_for_chosen(&s);
			if (answer == ANSWER_REFUSED)
				answer = ask_for_found(&s);
		} while (answer == ANSWER_NARROWED);
	complete = s.places.complete;
	torus_places_close(&s.places);
	for (int i = 0; i < s.refused_count; i++)
		free(s.refused[i].ranks);
	switch (answer) {
	case ANSWER_ERROR:
		return TORUS_OUTCOME_ERROR;
	case ANSWER_ACCEPTED:
		return TORUS_PLACE_FOUND;
	case ANSWER_REFUSED:
		return complete ? TORUS_NO_PLACE : TORUS_UNDECIDED;
	default:
		return TORUS_UNDECIDED;
	}
}
