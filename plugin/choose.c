/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's choice among Slurm's nodes: see choose.h. */
#include "choose.h"

#include <string.h>

#include "base/bitmap.h"

/* What one torus offers; compared in the order of the members. */
typedef struct offer {
	bool made;
	uint64_t weight; /* sum of the chosen nodes' weights */
	bool contiguous;
	int64_t score;
	uint32_t nodes;
	uint32_t span;
} offer_t;

static bool better(const offer_t *a, const offer_t *b)
{
	if (a->made != b->made)
		return a->made;
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (a->contiguous != b->contiguous)
		return a->contiguous;
	return a->score < b->score;
}

/* Translate a set of nodes into each torus's bitmap of ranks [set]. */
static void to_ranks(machine_t *machine, const bitstr_t *nodes, machine_set_t set)
{
	int last = bit_fls((bitstr_t *)nodes);

	for (int t = 0; t < machine->tori; t++) {
		machine_torus_t *torus = &machine->torus[t];

		memset(torus->set[set], 0,
		       TORUS_WORDS(torus->map->nodes) * sizeof(uint64_t));
	}
	if (last >= machine->nodes)
		last = machine->nodes - 1;
	for (int i = last < 0 ? 0 : bit_ffs((bitstr_t *)nodes); i <= last; i++) {
		int t = machine->torus_of_node[i];

		if (t >= 0 && bit_test((bitstr_t *)nodes, i))
			torus_bit_set(machine->torus[t].set[set],
				      machine->rank_of_node[i]);
	}
}

/*
 * Node weights of the free ranks into torus->weights. Returns whether they differ: only
 * then does weight matter, and the faster placement will do otherwise.
 */
static bool weights_differ(machine_torus_t *torus)
{
	uint32_t ranks = torus->map->nodes;
	uint64_t first = 0;
	bool have_first = false, differ = false;

	for (uint32_t rank = torus_bitmap_next_set(torus->set[MACHINE_FREE], ranks, 0);
	     rank < ranks;
	     rank = torus_bitmap_next_set(torus->set[MACHINE_FREE], ranks, rank + 1)) {
		uint64_t weight =
			node_weight(node_record_table_ptr[torus->node_of_rank[rank]]);

		torus->weights[rank] = weight;
		if (!have_first)
			first = weight;
		have_first = true;
		differ |= weight != first;
	}
	return differ;
}

static uint64_t weight_of_chosen(const machine_torus_t *torus, uint32_t count)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += torus->weights[torus->chosen[i]];
	return sum;
}

static void place_shape(machine_torus_t *torus, const torus_shape_t *shape,
			offer_t *offer)
{
	const torus_map_t *map = torus->map;
	torus_error_t err;
	int found = torus_shape_place(&map->geometry, map->cell_of_rank, map->nodes,
				      torus->set[MACHINE_FREE], shape, torus->chosen,
				      &offer->nodes, &err);

	if (found < 0)
		error("select/torus: %s: %s", map->name, err.text);
	offer->made = found > 0;
	if (offer->made) {
		offer->span =
			torus_span_of(torus->chosen, offer->nodes, map->nodes, map->span);
		offer->contiguous = offer->span == offer->nodes;
		offer->score = offer->span;
	}
}

static void place_count(machine_torus_t *torus, const torus_place_request_t *place,
			offer_t *offer)
{
	torus_placement_t placement;
	torus_error_t err;

	if (weights_differ(torus)) {
		int found = torus_place_weighted(torus->placer, torus->set[MACHINE_FREE],
						 torus->weights, place, torus->chosen,
						 &placement, &err);

		if (found < 0)
			error("select/torus: %s: %s", torus->map->name, err.text);
		offer->made = found > 0;
	} else {
		offer->made = torus_place(torus->placer, torus->set[MACHINE_FREE], place,
					  torus->chosen, &placement);
	}
	if (!offer->made)
		return;
	offer->nodes = place->nodes;
	offer->span = placement.span;
	offer->contiguous = placement.contiguous;
	offer->score = placement.score;
	offer->weight = weight_of_chosen(torus, offer->nodes);
}

static offer_t ask_torus(machine_torus_t *torus, const choice_request_t *request,
			 uint32_t nodes, const uint64_t *required)
{
	torus_place_request_t place = {
		.nodes = nodes,
		.allocator = torus->map->allocator,
		.span = torus->map->span,
		.contiguous = request->contiguous,
		.required = required,
	};
	offer_t offer = {0};

	if (request->shape)
		place_shape(torus, request->shape, &offer);
	else if (nodes && nodes <= torus->map->nodes)
		place_count(torus, &place, &offer);
	return offer;
}

static void take(const machine_torus_t *torus, const offer_t *offer, bitstr_t *chosen)
{
	for (uint32_t i = 0; i < offer->nodes; i++)
		bit_set(chosen, torus->node_of_rank[torus->chosen[i]]);
}

/*
 * No torus has enough: whole tori first, those with most candidates, and the rest of the
 * job placed well on the next. Returns the sum of the spans.
 */
static uint32_t spread(machine_t *machine, const choice_request_t *request,
		       uint32_t *counts, bitstr_t *chosen)
{
	uint32_t left = request->nodes, span = 0;

	while (left) {
		int most = 0;
		uint32_t here;
		offer_t offer;

		for (int t = 1; t < machine->tori; t++) {
			if (counts[t] > counts[most])
				most = t;
		}
		here = counts[most] < left ? counts[most] : left;
		offer = ask_torus(&machine->torus[most], request, here, NULL);
		take(&machine->torus[most], &offer, chosen);
		span += offer.span;
		left -= here;
		counts[most] = 0;
	}
	return span;
}

/*
 * The torus that holds all required nodes, the required bitmaps filled; -1 when they are
 * on several or on none.
 */
static int torus_of_required(machine_t *machine, const bitstr_t *required)
{
	int torus = -1, last = bit_fls((bitstr_t *)required);

	for (int i = last < 0 ? 0 : bit_ffs((bitstr_t *)required); i <= last; i++) {
		if (!bit_test((bitstr_t *)required, i))
			continue;
		if (i >= machine->nodes || machine->torus_of_node[i] < 0 ||
		    (torus >= 0 && machine->torus_of_node[i] != torus))
			return -1;
		torus = machine->torus_of_node[i];
	}
	if (torus >= 0)
		to_ranks(machine, required, MACHINE_REQUIRED);
	return torus;
}

bool choose_nodes(machine_t *machine, const bitstr_t *candidates,
		  const choice_request_t *request, bitstr_t *chosen, choice_t *choice)
{
	uint32_t counts[machine->tori];
	offer_t best = {0};
	int best_torus = -1, only = -1;

	*choice = (choice_t){0};
	bit_clear_all(chosen);
	if ((uint32_t)bit_set_count((bitstr_t *)candidates) < request->nodes)
		return false;
	to_ranks(machine, candidates, MACHINE_FREE);
	for (int t = 0; t < machine->tori; t++) {
		counts[t] = torus_bitmap_count(machine->torus[t].set[MACHINE_FREE],
					       machine->torus[t].map->nodes);
		choice->candidates += counts[t];
	}
	if (request->required && bit_ffs((bitstr_t *)request->required) >= 0) {
		only = torus_of_required(machine, request->required);
		if (only < 0)
			return false;
	}
	for (int t = 0; t < machine->tori; t++) {
		offer_t offer;

		if ((only >= 0 && t != only) || counts[t] < request->nodes)
			continue;
		offer = ask_torus(&machine->torus[t], request, request->nodes,
				  only >= 0 ? machine->torus[t].set[MACHINE_REQUIRED]
					    : NULL);
		if (better(&offer, &best)) {
			best = offer;
			best_torus = t;
		}
	}
	if (best_torus >= 0) {
		take(&machine->torus[best_torus], &best, chosen);
		choice->map = machine->torus[best_torus].map;
		choice->nodes = best.nodes;
		choice->span = best.span;
		return true;
	}
	if (only >= 0 || choice->candidates < request->nodes || request->shape ||
	    request->contiguous || !request->spread)
		return false;
	choice->nodes = request->nodes;
	choice->span = spread(machine, request, counts, chosen);
	return true;
}

uint32_t choose_ranks_of(machine_t *machine, const bitstr_t *nodes, uint32_t *counts)
{
	int last = bit_fls((bitstr_t *)nodes);
	uint32_t elsewhere = 0;

	to_ranks(machine, nodes, MACHINE_FREE);
	for (int t = 0; t < machine->tori; t++) {
		machine_torus_t *torus = &machine->torus[t];
		uint32_t ranks = torus->map->nodes;

		counts[t] = 0;
		for (uint32_t rank =
			     torus_bitmap_next_set(torus->set[MACHINE_FREE], ranks, 0);
		     rank < ranks; rank = torus_bitmap_next_set(torus->set[MACHINE_FREE],
								ranks, rank + 1))
			torus->chosen[counts[t]++] = rank;
	}
	for (int i = 0; i <= last; i++) {
		if (bit_test((bitstr_t *)nodes, i) &&
		    (i >= machine->nodes || machine->torus_of_node[i] < 0))
			elsewhere++;
	}
	return elsewhere;
}
