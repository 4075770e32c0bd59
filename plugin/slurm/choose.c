/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's choice among Slurm's nodes: see choose.h. */
#include "slurm/choose.h"

#include <string.h>

#include "base/bitmap.h"

static void clear_set(machine_t *machine, machine_set_t set)
{
	for (int t = 0; t < machine->tori; t++) {
		machine_torus_t *torus = &machine->torus[t];

		memset(torus->set[set], 0,
		       TORUS_WORDS(torus->map->nodes) * sizeof(uint64_t));
	}
	memset(machine->elsewhere_set[set], 0,
	       TORUS_WORDS(machine->elsewhere_nodes) * sizeof(uint64_t));
}

/*
 * Translate a set of nodes into the bitmaps [set] of the tori and of elsewhere. False
 * when it has a node that slurmctld has got since the machine was joined.
 */
static bool translate(machine_t *machine, const bitstr_t *nodes, machine_set_t set)
{
	int last = bit_fls((bitstr_t *)nodes);

	clear_set(machine, set);
	for (int i = last < 0 ? 0 : bit_ffs((bitstr_t *)nodes);
	     i <= last && i < machine->nodes; i++) {
		int t = machine->torus_of_node[i];

		if (bit_test((bitstr_t *)nodes, i))
			torus_bit_set(t < 0 ? machine->elsewhere_set[set]
					    : machine->torus[t].set[set],
				      machine->rank_of_node[i]);
	}
	return last < machine->nodes;
}

/*
 * Weights of the nodes, where the placer looks for them. Returns whether they differ:
 * only then do they matter, and the faster placement will do otherwise.
 */
static bool weigh(machine_t *machine, const bitstr_t *nodes, bool planned)
{
	int last = bit_fls((bitstr_t *)nodes);
	uint64_t first = 0;
	bool any = false, differ = false;

	for (int i = last < 0 ? 0 : bit_ffs((bitstr_t *)nodes);
	     i <= last && i < machine->nodes; i++) {
		int t = machine->torus_of_node[i];
		uint64_t weight, *weights;

		if (!bit_test((bitstr_t *)nodes, i))
			continue;
		weight = node_weight(node_record_table_ptr[i], planned);
		weights = t < 0 ? machine->elsewhere_weights : machine->torus[t].weights;
		weights[machine->rank_of_node[i]] = weight;
		differ |= any && weight != first;
		first = weight;
		any = true;
	}
	return differ;
}

/* Put into [chosen] what was decided. */
static void take(const machine_t *machine, const torus_cluster_request_t *request,
		 const torus_cluster_placement_t *placement, bitstr_t *chosen)
{
	const torus_candidates_t *elsewhere = &request->elsewhere;
	uint32_t nodes = request->elsewhere_nodes;

	for (int t = 0; t < machine->tori; t++) {
		const torus_part_t *part = &machine->placer->part[t];

		for (uint32_t i = 0; i < part->count; i++)
			bit_set(chosen, machine->torus[t].node_of_rank[part->rank[i]]);
	}
	for (uint32_t i = torus_cluster_next_elsewhere(elsewhere, nodes, placement, 0);
	     i < nodes;
	     i = torus_cluster_next_elsewhere(elsewhere, nodes, placement, i + 1))
		bit_set(chosen, machine->node_of_elsewhere[i]);
}

/*
 * Places verified and numbers looked at for a strict job, while slurmctld waits: a
 * question costs Slurm's plugin more, the more nodes there are.
 */
#define VERIFIED_LEAST 8
#define VERIFIED_MOST 64
#define VERIFIED_NODES (4 << 20) /* nodes of the table, over all questions */
#define SEARCH_WORK (UINT64_C(1) << 27)

/* One request on its way. */
typedef struct choosing {
	chooser_t *chooser;
	const choice_request_t *request;
	bitstr_t *candidates, *chosen;
	choice_t *choice;
} choosing_t;

static void describe(const choosing_t *c, const torus_cluster_placement_t *placement)
{
	*c->choice = (choice_t){
		.candidates = placement->candidates,
		.nodes = placement->nodes,
		.span = placement->span,
		.score = placement->score,
	};
	if (placement->torus >= 0)
		c->choice->map = c->chooser->machine->torus[placement->torus].map;
}

static bool verify(void *context, const torus_cluster_request_t *request,
		   const torus_cluster_placement_t *placement)
{
	const choosing_t *c = context;

	bit_clear_all(c->chosen);
	take(c->chooser->machine, request, placement, c->chosen);
	describe(c, placement);
	return !c->request->verify || c->request->verify(c->chooser->context, c->chosen);
}

static void has(void *context, int torus, uint32_t number, uint64_t *has)
{
	const choosing_t *c = context;
	const machine_t *machine = c->chooser->machine;
	int node = torus < 0 ? machine->node_of_elsewhere[number]
			     : machine->torus[torus].node_of_rank[number];

	c->request->has(c->chooser->context, node, has);
}

static bool narrow(void *context)
{
	const choosing_t *c = context;

	if (!c->request->narrow ||
	    !c->request->narrow(c->chooser->context, c->candidates))
		return false;
	translate(c->chooser->machine, c->candidates, MACHINE_FREE);
	return true;
}

static bool could_ever_run(void *context, int torus)
{
	const choosing_t *c = context;

	return !c->chooser->machine->cluster->spreads_at_once && c->chooser->could_run &&
	       c->chooser->could_run(c->chooser->context, torus);
}

bool choose_is_confined(chooser_t *chooser)
{
	choosing_t c = {.chooser = chooser};
	const torus_verifier_t verifier = {
		.context = &c,
		.could_ever_run = could_ever_run,
	};

	chooser->decider.placer = chooser->machine->placer;
	chooser->decider.verifier = &verifier;
	return torus_decider_is_confined(&chooser->decider);
}

/* What the tori and elsewhere offer, in the machine's scratch memory. False when a node
 * is required that they do not know. */
static bool offer(machine_t *machine, const choice_request_t *request,
		  const bitstr_t *candidates, torus_cluster_request_t *cluster)
{
	bool required = request->required && bit_ffs((bitstr_t *)request->required) >= 0;
	bool differ;

	translate(machine, candidates, MACHINE_FREE);
	differ = weigh(machine, candidates, request->planned);
	if (required && !translate(machine, request->required, MACHINE_REQUIRED))
		return false;
	for (int t = 0; t < machine->tori; t++) {
		machine_torus_t *torus = &machine->torus[t];

		machine->candidates[t] = (torus_candidates_t){
			.free = torus->set[MACHINE_FREE],
			.required = required ? torus->set[MACHINE_REQUIRED] : NULL,
			.weights = differ ? torus->weights : NULL,
		};
	}
	cluster->torus = machine->candidates;
	cluster->elsewhere_nodes = (uint32_t)machine->elsewhere_nodes;
	cluster->elsewhere = (torus_candidates_t){
		.free = machine->elsewhere_set[MACHINE_FREE],
		.required = required ? machine->elsewhere_set[MACHINE_REQUIRED] : NULL,
		.weights = differ ? machine->elsewhere_weights : NULL,
	};
	return true;
}

static int most_verified(void)
{
	int most = node_record_count ? VERIFIED_NODES / node_record_count : VERIFIED_MOST;

	if (most > VERIFIED_MOST)
		return VERIFIED_MOST;
	return most < VERIFIED_LEAST ? VERIFIED_LEAST : most;
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
		.cluster.shape = request->shape,
		.cluster.contiguous = request->contiguous && !request->shape,
		.min_nodes = request->min_nodes ? request->min_nodes : 1,
		.wanted_nodes = request->nodes ? request->nodes : 1,
		.max_nodes = request->max_nodes ? request->max_nodes : UINT32_MAX,
		.need = request->need ? request->need : &nothing,
		.most_verified = most_verified(),
		.most_work = SEARCH_WORK,
	};
	torus_cluster_placement_t placement = {0};
	torus_outcome_t outcome;
	torus_error_t err;

	*choice = (choice_t){0};
	if ((uint32_t)bit_set_count(candidates) < decide.min_nodes)
		return TORUS_NO_PLACE;
	if (!offer(chooser->machine, request, candidates, &decide.cluster))
		return TORUS_UNDECIDED;
	chooser->decider.placer = chooser->machine->placer;
	chooser->decider.verifier = &verifier;
	outcome = torus_decide(&chooser->decider, &decide, &placement, &err);
	if (outcome == TORUS_OUTCOME_ERROR)
		error("%s: %s", plugin_type, err.text);
	if (outcome != TORUS_PLACE_FOUND)
		*choice = (choice_t){.candidates = placement.candidates};
	return outcome;
}

uint32_t choose_ranks_of(machine_t *machine, const bitstr_t *nodes, uint32_t *counts)
{
	uint32_t on_tori = 0;

	translate(machine, nodes, MACHINE_FREE);
	for (int t = 0; t < machine->tori; t++) {
		machine_torus_t *torus = &machine->torus[t];
		uint32_t ranks = torus->map->nodes;

		counts[t] = 0;
		for (uint32_t rank =
			     torus_bitmap_next_set(torus->set[MACHINE_FREE], ranks, 0);
		     rank < ranks; rank = torus_bitmap_next_set(torus->set[MACHINE_FREE],
								ranks, rank + 1))
			torus->chosen[counts[t]++] = rank;
		on_tori += counts[t];
	}
	return (uint32_t)bit_set_count((bitstr_t *)nodes) - on_tori;
}
