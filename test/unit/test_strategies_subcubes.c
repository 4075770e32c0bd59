/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Subcubes of k-ary n-cubes: partner (Al-Dhelaan, Bose, "A New Strategy for Processors
 * Allocation in an N-Cube Multiprocessor") and multipartner, against building every
 * subcube from its parts; gray_code against a code built by reflection.
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

static torus_geometry_t cube(uint32_t base, int dims)
{
	torus_geometry_t geometry = {.dims = dims, .length = {1, 1, 1, 1, 1, 1}};

	for (int axis = 0; axis < dims; axis++) {
		geometry.length[axis] = (int32_t)base;
		geometry.wrap[axis] = random_in(0, 1);
	}
	return geometry;
}

static uint32_t power(uint32_t base, int exponent)
{
	return exponent ? base * power(base, exponent - 1) : 1;
}

/* [address] with [more] added to a digit, which goes round. */
static uint32_t turned(uint32_t address, uint32_t base, int digit, uint32_t more)
{
	uint32_t weight = power(base, digit), old = address / weight % base;

	return address - old * weight + (old + more) % base * weight;
}

static uint64_t aligned_block(uint32_t number, uint32_t base, int size)
{
	uint64_t set = 0;

	for (uint32_t i = 0; i < power(base, size); i++)
		set |= UINT64_C(1) << (number * power(base, size) + i);
	return set;
}

/* By the paper: block i of k^(size - 1) nodes and its partners, the lower digits first.
 */
static void partner_subcubes(uint32_t base, int dims, int size, subcubes_t *all)
{
	all->count = 0;
	if (size == 0) {
		for (uint32_t cell = 0; cell < power(base, dims); cell++)
			all->set[all->count++] = UINT64_C(1) << cell;
		return;
	}
	for (uint32_t i = 0; i < power(base, dims - size + 1); i++) {
		for (int digit = 0; digit < dims - size + 1; digit++) {
			uint64_t *set = &all->set[all->count++];

			*set = 0;
			for (uint32_t k = 0; k < base; k++)
				*set |= aligned_block(turned(i, base, digit, k), base,
						      size - 1);
		}
	}
}

/* Parts that differ in one digit of all addresses, in any order. */
static void all_subcubes(uint32_t base, int dims, int size, subcubes_t *all)
{
	static subcubes_t parts[TORUS_MAX_DIMS + 1];
	subcubes_t *part = &parts[size];

	if (size == 0) {
		partner_subcubes(base, dims, 0, all);
		return;
	}
	all_subcubes(base, dims, size - 1, part);
	all->count = 0;
	for (uint32_t i = 0; i < part->count; i++) {
		for (int digit = 0; digit < dims; digit++) {
			uint64_t whole = 0, other = 0;
			bool known = false;

			for (uint32_t cell = 0; cell < power(base, dims); cell++) {
				if (!(part->set[i] >> cell & 1))
					continue;
				other |= UINT64_C(1) << turned(cell, base, digit, 1);
				for (uint32_t k = 0; k < base; k++)
					whole |= UINT64_C(1)
						 << turned(cell, base, digit, k);
			}
			if (other & part->set[i])
				continue;
			for (uint32_t k = 0; k < all->count; k++)
				known |= all->set[k] == whole;
			if (!known)
				all->set[all->count++] = whole;
		}
	}
}

static void recognised_subcubes(void **state)
{
	static subcubes_t all;
	static const uint32_t binomial[5] = {1, 4, 6, 4, 1};

	(void)state;
	/* The counts of the literature, of subcubes as such; those of k parts come k
	 * times.
	 */
	for (int size = 1; size <= 4; size++) {
		partner_subcubes(2, 4, size, &all);
		assert_int_equal(all.count, 2 * (4 - size + 1) << (4 - size));
		all_subcubes(2, 4, size, &all);
		assert_int_equal(all.count, binomial[size] << (4 - size));
	}
	for (int size = 1; size <= 3; size++) {
		partner_subcubes(4, 3, size, &all);
		assert_int_equal(all.count, 4u * (3 - size + 1) * power(4, 3 - size));
		all_subcubes(4, 3, size, &all);
		assert_int_equal(all.count, (size == 3 ? 1 : 3) * power(4, 3 - size));
	}
}

/* The dimensions a subcube runs through, a bit each. */
static uint32_t across(uint64_t set, uint32_t base, int dims)
{
	uint32_t mask = 0;

	for (int digit = 0; digit < dims; digit++) {
		for (uint32_t cell = 0; cell < power(base, dims); cell++) {
			if ((set >> cell & 1) &&
			    (set >> turned(cell, base, digit, 1) & 1))
				mask |= UINT32_C(1) << digit;
		}
	}
	return mask;
}

static bool all_whole(const strategy_case_t *machine, uint64_t set)
{
	bool whole = true;

	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		if (set >> cell & 1)
			whole &= case_whole(machine, cell);
	}
	return whole;
}

/* The first free subcube: of the lowest node, then by dimensions. NULL: none. */
static const uint64_t *first_free(const strategy_case_t *machine, uint32_t base,
				  const subcubes_t *all)
{
	const uint64_t *best = NULL;
	int dims = machine->geometry.dims;

	for (uint32_t i = 0; i < all->count; i++) {
		const uint64_t *set = &all->set[i];

		if (!all_whole(machine, *set))
			continue;
		if (!best || __builtin_ctzll(*set) < __builtin_ctzll(*best) ||
		    (__builtin_ctzll(*set) == __builtin_ctzll(*best) &&
		     across(*set, base, dims) < across(*best, base, dims)))
			best = set;
	}
	return best;
}

/* The bits of the digits, the lowest of all first, those of higher digits counting more.
 */
static uint64_t morton(uint32_t cell, uint32_t base, int dims)
{
	uint64_t key = 0;

	for (int bit = 3; bit >= 0; bit--) {
		for (int digit = dims - 1; digit >= 0; digit--)
			key = 2 * key + (cell / power(base, digit) % base >> bit & 1);
	}
	return key;
}

static uint32_t first_in_morton_order(uint64_t set, uint32_t base, int dims)
{
	uint32_t first = (uint32_t)__builtin_ctzll(set);

	for (uint32_t cell = first; cell < 64; cell++) {
		if ((set >> cell & 1) &&
		    morton(cell, base, dims) < morton(first, base, dims))
			first = cell;
	}
	return first;
}

/* A random machine of at most 64 cells, and its base. */
static uint32_t random_cube(strategy_case_t *machine)
{
	static const int most[] = {
		[2] = 5, [3] = 3, [4] = 3, [5] = 2, [6] = 2, [7] = 2, [8] = 2};
	uint32_t base = random_in(0, 1) ? 2 : random_in(3, 8);

	case_fill(machine, cube(base, (int)random_in(1, (uint32_t)most[base])));
	return base;
}

static void every_subcube(void **state)
{
	static strategy_case_t machine;
	static strategy_choice_t choice;
	static subcubes_t all;
	uint32_t found[2] = {0};

	(void)state;
	for (int round = 0; round < 3000; round++) {
		uint32_t base = random_cube(&machine), n;
		int dims = machine.geometry.dims, size = 0;

		n = case_random_size(&machine);
		if (case_free_ranks(&machine) < n)
			continue;
		while (machine.most * power(base, size) < n)
			size++;
		for (int multi = 0; multi < 2; multi++) {
			const uint64_t *set = NULL;
			bool expected[CASE_RANKS] = {false};
			uint32_t left = n;

			if (size <= dims) {
				if (multi)
					all_subcubes(base, dims, size, &all);
				else
					partner_subcubes(base, dims, size, &all);
				set = first_free(&machine, base, &all);
			}
			for (uint64_t rest = set ? *set : 0; rest;) {
				uint32_t cell = first_in_morton_order(rest, base, dims);

				rest &= ~(UINT64_C(1) << cell);
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

/* The reflected Gray code as its definition goes: each digit of the highest dimension in
 * turn, before the code of the others, which is read backwards every second time. */
static uint32_t gray_codes(uint32_t base, int dims, uint32_t *code)
{
	uint32_t below, count = 0, others[64];

	if (dims == 0) {
		code[0] = 0;
		return 1;
	}
	below = gray_codes(base, dims - 1, others);
	for (uint32_t digit = 0; digit < base; digit++) {
		for (uint32_t i = 0; i < below; i++)
			code[count++] =
				digit * below + others[digit & 1 ? below - 1 - i : i];
	}
	return count;
}

static void gray_code(void **state)
{
	static strategy_case_t machine;
	static strategy_choice_t choice;
	uint32_t found = 0;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		uint32_t base = random_cube(&machine), n, left, code[64], cells, size = 1;
		bool expected[CASE_RANKS] = {false}, placed = false;

		cells = gray_codes(base, machine.geometry.dims, code);
		left = n = case_random_size(&machine);
		if (case_free_ranks(&machine) < n)
			continue;
		while (machine.most * size < n)
			size *= base;
		for (uint32_t first = 0; first < cells && size <= cells && !placed;
		     first++) {
			uint64_t set = 0;

			if (size > 1 && first % (size / base))
				continue;
			if (base % 2 && first + size > cells)
				continue;
			for (uint32_t i = 0; i < size; i++)
				set |= UINT64_C(1) << code[(first + i) % cells];
			placed = all_whole(&machine, set);
			for (uint32_t i = 0; placed && i < size; i++)
				left -= case_add(&machine, code[(first + i) % cells],
						 left, expected);
		}
		case_place(&machine, "gray_code", n, NULL, &choice);
		case_compare(&machine, &choice, placed ? expected : NULL);
		found += placed;
	}
	print_message("# found by gray_code %u\n", found);
	assert_true(found > 300);
}

static void refuses_other_machines(void **state)
{
	static const char *const names[] = {"partner", "multipartner", "gray_code"};
	static strategy_case_t machine;
	torus_geometry_t geometry = {.dims = 2, .length = {2, 4, 1, 1, 1, 1}};

	(void)state;
	case_fill(&machine, geometry);
	for (size_t i = 0; i < 3; i++) {
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
		cmocka_unit_test(gray_code),
		cmocka_unit_test(refuses_other_machines),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
