/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement in a whole cluster: see cluster_place.h. */
#include "machine/cluster_place.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "torus/choose.h"

/* Values for a place that is neither a torus nor TORUS_ELSEWHERE. */
#define ANY_PLACE (-3)
#define NO_PLACE (-4)

/* The arguments of one decision. */
typedef struct decision {
	torus_cluster_placer_t *placer;
	const torus_cluster_request_t *request;
	torus_cluster_placement_t *placement;
	torus_error_t *err;
} decision_t;

/*
 * The choice that one place, or a mix of a torus and elsewhere, would make: rules 1 and
 * 2.
 */
typedef struct offer {
	bool made;
	uint64_t weight;   /* sum over the nodes */
	uint64_t distance; /* summed, where any box will do or within segments; else 0 */
	bool contiguous;   /* of the torus's part, as are score and span */
	int64_t score;
	uint32_t span;
	uint32_t nodes;	    /* on the torus */
	uint32_t elsewhere; /* nodes elsewhere; below and before say which */
	uint64_t below;
	uint32_t before;
} offer_t;

/* As many nodes as are asked for, those of lowest weight in some places. */
typedef struct lightest {
	uint64_t limit;	 /* highest weight among them */
	uint64_t weight; /* sum of their weights */
} lightest_t;

void torus_cluster_placer_destroy(torus_cluster_placer_t *placer)
{
	if (!placer)
		return;
	for (int t = 0; t < placer->tori; t++) {
		if (placer->part)
			free(placer->part[t].rank);
		if (placer->placer)
			torus_placer_destroy(placer->placer[t]);
		if (placer->nearness)
			torus_nearness_destroy(placer->nearness[t]);
	}
	free(placer->part);
	free(placer->placer);
	free(placer->nearness);
	free(placer->count);
	free(placer);
}

torus_cluster_placer_t *torus_cluster_placer_create(const torus_map_t *const *map,
						    int tori)
{
	torus_cluster_placer_t *placer = calloc(1, sizeof(*placer));

	if (!placer)
		return NULL;
	placer->tori = tori;
	placer->map = map;
	placer->part = calloc((size_t)tori, sizeof(*placer->part));
	placer->placer = calloc((size_t)tori, sizeof(torus_placer_t *));
	placer->nearness = calloc((size_t)tori, sizeof(torus_nearness_t *));
	placer->count = calloc((size_t)tori, sizeof(*placer->count));
	if (!placer->part || !placer->placer || !placer->nearness || !placer->count)
		goto fail;
	for (int t = 0; t < tori; t++) {
		placer->part[t].rank = malloc(sizeof(uint32_t) * (size_t)map[t]->nodes);
		placer->placer[t] = torus_placer_create(map[t]->nodes);
		if (!placer->part[t].rank || !placer->placer[t])
			goto fail;
	}
	return placer;
fail:
	torus_cluster_placer_destroy(placer);
	return NULL;
}

/* Whether offer [a] of a torus is better than offer [b] of an earlier torus (rule 3). */
static bool better(const offer_t *a, const offer_t *b)
{
	if (a->made != b->made)
		return a->made;
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (a->distance != b->distance)
		return a->distance < b->distance;
	if (a->contiguous != b->contiguous)
		return a->contiguous;
	return a->score < b->score;
}

const torus_allocator_t *torus_cluster_allocator(const torus_cluster_request_t *request,
						 const torus_map_t *map)
{
	const torus_allocator_t *allocator = map->allocator;

	if (request->shape || request->segment)
		return allocator;
	if (request->isolated || request->loose)
		allocator = &torus_compact;
	return request->whether && allocator == &torus_compact ? &torus_best_fit
							       : allocator;
}

/* The request to a torus's placer: [nodes] nodes, unless a shape is asked for. */
static torus_place_request_t ask_torus(const decision_t *d, int t, uint32_t nodes)
{
	const torus_map_t *map = d->placer->map[t];
	uint32_t isolation = d->request->isolated ? TORUS_ISOLATE_WEIGHT : 0;

	return (torus_place_request_t){
		.nodes = nodes,
		.allocator = torus_cluster_allocator(d->request, map),
		.span = map->span,
		.contiguous = d->request->contiguous,
		.required = d->request->torus[t].required,
		.geometry = &map->geometry,
		.cell_of_rank = map->cell_of_rank,
		.seed = d->request->seed,
		.isolation = map->isolation > isolation ? map->isolation : isolation,
		.loose = d->request->loose,
	};
}

/* Returns 0, or -1 with the error filled, as do those below. */
static int offer_any_box(const decision_t *d, int t, offer_t *offer)
{
	const torus_candidates_t *candidates = &d->request->torus[t];
	const torus_map_t *map = d->placer->map[t];

	offer->nodes = d->request->nodes;
	return torus_choose_any_box(&map->geometry, map->cell_of_rank, map->nodes,
				    candidates->free, candidates->weights,
				    d->request->nodes, d->request->shape->closed,
				    d->placer->part[t].rank, &offer->distance, d->err);
}

static int offer_shape(const decision_t *d, int t, offer_t *offer)
{
	const torus_candidates_t *candidates = &d->request->torus[t];
	const torus_place_request_t request = ask_torus(d, t, 0);

	return torus_choose_box(d->placer->placer[t], candidates->free,
				candidates->weights, d->placer->map[t]->nodes, &request,
				d->request->shape, d->placer->part[t].rank, &offer->nodes,
				d->err);
}

static int offer_box(const decision_t *d, int t, offer_t *offer)
{
	const torus_map_t *map = d->placer->map[t];
	uint32_t *chosen = d->placer->part[t].rank;
	int found = d->request->shape->dims ? offer_shape(d, t, offer)
					    : offer_any_box(d, t, offer);

	if (found <= 0) {
		*offer = (offer_t){0};
		return found;
	}
	offer->made = true;
	offer->span = torus_ascending_span(chosen, offer->nodes, map->nodes, map->span);
	offer->contiguous = offer->span == offer->nodes;
	offer->score = offer->span;
	return 0;
}

static torus_segments_site_t segments_site(const decision_t *d, int t)
{
	const torus_map_t *map = d->placer->map[t];

	return (torus_segments_site_t){.geometry = &map->geometry,
				       .cell_of_rank = map->cell_of_rank,
				       .ranks = map->nodes,
				       .span = map->span,
				       .whether = d->request->whether,
				       .work = d->request->segments_work};
}

/* The required nodes on one torus; UINT32_MAX: one of them is no candidate. */
static uint32_t count_required(const torus_candidates_t *candidates, uint32_t ranks)
{
	if (!candidates->required)
		return 0;
	for (size_t word = 0; word < TORUS_WORDS(ranks); word++) {
		if (candidates->required[word] & ~candidates->free[word])
			return UINT32_MAX;
	}
	return torus_bitmap_count(candidates->required, ranks);
}

/* Segments of the required nodes: whether all of these are pieces. 1, 0 or -1. */
static int cut_required(const decision_t *d, const torus_segments_site_t *site,
			const uint64_t *required, uint32_t nodes, uint32_t *chosen,
			torus_segments_hops_t *hops)
{
	uint32_t *set = malloc(nodes * sizeof(*set)), count = 0,
		 size = d->request->segment;
	bool pieces = false;
	int result = -1;

	if (!set)
		return torus_fail(d->err, "out of memory for %u nodes", nodes);
	for (uint32_t rank = torus_bitmap_next_set(required, site->ranks, 0);
	     rank < site->ranks;
	     rank = torus_bitmap_next_set(required, site->ranks, rank + 1))
		set[count++] = rank;
	if (!torus_cut_segments(site, set, size, nodes / size, chosen, &pieces, hops,
				d->err)) {
		memcpy(chosen, set, nodes * sizeof(*set));
		result = pieces;
	}
	free(set);
	return result;
}

static int offer_segments(const decision_t *d, int t, uint32_t nodes, offer_t *offer)
{
	const torus_candidates_t *candidates = &d->request->torus[t];
	const torus_map_t *map = d->placer->map[t];
	torus_segments_site_t site = segments_site(d, t);
	uint32_t *chosen = d->placer->part[t].rank, size = d->request->segment;
	uint32_t required = count_required(candidates, map->nodes);
	torus_segments_hops_t hops = {0};
	int found;

	if (!nodes || nodes > map->nodes || required > nodes)
		return 0;
	site.required = required ? candidates->required : NULL;
	found = required < nodes
			? torus_choose_segments(&site, candidates->free,
						candidates->weights, size, nodes / size,
						d->request->segments, chosen, &hops,
						d->err)
			: cut_required(d, &site, candidates->required, nodes, chosen,
				       &hops);
	d->placement->gave_up |= hops.gave_up;
	if (found <= 0)
		return found;
	*offer = (offer_t){
		.made = true,
		.nodes = nodes,
		.distance = hops.within,
		.score = hops.all < INT64_MAX ? (int64_t)hops.all : INT64_MAX,
		.span = torus_ascending_span(chosen, nodes, map->nodes, map->span),
	};
	offer->contiguous = offer->span == nodes;
	return 0;
}

static int offer_nodes(const decision_t *d, int t, uint32_t nodes, offer_t *offer)
{
	const torus_candidates_t *candidates = &d->request->torus[t];
	const torus_place_request_t request = ask_torus(d, t, nodes);
	torus_placement_t placement;
	int found;

	if (!nodes || nodes > d->placer->map[t]->nodes)
		return 0;
	found = torus_choose_nodes(d->placer->placer[t], candidates->free,
				   candidates->weights, d->placer->map[t]->nodes,
				   &request, d->placer->part[t].rank, &placement, d->err);
	if (found <= 0)
		return found;
	offer->made = true;
	offer->nodes = nodes;
	offer->span = placement.span;
	offer->contiguous = placement.contiguous;
	offer->score = placement.score;
	return 0;
}

static int offer_torus(const decision_t *d, int t, uint32_t nodes, offer_t *offer)
{
	const torus_candidates_t *candidates = &d->request->torus[t];
	int result;

	*offer = (offer_t){0};
	result = d->request->shape     ? offer_box(d, t, offer)
		 : d->request->segment ? offer_segments(d, t, nodes, offer)
				       : offer_nodes(d, t, nodes, offer);
	for (uint32_t i = 0; i < offer->nodes; i++)
		offer->weight +=
			torus_candidates_weight(candidates, d->placer->part[t].rank[i]);
	return result;
}

/* The offer of the nodes elsewhere: those required, then those of lowest weight. */
static int offer_elsewhere(const decision_t *d, offer_t *offer)
{
	const torus_candidates_t *candidates = &d->request->elsewhere;
	uint32_t nodes = d->request->elsewhere_nodes, required = 0, count;
	uint64_t *list;

	*offer = (offer_t){0};
	if (d->request->shape || d->request->contiguous || d->request->segment || !nodes)
		return 0;
	for (uint32_t i = 0; candidates->required && i < nodes; i++) {
		if (!torus_bit_test(candidates->required, i))
			continue;
		if (!torus_bit_test(candidates->free, i))
			return 0;
		required++;
		offer->weight += torus_candidates_weight(candidates, i);
	}
	count = torus_bitmap_count(candidates->free, nodes);
	if (required > d->request->nodes || count < d->request->nodes)
		return 0;
	offer->made = true;
	offer->elsewhere = required;
	if (required == d->request->nodes)
		return 0;
	if (!candidates->weights) {
		offer->elsewhere = count;
		offer->below = UINT64_MAX;
		return 0;
	}
	list = malloc(sizeof(*list) * (size_t)count);
	if (!list)
		return torus_fail(d->err, "out of memory for %u weights", count);
	count = torus_candidates_weights(candidates, nodes, list);
	torus_weights_sort(list, count);
	offer->below = list[d->request->nodes - required - 1] + 1;
	for (uint32_t i = 0; i < count && list[i] < offer->below; i++) {
		if (required + i < d->request->nodes)
			offer->weight += list[i];
		offer->elsewhere++;
	}
	free(list);
	return 0;
}

/*
 * The place that has the required nodes: a torus or TORUS_ELSEWHERE; ANY_PLACE when no
 * node is required, NO_PLACE when they are in several places.
 */
static int place_of_required(const decision_t *d)
{
	const torus_cluster_request_t *request = d->request;
	int place = ANY_PLACE;

	for (int t = 0; t < d->placer->tori; t++) {
		uint32_t ranks = d->placer->map[t]->nodes;

		if (!request->torus[t].required ||
		    torus_bitmap_next_set(request->torus[t].required, ranks, 0) == ranks)
			continue;
		place = place == ANY_PLACE ? t : NO_PLACE;
	}
	if (request->elsewhere.required &&
	    torus_bitmap_count(request->elsewhere.required, request->elsewhere_nodes))
		place = place == ANY_PLACE ? TORUS_ELSEWHERE : NO_PLACE;
	return place;
}

static bool weights_differ(const decision_t *d)
{
	for (int t = 0; t < d->placer->tori; t++) {
		if (d->request->torus[t].weights)
			return true;
	}
	return d->request->elsewhere.weights;
}

/*
 * Find the nodes of lowest weight on the tori [first] to [last], and elsewhere if
 * [elsewhere] is set. Together these must have enough free nodes, and no node is
 * required.
 */
static int find_lightest(const decision_t *d, int first, int last, bool elsewhere,
			 lightest_t *lightest)
{
	uint32_t others = elsewhere ? d->request->elsewhere_nodes : 0, count = 0;
	size_t room = others;
	uint64_t *list;

	*lightest = (lightest_t){0};
	if (!weights_differ(d))
		return 0;
	for (int t = first; t <= last; t++)
		room += d->placer->count[t];
	list = malloc(sizeof(*list) * room);
	if (!list)
		return torus_fail(d->err, "out of memory for %zu weights", room);
	for (int t = first; t <= last; t++)
		count += torus_candidates_weights(&d->request->torus[t],
						  d->placer->map[t]->nodes, list + count);
	if (elsewhere)
		count += torus_candidates_weights(&d->request->elsewhere, others,
						  list + count);
	torus_weights_sort(list, count);
	lightest->limit = list[d->request->nodes - 1];
	for (uint32_t i = 0; i < d->request->nodes; i++)
		lightest->weight += list[i];
	free(list);
	return 0;
}

/*
 * Offer a mix: the nodes of lowest weight on torus [t] and elsewhere together, if there
 * are nodes of both among them and the sum of their weights is below [bound].
 */
static int offer_mix(const decision_t *d, int t, uint64_t bound, offer_t *offer)
{
	const torus_candidates_t *elsewhere = &d->request->elsewhere;
	uint32_t nodes = d->request->nodes, others = d->request->elsewhere_nodes;
	uint32_t lighter, equal, lighter_others, equal_others, left, on_torus;
	lightest_t lightest;

	*offer = (offer_t){0};
	if (find_lightest(d, t, t, true, &lightest))
		return -1;
	if (lightest.weight >= bound)
		return 0;
	torus_candidates_count(&d->request->torus[t], d->placer->map[t]->nodes,
			       lightest.limit, &lighter, &equal);
	torus_candidates_count(elsewhere, others, lightest.limit, &lighter_others,
			       &equal_others);
	left = nodes - lighter - lighter_others;
	on_torus = lighter + (equal < left ? equal : left);
	if (!on_torus || on_torus == nodes)
		return 0;
	if (offer_torus(d, t, on_torus, offer))
		return -1;
	offer->weight = lightest.weight;
	offer->elsewhere = nodes - on_torus;
	offer->below = lightest.limit;
	left = offer->elsewhere - lighter_others;
	for (uint32_t i = 0; left; i++) {
		left -= torus_bit_test(elsewhere->free, i) &&
			torus_candidates_weight(elsewhere, i) == lightest.limit;
		offer->before = i + 1;
	}
	return 0;
}

/*
 * Share the job among the tori: part[t].count nodes of each, all that weigh less than
 * [limit]. spare[t] receives how many more nodes weigh exactly [limit].
 */
static void share_out(const decision_t *d, uint64_t limit, uint32_t *spare)
{
	torus_part_t *part = d->placer->part;
	uint32_t left = d->request->nodes;

	for (int t = 0; t < d->placer->tori; t++) {
		torus_candidates_count(&d->request->torus[t], d->placer->map[t]->nodes,
				       limit, &part[t].count, &spare[t]);
		left -= part[t].count;
	}
	while (left) {
		uint32_t most = 0, share;
		int on = 0;

		for (int t = 0; t < d->placer->tori; t++) {
			if (spare[t] && part[t].count + spare[t] > most) {
				most = part[t].count + spare[t];
				on = t;
			}
		}
		share = spare[on] < left ? spare[on] : left;
		part[on].count += share;
		spare[on] = 0;
		left -= share;
	}
}

/*
 * Spread the job over the tori, on nodes of weight up to [limit]. Returns 1 when spread,
 * 0 when nodes elsewhere are lighter (rule 5), -1 when memory is short.
 */
static int spread(const decision_t *d, uint64_t limit)
{
	torus_cluster_placement_t *placement = d->placement;
	uint32_t lighter, equal;

	torus_candidates_count(&d->request->elsewhere, d->request->elsewhere_nodes, limit,
			       &lighter, &equal);
	if (lighter)
		return 0;
	share_out(d, limit, d->placer->count);
	for (int t = 0; t < d->placer->tori; t++) {
		torus_part_t *part = &d->placer->part[t];
		offer_t offer = {0};

		if (part->count && offer_torus(d, t, part->count, &offer))
			return -1;
		part->span = offer.span;
		placement->span += offer.span;
		placement->weight += offer.weight;
	}
	placement->torus = TORUS_SPREAD;
	placement->nodes = d->request->nodes;
	return 1;
}

/* The torus whose intervals hold most segments, of those that have none yet; -1: memory
 * is short. */
static int torus_with_most(const decision_t *d, uint32_t *most)
{
	int on = 0;

	*most = 0;
	for (int t = 0; t < d->placer->tori; t++) {
		const torus_segments_site_t site = segments_site(d, t);
		uint32_t segments;

		if (torus_count_segments(&site, d->request->torus[t].free,
					 d->request->segment, d->request->segments,
					 &segments, d->err))
			return -1;
		if (!d->placer->part[t].count && segments > *most) {
			*most = segments;
			on = t;
		}
	}
	return on;
}

/* Spread segments over the tori. Returns as spread(). */
static int spread_segments(const decision_t *d)
{
	torus_cluster_placement_t *placement = d->placement;
	uint32_t left = d->request->nodes / d->request->segment, most;

	for (int t = 0; t < d->placer->tori; t++)
		d->placer->part[t].count = d->placer->part[t].span = 0;
	while (left) {
		int t = torus_with_most(d, &most);
		torus_part_t *part;
		offer_t offer;

		if (t < 0)
			return -1;
		if (!most)
			return 0;
		part = &d->placer->part[t];
		most = most < left ? most : left;
		if (offer_torus(d, t, most * d->request->segment, &offer))
			return -1;
		part->count = offer.nodes;
		part->span = offer.span;
		placement->span += offer.span;
		placement->weight += offer.weight;
		left -= most;
	}
	placement->torus = TORUS_SPREAD;
	placement->nodes = d->request->nodes;
	return 1;
}

/* Make the offer [best] of the place [where] the placement. */
static void take(const decision_t *d, int where, const offer_t *best)
{
	torus_cluster_placement_t *placement = d->placement;

	for (int t = 0; t < d->placer->tori; t++) {
		d->placer->part[t].count = t == where ? best->nodes : 0;
		d->placer->part[t].span = t == where ? best->span : 0;
	}
	placement->torus = where;
	placement->nodes = best->nodes + best->elsewhere;
	placement->elsewhere = best->elsewhere;
	placement->span = best->span;
	placement->contiguous = best->contiguous && !best->elsewhere;
	placement->score = best->score;
	placement->weight = best->weight;
	placement->below = best->below;
	placement->before = best->before;
}

/* Whether the allocator of some torus lets jobs wait. */
static bool any_waits(const decision_t *d)
{
	for (int t = 0; t < d->placer->tori; t++) {
		if (torus_allocator_waits(d->placer->map[t]->allocator))
			return true;
	}
	return false;
}

/*
 * Divide a job that requires no nodes among several places, if that weighs less than the
 * best offer of one place, [whole], or there is none. Returns 1 when divided, 0 when not,
 * -1 when memory is short. When not divided, the offers of the tori stay in the placer.
 */
static int divide(const decision_t *d, const offer_t *whole)
{
	const torus_cluster_request_t *request = d->request;
	int tori = d->placer->tori, where = NO_PLACE;
	bool may_spread = !whole->made && request->spread &&
			  d->placement->candidates >= request->nodes;
	uint64_t others, bound = whole->made ? whole->weight : UINT64_MAX;
	offer_t best = {0}, offer;
	lightest_t lightest;

	if (request->segment)
		return may_spread && tori > 1 &&
				       request->segments != TORUS_SEGMENTS_CONSOLIDATED
			       ? spread_segments(d)
			       : 0;
	if (request->shape || request->contiguous || any_waits(d))
		return 0;
	if (may_spread) {
		if (find_lightest(d, 0, tori - 1, false, &lightest))
			return -1;
		bound = lightest.weight;
	}
	others = torus_bitmap_count(request->elsewhere.free, request->elsewhere_nodes);
	for (int t = 0; t < tori && (whole->made || request->spread || tori == 1); t++) {
		if (!others || d->placer->count[t] + others < request->nodes)
			continue;
		if (offer_mix(d, t, bound, &offer))
			return -1;
		if (better(&offer, &best)) {
			best = offer;
			where = t;
		}
	}
	if (!best.made)
		return may_spread ? spread(d, lightest.limit) : 0;
	take(d, where, &best);
	return 1;
}

int torus_cluster_place(torus_cluster_placer_t *placer,
			const torus_cluster_request_t *request,
			torus_cluster_placement_t *placement, torus_error_t *err)
{
	const decision_t d = {placer, request, placement, err};
	int only = place_of_required(&d), where = NO_PLACE, divided;
	offer_t best = {0}, offer;

	*placement = (torus_cluster_placement_t){0};
	for (int t = 0; t < placer->tori; t++) {
		placer->count[t] = request->torus[t].free_count;
		if (!placer->count[t])
			placer->count[t] = torus_bitmap_count(request->torus[t].free,
							      placer->map[t]->nodes);
		placement->candidates += placer->count[t];
	}
	if (only == NO_PLACE || (request->shape && only != ANY_PLACE))
		return 0;
	for (int t = 0; t < placer->tori; t++) {
		if ((only != ANY_PLACE && only != t) ||
		    (!request->shape && placer->count[t] < request->nodes))
			continue;
		if (offer_torus(&d, t, request->nodes, &offer))
			return -1;
		if (better(&offer, &best)) {
			best = offer;
			where = t;
		}
	}
	if (only == ANY_PLACE || only == TORUS_ELSEWHERE) {
		if (offer_elsewhere(&d, &offer))
			return -1;
		if (offer.made && (!best.made || offer.weight < best.weight)) {
			best = offer;
			where = TORUS_ELSEWHERE;
		}
	}
	divided = only == ANY_PLACE ? divide(&d, &best) : 0;
	if (divided || where == NO_PLACE)
		return divided;
	take(&d, where, &best);
	return 1;
}

uint32_t torus_cluster_next_elsewhere(const torus_candidates_t *elsewhere, uint32_t nodes,
				      const torus_cluster_placement_t *placement,
				      uint32_t from)
{
	uint32_t i = torus_bitmap_next_set(elsewhere->free, nodes, from);

	for (; i < nodes; i = torus_bitmap_next_set(elsewhere->free, nodes, i + 1)) {
		uint64_t weight = torus_candidates_weight(elsewhere, i);

		if (weight < placement->below ||
		    (weight == placement->below && i < placement->before) ||
		    (elsewhere->required && torus_bit_test(elsewhere->required, i)))
			break;
	}
	return i;
}
