/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random machines for the tests of strategies, and decisions on them. */
#ifndef TORUS_TEST_STRATEGY_CASE_H
#define TORUS_TEST_STRATEGY_CASE_H

#include <string.h>

#include "base/bitmap.h"
#include "place/place.h"
#include "random.h"
#include "strategies/strategies.h"

#define CASE_RANKS 800

typedef struct strategy_case {
	torus_geometry_t geometry;
	uint32_t cells;
	uint32_t ranks;
	uint32_t most; /* nodes on the fullest router */
	uint32_t cell_of_rank[CASE_RANKS];
	bool usable[CASE_RANKS]; /* free ranks */
} strategy_case_t;

typedef struct strategy_choice {
	int placed;
	uint32_t count;
	uint32_t chosen[CASE_RANKS];
	torus_placement_t placement;
} strategy_choice_t;

/* Some nodes free: seldom none or all, singly or in long runs of ranks. */
static inline void case_random_free(strategy_case_t *machine)
{
	uint32_t taken = random_in(0, 10), longest = random_in(0, 1) ? 1 : 30, run = 0;

	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		bool same = run && rank;

		run = run ? run - 1 : random_in(0, longest - 1);
		machine->usable[rank] =
			same ? machine->usable[rank - 1] : random_in(0, 9) >= taken;
	}
}

/* Ranks on [geometry], in cell order or shuffled; one node a router, or up to three and
 * on some routers none. */
static inline void case_fill(strategy_case_t *machine, torus_geometry_t geometry)
{
	bool shuffled = random_in(0, 1), uneven = random_in(0, 2) == 0;
	uint32_t per_router = random_in(0, 3) ? 1 : random_in(1, 3);

	memset(machine, 0, sizeof(*machine));
	machine->geometry = geometry;
	machine->cells = torus_geometry_cells(&geometry);
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		uint32_t nodes = per_router;

		if (uneven && !random_in(0, 9))
			nodes = random_in(0, per_router);
		while (nodes--)
			machine->cell_of_rank[machine->ranks++] = cell;
	}
	if (!machine->ranks)
		machine->cell_of_rank[machine->ranks++] = machine->cells - 1;
	for (uint32_t rank = 0; shuffled && rank < machine->ranks; rank++) {
		uint32_t other = random_in(rank, machine->ranks - 1);
		uint32_t cell = machine->cell_of_rank[rank];

		machine->cell_of_rank[rank] = machine->cell_of_rank[other];
		machine->cell_of_rank[other] = cell;
	}
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		uint32_t nodes = 0;

		for (uint32_t rank = 0; rank < machine->ranks; rank++)
			nodes += machine->cell_of_rank[rank] == cell;
		machine->most = nodes > machine->most ? nodes : machine->most;
	}
	case_random_free(machine);
}

static inline void case_random(strategy_case_t *machine, int max_dims, uint32_t max_cells)
{
	case_fill(machine, random_geometry(max_dims, max_cells));
}

static inline uint32_t case_free_ranks(const strategy_case_t *machine)
{
	uint32_t count = 0;

	for (uint32_t rank = 0; rank < machine->ranks; rank++)
		count += machine->usable[rank];
	return count;
}

/* Nodes on [cell], all or the free ones. */
static inline uint32_t case_nodes_on(const strategy_case_t *machine, uint32_t cell,
				     bool only_free)
{
	uint32_t count = 0;

	for (uint32_t rank = 0; rank < machine->ranks; rank++)
		count += machine->cell_of_rank[rank] == cell &&
			 (machine->usable[rank] || !only_free);
	return count;
}

/* A full router, all of it free. */
static inline bool case_whole(const strategy_case_t *machine, uint32_t cell)
{
	return case_nodes_on(machine, cell, true) == machine->most;
}

/* A job size that fits. */
static inline uint32_t case_random_size(const strategy_case_t *machine)
{
	uint32_t most = case_free_ranks(machine);

	return most ? random_in(1, random_in(0, 2) ? random_in(1, most) : most) : 1;
}

static inline void case_bitmap(const bool *bits, uint32_t count, uint64_t *words)
{
	memset(words, 0, TORUS_WORDS(CASE_RANKS) * sizeof(*words));
	for (uint32_t i = 0; i < count; i++) {
		if (bits[i])
			torus_bit_set(words, i);
	}
}

static inline const torus_allocator_t *allocator_called(const char *name)
{
	const torus_allocator_t *allocator = NULL;

	assert_int_equal(torus_allocator_parse(name, torus_strategies, &allocator, NULL),
			 0);
	return allocator;
}

static inline torus_place_request_t case_request(const strategy_case_t *machine,
						 const char *name, uint32_t nodes)
{
	return (torus_place_request_t){
		.nodes = nodes,
		.allocator = allocator_called(name),
		.span = torus_geometry_wraps(&machine->geometry) ? TORUS_SPAN_RING
								 : TORUS_SPAN_LINEAR,
		.geometry = &machine->geometry,
		.cell_of_rank = machine->cell_of_rank,
		.seed = 1,
	};
}

/* A decision of the engine; with a [shape], about that. The choice is checked to be
 * what every strategy promises: distinct free ranks, and their span. */
static inline void case_place(const strategy_case_t *machine, const char *name,
			      uint32_t nodes, const torus_shape_t *shape,
			      strategy_choice_t *choice)
{
	torus_place_request_t request = case_request(machine, name, nodes);
	torus_placer_t *placer = torus_placer_create(machine->ranks);
	uint64_t usable[TORUS_WORDS(CASE_RANKS)];
	bool seen[CASE_RANKS] = {false};
	torus_error_t err;

	assert_non_null(placer);
	memset(choice, 0, sizeof(*choice));
	choice->count = nodes;
	case_bitmap(machine->usable, machine->ranks, usable);
	choice->placed =
		shape ? torus_place_shape(placer, usable, NULL, &request, shape,
					  choice->chosen, &choice->count, &err)
		      : torus_place_weighted(placer, usable, NULL, &request,
					     choice->chosen, &choice->placement, &err);
	torus_placer_destroy(placer);
	assert_true(choice->placed >= 0);
	for (uint32_t i = 0; choice->placed && i < choice->count; i++) {
		assert_true(machine->usable[choice->chosen[i]]);
		assert_false(seen[choice->chosen[i]]);
		seen[choice->chosen[i]] = true;
	}
	if (choice->placed && !shape) {
		assert_int_equal(choice->placement.first, choice->chosen[0]);
		assert_int_equal(choice->placement.span,
				 torus_span_of(choice->chosen, nodes, machine->ranks,
					       request.span));
		assert_int_equal(choice->placement.contiguous,
				 choice->placement.span == nodes);
	}
}

/* Compare with the set of ranks [expected]; NULL: no choice was to be made. */
static inline void case_compare(const strategy_case_t *machine,
				const strategy_choice_t *choice, const bool *expected)
{
	uint32_t count = 0;

	assert_int_equal(choice->placed, expected != NULL);
	for (uint32_t rank = 0; expected && rank < machine->ranks; rank++)
		count += expected[rank];
	if (expected)
		assert_int_equal(choice->count, count);
	for (uint32_t i = 0; expected && i < choice->count; i++)
		assert_true(expected[choice->chosen[i]]);
}

/* Add up to [count] free ranks of [cell], the lowest, that are not in [set] yet. Returns
 * how many. */
static inline uint32_t case_add(const strategy_case_t *machine, uint32_t cell,
				uint32_t count, bool *set)
{
	uint32_t added = 0;

	for (uint32_t rank = 0; rank < machine->ranks && added < count; rank++) {
		if (machine->cell_of_rank[rank] != cell || !machine->usable[rank] ||
		    set[rank])
			continue;
		set[rank] = true;
		added++;
	}
	return added;
}

#endif
