/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that count their nodes with certain features: see decide/decide.h. */
#include <stdlib.h>

#include "base/bitmap.h"
#include "decide/private.h"
#include "metrics/metrics.h"
#include "place/featured.h"

_Static_assert(TORUS_MAX_FEATURES <= TORUS_FEATURED_MOST, "room for all features");

/* What one torus offers. */
typedef struct offer {
	int torus; /* -1: there is none */
	uint64_t weight, distance;
} offer_t;

/* Whether all required nodes are on torus [t]. */
static bool has_required(const torus_deciding_t *d, int t)
{
	const torus_candidates_t *candidates = &d->request->cluster.torus[t];
	uint32_t all = torus_deciding_required(d);

	return !all || (candidates->required &&
			torus_bitmap_count(candidates->required,
					   d->supplies.stock[t].nodes) == all);
}

/* The features of each node of torus [t]; NULL: memory. */
static uint8_t *features_on(const torus_deciding_t *d, int t)
{
	const torus_need_t *need = d->request->need;
	const torus_stock_t *stock = &d->supplies.stock[t];
	uint8_t *has = calloc(stock->nodes, sizeof(*has));

	for (uint32_t i = torus_bitmap_next_set(stock->usable, stock->nodes, 0);
	     has && i < stock->nodes;
	     i = torus_bitmap_next_set(stock->usable, stock->nodes, i + 1)) {
		const uint64_t *of_node = stock->has + (size_t)i * (size_t)need->kinds;

		for (int feature = 0; feature < need->features; feature++)
			has[i] |= (uint8_t)((of_node[need->first_feature + feature] != 0)
					    << feature);
	}
	return has;
}

/* The choice of [nodes] on torus [t], in its part. 1, 0 or -1. */
static int place_on(torus_deciding_t *d, int t, uint32_t nodes)
{
	const torus_need_t *need = d->request->need;
	const torus_candidates_t *candidates = &d->supplies.torus[t];
	const torus_map_t *map = d->decider->placer->map[t];
	uint64_t work = d->looks / 2, all = work; /* the rest for others */
	torus_featured_t ask = {
		.geometry = &map->geometry,
		.cell_of_rank = map->cell_of_rank,
		.ranks = map->nodes,
		.free = candidates->free,
		.required = candidates->required,
		.weights = candidates->weights,
		.features = need->features,
		.nodes = nodes,
		.work = &work,
	};
	uint8_t *has;
	int placed;

	if (!has_required(d, t) || nodes > map->nodes)
		return 0;
	has = features_on(d, t);
	if (!has)
		return torus_fail(d->err, "out of memory for features");
	for (int feature = 0; feature < need->features; feature++)
		ask.count[feature] = (uint32_t)need->sum[need->first_feature + feature];
	ask.has = has;
	placed = torus_featured_place(&ask, d->decider->placer->part[t].rank, d->err);
	d->looks -= all - work;
	free(has);
	return placed;
}

/* How good the part of torus [t] is. 0, or -1. */
static int measure(const torus_deciding_t *d, int t, uint32_t nodes, offer_t *offer)
{
	const torus_map_t *map = d->decider->placer->map[t];
	const torus_part_t *part = &d->decider->placer->part[t];
	uint32_t *cells = malloc(nodes * sizeof(*cells));
	int result;

	*offer = (offer_t){.torus = t};
	if (!cells)
		return torus_fail(d->err, "out of memory for %u nodes", nodes);
	for (uint32_t i = 0; i < nodes; i++) {
		cells[i] = map->cell_of_rank[part->rank[i]];
		offer->weight +=
			torus_candidates_weight(&d->supplies.torus[t], part->rank[i]);
	}
	result = torus_summed_distance(&map->geometry, cells, nodes, &offer->distance,
				       d->err);
	free(cells);
	return result;
}

static bool is_better(const offer_t *a, const offer_t *b)
{
	if (b->torus < 0 || a->weight != b->weight)
		return b->torus < 0 || a->weight < b->weight;
	return a->distance < b->distance;
}

static void take(torus_deciding_t *d, const offer_t *offer, uint32_t nodes)
{
	torus_cluster_placer_t *placer = d->decider->placer;
	const torus_map_t *map = placer->map[offer->torus];
	uint32_t candidates = 0, span;

	for (int t = 0; t < placer->tori; t++) {
		placer->part[t].count = placer->part[t].span = 0;
		candidates += torus_supplies_count(&d->supplies, t);
	}
	span = torus_ascending_span(placer->part[offer->torus].rank, nodes, map->nodes,
				    map->span);
	placer->part[offer->torus].count = nodes;
	placer->part[offer->torus].span = span;
	*d->placement = (torus_cluster_placement_t){
		.torus = offer->torus,
		.candidates = candidates,
		.nodes = nodes,
		.span = span,
		.contiguous = span == nodes,
		.score = span,
		.weight = offer->weight,
	};
}

int torus_deciding_choose_featured(torus_deciding_t *d, uint32_t nodes)
{
	offer_t best = {.torus = -1}, offer;
	int chosen = torus_deciding_choose(d, nodes);

	if (chosen < 0)
		return -1;
	if (chosen && d->placement->torus >= 0 && !d->placement->elsewhere &&
	    torus_supplies_suffice(&d->supplies, d->request->need, d->decider->placer,
				   d->placement))
		return 1;
	for (int t = 0; t < d->supplies.tori; t++) {
		int placed = place_on(d, t, nodes);

		if (placed < 0 || (placed && measure(d, t, nodes, &offer)))
			return -1;
		if (placed && is_better(&offer, &best))
			best = offer;
	}
	if (best.torus < 0)
		return 0;
	take(d, &best, nodes);
	return 1;
}
