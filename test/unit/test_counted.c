/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether nodes have the features that are counted, beside trying all ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "decide/counted.h"
#include "random.h"

enum { FEATURES = 5, NODES = 8 };

/* One node for each in turn. */
static bool has_own(int features, const uint32_t *number, const uint64_t *has,
		    size_t count, uint32_t used, int feature, uint32_t done)
{
	if (feature == features)
		return true;
	if (done == number[feature])
		return has_own(features, number, has, count, used, feature + 1, 0);
	for (size_t i = 0; i < count; i++) {
		if (!(used >> i & 1) && (has[i] >> feature & 1) &&
		    has_own(features, number, has, count, used | 1u << i, feature,
			    done + 1))
			return true;
	}
	return false;
}

static bool has_each(int features, const uint32_t *number, const uint64_t *has,
		     size_t count)
{
	for (int feature = 0; feature < features; feature++) {
		uint32_t with = 0;

		for (size_t i = 0; i < count; i++)
			with += has[i] >> feature & 1;
		if (with < number[feature])
			return false;
	}
	return true;
}

static void beside_all_ways(void **state)
{
	uint32_t yes = 0, no = 0, only_together = 0;

	(void)state;
	for (int i = 0; i < RANDOM_CASES(20000); i++) {
		int features = (int)random_in(0, FEATURES);
		uint32_t number[FEATURES], kinds = random_in(1, 6);
		size_t count = random_in(0, NODES);
		uint64_t kind[6], has[NODES];
		bool each, own;

		for (uint32_t k = 0; k < kinds; k++)
			kind[k] = random_in(0, (1u << FEATURES) - 1);
		for (size_t node = 0; node < count; node++)
			has[node] = kind[random_in(0, kinds - 1)];
		for (int feature = 0; feature < features; feature++)
			number[feature] = random_in(0, 3);
		each = has_each(features, number, has, count);
		own = has_own(features, number, has, count, 0, 0, 0);
		assert_int_equal(
			torus_counted_suffice(features, number, false, has, count), each);
		assert_int_equal(
			torus_counted_suffice(features, number, true, has, count), own);
		yes += own;
		no += !own;
		only_together += each && !own;
	}
	assert_true(yes > RANDOM_CASES(1000) && no > RANDOM_CASES(1000));
	assert_true(only_together > RANDOM_CASES(200));
}

/* Each feature takes from the next one, through all of them. */
static void a_long_way(void **state)
{
	uint32_t number[TORUS_COUNTED_MOST];
	uint64_t has[2 * TORUS_COUNTED_MOST];
	size_t count = 0;

	(void)state;
	/* Feature 0 is on nodes that 1 wants, 1 on those that 2 wants ... The first that
	 * are found are the wrong ones. */
	has[count++] = UINT64_C(1) << (TORUS_COUNTED_MOST - 1);
	for (int i = 0; i + 1 < TORUS_COUNTED_MOST; i++) {
		number[i] = 1;
		has[count++] = UINT64_C(3) << i;
	}
	number[TORUS_COUNTED_MOST - 1] = 1;
	assert_true(torus_counted_suffice(TORUS_COUNTED_MOST, number, true, has, count));
	number[0] = 2;
	assert_false(torus_counted_suffice(TORUS_COUNTED_MOST, number, true, has, count));
	assert_true(torus_counted_suffice(0, number, true, has, count));
}

/* Whether any part of the subset is on no node with the rest of it. */
static bool falls_apart(const uint64_t *has, size_t count, uint32_t subset)
{
	for (uint32_t part = (subset - 1) & subset; part; part = (part - 1) & subset) {
		bool meet = false;

		for (size_t node = 0; node < count; node++)
			meet = meet ||
			       ((has[node] & part) && (has[node] & subset & ~part));
		if (!meet)
			return true;
	}
	return false;
}

static void subsets(void **state)
{
	(void)state;
	for (int i = 0; i < RANDOM_CASES(5000); i++) {
		int features = (int)random_in(1, 7);
		uint32_t subset = random_in(1, (1u << features) - 1), number[7];
		uint32_t overlap[TORUS_COUNTED_SUBSET] = {0}, sum = 0, all = 0, most = 0;
		size_t count = random_in(0, NODES);
		uint64_t has[NODES];

		for (size_t node = 0; node < count; node++) {
			has[node] = UINT64_C(1) << random_in(0, (uint32_t)features - 1);
			has[node] |= UINT64_C(1) << random_in(0, (uint32_t)features - 1);
		}
		for (int feature = 0; feature < features; feature++) {
			number[feature] = random_in(1, 9);
			all += number[feature];
			sum += (subset >> feature & 1) * number[feature];
			most = number[feature] > most ? number[feature] : most;
			for (size_t node = 0; node < count; node++)
				overlap[feature] |= (has[node] >> feature & 1)
							    ? (uint32_t)has[node]
							    : 0;
		}
		reached("a subset that falls apart", falls_apart(has, count, subset));
		reached("one that does not",
			!falls_apart(has, count, subset) && (subset & (subset - 1)));
		assert_int_equal(torus_counted_overlap(overlap, subset),
				 !falls_apart(has, count, subset));
		assert_int_equal(torus_counted_sum(features, number, subset), sum);
		assert_int_equal(torus_counted_least(features, number, true), all);
		assert_int_equal(torus_counted_least(features, number, false), most);
	}
	assert_true(reached_all(RANDOM_CASES(100)));
	assert_int_equal(torus_counted_least(0, NULL, true), 0);
}

/* Of more features than a subset has bits for, the first ones. */
static void many_features(void **state)
{
	uint32_t number[TORUS_COUNTED_MOST];

	(void)state;
	for (int i = 0; i < TORUS_COUNTED_MOST; i++)
		number[i] = UINT32_MAX;
	assert_true(torus_counted_sum(TORUS_COUNTED_MOST, number, UINT32_MAX) ==
		    UINT64_C(32) * UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(beside_all_ways),
		cmocka_unit_test(a_long_way),
		cmocka_unit_test(subsets),
		cmocka_unit_test(many_features),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
