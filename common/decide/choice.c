/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A decision in terms of a table of nodes: see decide/choice.h. */
#include "decide/choice.h"

#include <string.h>

#include "base/bitmap.h"
#include "decide/bounds.h"
#include "machine/cluster_near.h"
#include "place/turns.h"

static void clear_set(torus_tori_t *tori, torus_tori_set_t set)
{
	for (int t = 0; t < tori->count; t++) {
		torus_joined_torus_t *torus = &tori->torus[t];

		memset(torus->set[set], 0,
		       TORUS_WORDS(torus->map->nodes) * sizeof(uint64_t));
	}
	memset(tori->elsewhere_set[set], 0,
	       TORUS_WORDS(tori->elsewhere_nodes) * sizeof(uint64_t));
}

/*
 * Translate a set of nodes into the bitmaps [set] of the tori and of elsewhere. False
 * when it has a node that the table has got since the tori were joined.
 */
static bool translate(torus_tori_t *tori, const torus_node_sets_t *sets,
		      const void *nodes, torus_tori_set_t set)
{
	int i;

	clear_set(tori, set);
	for (i = sets->next(nodes, 0); i >= 0 && i < tori->nodes;
	     i = sets->next(nodes, i + 1)) {
		int t = tori->torus_of_node[i];

		torus_bit_set(t < 0 ? tori->elsewhere_set[set] : tori->torus[t].set[set],
			      tori->rank_of_node[i]);
	}
	return i < 0;
}

/*
 * Weights of the nodes, where the placer looks for them. Returns whether they differ:
 * only then do they matter, and the faster placement will do otherwise.
 */
static bool weigh(torus_tori_t *tori, const torus_node_sets_t *sets, const void *nodes,
		  bool planned)
{
	uint64_t first = 0;
	bool any = false, differ = false;

	for (int i = sets->next(nodes, 0); i >= 0 && i < tori->nodes;
	     i = sets->next(nodes, i + 1)) {
		int t = tori->torus_of_node[i];
		uint64_t weight = sets->weight(i, planned);
		uint64_t *weights =
			t < 0 ? tori->elsewhere_weights : tori->torus[t].weights;

		weights[tori->rank_of_node[i]] = weight;
		differ |= any && weight != first;
		first = weight;
		any = true;
	}
	return differ;
}

/* One request on its way. */
typedef struct choosing {
	torus_chooser_t *chooser;
	const torus_choice_request_t *request;
	void *candidates, *chosen;
	torus_choice_t *choice;
} choosing_t;

/* Put into the set of nodes what was decided. */
static void take(const choosing_t *c, const torus_cluster_request_t *request,
		 const torus_cluster_placement_t *placement)
{
	const torus_candidates_t *elsewhere = &request->elsewhere;
	const torus_node_sets_t *sets = c->chooser->sets;
	const torus_tori_t *tori = c->chooser->tori;
	uint32_t nodes = request->elsewhere_nodes;

	sets->clear(c->chosen);
	for (int t = 0; t < tori->count; t++) {
		const torus_part_t *part = &tori->placer->part[t];

		for (uint32_t i = 0; i < part->count; i++)
			sets->add(c->chosen, tori->torus[t].node_of_rank[part->rank[i]]);
	}
	for (uint32_t i = torus_cluster_next_elsewhere(elsewhere, nodes, placement, 0);
	     i < nodes;
	     i = torus_cluster_next_elsewhere(elsewhere, nodes, placement, i + 1))
		sets->add(c->chosen, tori->node_of_elsewhere[i]);
}

static void describe(const choosing_t *c, const torus_cluster_request_t *request,
		     const torus_cluster_placement_t *placement)
{
	*c->choice = (torus_choice_t){
		.candidates = placement->candidates,
		.nodes = placement->nodes,
		.span = placement->span,
		.score = placement->score,
	};
	if (placement->torus >= 0) {
		c->choice->map = c->chooser->tori->torus[placement->torus].map;
		c->choice->allocator = torus_cluster_allocator(request, c->choice->map);
	}
}

static bool verify(void *context, const torus_cluster_request_t *request,
		   const torus_cluster_placement_t *placement)
{
	const choosing_t *c = context;
	torus_error_t err;

	if (c->request->near && !torus_cluster_is_near(c->chooser->tori->placer,
						       placement, c->request->near, &err))
		return false;
	take(c, request, placement);
	describe(c, request, placement);
	return !c->request->verify || c->request->verify(c->chooser->context, c->chosen);
}

static void has(void *context, int torus, uint32_t number, uint64_t *has)
{
	const choosing_t *c = context;
	const torus_tori_t *tori = c->chooser->tori;
	int node = torus < 0 ? tori->node_of_elsewhere[number]
			     : tori->torus[torus].node_of_rank[number];

	c->request->has(c->chooser->context, node, has);
}

static bool narrow(void *context)
{
	const choosing_t *c = context;

	if (!c->request->narrow ||
	    !c->request->narrow(c->chooser->context, c->candidates))
		return false;
	translate(c->chooser->tori, c->chooser->sets, c->candidates, TORUS_TORI_FREE);
	return true;
}

static bool could_ever_run(void *context, int torus)
{
	const choosing_t *c = context;

	return !c->chooser->tori->cluster->spreads_at_once && c->chooser->could_run &&
	       c->chooser->could_run(c->chooser->context, torus);
}

bool torus_chooser_is_confined(torus_chooser_t *chooser)
{
	choosing_t c = {.chooser = chooser};
	const torus_verifier_t verifier = {
		.context = &c,
		.could_ever_run = could_ever_run,
	};

	chooser->decider.placer = chooser->tori->placer;
	chooser->decider.verifier = &verifier;
	return torus_decider_is_confined(&chooser->decider);
}

/* What the tori and elsewhere offer, in their scratch memory. False when a node
 * is required that they do not know. */
static bool offer(const choosing_t *c, torus_cluster_request_t *cluster)
{
	const torus_node_sets_t *sets = c->chooser->sets;
	const void *required = c->request->required;
	torus_tori_t *tori = c->chooser->tori;
	bool requires = required && sets->next(required, 0) >= 0;
	bool differ;

	translate(tori, sets, c->candidates, TORUS_TORI_FREE);
	differ = weigh(tori, sets, c->candidates, c->request->planned);
	if (requires && !translate(tori, sets, required, TORUS_TORI_REQUIRED))
		return false;
	for (int t = 0; t < tori->count; t++) {
		torus_joined_torus_t *torus = &tori->torus[t];

		tori->candidates[t] = (torus_candidates_t){
			.free = torus->set[TORUS_TORI_FREE],
			.required = requires ? torus->set[TORUS_TORI_REQUIRED] : NULL,
			.weights = differ ? torus->weights : NULL,
		};
	}
	cluster->torus = tori->candidates;
	cluster->elsewhere_nodes = (uint32_t)tori->elsewhere_nodes;
	cluster->elsewhere = (torus_candidates_t){
		.free = tori->elsewhere_set[TORUS_TORI_FREE],
		.required = requires ? tori->elsewhere_set[TORUS_TORI_REQUIRED] : NULL,
		.weights = differ ? tori->elsewhere_weights : NULL,
	};
	return true;
}

uint32_t torus_choice_fewest(const torus_tori_t *tori,
			     const torus_choice_request_t *request)
{
	uint64_t in_box = UINT64_MAX;

	for (int t = 0; request->shapes && t < tori->count; t++) {
		const torus_joined_torus_t *torus = &tori->torus[t];
		uint64_t fewest = torus_shapes_fewest_nodes(
			&torus->map->geometry, request->shapes, torus->on_router);

		in_box = fewest < in_box ? fewest : in_box;
	}
	if (in_box == UINT64_MAX || in_box <= request->min_nodes)
		return request->min_nodes ? request->min_nodes : 1;
	return in_box < UINT32_MAX ? (uint32_t)in_box : UINT32_MAX;
}

torus_outcome_t torus_choose(torus_chooser_t *chooser,
			     const torus_choice_request_t *request, void *candidates,
			     void *chosen, torus_choice_t *choice, torus_error_t *err)
{
	static const torus_need_t nothing;
	choosing_t c = {chooser, request, candidates, chosen, choice};
	const torus_verifier_t verifier = {
		.context = &c,
		.verify = verify,
		.has = has,
		.narrow = narrow,
		.could_ever_run = could_ever_run,
	};
	uint32_t table = (uint32_t)chooser->tori->nodes;
	torus_decide_request_t decide = {
		.shapes = request->shapes,
		.cluster.contiguous = request->contiguous && !request->shapes,
		.cluster.segment = request->segment,
		.cluster.segments = request->segments,
		.cluster.isolated = request->isolated,
		.cluster.loose = request->loose,
		.cluster.whether = request->whether,
		.min_nodes = request->min_nodes ? request->min_nodes : 1,
		.wanted_nodes = request->nodes ? request->nodes : 1,
		.max_nodes = request->max_nodes ? request->max_nodes : UINT32_MAX,
		.need = request->need ? request->need : &nothing,
		.most_verified = torus_decide_most_verified(table),
		.most_work = torus_decide_most_work(table),
		.turn = chooser->tori->turn++,
	};
	torus_cluster_placement_t placement = {0};
	torus_outcome_t outcome;

	*choice = (torus_choice_t){0};
	if (chooser->sets->count(candidates) <
	    torus_choice_fewest(chooser->tori, request))
		return TORUS_NO_PLACE;
	if (!offer(&c, &decide.cluster))
		return TORUS_UNDECIDED;
	chooser->decider.placer = chooser->tori->placer;
	chooser->decider.verifier = &verifier;
	outcome = torus_decide(&chooser->decider, &decide, &placement, err);
	if (outcome != TORUS_PLACE_FOUND)
		*choice = (torus_choice_t){.candidates = placement.candidates};
	return outcome;
}

uint32_t torus_choice_ranks(torus_tori_t *tori, const torus_node_sets_t *sets,
			    const void *nodes, uint32_t *counts)
{
	uint32_t on_tori = 0;

	translate(tori, sets, nodes, TORUS_TORI_FREE);
	for (int t = 0; t < tori->count; t++) {
		torus_joined_torus_t *torus = &tori->torus[t];
		const uint64_t *set = torus->set[TORUS_TORI_FREE];
		uint32_t ranks = torus->map->nodes;

		counts[t] = 0;
		for (uint32_t rank = torus_bitmap_next_set(set, ranks, 0); rank < ranks;
		     rank = torus_bitmap_next_set(set, ranks, rank + 1))
			torus->chosen[counts[t]++] = rank;
		on_tori += counts[t];
	}
	return sets->count(nodes) - on_tori;
}

int torus_choice_is_near(torus_tori_t *tori, const torus_node_sets_t *sets,
			 const void *nodes, uint32_t near, torus_error_t *err)
{
	torus_cluster_placement_t placement = {.torus = TORUS_ELSEWHERE};
	uint32_t counts[tori->count];

	placement.elsewhere = torus_choice_ranks(tori, sets, nodes, counts);
	placement.nodes = sets->count(nodes);
	for (int t = 0; t < tori->count; t++) {
		tori->placer->part[t].count = counts[t];
		if (counts[t])
			placement.torus =
				placement.torus == TORUS_ELSEWHERE ? t : TORUS_SPREAD;
	}
	return torus_cluster_is_near(tori->placer, &placement, near, err);
}
