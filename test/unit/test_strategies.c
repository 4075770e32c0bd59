/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strategies that look at the machine: random, paging and mbs (Lo, Windisch, Liu,
 * Nitzberg, "Noncontiguous Processor Allocation Algorithms for Mesh-Connected
 * Multicomputers") and buddy (Li, Cheng, "A Two-Dimensional Buddy System for Dynamic
 * Resource Allocation in a Partitionable Mesh Connected System"), against lists of pages
 * and free blocks; and what all strategies promise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "strategy_case.h"

/* How many there are. */
static uint32_t strategies(void)
{
	uint32_t count = 0;

	while (torus_strategies[count])
		count++;
	return count;
}

/* ---- random ---- */

static void random_takes_every_set_alike(void **state)
{
	static strategy_case_t machine;
	const uint32_t rounds = 30000;
	uint32_t seen[32] = {0}, sets = 0;
	torus_geometry_t geometry = {.dims = 1, .length = {7, 1, 1, 1, 1, 1}};

	(void)state;
	memset(&machine, 0, sizeof(machine));
	machine.geometry = geometry;
	machine.cells = machine.ranks = 7;
	for (uint32_t rank = 0; rank < 7; rank++) {
		machine.cell_of_rank[rank] = rank;
		machine.usable[rank] = rank != 2 && rank != 5;
	}
	for (uint32_t seed = 0; seed < rounds; seed++) {
		static const uint32_t number[7] = {0, 1, 9, 2, 3, 9, 4};
		torus_place_request_t request = case_request(&machine, "random", 2);
		torus_placer_t *placer = torus_placer_create(7);
		uint64_t usable = 0x5b;
		uint32_t chosen[7], again[7];

		assert_non_null(placer);
		request.seed = seed;
		assert_int_equal(torus_place_weighted(placer, &usable, NULL, &request,
						      chosen, NULL, NULL),
				 1);
		assert_int_equal(torus_place_weighted(placer, &usable, NULL, &request,
						      again, NULL, NULL),
				 1);
		assert_memory_equal(chosen, again, 2 * sizeof(*chosen));
		seen[1u << number[chosen[0]] | 1u << number[chosen[1]]]++;
		torus_placer_destroy(placer);
	}
	/* Ten pairs: 3000 of each, give or take six standard deviations of 52. */
	for (uint32_t set = 0; set < 32; set++) {
		if (!seen[set])
			continue;
		sets++;
		assert_in_range(seen[set], 2688, 3312);
	}
	assert_int_equal(sets, 10);
}

/* ---- paging ---- */

/* A cell as paging comes to it. */
typedef struct paged {
	uint32_t page; /* number in the order of the pages */
	uint32_t cell;
	bool whole; /* all nodes of the page are free */
} paged_t;

static int compare_paged(const void *a, const void *b)
{
	const paged_t *left = a, *right = b;

	if (left->whole != right->whole)
		return left->whole ? -1 : 1;
	if (left->page != right->page)
		return left->page < right->page ? -1 : 1;
	return left->cell < right->cell ? -1 : 1;
}

/*
 * The number of the page at [page] among [pages] per dimension. In a snake the shortest
 * dimension is run through first, and every other row, by its number, backwards.
 */
static uint32_t plain_number(const torus_geometry_t *pages, const int32_t *page,
			     bool snake)
{
	int axes[TORUS_MAX_DIMS] = {0, 1, 2, 3, 4, 5};
	uint32_t number = 0;

	for (int pass = 0; snake && pass < pages->dims; pass++) {
		for (int i = 0; i + 1 < pages->dims; i++) {
			if (pages->length[axes[i]] > pages->length[axes[i + 1]]) {
				int kept = axes[i];

				axes[i] = axes[i + 1];
				axes[i + 1] = kept;
			}
		}
	}
	for (int i = pages->dims - 1; i >= 0; i--) {
		int32_t length = pages->length[axes[i]], at = page[axes[i]];

		if (snake && number % 2)
			at = length - 1 - at;
		number = number * (uint32_t)length + (uint32_t)at;
	}
	return number;
}

/*
 * The same shuffled: count the pages of the box of [side] at [corner] up to [page], part
 * by part, each half as long; where the box is longer than the machine there are no
 * halves. Returns whether the page was there.
 */
static bool count_shuffled(const torus_geometry_t *pages, const int32_t *page,
			   const int32_t *corner, int32_t side, bool snake,
			   uint32_t *count)
{
	int split[TORUS_MAX_DIMS], splits = 0;

	for (int axis = 0; axis < pages->dims; axis++) {
		if (corner[axis] >= pages->length[axis])
			return false;
	}
	if (side == 1) {
		++*count;
		return !memcmp(page, corner, (size_t)pages->dims * sizeof(*page));
	}
	for (int axis = 0; axis < pages->dims; axis++) {
		if (pages->length[axis] > side / 2)
			split[splits++] = axis;
	}
	for (uint32_t part = 0; part < 1u << splits; part++) {
		uint32_t halves = snake ? part ^ part >> 1 : part;
		int32_t next[TORUS_MAX_DIMS];

		memcpy(next, corner, sizeof(next));
		for (int i = 0; i < splits; i++)
			next[split[i]] += halves >> i & 1 ? side / 2 : 0;
		if (count_shuffled(pages, page, next, side / 2, snake, count))
			return true;
	}
	return false;
}

static uint32_t page_number(const torus_geometry_t *pages, const int32_t *page,
			    bool snake, bool shuffled)
{
	const int32_t corner[TORUS_MAX_DIMS] = {0};
	uint32_t count = 0;

	if (!shuffled)
		return plain_number(pages, page, snake);
	assert_true(count_shuffled(pages, page, corner, 128, snake, &count));
	return count;
}

static void slow_paging(const strategy_case_t *machine, uint32_t n, int32_t side,
			bool snake, bool shuffled, bool *set)
{
	static paged_t paged[CASE_RANKS];
	torus_geometry_t pages = machine->geometry;

	for (int axis = 0; axis < pages.dims; axis++)
		pages.length[axis] = (pages.length[axis] + side - 1) / side;
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(&machine->geometry, cell, coord);
		for (int axis = 0; axis < pages.dims; axis++)
			coord[axis] /= side;
		paged[cell] = (paged_t){page_number(&pages, coord, snake, shuffled), cell,
					true};
	}
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		for (uint32_t other = 0; other < machine->cells; other++) {
			if (paged[other].page == paged[cell].page &&
			    case_nodes_on(machine, other, true) !=
				    case_nodes_on(machine, other, false))
				paged[cell].whole = false;
		}
	}
	qsort(paged, machine->cells, sizeof(*paged), compare_paged);
	for (uint32_t i = 0; i < machine->cells && n; i++)
		n -= case_add(machine, paged[i].cell, n, set);
}

static void paging_by_lists_of_pages(void **state)
{
	static const struct {
		const char *name;
		int32_t side;
		bool snake, shuffled;
	} table[] = {
		{"paging", 2, false, false},
		{"paging:row_major:1", 1, false, false},
		{"paging:row_major:2", 2, false, false},
		{"paging:row_major:4", 4, false, false},
		{"paging:row_major:8", 8, false, false},
		{"paging:row_major:16", 16, false, false},
		{"paging:snake:1", 1, true, false},
		{"paging:snake:2", 2, true, false},
		{"paging:snake:4", 4, true, false},
		{"paging:snake:8", 8, true, false},
		{"paging:snake:16", 16, true, false},
		{"paging:shuffled_row_major:1", 1, false, true},
		{"paging:shuffled_row_major:2", 2, false, true},
		{"paging:shuffled_row_major:4", 4, false, true},
		{"paging:shuffled_row_major:8", 8, false, true},
		{"paging:shuffled_row_major:16", 16, false, true},
		{"paging:shuffled_snake:1", 1, true, true},
		{"paging:shuffled_snake:2", 2, true, true},
		{"paging:shuffled_snake:4", 4, true, true},
		{"paging:shuffled_snake:8", 8, true, true},
		{"paging:shuffled_snake:16", 16, true, true},
	};
	static strategy_case_t machine;
	static strategy_choice_t choice;

	(void)state;
	for (int round = 0; round < 1500; round++) {
		size_t i = (size_t)random_in(0, 20);
		bool expected[CASE_RANKS] = {false};
		uint32_t n;

		case_random(&machine, random_in(0, 1) ? 2 : TORUS_MAX_DIMS, 70);
		n = case_random_size(&machine);
		if (case_free_ranks(&machine) < n)
			continue;
		slow_paging(&machine, n, table[i].side, table[i].snake, table[i].shuffled,
			    expected);
		case_place(&machine, table[i].name, n, NULL, &choice);
		case_compare(&machine, &choice, expected);
	}
}

/* ---- blocks ---- */

/* The free block records of the papers: for each level a list of free blocks. */
typedef struct block {
	bool present;
	int32_t coord[TORUS_MAX_DIMS]; /* of the lowest corner */
} block_t;

typedef struct records {
	const strategy_case_t *machine;
	int dims; /* dimensions longer than 1 */
	int levels;
	block_t list[8][CASE_RANKS]; /* at the index of the corner's cell */
} records_t;

static bool block_inside(const records_t *records, const int32_t *corner, int32_t side)
{
	const torus_geometry_t *geometry = &records->machine->geometry;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (geometry->length[axis] > 1 &&
		    corner[axis] + side > geometry->length[axis])
			return false;
	}
	return true;
}

/* Cell [i] of the block, in row-major order; UINT32_MAX behind the last. */
static uint32_t block_cell(const records_t *records, const int32_t *corner, int32_t side,
			   uint32_t i)
{
	const torus_geometry_t *geometry = &records->machine->geometry;
	int32_t coord[TORUS_MAX_DIMS] = {0};

	for (int axis = 0; axis < geometry->dims; axis++) {
		coord[axis] = corner[axis];
		if (geometry->length[axis] == 1)
			continue;
		coord[axis] += (int32_t)(i % (uint32_t)side);
		i /= (uint32_t)side;
	}
	return i ? UINT32_MAX : torus_coord_to_cell(geometry, coord);
}

/* Put all free blocks into the records, the largest first, none into another. */
static void find_records(const strategy_case_t *machine, records_t *records)
{
	bool covered[CASE_RANKS] = {false};
	int32_t shortest = INT32_MAX;

	memset(records, 0, sizeof(*records));
	records->machine = machine;
	for (int axis = 0; axis < machine->geometry.dims; axis++) {
		int32_t length = machine->geometry.length[axis];

		records->dims += length > 1;
		if (length > 1 && length < shortest)
			shortest = length;
	}
	records->levels = 1;
	while (records->dims && 1 << records->levels <= shortest)
		records->levels++;
	for (int level = records->levels - 1; level >= 0; level--) {
		int32_t side = 1 << level;

		for (uint32_t cell = 0; cell < machine->cells; cell++) {
			block_t block = {.present = true};
			uint32_t part;

			torus_cell_to_coord(&machine->geometry, cell, block.coord);
			for (int axis = 0; axis < machine->geometry.dims; axis++)
				block.present &= block.coord[axis] % side == 0;
			if (!block.present || !block_inside(records, block.coord, side))
				continue;
			for (uint32_t i = 0; (part = block_cell(records, block.coord,
								side, i)) != UINT32_MAX;
			     i++)
				block.present &=
					case_whole(machine, part) && !covered[part];
			if (!block.present)
				continue;
			for (uint32_t i = 0; (part = block_cell(records, block.coord,
								side, i)) != UINT32_MAX;
			     i++)
				covered[part] = true;
			records->list[level][cell] = block;
		}
	}
}

/* Take the first block of the level; if there is none, break up one of the next. */
static bool get_block(records_t *records, int level, uint32_t *corner)
{
	const torus_geometry_t *geometry = &records->machine->geometry;
	uint32_t larger;

	if (level >= records->levels)
		return false;
	for (uint32_t cell = 0; cell < records->machine->cells; cell++) {
		if (!records->list[level][cell].present)
			continue;
		records->list[level][cell].present = false;
		*corner = cell;
		return true;
	}
	if (!get_block(records, level + 1, &larger))
		return false;
	for (uint32_t i = 0; i < 1u << records->dims; i++) {
		block_t part = {.present = true};
		uint32_t bits = i;

		torus_cell_to_coord(geometry, larger, part.coord);
		for (int axis = 0; axis < geometry->dims; axis++) {
			if (geometry->length[axis] == 1)
				continue;
			part.coord[axis] += (int32_t)(bits & 1) << level;
			bits >>= 1;
		}
		records->list[level][torus_coord_to_cell(geometry, part.coord)] = part;
	}
	return get_block(records, level, corner);
}

static uint64_t block_nodes(const records_t *records, int level)
{
	uint64_t nodes = records->machine->most;

	for (int i = 0; i < level * records->dims; i++)
		nodes *= 2;
	return nodes;
}

/* A cell by the bits of its place in the block, the highest first and the last axis first
 * among these. */
static int compare_morton(const records_t *records, uint32_t a, uint32_t b)
{
	const torus_geometry_t *geometry = &records->machine->geometry;
	int32_t left[TORUS_MAX_DIMS], right[TORUS_MAX_DIMS];

	torus_cell_to_coord(geometry, a, left);
	torus_cell_to_coord(geometry, b, right);
	for (int bit = 9; bit >= 0; bit--) {
		for (int axis = geometry->dims - 1; axis >= 0; axis--) {
			int difference =
				(left[axis] >> bit & 1) - (right[axis] >> bit & 1);

			if (difference)
				return difference;
		}
	}
	return 0;
}

/* Give the job [n] nodes of a block, one by one in Morton order. */
static void give(const records_t *records, uint32_t corner, int level, uint32_t n,
		 bool *set)
{
	bool given[CASE_RANKS] = {false};
	int32_t coord[TORUS_MAX_DIMS];

	torus_cell_to_coord(&records->machine->geometry, corner, coord);
	while (n) {
		uint32_t next = UINT32_MAX, cell;

		for (uint32_t i = 0;
		     (cell = block_cell(records, coord, 1 << level, i)) != UINT32_MAX;
		     i++) {
			if (!given[cell] && (next == UINT32_MAX ||
					     compare_morton(records, cell, next) < 0))
				next = cell;
		}
		assert_true(next != UINT32_MAX);
		given[next] = true;
		n -= case_add(records->machine, next, n, set);
	}
}

static bool slow_buddy(const strategy_case_t *machine, uint32_t n, bool *set)
{
	static records_t records;
	uint32_t corner;
	int level = 0;

	find_records(machine, &records);
	while (level < records.levels && block_nodes(&records, level) < n)
		level++;
	if (!get_block(&records, level, &corner))
		return false;
	give(&records, corner, level, n, set);
	return true;
}

/* The request as numbers of blocks; what cannot be had becomes smaller blocks. */
static void slow_mbs(const strategy_case_t *machine, uint32_t n, bool *set)
{
	static records_t records;
	uint32_t wanted[8] = {0}, left = n, singles, corner;

	find_records(machine, &records);
	for (int level = records.levels - 1; level >= 0; level--) {
		wanted[level] = (uint32_t)(left / block_nodes(&records, level));
		left %= block_nodes(&records, level);
	}
	singles = left;
	for (int level = records.levels - 1; level >= 0; level--) {
		while (wanted[level]) {
			if (get_block(&records, level, &corner)) {
				give(&records, corner, level,
				     (uint32_t)block_nodes(&records, level), set);
				wanted[level]--;
			} else if (level) {
				wanted[level]--;
				wanted[level - 1] += 1u << records.dims;
			} else {
				wanted[level]--;
				singles += machine->most;
			}
		}
	}
	for (uint32_t cell = 0; cell < machine->cells && singles; cell++) {
		if (!case_whole(machine, cell))
			singles -= case_add(machine, cell, singles, set);
	}
	while (singles) {
		assert_true(get_block(&records, 0, &corner));
		singles -= case_add(machine, corner, singles, set);
	}
}

static void blocks_by_lists(void **state)
{
	static strategy_case_t machine;
	static strategy_choice_t choice;
	uint32_t waits = 0;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		bool expected[CASE_RANKS] = {false};
		bool found;
		uint32_t n;

		case_random(&machine, random_in(0, 1) ? 3 : TORUS_MAX_DIMS, 90);
		n = case_random_size(&machine);
		if (case_free_ranks(&machine) < n)
			continue;
		slow_mbs(&machine, n, expected);
		case_place(&machine, "mbs", n, NULL, &choice);
		case_compare(&machine, &choice, expected);

		memset(expected, 0, sizeof(expected));
		found = slow_buddy(&machine, n, expected);
		case_place(&machine, "buddy", n, NULL, &choice);
		case_compare(&machine, &choice, found ? expected : NULL);
		waits += !found;
	}
	assert_in_range(waits, 200, 1800);
}

/* On 8x4, as the paper has it: 4x4, 2x2 and 1x1 blocks, with one node taken. */
static void known_blocks(void **state)
{
	static strategy_case_t machine;
	static strategy_choice_t choice;
	torus_geometry_t geometry;
	/* 21 = 1 * 16 + 1 * 4 + 1: one whole 4x4, and the others out of the other one. */
	static const uint32_t blocks[21] = {4,	5,  6,	7,  12, 13, 14, 15, 20, 21, 22,
					    23, 28, 29, 30, 31, 2,  3,	10, 11, 0};

	(void)state;
	assert_int_equal(torus_geometry_parse("8x4", "none", &geometry, NULL), 0);
	memset(&machine, 0, sizeof(machine));
	machine.geometry = geometry;
	machine.cells = machine.ranks = 32;
	machine.most = 1;
	for (uint32_t rank = 0; rank < 32; rank++) {
		machine.cell_of_rank[rank] = rank;
		machine.usable[rank] = rank != 1;
	}
	case_place(&machine, "mbs", 21, NULL, &choice);
	assert_int_equal(choice.placed, 1);
	for (uint32_t i = 0; i < 21; i++) {
		bool found = false;

		for (uint32_t k = 0; k < 21; k++)
			found |= choice.chosen[k] == blocks[i];
		assert_true(found);
	}
	/* Five nodes need a 4x4 block, seventeen would need an 8x8 one. */
	case_place(&machine, "buddy", 5, NULL, &choice);
	assert_int_equal(choice.placed, 1);
	assert_int_equal(choice.chosen[0], 4);
	case_place(&machine, "buddy", 17, NULL, &choice);
	assert_int_equal(choice.placed, 0);
}

/* ---- all strategies ---- */

static bool suits(const strategy_case_t *machine, const char *name)
{
	for (int axis = 0; axis < machine->geometry.dims; axis++) {
		if (machine->geometry.length[axis] != machine->geometry.length[0] ||
		    machine->geometry.length[axis] < 2)
			return !strstr(name, "partner") && strcmp(name, "gray_code");
	}
	return true;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/*
 * What Slurm promises, under each strategy: required nodes are there, and of the others
 * the lightest. Where a job may wait, it does only if enough nodes are free, and may have
 * heavier ones for a place of its form.
 */
static void lightest_and_required_nodes(void **state)
{
	static strategy_case_t machine;
	uint32_t placed = 0, waited = 0;

	(void)state;
	for (int round = 0; round < 6000; round++) {
		const torus_allocator_t *allocator =
			torus_strategies[random_in(0, strategies() - 1)];
		const char *name = torus_allocator_name(allocator);
		uint64_t usable[TORUS_WORDS(CASE_RANKS)],
			required[TORUS_WORDS(CASE_RANKS)] = {0}, weights[CASE_RANKS],
			sorted[CASE_RANKS];
		uint32_t chosen[CASE_RANKS], count = 0, held = 0, n, classes;
		uint64_t least = 0, sum = 0;
		torus_place_request_t request;
		torus_placer_t *placer;
		torus_placement_t placement;
		bool some_required = random_in(0, 2) == 0;
		int result;

		case_random(&machine, 3, 60);
		n = case_random_size(&machine);
		if (!suits(&machine, name) || case_free_ranks(&machine) < n)
			continue;
		classes = random_in(1, 3);
		for (uint32_t rank = 0; rank < machine.ranks; rank++) {
			weights[rank] = random_in(1, classes);
			if (!machine.usable[rank])
				continue;
			if (some_required && held < n && !random_in(0, 9)) {
				torus_bit_set(required, rank);
				least += weights[rank];
				held++;
			} else {
				sorted[count++] = weights[rank];
			}
		}
		qsort(sorted, count, sizeof(*sorted), compare_numbers);
		for (uint32_t i = 0; i < n - held; i++)
			least += sorted[i];
		case_bitmap(machine.usable, machine.ranks, usable);
		request = case_request(&machine, name, n);
		request.required = required;
		placer = torus_placer_create(machine.ranks);
		assert_non_null(placer);
		result = torus_place_weighted(placer, usable, weights, &request, chosen,
					      &placement, NULL);
		torus_placer_destroy(placer);
		if (!result) {
			assert_true(torus_allocator_waits(allocator));
			waited++;
			continue;
		}
		assert_int_equal(result, 1);
		placed++;
		for (uint32_t i = 0; i < n; i++) {
			assert_true(machine.usable[chosen[i]]);
			sum += weights[chosen[i]];
			held -= torus_bit_test(required, chosen[i]);
			torus_bit_clear(required, chosen[i]);
			machine.usable[chosen[i]] = false;
		}
		assert_int_equal(held, 0);
		if (torus_allocator_waits(allocator))
			assert_true(sum >= least);
		else
			assert_true(sum == least);
	}
	assert_true(placed > 2000 && waited > 50);
}

/* Every start is tried: are the n ranks from there on free, and how many more? */
/* The sum over s of N(s)^2 of the ranks that are free and not in [set]. */
static int64_t slow_squares(const strategy_case_t *machine, const bool *set)
{
	int64_t number[CASE_RANKS + 1] = {0}, sum = 0;
	uint32_t length = 0;

	for (uint32_t rank = 0; rank <= machine->ranks; rank++) {
		if (rank < machine->ranks && machine->usable[rank] && !set[rank]) {
			length++;
			continue;
		}
		number[length]++;
		length = 0;
	}
	for (uint32_t size = 1; size <= machine->ranks; size++)
		sum += number[size] * number[size];
	return sum;
}

/* The ranks from [first] on that are free and not in [set], one after the other. */
static uint32_t slow_length(const strategy_case_t *machine, const bool *set,
			    uint32_t first)
{
	uint32_t length = 0;

	while (first + length < machine->ranks && machine->usable[first + length] &&
	       !set[first + length])
		length++;
	return length;
}

/*
 * Of the intervals, with at least [least] ranks, take the first [most] ranks of the one
 * after which the sum is smallest; ties: the longest. Returns how many were taken.
 */
static uint32_t slow_piece(const strategy_case_t *machine, uint32_t least, uint32_t most,
			   bool prefers_longest, bool *set)
{
	uint32_t best = CASE_RANKS, longest = 0;
	int64_t smallest = INT64_MAX;

	for (uint32_t first = 0; first < machine->ranks; first++) {
		uint32_t length = slow_length(machine, set, first), count;
		bool inside = first && machine->usable[first - 1] && !set[first - 1];
		bool tried[CASE_RANKS];
		int64_t sum;

		if (!length || length < least || inside)
			continue;
		count = length < most ? length : most;
		memcpy(tried, set, sizeof(tried));
		memset(&tried[first], true, count);
		sum = slow_squares(machine, tried);
		if (sum > smallest ||
		    (sum == smallest && (!prefers_longest || length <= longest)))
			continue;
		smallest = sum;
		longest = length;
		best = first;
	}
	if (best == CASE_RANKS)
		return 0;
	longest = longest < most ? longest : most;
	memset(&set[best], true, longest);
	return longest;
}

static void slow_window(const strategy_case_t *machine, uint32_t n, bool *set)
{
	uint32_t shortest = UINT32_MAX;
	int64_t smallest = INT64_MAX;

	for (uint32_t first = 0; first < machine->ranks; first++) {
		bool tried[CASE_RANKS] = {false};
		uint32_t taken = 0, rank = first;
		int64_t sum;

		for (; machine->usable[first] && rank < machine->ranks && taken < n;
		     rank++) {
			tried[rank] = machine->usable[rank];
			taken += tried[rank];
		}
		if (taken < n)
			continue;
		sum = slow_squares(machine, tried);
		if (sum > smallest || (sum == smallest && rank - first >= shortest))
			continue;
		smallest = sum;
		shortest = rank - first;
		memcpy(set, tried, sizeof(tried));
	}
}

static void pieces_and_windows_by_squares(void **state)
{
	static strategy_case_t machine;
	static strategy_choice_t choice;
	uint32_t several = 0, differ = 0;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		bool greedy[CASE_RANKS] = {false}, global[CASE_RANKS] = {false};
		uint32_t n, taken;

		case_random(&machine, 3, 100);
		n = case_random_size(&machine);
		if (case_free_ranks(&machine) < n)
			continue;
		taken = slow_piece(&machine, n, n, false, greedy);
		memcpy(global, greedy, sizeof(global));
		if (!taken) {
			several++;
			while (taken < n)
				taken += slow_piece(&machine, 1, n - taken, true, greedy);
			slow_window(&machine, n, global);
		}
		differ += memcmp(greedy, global, sizeof(global)) != 0;
		case_place(&machine, "sum_of_squares:greedy", n, NULL, &choice);
		case_compare(&machine, &choice, greedy);
		case_place(&machine, "sum_of_squares:global", n, NULL, &choice);
		case_compare(&machine, &choice, global);
	}
	assert_true(several > 300 && differ > 100);
}

static void one_interval_or_none(void **state)
{
	static const char *const names[] = {"interval:first_fit", "interval:best_fit"};
	static strategy_case_t machine;
	static strategy_choice_t choice;
	uint32_t placed = 0, none = 0, differ = 0;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		uint32_t n, best[2] = {CASE_RANKS, CASE_RANKS}, least = CASE_RANKS;

		case_random(&machine, 3, 100);
		n = case_random_size(&machine);
		for (uint32_t first = 0; first + n <= machine.ranks; first++) {
			uint32_t length = 0;

			if (first && machine.usable[first - 1])
				continue;
			while (first + length < machine.ranks &&
			       machine.usable[first + length])
				length++;
			if (length < n)
				continue;
			if (best[0] == CASE_RANKS)
				best[0] = first;
			if (length < least) {
				least = length;
				best[1] = first;
			}
		}
		for (int i = 0; i < 2; i++) {
			bool expected[CASE_RANKS] = {false};

			for (uint32_t k = 0; k < n && best[i] < CASE_RANKS; k++)
				expected[best[i] + k] = true;
			case_place(&machine, names[i], n, NULL, &choice);
			case_compare(&machine, &choice,
				     best[i] < CASE_RANKS ? expected : NULL);
		}
		placed += best[0] < CASE_RANKS;
		none += best[0] == CASE_RANKS;
		differ += best[0] != best[1];
	}
	assert_true(placed > 1000 && none > 100 && differ > 100);
}

/* With one interval demanded, or certain nodes, all others are best_fit, but for compact:
 * test_compact.c. */
static void intervals_where_they_are_demanded(void **state)
{
	static strategy_case_t machine;

	(void)state;
	for (int round = 0; round < 1500; round++) {
		const torus_allocator_t *allocator =
			torus_strategies[random_in(0, strategies() - 1)];
		uint64_t usable[TORUS_WORDS(CASE_RANKS)], required = 1;
		uint32_t chosen[CASE_RANKS] = {0}, expected[CASE_RANKS] = {0};
		torus_place_request_t request;
		torus_placer_t *placer;
		int found;

		if (allocator->interval || allocator == &torus_compact)
			continue;
		case_random(&machine, 3, 60);
		machine.usable[0] = true;
		case_bitmap(machine.usable, machine.ranks, usable);
		request = case_request(&machine, torus_allocator_name(allocator),
				       case_random_size(&machine));
		if (round % 2)
			request.contiguous = true;
		else
			request.required = &required;
		if (machine.ranks > 64)
			continue;
		placer = torus_placer_create(machine.ranks);
		assert_non_null(placer);
		found = torus_place_weighted(placer, usable, NULL, &request, chosen, NULL,
					     NULL);
		request.allocator = &torus_best_fit;
		assert_int_equal(found,
				 torus_place(placer, usable, &request, expected, NULL));
		assert_memory_equal(chosen, expected, sizeof(expected));
		torus_placer_destroy(placer);
	}
}

/* torus.conf takes those of the first table only. */
static void names(void **state)
{
	const torus_allocator_t *allocator, *production = NULL;
	torus_error_t err = {""};
	bool first = true;

	(void)state;
	for (int i = 0; torus_strategies[i]; i++) {
		const char *name = torus_allocator_name(torus_strategies[i]);

		assert_int_equal(
			torus_allocator_parse(name, torus_strategies, &allocator, &err),
			0);
		assert_ptr_equal(allocator, torus_strategies[i]);
		first = first && torus_allocators[i];
		if (first) {
			assert_ptr_equal(allocator, torus_allocators[i]);
			continue;
		}
		assert_int_equal(
			torus_allocator_parse(name, torus_allocators, &production, &err),
			-1);
		assert_null(production);
		assert_int_equal(torus_allocator_parse("paging:hilbert:3",
						       torus_strategies, &allocator,
						       &err),
				 -1);
		assert_non_null(strstr(err.text, name)); /* all are listed */
	}
	assert_int_equal(
		torus_allocator_parse("worst_fit", torus_allocators, &production, &err),
		-1);
	assert_string_equal(err.text, "unknown allocator 'worst_fit': give best_fit, "
				      "first_fit, sum_of_squares, free_list or compact");
	assert_int_equal(
		torus_allocator_parse("MC1x1", torus_strategies, &allocator, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(random_takes_every_set_alike),
		cmocka_unit_test(paging_by_lists_of_pages),
		cmocka_unit_test(known_blocks),
		cmocka_unit_test(blocks_by_lists),
		cmocka_unit_test(lightest_and_required_nodes),
		cmocka_unit_test(pieces_and_windows_by_squares),
		cmocka_unit_test(one_interval_or_none),
		cmocka_unit_test(intervals_where_they_are_demanded),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
