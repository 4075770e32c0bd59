/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow twins of torus_place() and torus_place_weighted(): the rules of place/place.h
 * one by one, on arrays of bool, trying everything. For the tests of placement only.
 */
#ifndef TORUS_TEST_PLACE_ORACLE_H
#define TORUS_TEST_PLACE_ORACLE_H

#include <stdbool.h>
#include <string.h>

#include "place/place.h"

#define ORACLE_RANKS 1024
#define ORACLE_HEAVIEST 10 /* weight */

typedef struct oracle_request {
	uint32_t ranks;
	uint32_t nodes;
	const torus_allocator_t *allocator;
	torus_span_t span;
	bool contiguous;
	bool free[ORACLE_RANKS];
	bool required[ORACLE_RANKS];
} oracle_request_t;

typedef struct oracle_choice {
	bool found;
	uint32_t chosen[ORACLE_RANKS];
	torus_placement_t placement;
} oracle_choice_t;

/* Whether an interval starts at [rank], and how long it is. */
static inline uint32_t oracle_interval(const oracle_request_t *request, uint32_t rank)
{
	bool ring = request->span == TORUS_SPAN_RING;
	uint32_t length = 0, before = rank ? rank - 1 : request->ranks - 1;

	if (!request->free[rank])
		return 0;
	while (length < request->ranks &&
	       request->free[(rank + length) % request->ranks] &&
	       (ring || rank + length < request->ranks))
		length++;
	if (ring && length == request->ranks)
		return rank ? 0 : length; /* the whole ring starts at rank 0 */
	if ((ring || rank) && request->free[before])
		return 0;
	return length;
}

/* Sum over s of N(s)^2 after [taken] ranks were cut from the interval that starts at
 * [cut]. */
static inline int64_t oracle_squares(const oracle_request_t *request, uint32_t cut,
				     uint32_t taken)
{
	int64_t number[ORACLE_RANKS + 1], sum = 0;

	memset(number, 0, (request->ranks + 1) * sizeof(*number));
	for (uint32_t rank = 0; rank < request->ranks; rank++) {
		uint32_t length = oracle_interval(request, rank);

		number[rank == cut ? length - taken : length]++;
	}
	for (uint32_t size = 1; size <= request->ranks; size++)
		sum += number[size] * number[size];
	return sum;
}

/* Take n ranks from [first] on, going up and around. */
static inline void oracle_take(const oracle_request_t *request, uint32_t first,
			       oracle_choice_t *choice)
{
	uint32_t taken = 0;

	for (uint32_t step = 0; taken < request->nodes; step++) {
		uint32_t rank = (first + step) % request->ranks;

		if (request->free[rank])
			choice->chosen[taken++] = rank;
	}
	choice->found = true;
	choice->placement.first = first;
}

static inline void oracle_from_interval(const oracle_request_t *request,
					oracle_choice_t *choice)
{
	int64_t best = INT64_MAX;
	uint32_t n = request->nodes;

	for (uint32_t rank = 0; rank < request->ranks; rank++) {
		uint32_t length = oracle_interval(request, rank);
		int64_t score = 0;

		if (length < n)
			continue;
		if (request->allocator == &torus_best_fit)
			score = length - n;
		if (request->allocator == &torus_sum_of_squares)
			score = oracle_squares(request, rank, n) -
				oracle_squares(request, rank, 0);
		if (score >= best)
			continue;
		best = score;
		oracle_take(request, rank, choice);
		choice->placement.span = n;
		choice->placement.contiguous = true;
		choice->placement.score = score;
	}
}

/*
 * Of all windows of consecutive ranks that hold n free ones and all required ones, the
 * shortest, then the one with the lowest first rank; of it the required ranks and those
 * nearest to its start.
 */
static inline void oracle_from_window(const oracle_request_t *request,
				      oracle_choice_t *choice)
{
	uint32_t ranks = request->ranks, n = request->nodes, required = 0;

	for (uint32_t rank = 0; rank < ranks; rank++)
		required += request->required[rank];
	for (uint32_t length = n; length <= ranks; length++) {
		for (uint32_t first = 0; first < ranks; first++) {
			uint32_t usable = 0, inside = 0, spare = n - required, taken = 0;

			if (request->span == TORUS_SPAN_LINEAR && first + length > ranks)
				break;
			for (uint32_t step = 0; step < length; step++) {
				usable += request->free[(first + step) % ranks];
				inside += request->required[(first + step) % ranks];
			}
			if (usable < n || inside < required)
				continue;
			for (uint32_t step = 0; step < length; step++) {
				uint32_t rank = (first + step) % ranks;

				if (request->required[rank])
					choice->chosen[taken++] = rank;
				else if (request->free[rank] && spare && spare--)
					choice->chosen[taken++] = rank;
			}
			choice->found = true;
			choice->placement.first = first;
			choice->placement.span = length;
			choice->placement.contiguous = length == n;
			choice->placement.score = length;
			return;
		}
	}
}

/* ranks - largest gap, or max - min + 1, by looking at every rank. */
static inline uint32_t oracle_span(const uint32_t *list, uint32_t count, uint32_t ranks,
				   torus_span_t rule)
{
	bool member[ORACLE_RANKS];
	uint32_t lowest = ranks, highest = 0, gap = 0, run = 0;

	memset(member, 0, ranks * sizeof(*member));
	for (uint32_t i = 0; i < count; i++) {
		member[list[i]] = true;
		lowest = list[i] < lowest ? list[i] : lowest;
		highest = list[i] > highest ? list[i] : highest;
	}
	if (rule == TORUS_SPAN_LINEAR)
		return highest - lowest + 1;
	for (uint32_t step = 0; step < 2 * ranks; step++) { /* twice around */
		run = member[step % ranks] ? 0 : run + 1;
		gap = run > gap ? run : gap;
	}
	return ranks - gap;
}

static inline void oracle_place(const oracle_request_t *request, oracle_choice_t *choice)
{
	uint32_t ranks = request->ranks, n = request->nodes, usable = 0, required = 0;
	bool possible = true;

	memset(choice, 0, sizeof(*choice));
	for (uint32_t rank = 0; rank < ranks; rank++) {
		usable += request->free[rank];
		required += request->required[rank];
		possible &= request->free[rank] || !request->required[rank];
	}
	if (!possible || usable < n || required > n)
		return;
	if (required) {
		oracle_from_window(request, choice);
		if (request->contiguous && !choice->placement.contiguous)
			choice->found = false;
		return;
	}
	if (request->allocator == &torus_free_list && !request->contiguous) {
		oracle_take(request, 0, choice);
		choice->placement.first = choice->chosen[0];
		choice->placement.span =
			oracle_span(choice->chosen, n, ranks, request->span);
		choice->placement.contiguous = choice->placement.span == n;
		if (!choice->placement.contiguous)
			choice->placement.score = choice->placement.span;
		return;
	}
	oracle_from_interval(request, choice);
	if (!choice->found && !request->contiguous)
		oracle_from_window(request, choice);
}

/* By weights up to ORACLE_HEAVIEST: one after the other is added until it is enough. */
static inline void oracle_place_weighted(const oracle_request_t *request,
					 const uint64_t *weights, oracle_choice_t *choice)
{
	static oracle_request_t part, lower;
	uint64_t weight = 0;
	bool enough = false;

	memset(choice, 0, sizeof(*choice));
	for (; weight <= ORACLE_HEAVIEST && !choice->found; weight++) {
		uint32_t count = 0;

		part = *request;
		lower = *request;
		for (uint32_t rank = 0; rank < request->ranks; rank++) {
			part.free[rank] =
				request->free[rank] &&
				(weights[rank] <= weight || request->required[rank]);
			lower.free[rank] = part.free[rank];
			lower.required[rank] |= part.free[rank] && weights[rank] < weight;
			count += part.free[rank];
		}
		if (count < request->nodes)
			continue;
		if (!enough)
			oracle_place(&lower, choice);
		enough = true;
		if (!choice->found && request->contiguous)
			oracle_place(&part, choice);
		else
			return;
	}
}

#endif
