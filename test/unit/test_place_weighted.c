/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement by node weights: against all sets of nodes on tiny lines, and the slow twin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "place/place.h"
#include "place_oracle.h"
#include "random.h"

#define TINY 11

/* A tiny line: what is asked and what the engine said. */
typedef struct tiny_case {
	uint32_t ranks;
	uint64_t usable;
	uint64_t required;
	uint64_t weights[TINY];
	torus_place_request_t request;
	int placed;
	uint32_t chosen[TINY];
	torus_placement_t placement;
} tiny_case_t;

static void random_case(tiny_case_t *tiny)
{
	uint32_t classes = random_in(1, 4);

	memset(tiny, 0, sizeof(*tiny));
	tiny->ranks = random_in(1, TINY);
	tiny->usable = (random_next() | random_next()) & ((1u << tiny->ranks) - 1);
	if (random_in(0, 1))
		tiny->required = tiny->usable & random_next() & random_next();
	for (uint32_t rank = 0; rank < tiny->ranks; rank++)
		tiny->weights[rank] = UINT64_MAX - random_in(0, classes - 1);
	tiny->request.nodes = random_in(1, tiny->ranks);
	tiny->request.allocator = torus_allocators[random_in(0, 3)];
	tiny->request.span = random_in(0, 1) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
	tiny->request.required = &tiny->required;
}

static void place_case(tiny_case_t *tiny)
{
	torus_placer_t *placer = torus_placer_create(tiny->ranks);
	torus_error_t err;

	assert_non_null(placer);
	tiny->placed =
		torus_place_weighted(placer, &tiny->usable, tiny->weights, &tiny->request,
				     tiny->chosen, &tiny->placement, &err);
	torus_placer_destroy(placer);
}

/* The slow twin of torus_place() on [usable] alone with [required]. */
static void slow_place(const tiny_case_t *tiny, uint64_t usable, uint64_t required,
		       oracle_choice_t *choice)
{
	oracle_request_t slow = {.ranks = tiny->ranks,
				 .nodes = tiny->request.nodes,
				 .allocator = tiny->request.allocator,
				 .span = tiny->request.span,
				 .contiguous = tiny->request.contiguous};

	for (uint32_t rank = 0; rank < tiny->ranks; rank++) {
		slow.free[rank] = usable >> rank & 1;
		slow.required[rank] = required >> rank & 1;
	}
	oracle_place(&slow, choice);
}

static void assert_same(const tiny_case_t *tiny, const oracle_choice_t *expected)
{
	assert_int_equal(tiny->placed, expected->found);
	if (!tiny->placed)
		return;
	assert_memory_equal(tiny->chosen, expected->chosen,
			    tiny->request.nodes * sizeof(tiny->chosen[0]));
	assert_int_equal(tiny->placement.first, expected->placement.first);
	assert_int_equal(tiny->placement.span, expected->placement.span);
	assert_int_equal(tiny->placement.contiguous, expected->placement.contiguous);
	assert_true(tiny->placement.score == expected->placement.score);
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/* Weights of the ranks of [set], ascending; returns how many. */
static uint32_t sorted_weights(const tiny_case_t *tiny, uint64_t set, uint64_t *sorted)
{
	uint32_t count = 0;

	for (uint32_t rank = 0; rank < tiny->ranks; rank++) {
		if (set >> rank & 1)
			sorted[count++] = tiny->weights[rank];
	}
	qsort(sorted, count, sizeof(*sorted), compare_numbers);
	return count;
}

static uint64_t chosen_set(const tiny_case_t *tiny)
{
	uint64_t set = 0;

	for (uint32_t i = 0; i < tiny->request.nodes; i++)
		set |= (uint64_t)1 << tiny->chosen[i];
	return set;
}

/*
 * The two promises, by looking at every set: no set has lower weights, and of those with
 * the same weights none has a smaller span. (Ranks that the user required do not count
 * for weights. Where the lightest ranks alone are enough, the allocator rules, not the
 * span.)
 */
static void no_other_set_is_lighter_or_closer(void **state)
{
	(void)state;
	for (int round = 0; round < 6000; round++) {
		uint64_t ours[TINY], theirs[TINY], lightest[TINY];
		uint32_t n, usable, required, least = UINT32_MAX;
		bool by_span;
		tiny_case_t tiny;

		random_case(&tiny);
		n = tiny.request.nodes;
		place_case(&tiny);
		usable = (uint32_t)__builtin_popcountll(tiny.usable);
		required = (uint32_t)__builtin_popcountll(tiny.required);
		assert_int_equal(tiny.placed, usable >= n && required <= n);
		if (!tiny.placed)
			continue;
		assert_int_equal(__builtin_popcountll(chosen_set(&tiny)), n);
		assert_int_equal(chosen_set(&tiny) & ~tiny.usable, 0);
		assert_int_equal(tiny.required & ~chosen_set(&tiny), 0);
		sorted_weights(&tiny, chosen_set(&tiny) & ~tiny.required, ours);
		sorted_weights(&tiny, tiny.usable, lightest);
		by_span = required || lightest[0] != lightest[n - 1];
		for (uint64_t set = 0; set < 1u << tiny.ranks; set++) {
			uint32_t list[TINY], count = 0, span;
			int order;

			if ((set & tiny.usable) != set || tiny.required & ~set ||
			    __builtin_popcountll(set) != (int)n)
				continue;
			sorted_weights(&tiny, set & ~tiny.required, theirs);
			order = 0;
			for (uint32_t i = 0; i < n - required && !order; i++)
				order = compare_numbers(&ours[i], &theirs[i]);
			assert_true(order <= 0);
			if (order)
				continue;
			for (uint32_t rank = 0; rank < tiny.ranks; rank++) {
				if (set >> rank & 1)
					list[count++] = rank;
			}
			span = oracle_span(list, n, tiny.ranks, tiny.request.span);
			least = span < least ? span : least;
		}
		reached("the span rules", by_span);
		reached("the allocator rules", !by_span);
		reached("required ranks rule",
			required && lightest[0] == lightest[n - 1]);
		reached("some of the weights, not all of their ranks",
			n < usable && lightest[n - 1] == lightest[n] &&
				lightest[0] != lightest[n - 1]);
		if (by_span)
			assert_int_equal(tiny.placement.span, least);
		else
			assert_true(tiny.placement.span >= least);
	}
	assert_true(reached_all(200));
}

static void equal_weights_change_nothing(void **state)
{
	(void)state;
	for (int round = 0; round < 6000; round++) {
		oracle_choice_t expected;
		tiny_case_t tiny;

		random_case(&tiny);
		for (uint32_t rank = 0; rank < tiny.ranks; rank++)
			tiny.weights[rank] = tiny.usable >> rank & 1 ? 7 : rank;
		tiny.request.contiguous = random_in(0, 1);
		place_case(&tiny);
		slow_place(&tiny, tiny.usable, tiny.required, &expected);
		assert_same(&tiny, &expected);
	}
}

static void agrees_with_adding_weight_after_weight(void **state)
{
	static oracle_choice_t expected;
	int contiguous_found = 0;

	(void)state;
	for (int round = 0; round < 8000; round++) {
		static oracle_request_t request;
		uint64_t weights[200], usable[4] = {0}, required[4] = {0};
		uint32_t chosen[200], run = 0;
		torus_place_request_t fast = {.required = required};
		torus_placement_t placement;
		torus_placer_t *placer;
		torus_error_t err;
		int placed;

		memset(&request, 0, sizeof(request));
		request.ranks = random_in(1, round % 8 ? 30 : 200);
		request.nodes = random_in(1, random_in(1, request.ranks));
		request.allocator = torus_allocators[random_in(0, 3)];
		request.span = random_in(0, 1) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
		request.contiguous = random_in(0, 1);
		for (uint32_t rank = 0; rank < request.ranks; rank++) {
			if (!run--)
				run = random_in(0, 9);
			/* Runs of one weight, as racks are; 10 stands for taken. */
			weights[rank] =
				run && rank ? weights[rank - 1] : random_in(0, 10);
			request.free[rank] = weights[rank] < 10 && random_in(0, 15);
			if (!random_in(0, 99))
				request.required[rank] = request.free[rank];
			usable[rank / 64] |= (uint64_t)request.free[rank] << rank % 64;
			required[rank / 64] |= (uint64_t)request.required[rank]
					       << rank % 64;
		}
		oracle_place_weighted(&request, weights, &expected);

		fast.nodes = request.nodes;
		fast.allocator = request.allocator;
		fast.span = request.span;
		fast.contiguous = request.contiguous;
		placer = torus_placer_create(request.ranks);
		assert_non_null(placer);
		placed = torus_place_weighted(placer, usable, weights, &fast, chosen,
					      &placement, &err);
		torus_placer_destroy(placer);
		assert_int_equal(placed, expected.found);
		if (!placed)
			continue;
		assert_memory_equal(chosen, expected.chosen,
				    request.nodes * sizeof(chosen[0]));
		assert_int_equal(placement.span, expected.placement.span);
		assert_true(placement.score == expected.placement.score);
		contiguous_found += request.contiguous;
	}
	assert_true(contiguous_found > 500);
}

static void required_rank_that_is_taken_has_no_choice(void **state)
{
	tiny_case_t tiny = {.ranks = 6,
			    .usable = 0x1f,
			    .required = 0x20,
			    .weights = {1, 2, 3, 4, 5, 6},
			    .request = {.nodes = 3}};

	(void)state;
	tiny.request.required = &tiny.required;
	place_case(&tiny);
	assert_int_equal(tiny.placed, 0);
	tiny.usable = 0x3f;
	place_case(&tiny);
	assert_int_equal(tiny.placed, 1);
	assert_int_equal(chosen_set(&tiny),
			 0x23); /* the required one, the two lightest */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_other_set_is_lighter_or_closer),
		cmocka_unit_test(equal_weights_change_nothing),
		cmocka_unit_test(agrees_with_adding_weight_after_weight),
		cmocka_unit_test(required_rank_that_is_taken_has_no_choice),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
