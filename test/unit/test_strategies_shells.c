/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mc1x1 (Mache, Lo, Windisch: "Minimizing Message-Passing Contention in
 * Fragmentation-Free Processor Allocation") and mm (Krumke et al., "Compact Location
 * Problems"; Bender et al., "Communication-Aware Processor Allocation for
 * Supercomputers"): against sorting the free nodes by distance around every centre.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "strategy_case.h"

/* A free rank and its distance from a centre. */
typedef struct candidate {
	uint32_t distance;
	uint32_t rank;
} candidate_t;

static int compare_candidates(const void *a, const void *b)
{
	const candidate_t *left = a, *right = b;

	if (left->distance != right->distance)
		return left->distance < right->distance ? -1 : 1;
	return left->rank < right->rank ? -1 : 1;
}

/* Hops step by step: the shorter of going up and going down. */
static uint32_t slow_distance(const strategy_case_t *machine, uint32_t a, uint32_t b,
			      bool largest)
{
	int32_t from[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS];
	uint32_t distance = 0;

	torus_cell_to_coord(&machine->geometry, a, from);
	torus_cell_to_coord(&machine->geometry, b, to);
	for (int axis = 0; axis < machine->geometry.dims; axis++) {
		int32_t length = machine->geometry.length[axis];
		int32_t up = to[axis] - from[axis], down = -up;
		uint32_t hops;

		if (machine->geometry.wrap[axis]) {
			up = (up + length) % length;
			down = (down + length) % length;
		}
		hops = (uint32_t)(up < 0 ? down : down < 0 ? up : up < down ? up : down);
		if (largest)
			distance = hops > distance ? hops : distance;
		else
			distance += hops;
	}
	return distance;
}

static void compare(const strategy_case_t *machine, uint32_t n, bool largest)
{
	static candidate_t candidate[CASE_RANKS];
	static strategy_choice_t choice;
	static bool expected[CASE_RANKS];
	int64_t best = INT64_MAX;

	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		uint32_t count = 0;
		int64_t sum = 0;

		if (largest && !case_nodes_on(machine, cell, true))
			continue;
		for (uint32_t rank = 0; rank < machine->ranks; rank++) {
			if (machine->usable[rank])
				candidate[count++] = (candidate_t){
					slow_distance(machine, cell,
						      machine->cell_of_rank[rank],
						      largest),
					rank};
		}
		qsort(candidate, count, sizeof(*candidate), compare_candidates);
		for (uint32_t i = 0; i < n; i++)
			sum += candidate[i].distance;
		if (sum >= best)
			continue;
		best = sum;
		memset(expected, 0, sizeof(expected));
		for (uint32_t i = 0; i < n; i++)
			expected[candidate[i].rank] = true;
	}
	case_place(machine, largest ? "mc1x1" : "mm", n, NULL, &choice);
	case_compare(machine, &choice, expected);
	assert_true(choice.placement.score == best);
}

static void every_centre(bool largest)
{
	static strategy_case_t machine;

	for (int round = 0; round < 2500; round++) {
		bool line = !random_in(0, 5);

		case_random(&machine, line ? 1 : TORUS_MAX_DIMS, 90);
		if (case_free_ranks(&machine))
			compare(&machine, case_random_size(&machine), largest);
	}
	/* Where balls go around the end, or one side is much longer than the other. */
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = {.dims = 2,
					     .length = {(int32_t)random_in(1, 16),
							(int32_t)random_in(1, 16), 1, 1,
							1, 1},
					     .wrap = {random_in(0, 1), random_in(0, 1)}};

		case_fill(&machine, geometry);
		if (case_free_ranks(&machine))
			compare(&machine, case_random_size(&machine), largest);
	}
}

static void mc1x1_is_the_best_of_all_free_centres(void **state)
{
	(void)state;
	every_centre(true);
}

static void mm_is_the_best_of_all_medians(void **state)
{
	(void)state;
	every_centre(false);
}

/* f: free, #: chosen and free; by hand. */
static void known_decisions(void **state)
{
	static const struct {
		const char *name, *wrap, *line; /* 5x3 cells, x fastest */
		uint32_t nodes;
		int64_t score;
	} table[] = {
		/* The diagonal neighbours are in the first shell, but two hops away. */
		{"mc1x1", "none", "#.#...#...#.#.f", 5, 4},
		{"mm", "none", "#.#...#...#.#.f", 5, 8},
		/* Three in a row or a corner are the same for the median: the lower one.
		 */
		{"mm", "none", "##f..#.........", 3, 2},
		{"mm", "none", "ff.....###.....", 3, 2},
		/* A taken node is a median, but no centre of mc1x1. */
		{"mm", "none", ".#...#.#...#..f", 4, 4},
		{"mc1x1", "none", ".#...#.#...#..f", 4, 4},
		/* Around the end. */
		{"mc1x1", "x", "#...##...#..ff.", 4, 3},
		{"mm", "x", "#...##...#..ff.", 4, 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		static strategy_case_t machine;
		static strategy_choice_t choice;
		static bool expected[CASE_RANKS];

		memset(&machine, 0, sizeof(machine));
		assert_int_equal(torus_geometry_parse("5x3", table[i].wrap,
						      &machine.geometry, NULL),
				 0);
		machine.cells = machine.ranks = 15;
		for (uint32_t rank = 0; rank < 15; rank++) {
			machine.cell_of_rank[rank] = rank;
			machine.usable[rank] = table[i].line[rank] != '.';
			expected[rank] = table[i].line[rank] == '#';
		}
		case_place(&machine, table[i].name, table[i].nodes, NULL, &choice);
		case_compare(&machine, &choice, expected);
		assert_true(choice.placement.score == table[i].score);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_decisions),
		cmocka_unit_test(mc1x1_is_the_best_of_all_free_centres),
		cmocka_unit_test(mm_is_the_best_of_all_medians),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
