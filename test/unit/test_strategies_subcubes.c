/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Subcubes of binary hypercubes: partner (Al-Dhelaan, Bose, "A New Strategy for
 * Processors Allocation in an N-Cube Multiprocessor") and multipartner, against building
 * every subcube from its halves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "strategy_case.h"

/* Sets of cells as bits. */
typedef struct subcubes {
	uint32_t count;
	uint64_t set[4096];
} subcubes_t;

static torus_geometry_t hypercube(int dims)
{
	torus_geometry_t geometry = {.dims = dims, .length = {1, 1, 1, 1, 1, 1}};

	for (int axis = 0; axis < dims; axis++) {
		geometry.length[axis] = 2;
		geometry.wrap[axis] = random_in(0, 1);
	}
	return geometry;
}

static uint64_t aligned_block(uint32_t number, int size)
{
	uint64_t set = 0;

	for (uint32_t i = 0; i < 1u << size; i++)
		set |= UINT64_C(1) << ((number << size) + i);
	return set;
}

/* By the paper: block i of 2^(size - 1) nodes and a partner, the lower bits first. */
static void partner_subcubes(int dims, int size, subcubes_t *all)
{
	all->count = 0;
	if (size == 0) {
		for (uint32_t cell = 0; cell < 1u << dims; cell++)
			all->set[all->count++] = UINT64_C(1) << cell;
		return;
	}
	for (uint32_t i = 0; i < 1u << (dims - size + 1); i++) {
		for (int bit = 0; bit < dims - size + 1; bit++)
			all->set[all->count++] = aligned_block(i, size - 1) |
						 aligned_block(i ^ 1u << bit, size - 1);
	}
}

/* Two halves that differ in one bit of all addresses, in any order. */
static void all_subcubes(int dims, int size, subcubes_t *all)
{
	static subcubes_t halves[TORUS_MAX_DIMS + 1];
	subcubes_t *half = &halves[size];

	if (size == 0) {
		partner_subcubes(dims, 0, all);
		return;
	}
	all_subcubes(dims, size - 1, half);
	all->count = 0;
	for (uint32_t i = 0; i < half->count; i++) {
		for (int bit = 0; bit < dims; bit++) {
			uint64_t other = 0;
			bool known = false;

			for (uint32_t cell = 0; cell < 1u << dims; cell++) {
				if (half->set[i] >> cell & 1)
					other |= UINT64_C(1) << (cell ^ 1u << bit);
			}
			if (other & half->set[i])
				continue;
			other |= half->set[i];
			for (uint32_t k = 0; k < all->count; k++)
				known |= all->set[k] == other;
			if (!known)
				all->set[all->count++] = other;
		}
	}
}

static void recognised_subcubes(void **state)
{
	static subcubes_t all;
	static const uint32_t binomial[5] = {1, 4, 6, 4, 1};

	(void)state;
	/* The counts of the literature, of subcubes as such; those of pairs come twice.
	 */
	for (int size = 1; size <= 4; size++) {
		partner_subcubes(4, size, &all);
		assert_int_equal(all.count, 2 * (4 - size + 1) << (4 - size));
		all_subcubes(4, size, &all);
		assert_int_equal(all.count, binomial[size] << (4 - size));
	}
}

/* The dimensions a subcube runs through, as a number. */
static uint64_t across(uint64_t set)
{
	uint64_t mask = 0, lowest = (uint64_t)__builtin_ctzll(set);

	for (uint64_t cell = 0; cell < 64; cell++) {
		if (set >> cell & 1)
			mask |= cell ^ lowest;
	}
	return mask;
}

/* The first free subcube: of the lowest node, then by dimensions. NULL: none. */
static const uint64_t *first_free(const strategy_case_t *machine, const subcubes_t *all)
{
	const uint64_t *best = NULL;

	for (uint32_t i = 0; i < all->count; i++) {
		const uint64_t *set = &all->set[i];
		bool whole = true;

		for (uint32_t cell = 0; cell < machine->cells; cell++) {
			if (*set >> cell & 1)
				whole &= case_whole(machine, cell);
		}
		if (!whole)
			continue;
		if (!best || __builtin_ctzll(*set) < __builtin_ctzll(*best) ||
		    (__builtin_ctzll(*set) == __builtin_ctzll(*best) &&
		     across(*set) < across(*best)))
			best = set;
	}
	return best;
}

static void every_subcube(void **state)
{
	static strategy_case_t machine;
	static strategy_choice_t choice;
	static subcubes_t all;
	uint32_t found[2] = {0};

	(void)state;
	for (int round = 0; round < 1500; round++) {
		int dims = (int)random_in(1, 5);
		uint32_t n;
		int size = 0;

		case_fill(&machine, hypercube(dims));
		n = case_random_size(&machine);
		if (case_free_ranks(&machine) < n)
			continue;
		while (machine.most << size < n)
			size++;
		for (int multi = 0; multi < 2; multi++) {
			const uint64_t *set = NULL;
			bool expected[CASE_RANKS] = {false};
			uint32_t left = n;

			if (size <= dims) {
				if (multi)
					all_subcubes(dims, size, &all);
				else
					partner_subcubes(dims, size, &all);
				set = first_free(&machine, &all);
			}
			for (uint32_t cell = 0; set && cell < machine.cells; cell++) {
				if (*set >> cell & 1)
					left -= case_add(&machine, cell, left, expected);
			}
			case_place(&machine, multi ? "multipartner" : "partner", n, NULL,
				   &choice);
			case_compare(&machine, &choice, set ? expected : NULL);
			found[multi] += set != NULL;
		}
	}
	print_message("# found by partner %u, by multipartner %u\n", found[0], found[1]);
	assert_true(found[1] > found[0] && found[0] > 300);
}

static void refuses_other_machines(void **state)
{
	static const char *const names[] = {"partner", "multipartner"};
	static strategy_case_t machine;
	torus_geometry_t geometry = {.dims = 2, .length = {2, 4, 1, 1, 1, 1}};

	(void)state;
	case_fill(&machine, geometry);
	for (size_t i = 0; i < 2; i++) {
		torus_place_request_t request = case_request(&machine, names[i], 1);
		torus_placer_t *placer = torus_placer_create(machine.ranks);
		uint64_t usable[TORUS_WORDS(CASE_RANKS)] = {0};
		uint32_t chosen[CASE_RANKS];
		torus_error_t err = {""};

		assert_non_null(placer);
		torus_bit_set(usable, 0);
		assert_int_equal(torus_place_weighted(placer, usable, NULL, &request,
						      chosen, NULL, &err),
				 -1);
		assert_non_null(strstr(err.text, "2x4"));
		torus_placer_destroy(placer);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recognised_subcubes),
		cmocka_unit_test(every_subcube),
		cmocka_unit_test(refuses_other_machines),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
