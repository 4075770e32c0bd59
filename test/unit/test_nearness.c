/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Near or not: against all pairs of the place on an empty machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "machine/cluster_near.h"
#include "machine/nearness.h"
#include "strategy_case.h"

static uint64_t slow_sum(const strategy_case_t *machine, const uint32_t *rank, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = 0; j < n; j++)
			sum += torus_hops_cells(&machine->geometry,
						machine->cell_of_rank[rank[i]],
						machine->cell_of_rank[rank[j]]);
	}
	return sum;
}

/* The distance alone: -1 when the strategy has no place for [nodes]. */
static int64_t slow_alone(const strategy_case_t *machine, const char *name,
			  uint32_t nodes)
{
	strategy_case_t empty = *machine;
	strategy_choice_t choice;

	for (uint32_t rank = 0; rank < empty.ranks; rank++)
		empty.usable[rank] = true;
	case_place(&empty, name, nodes, NULL, &choice);
	return choice.placed ? (int64_t)slow_sum(&empty, choice.chosen, nodes) : -1;
}

/* What two 64-bit numbers are multiplied, in halves: high and low 64 bits. */
static void slow_product(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
	const uint64_t half = UINT32_MAX;
	uint64_t cross = (a & half) * (b & half);
	uint64_t first = (a >> 32) * (b & half) + (cross >> 32);
	uint64_t second = (a & half) * (b >> 32) + (first & half);

	*low = second << 32 | (cross & half);
	*high = (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
}

static void compares_exactly(void **state)
{
	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t alone = random_next() >> random_in(0, 63);
		uint32_t near = random_in(TORUS_NEAR_LEAST, TORUS_NEAR_MOST);
		uint64_t sum = random_in(0, 1) ? random_next() >> random_in(0, 63)
					       : alone / 1000 * near + random_in(0, 20);
		uint64_t high[2], low[2];

		slow_product(sum, 1000, &high[0], &low[0]);
		slow_product(alone, near, &high[1], &low[1]);
		assert_int_equal(torus_is_near(sum, alone, near),
				 high[0] < high[1] ||
					 (high[0] == high[1] && low[0] <= low[1]));
	}
	assert_true(torus_is_near(12, 10, 1200));
	assert_false(torus_is_near(13, 10, 1200));
	assert_true(torus_is_near(0, 0, 1000));
	assert_false(torus_is_near(2, 0, 16000));
	assert_true(torus_is_near(UINT64_MAX, UINT64_MAX, 1000));
	assert_false(torus_is_near(UINT64_MAX, UINT64_MAX - 1, 1000));
}

/* Several numbers of nodes of a machine, some of them twice, by any strategy. */
static void alone_as_slow(void **state)
{
	static const char *const name[] = {"best_fit",	     "first_fit", "free_list",
					   "sum_of_squares", "compact",	  "mc1x1",
					   "contiguous"};

	(void)state;
	for (int i = 0; i < RANDOM_CASES(600); i++) {
		const char *strategy = name[random_in(0, 6)];
		strategy_case_t machine;
		torus_nearness_t *nearness;
		torus_placer_t *placer;
		torus_error_t err;

		case_random(&machine, 3, 100);
		nearness = torus_nearness_create(machine.ranks);
		assert_non_null(nearness);
		placer = torus_placer_create(machine.ranks);
		assert_non_null(placer);
		for (int asked = 0; asked < 6; asked++) {
			uint32_t nodes = random_in(1, machine.ranks);
			const torus_place_request_t request =
				case_request(&machine, strategy, nodes);
			int64_t expected = slow_alone(&machine, strategy, nodes);

			for (int again = 0; again < 2; again++) {
				uint64_t sum = 77;
				int found = torus_nearness_alone(nearness, placer,
								 &request, &sum, &err);

				assert_int_equal(found, expected >= 0);
				assert_int_equal(sum, expected < 0 ? 77 : expected);
			}
		}
		torus_placer_destroy(placer);
		torus_nearness_destroy(nearness);
	}
}

/* A map of the machine's nodes in the order of a curve. */
static torus_map_t *create_map(const strategy_case_t *machine, const char *allocator)
{
	torus_error_t err;
	torus_map_t *map = torus_map_create_nodes(
		"a", &machine->geometry, TORUS_CURVE_SNAKE, machine->cell_of_rank,
		machine->ranks, NULL, NULL, &err);

	assert_non_null(map);
	map->allocator = allocator_called(allocator);
	return map;
}

/* On one torus, or the larger of two: each place against all pairs of both. */
static void cluster_as_slow(void **state)
{
	int near_ones = 0, far_ones = 0;

	(void)state;
	for (int i = 0; i < RANDOM_CASES(1200); i++) {
		const char *strategy = random_in(0, 1) ? "best_fit" : "compact";
		strategy_case_t machine;
		uint32_t near = random_in(TORUS_NEAR_LEAST, 1500), nodes;
		uint64_t usable[TORUS_WORDS(CASE_RANKS)];
		torus_candidates_t candidates = {.free = usable};
		torus_cluster_request_t request = {.torus = &candidates};
		torus_cluster_placement_t placement;
		torus_cluster_placer_t *placer;
		const torus_map_t *maps[1];
		torus_map_t *map;
		torus_error_t err;

		case_random(&machine, 3, 150);
		nodes = case_random_size(&machine);
		map = create_map(&machine, strategy);
		memcpy(machine.cell_of_rank, map->cell_of_rank,
		       machine.ranks * sizeof(*machine.cell_of_rank));
		maps[0] = map;
		placer = torus_cluster_placer_create(maps, 1);
		assert_non_null(placer);
		case_bitmap(machine.usable, machine.ranks, usable);
		request.nodes = nodes;
		if (torus_cluster_place(placer, &request, &placement, &err) == 1) {
			uint32_t chosen[CASE_RANKS];
			uint64_t sum;
			bool expected;

			memcpy(chosen, placer->part[0].rank, nodes * sizeof(*chosen));
			sum = slow_sum(&machine, chosen, nodes);
			expected = sum * 1000 <=
				   (uint64_t)slow_alone(&machine, strategy, nodes) * near;
			assert_int_equal(
				torus_cluster_is_near(placer, &placement, near, &err),
				expected);
			assert_memory_equal(placer->part[0].rank, chosen,
					    nodes * sizeof(*chosen));
			near_ones += expected;
			far_ones += !expected;
		}
		torus_cluster_placer_destroy(placer);
		torus_map_destroy(map);
	}
	assert_true(near_ones > 20 && far_ones > 20);
}

/* Over two tori of four nodes: a job of five has no other place, one of three has. */
static void spread_jobs(void **state)
{
	torus_error_t err;
	const uint64_t all[] = {0xf}, two[] = {0x9};
	torus_geometry_t geometry;
	torus_map_t *map[2];
	const torus_map_t *maps[2];
	torus_cluster_placer_t *placer;
	torus_candidates_t candidates[2];
	torus_cluster_request_t request = {.spread = true, .torus = candidates};
	torus_cluster_placement_t placement;

	(void)state;
	assert_int_equal(torus_geometry_parse("4", NULL, &geometry, &err), 0);
	for (int t = 0; t < 2; t++) {
		map[t] = torus_map_create("a", &geometry, TORUS_CURVE_ROW_MAJOR, 1, &err);
		assert_non_null(map[t]);
		maps[t] = map[t];
	}
	placer = torus_cluster_placer_create(maps, 2);
	assert_non_null(placer);
	for (uint32_t nodes = 3; nodes <= 5; nodes += 2) {
		for (int t = 0; t < 2; t++)
			candidates[t] =
				(torus_candidates_t){.free = nodes == 3 ? two : all};
		request.nodes = nodes;
		assert_int_equal(torus_cluster_place(placer, &request, &placement, &err),
				 1);
		assert_int_equal(placement.torus, TORUS_SPREAD);
		assert_int_equal(torus_cluster_is_near(placer, &placement, 16000, &err),
				 nodes == 5);
	}
	torus_cluster_placer_destroy(placer);
	for (int t = 0; t < 2; t++)
		torus_map_destroy(map[t]);
}

static void reads_numbers(void **state)
{
	static const struct {
		const char *text;
		uint32_t near;
	} table[] = {{"1", 1000}, {"1.2", 1200}, {"1.05", 1050}, {"16.000", 16000}};
	static const char *const wrong[] = {"",	  "0.9",  "0.999", "16.001", "17",
					    "1.", "1.2x", "-2",	   " 1",     "1.0001"};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t near = 77;

		assert_int_equal(torus_near_parse(table[i].text, &near, NULL), 0);
		assert_int_equal(near, table[i].near);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint32_t near = 77;
		torus_error_t err;

		assert_int_equal(torus_near_parse(wrong[i], &near, &err), -1);
		assert_int_equal(near, 77);
		assert_non_null(strstr(err.text, "is not a number from 1 to 16"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compares_exactly), cmocka_unit_test(alone_as_slow),
		cmocka_unit_test(cluster_as_slow),  cmocka_unit_test(spread_jobs),
		cmocka_unit_test(reads_numbers),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
