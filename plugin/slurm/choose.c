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

bool choose_nodes(machine_t *machine, const bitstr_t *candidates,
		  const choice_request_t *request, bitstr_t *chosen, choice_t *choice)
{
	bool required = request->required && bit_ffs((bitstr_t *)request->required) >= 0;
	torus_cluster_request_t cluster = {
		.nodes = request->nodes,
		.shape = request->shape,
		.contiguous = request->contiguous,
		.spread = request->spread,
		.torus = machine->candidates,
		.elsewhere_nodes = (uint32_t)machine->elsewhere_nodes,
	};
	torus_cluster_placement_t placement;
	torus_error_t err;
	bool differ;
	int made;

	*choice = (choice_t){0};
	bit_clear_all(chosen);
	if ((uint32_t)bit_set_count((bitstr_t *)candidates) < request->nodes)
		return false;
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
	cluster.elsewhere = (torus_candidates_t){
		.free = machine->elsewhere_set[MACHINE_FREE],
		.required = required ? machine->elsewhere_set[MACHINE_REQUIRED] : NULL,
		.weights = differ ? machine->elsewhere_weights : NULL,
	};
	made = torus_cluster_place(machine->placer, &cluster, &placement, &err);
	if (made < 0)
		error("%s: %s", plugin_type, err.text);
	choice->candidates = placement.candidates;
	if (made <= 0)
		return false;
	take(machine, &cluster, &placement, chosen);
	if (placement.torus >= 0)
		choice->map = machine->torus[placement.torus].map;
	choice->nodes = placement.nodes;
	choice->span = placement.span;
	choice->score = placement.score;
	return true;
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
