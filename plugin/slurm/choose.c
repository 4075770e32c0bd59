/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's choice among Slurm's nodes: see choose.h. */
#include "slurm/choose.h"

#include <inttypes.h>
#include <string.h>

#include "base/bitmap.h"
#include "decide/bounds.h"
#include "machine/cluster_near.h"
#include "place/turns.h"

static void clear_set(tori_t *tori, torus_tori_set_t set)
{
	for (int t = 0; t < tori->count; t++) {
		joined_torus_t *torus = &tori->torus[t];

		memset(torus->set[set], 0,
		       TORUS_WORDS(torus->map->nodes) * sizeof(uint64_t));
	}
	memset(tori->elsewhere_set[set], 0,
	       TORUS_WORDS(tori->elsewhere_nodes) * sizeof(uint64_t));
}

/*
 * Translate a set of nodes into the bitmaps [set] of the tori and of elsewhere. False
 * when it has a node that slurmctld has got since the tori were joined.
 */
static bool translate(tori_t *tori, const bitstr_t *nodes, torus_tori_set_t set)
{
	int i;

	clear_set(tori, set);
	for (i = next_set_bit(nodes, 0); i >= 0 && i < tori->nodes;
	     i = next_set_bit(nodes, i + 1)) {
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
static bool weigh(tori_t *tori, const bitstr_t *nodes, bool planned)
{
	uint64_t first = 0;
	bool any = false, differ = false;

	for (int i = next_set_bit(nodes, 0); i >= 0 && i < tori->nodes;
	     i = next_set_bit(nodes, i + 1)) {
		int t = tori->torus_of_node[i];
		uint64_t weight = node_weight(node_record_table_ptr[i], planned);
		uint64_t *weights =
			t < 0 ? tori->elsewhere_weights : tori->torus[t].weights;

		weights[tori->rank_of_node[i]] = weight;
		differ |= any && weight != first;
		first = weight;
		any = true;
	}
	return differ;
}

/* Put into [chosen] what was decided. */
static void take(const tori_t *tori, const torus_cluster_request_t *request,
		 const torus_cluster_placement_t *placement, bitstr_t *chosen)
{
	const torus_candidates_t *elsewhere = &request->elsewhere;
	uint32_t nodes = request->elsewhere_nodes;

	for (int t = 0; t < tori->count; t++) {
		const torus_part_t *part = &tori->placer->part[t];

		for (uint32_t i = 0; i < part->count; i++)
			bit_set(chosen, tori->torus[t].node_of_rank[part->rank[i]]);
	}
	for (uint32_t i = torus_cluster_next_elsewhere(elsewhere, nodes, placement, 0);
	     i < nodes;
	     i = torus_cluster_next_elsewhere(elsewhere, nodes, placement, i + 1))
		bit_set(chosen, tori->node_of_elsewhere[i]);
}

/* One request on its way. */
typedef struct choosing {
	chooser_t *chooser;
	const choice_request_t *request;
	bitstr_t *candidates, *chosen;
	choice_t *choice;
} choosing_t;

static void describe(const choosing_t *c, const torus_cluster_request_t *request,
		     const torus_cluster_placement_t *placement)
{
	*c->choice = (choice_t){
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
	bit_clear_all(c->chosen);
	take(c->chooser->tori, request, placement, c->chosen);
	describe(c, request, placement);
	return !c->request->verify || c->request->verify(c->chooser->context, c->chosen);
}

static void has(void *context, int torus, uint32_t number, uint64_t *has)
{
	const choosing_t *c = context;
	const tori_t *tori = c->chooser->tori;
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
	translate(c->chooser->tori, c->candidates, TORUS_TORI_FREE);
	return true;
}

static bool could_ever_run(void *context, int torus)
{
	const choosing_t *c = context;

	return !c->chooser->tori->cluster->spreads_at_once && c->chooser->could_run &&
	       c->chooser->could_run(c->chooser->context, torus);
}

bool choose_is_confined(chooser_t *chooser)
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
static bool offer(tori_t *tori, const choice_request_t *request,
		  const bitstr_t *candidates, torus_cluster_request_t *cluster)
{
	bool required = request->required && bit_ffs((bitstr_t *)request->required) >= 0;
	bool differ;

	translate(tori, candidates, TORUS_TORI_FREE);
	differ = weigh(tori, candidates, request->planned);
	if (required && !translate(tori, request->required, TORUS_TORI_REQUIRED))
		return false;
	for (int t = 0; t < tori->count; t++) {
		joined_torus_t *torus = &tori->torus[t];

		tori->candidates[t] = (torus_candidates_t){
			.free = torus->set[TORUS_TORI_FREE],
			.required = required ? torus->set[TORUS_TORI_REQUIRED] : NULL,
			.weights = differ ? torus->weights : NULL,
		};
	}
	cluster->torus = tori->candidates;
	cluster->elsewhere_nodes = (uint32_t)tori->elsewhere_nodes;
	cluster->elsewhere = (torus_candidates_t){
		.free = tori->elsewhere_set[TORUS_TORI_FREE],
		.required = required ? tori->elsewhere_set[TORUS_TORI_REQUIRED] : NULL,
		.weights = differ ? tori->elsewhere_weights : NULL,
	};
	return true;
}

choice_request_t choose_request(const job_record_t *job, const torus_job_t *asks,
				uint32_t nodes, bool planned)
{
	return (choice_request_t){
		.min_nodes = nodes,
		.nodes = nodes,
		.max_nodes = nodes,
		.contiguous = asks->contiguous && !asks->gave_up,
		.segment = asks->segment,
		.segments = job_segments_where(job),
		.shapes = asks->network.has_shape && !asks->gave_up
				  ? &asks->network.shapes
				  : NULL,
		.isolated = asks->network.isolated,
		.loose = asks->network.loose,
		.required = job->details->req_node_bitmap,
		.planned = planned,
	};
}

uint32_t choose_fewest(const chooser_t *chooser, const choice_request_t *request)
{
	const tori_t *tori = chooser->tori;
	uint64_t in_box = UINT64_MAX;

	for (int t = 0; request->shapes && t < tori->count; t++) {
		const joined_torus_t *torus = &tori->torus[t];
		uint64_t fewest = torus_shapes_fewest_nodes(
			&torus->map->geometry, request->shapes, torus->on_router);

		in_box = fewest < in_box ? fewest : in_box;
	}
	if (in_box == UINT64_MAX || in_box <= request->min_nodes)
		return request->min_nodes ? request->min_nodes : 1;
	return in_box < UINT32_MAX ? (uint32_t)in_box : UINT32_MAX;
}

torus_outcome_t choose_nodes(chooser_t *chooser, const choice_request_t *request,
			     bitstr_t *candidates, bitstr_t *chosen, choice_t *choice)
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
		.most_verified = torus_decide_most_verified((uint32_t)node_record_count),
		.most_work = torus_decide_most_work((uint32_t)node_record_count),
		.turn = chooser->tori->turn++,
	};
	torus_cluster_placement_t placement = {0};
	torus_outcome_t outcome;
	torus_error_t err;

	*choice = (choice_t){0};
	if ((uint32_t)bit_set_count(candidates) < choose_fewest(chooser, request))
		return TORUS_NO_PLACE;
	if (!offer(chooser->tori, request, candidates, &decide.cluster))
		return TORUS_UNDECIDED;
	chooser->decider.placer = chooser->tori->placer;
	chooser->decider.verifier = &verifier;
	if (!chosen)
		c.chosen = bit_alloc(bit_size(candidates));
	outcome = torus_decide(&chooser->decider, &decide, &placement, &err);
	if (!chosen)
		bit_free(c.chosen);
	if (outcome == TORUS_OUTCOME_ERROR)
		error("%s: %s", plugin_type, err.text);
	if (outcome != TORUS_PLACE_FOUND)
		*choice = (choice_t){.candidates = placement.candidates};
	return outcome;
}

bool choose_is_possible(chooser_t *chooser, choice_request_t request, bitstr_t *nodes,
			choice_t *choice)
{
	request.need = NULL;
	return choose_nodes(chooser, &request, nodes, NULL, choice) != TORUS_NO_PLACE;
}

void choose_log(const job_record_t *job, const char *question, const choice_t *choice,
		const bitstr_t *nodes, torus_tally_by_t by)
{
	const torus_map_t *map = choice->map;
	char *names;

	if (get_log_level() < LOG_LEVEL_DEBUG)
		return;
	names = bitmap2node_name((bitstr_t *)nodes);
	debug("%s: JobId=%u %storus=%s free=%u strategy=%s nodes=%s count=%u span=%u score=%" PRId64
	      " by=%s",
	      plugin_type, job->job_id, question, map ? map->name : "-",
	      choice->candidates, map ? torus_allocator_name(choice->allocator) : "-",
	      names, bit_set_count((bitstr_t *)nodes), choice->span, choice->score,
	      torus_tally_by_name(by));
	xfree(names);
}

uint32_t choose_ranks_of(tori_t *tori, const bitstr_t *nodes, uint32_t *counts)
{
	uint32_t on_tori = 0;

	translate(tori, nodes, TORUS_TORI_FREE);
	for (int t = 0; t < tori->count; t++) {
		joined_torus_t *torus = &tori->torus[t];
		uint32_t ranks = torus->map->nodes;

		counts[t] = 0;
		for (uint32_t rank =
			     torus_bitmap_next_set(torus->set[TORUS_TORI_FREE], ranks, 0);
		     rank < ranks; rank = torus_bitmap_next_set(
					   torus->set[TORUS_TORI_FREE], ranks, rank + 1))
			torus->chosen[counts[t]++] = rank;
		on_tori += counts[t];
	}
	return (uint32_t)bit_set_count((bitstr_t *)nodes) - on_tori;
}

bool choose_is_near(tori_t *tori, const bitstr_t *nodes, uint32_t near)
{
	torus_cluster_placement_t placement = {.torus = TORUS_ELSEWHERE};
	uint32_t counts[tori->count];
	torus_error_t err;
	int is_near;

	placement.elsewhere = choose_ranks_of(tori, nodes, counts);
	placement.nodes = (uint32_t)bit_set_count((bitstr_t *)nodes);
	for (int t = 0; t < tori->count; t++) {
		tori->placer->part[t].count = counts[t];
		if (counts[t])
			placement.torus =
				placement.torus == TORUS_ELSEWHERE ? t : TORUS_SPREAD;
	}
	is_near = torus_cluster_is_near(tori->placer, &placement, near, &err);
	if (is_near < 0)
		error("%s: %s", plugin_type, err.text);
	return is_near != 0;
}
