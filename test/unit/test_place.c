/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement: against the slow twin on every small line and on random large ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "place/place.h"
#include "place_oracle.h"
#include "random.h"

static void to_bitmap(const bool *bits, uint32_t count, uint64_t *words)
{
	memset(words, 0, TORUS_WORDS(count) * sizeof(*words));
	for (uint32_t i = 0; i < count; i++) {
		if (bits[i])
			torus_bit_set(words, i);
	}
}

static void print_case(const oracle_request_t *request)
{
	print_message("%u of %u ranks, %s, %s%s: ", request->nodes, request->ranks,
		      torus_allocator_name(request->allocator),
		      torus_span_name(request->span),
		      request->contiguous ? ", contiguous" : "");
	for (uint32_t rank = 0; rank < request->ranks; rank++)
		print_message("%c", request->required[rank] ? 'R'
				    : request->free[rank]   ? 'f'
							    : '.');
	print_message("\n");
}

/* What has been compared: a free set may hold the job in one piece, around the end of a
 * ring, only in pieces, or not at all. */
static void count_case(const oracle_request_t *request, const uint64_t *free_ranks,
		       const uint64_t *required, const torus_placement_t *placement)
{
	uint32_t count = torus_bitmap_count(free_ranks, request->ranks);
	bool named = torus_bitmap_count(required, request->ranks);
	bool around = placement && request->nodes > 1 &&
		      placement->first + placement->span > request->ranks;

	reached("in one piece", placement && placement->contiguous);
	reached("in one piece around the end", around && placement->contiguous);
	reached("in pieces", placement && !placement->contiguous);
	reached("in pieces around the end", around && !placement->contiguous);
	reached("with required ranks", placement && named);
	reached("with required ranks, in pieces",
		placement && named && !placement->contiguous);
	reached("no place, for lack of free ranks", !placement && count < request->nodes);
	reached("no interval, with free ranks enough",
		!placement && count >= request->nodes && request->contiguous);
}

/* Place with the engine and with the twin; everything returned must be the same. */
static void compare(torus_placer_t *placer, const oracle_request_t *slow)
{
	uint64_t free_ranks[TORUS_WORDS(ORACLE_RANKS)],
		required[TORUS_WORDS(ORACLE_RANKS)];
	uint32_t chosen[ORACLE_RANKS];
	torus_place_request_t request = {.nodes = slow->nodes,
					 .allocator = slow->allocator,
					 .span = slow->span,
					 .contiguous = slow->contiguous,
					 .required = required};
	torus_placement_t placement = {.first = 12345};
	oracle_choice_t expected;
	bool found, same;

	to_bitmap(slow->free, slow->ranks, free_ranks);
	to_bitmap(slow->required, slow->ranks, required);
	chosen[0] = 54321;
	oracle_place(slow, &expected);
	found = torus_place(placer, free_ranks, &request, chosen, &placement);
	if (found)
		same = expected.found && placement.first == expected.placement.first &&
		       placement.first == chosen[0] &&
		       placement.span == expected.placement.span &&
		       placement.contiguous == expected.placement.contiguous &&
		       placement.score == expected.placement.score &&
		       !memcmp(chosen, expected.chosen,
			       slow->nodes * sizeof(chosen[0])) &&
		       oracle_span(chosen, slow->nodes, slow->ranks, slow->span) ==
			       placement.span;
	else
		same = !expected.found && chosen[0] == 54321 && placement.first == 12345;
	if (!same)
		print_case(slow);
	assert_true(same);
	count_case(slow, free_ranks, required, found ? &placement : NULL);
}

/* Every allocator, span and contiguity, for the free and required ranks in [request]. */
static void compare_all_ways(torus_placer_t *placer, oracle_request_t *request)
{
	for (int way = 0; way < 16; way++) {
		request->allocator = torus_allocators[way & 3];
		request->span = way & 4 ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
		request->contiguous = way & 8;
		compare(placer, request);
	}
}

static void every_free_set_of_small_lines(void **state)
{
	static oracle_request_t request;

	(void)state;
	for (request.ranks = 1; request.ranks <= (RANDOM_SHARE > 1 ? 7 : 9);
	     request.ranks++) {
		torus_placer_t *placer = torus_placer_create(request.ranks);

		assert_non_null(placer);
		memset(request.required, 0, sizeof(request.required));
		for (uint32_t set = 0; set < 1u << request.ranks; set++) {
			for (uint32_t rank = 0; rank < request.ranks; rank++)
				request.free[rank] = set >> rank & 1;
			for (request.nodes = 1; request.nodes <= request.ranks;
			     request.nodes++)
				compare_all_ways(placer, &request);
		}
		torus_placer_destroy(placer);
	}
}

/* Each rank is taken, free, required, or (an error) required but taken. */
static void every_required_set_of_small_lines(void **state)
{
	static oracle_request_t request;

	(void)state;
	for (request.ranks = 1; request.ranks <= (RANDOM_SHARE > 1 ? 4 : 5);
	     request.ranks++) {
		torus_placer_t *placer = torus_placer_create(request.ranks);

		assert_non_null(placer);
		for (uint32_t set = 0; set < 1u << (2 * request.ranks); set++) {
			for (uint32_t rank = 0; rank < request.ranks; rank++) {
				request.free[rank] = set >> (2 * rank) & 1;
				request.required[rank] = set >> (2 * rank + 1) & 1;
			}
			for (request.nodes = 1; request.nodes <= request.ranks;
			     request.nodes++)
				compare_all_ways(placer, &request);
		}
		torus_placer_destroy(placer);
	}
}

/* Free and taken runs of random lengths, so that all sizes of interval occur. */
static void random_free(oracle_request_t *request)
{
	uint32_t longest = random_in(1, request->ranks < 100 ? request->ranks : 100);
	bool now = random_in(0, 1);
	uint32_t rank = 0;

	while (rank < request->ranks) {
		uint32_t run = random_in(1, random_in(1, longest));

		while (run-- && rank < request->ranks)
			request->free[rank++] = now;
		now = !now;
	}
}

/* Free both ends, as on a ring they are one interval, and ask for about all of it. */
static void random_ends(oracle_request_t *request)
{
	uint32_t low = random_in(1, (request->ranks + 3) / 4);
	uint32_t high = random_in(1, (request->ranks + 3) / 4);

	for (uint32_t i = 0; i < low; i++)
		request->free[i] = true;
	for (uint32_t i = 1; i <= high; i++)
		request->free[request->ranks - i] = true;
	request->nodes = low + high - random_in(0, 1);
}

static void random_required(oracle_request_t *request)
{
	uint32_t want = random_in(1, 4), rank = random_in(0, request->ranks - 1);
	uint32_t reach = random_in(1, request->ranks);

	memset(request->required, 0, sizeof(request->required));
	for (uint32_t step = 0; step < reach; step++) {
		uint32_t at = (rank + step) % request->ranks;

		if (request->free[at] && want && !random_in(0, 5)) {
			request->required[at] = true;
			want--;
		}
	}
}

static void random_lines(uint32_t least, uint32_t most, int rounds)
{
	static oracle_request_t request;

	for (int round = 0; round < rounds; round++) {
		torus_placer_t *placer;

		request.ranks = random_in(least, most);
		placer = torus_placer_create(request.ranks);
		assert_non_null(placer);
		for (int set = 0; set < 4; set++) {
			random_free(&request);
			request.nodes = random_in(1, random_in(1, request.ranks));
			if (!random_in(0, 2))
				random_ends(&request);
			memset(request.required, 0, sizeof(request.required));
			compare_all_ways(placer, &request);
			random_required(&request);
			compare_all_ways(placer, &request);
		}
		torus_placer_destroy(placer);
	}
}

static void random_small_lines(void **state)
{
	(void)state;
	random_lines(6, 40, RANDOM_CASES(1000));
	assert_true(reached_all(RANDOM_CASES(1000)));
}

static void random_large_lines(void **state)
{
	(void)state;
	/* The twin takes the time of their third power. */
	random_lines(41, 300, RANDOM_CASES(25));
	random_lines(301, 700, RANDOM_CASES(5));
	/* A few lines may all have room. */
	assert_true(reached_all(RANDOM_SHARE > 1 ? 0 : 20));
}

/* The last rank may be the last bit of a word, or the first of a new one. */
static void lines_that_end_near_a_word(void **state)
{
	(void)state;
	for (uint32_t words = 1; words <= 3; words++) {
		for (uint32_t ranks = 64 * words - 1; ranks <= 64 * words + 1; ranks++)
			random_lines(ranks, ranks, RANDOM_CASES(10));
	}
}

/*
 * Windows are the oracle's idea too; so on tiny lines compare the span with the smallest
 * span of any set at all, by the definition of the span.
 */
static void no_other_set_has_a_smaller_span(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		uint32_t ranks = random_in(1, 11), n = random_in(1, ranks), chosen[16];
		torus_span_t rule = random_in(0, 1) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
		uint64_t usable = random_next() & ((1u << ranks) - 1);
		uint64_t required =
			usable & random_next() & random_next() & random_next();
		torus_place_request_t request = {.nodes = n,
						 .allocator = &torus_best_fit,
						 .span = rule,
						 .required = &required};
		torus_placer_t *placer = torus_placer_create(ranks);
		torus_placement_t placement;
		uint32_t least = UINT32_MAX;

		assert_non_null(placer);
		for (uint64_t set = 0; set < 1u << ranks; set++) {
			uint32_t list[16], count = 0, span;

			if ((set & usable) != set || (set & required) != required)
				continue;
			for (uint32_t rank = 0; rank < ranks; rank++) {
				if (set >> rank & 1)
					list[count++] = rank;
			}
			if (count != n)
				continue;
			span = oracle_span(list, n, ranks, rule);
			assert_int_equal(torus_span_of(list, n, ranks, rule), span);
			least = span < least ? span : least;
		}
		if (torus_place(placer, &usable, &request, chosen, &placement))
			assert_int_equal(placement.span, least);
		else
			assert_int_equal(least, UINT32_MAX);
		torus_placer_destroy(placer);
	}
}

/*
 * A placer that has placed before, on nearly the same free ranks or on others, decides as
 * one that has not.
 */
static void the_last_decision_does_not_matter(void **state)
{
	enum { MOST = 20000 };
	static uint64_t free_ranks[TORUS_WORDS(MOST)], required[TORUS_WORDS(MOST)];
	static uint32_t chosen[MOST], expected[MOST];
	uint32_t placed = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(60); round++) {
		uint32_t ranks = random_in(0, 3) ? random_in(1, MOST)
						 : 64 * random_in(1, MOST / 64);
		torus_placer_t *placer = torus_placer_create(ranks);

		assert_non_null(placer);
		memset(free_ranks, 0, sizeof(free_ranks));
		for (int step = 0; step < 100; step++) {
			uint32_t changes =
				random_in(0, 19) ? random_in(0, 3) : random_in(0, 500);
			torus_place_request_t request = {
				.allocator = torus_allocators[random_in(0, 3)],
				.span = random_in(0, 1) ? TORUS_SPAN_RING
							: TORUS_SPAN_LINEAR,
				.contiguous = random_in(0, 3) == 0,
				.required = random_in(0, 19) ? NULL : required,
			};
			torus_placer_t *fresh = torus_placer_create(ranks);
			torus_placement_t placement, as_expected;
			bool found;

			assert_non_null(fresh);
			for (uint32_t i = 0; i < changes; i++) {
				uint32_t first = random_in(0, ranks - 1);
				uint32_t most = random_in(0, 9) ? 64 : ranks;
				uint32_t count = random_in(1, most);

				if (count > ranks - first)
					count = ranks - first;
				if (random_in(0, 1))
					torus_bitmap_set_range(free_ranks, first, count);
				else
					torus_bitmap_clear_range(free_ranks, first,
								 count);
			}
			memset(required, 0, sizeof(required));
			torus_bit_set(required,
				      torus_bitmap_next_set(free_ranks, ranks, 0) %
					      ranks);
			request.nodes = random_in(1, random_in(0, 3) ? 64 : ranks);
			if (request.nodes > ranks)
				request.nodes = ranks;
			found = torus_place(fresh, free_ranks, &request, expected,
					    &as_expected);
			assert_int_equal(torus_place(placer, free_ranks, &request, chosen,
						     &placement),
					 found);
			torus_placer_destroy(fresh);
			if (!found)
				continue;
			placed++;
			assert_memory_equal(chosen, expected,
					    request.nodes * sizeof(*chosen));
			assert_int_equal(placement.first, as_expected.first);
			assert_int_equal(placement.span, as_expected.span);
			assert_int_equal(placement.score, as_expected.score);
			assert_int_equal(placement.contiguous, as_expected.contiguous);
		}
		torus_placer_destroy(placer);
	}
	assert_true(placed > RANDOM_CASES(1000));
}

/* A few decisions by hand, as the manual would explain them. */
static void known_decisions(void **state)
{
	static const struct {
		const char *line; /* f: free */
		uint32_t nodes;
		const torus_allocator_t *allocator;
		torus_span_t span;
		uint32_t chosen[4];
		uint32_t expected_span;
	} table[] = {
		{"fff.ff.f", 2, &torus_first_fit, TORUS_SPAN_LINEAR, {0, 1}, 2},
		{"fff.ff.f", 2, &torus_best_fit, TORUS_SPAN_LINEAR, {4, 5}, 2},
		{"fff.ff.f", 4, &torus_first_fit, TORUS_SPAN_LINEAR, {0, 1, 2, 4}, 5},
		{"fff.ff.f", 4, &torus_best_fit, TORUS_SPAN_RING, {7, 0, 1, 2}, 4},
		{"fff.ff.f", 4, &torus_free_list, TORUS_SPAN_LINEAR, {0, 1, 2, 4}, 5},
		{"f..f..ff", 3, &torus_best_fit, TORUS_SPAN_LINEAR, {3, 6, 7}, 5},
		{"f..f..ff", 3, &torus_best_fit, TORUS_SPAN_RING, {6, 7, 0}, 3},
		/* N(3) = 3 costs 9: better one 3 less than an interval of 1 more. */
		{"ff.fff.fff.fff", 1, &torus_best_fit, TORUS_SPAN_LINEAR, {0}, 1},
		{"ff.fff.fff.fff", 1, &torus_sum_of_squares, TORUS_SPAN_LINEAR, {3}, 1},
		{"ffffffff", 3, &torus_best_fit, TORUS_SPAN_RING, {0, 1, 2}, 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t ranks = (uint32_t)strlen(table[i].line), chosen[8];
		torus_place_request_t request = {.nodes = table[i].nodes,
						 .allocator = table[i].allocator,
						 .span = table[i].span};
		torus_placer_t *placer = torus_placer_create(ranks);
		torus_placement_t placement;
		uint64_t usable = 0;

		assert_non_null(placer);
		for (uint32_t rank = 0; rank < ranks; rank++)
			usable |= (uint64_t)(table[i].line[rank] == 'f') << rank;
		assert_true(torus_place(placer, &usable, &request, chosen, &placement));
		assert_memory_equal(chosen, table[i].chosen,
				    table[i].nodes * sizeof(chosen[0]));
		assert_int_equal(placement.span, table[i].expected_span);
		/* The placement is optional. */
		assert_true(torus_place(placer, &usable, &request, chosen, NULL));
		torus_placer_destroy(placer);
	}
}

static void refuses_impossible_counts(void **state)
{
	torus_place_request_t request = {.nodes = 0};
	torus_placer_t *placer = torus_placer_create(8);
	uint64_t usable = 0xff;
	uint32_t chosen[9];

	(void)state;
	assert_non_null(placer);
	assert_false(torus_place(placer, &usable, &request, chosen, NULL));
	request.nodes = 9;
	assert_false(torus_place(placer, &usable, &request, chosen, NULL));
	torus_placer_destroy(placer);
	torus_placer_destroy(NULL);
}

static void reads_names(void **state)
{
	const torus_allocator_t *allocator;
	torus_error_t err = {""};
	torus_span_t span;

	(void)state;
	for (int i = 0; torus_allocators[i]; i++) {
		const char *name = torus_allocator_name(torus_allocators[i]);

		assert_int_equal(
			torus_allocator_parse(name, torus_allocators, &allocator, &err),
			0);
		assert_ptr_equal(allocator, torus_allocators[i]);
		assert_false(torus_allocator_waits(allocator));
		assert_false(torus_allocator_by_chance(allocator));
	}
	assert_int_equal(
		torus_allocator_parse("Best_Fit", torus_allocators, &allocator, &err), 0);
	assert_ptr_equal(allocator, &torus_best_fit);
	assert_int_equal(torus_span_parse("RING", &span, &err), 0);
	assert_int_equal(span, TORUS_SPAN_RING);
	assert_int_equal(
		torus_span_parse(torus_span_name(TORUS_SPAN_LINEAR), &span, &err), 0);
	assert_int_equal(span, TORUS_SPAN_LINEAR);
	assert_string_equal(err.text, "");
	assert_int_equal(
		torus_allocator_parse("worst_fit", torus_allocators, &allocator, &err),
		-1);
	assert_non_null(strstr(err.text, "'worst_fit'"));
	assert_non_null(strstr(err.text, "sum_of_squares"));
	assert_int_equal(torus_span_parse("", &span, &err), -1);
	assert_non_null(strstr(err.text, "ring or linear"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_free_set_of_small_lines),
		cmocka_unit_test(every_required_set_of_small_lines),
		cmocka_unit_test(random_small_lines),
		cmocka_unit_test(random_large_lines),
		cmocka_unit_test(lines_that_end_near_a_word),
		cmocka_unit_test(no_other_set_has_a_smaller_span),
		cmocka_unit_test(the_last_decision_does_not_matter),
		cmocka_unit_test(known_decisions),
		cmocka_unit_test(refuses_impossible_counts),
		cmocka_unit_test(reads_names),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
