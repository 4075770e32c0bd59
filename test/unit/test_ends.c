/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ends of the running jobs, and the groups that Slurm makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "decide/ends.h"
#include "random.h"

#define CASES RANDOM_CASES(20000)
enum { MOST = 40 };

/* From [least] on it fits. */
typedef struct question {
	int64_t least;
	int asked;
} question_t;

static bool fits(void *context, int64_t when)
{
	question_t *question = context;

	question->asked++;
	return when >= question->least;
}

static int random_ends(int64_t *end)
{
	int count = (int)random_in(0, MOST);
	int64_t when = random_in(1, 100);
	uint32_t step = random_in(0, 3) ? random_in(0, 60) : 2000;

	for (int i = 0; i < count; i++) {
		end[i] = when;
		when += random_in(0, step);
	}
	return count;
}

static void finds_the_first_end(void **state)
{
	(void)state;
	for (int i = 0; i < CASES; i++) {
		int64_t end[MOST];
		torus_ends_t ends = {random_ends(end), end};
		int first = 0, from, to;
		question_t question = {.least = random_in(0, 2500)};

		while (first < ends.count && end[first] < question.least)
			first++;
		from = (int)random_in(0, (uint32_t)first);
		to = first + (int)random_in(0, (uint32_t)(ends.count - first));
		assert_int_equal(torus_ends_search(&ends, from, fits, &question), first);
		/* Near ones are found with few questions, whatever comes after them. */
		assert_true(question.asked <= 2 * (first - from) + 1);
		assert_true(question.asked <= 14);
		assert_int_equal(torus_ends_bisect(&ends, from, to, fits, &question),
				 first);
		assert_int_equal(torus_ends_by(&ends, question.least - 1), first);
	}
}

static bool counts_bit(void *context, int index)
{
	return *(const uint64_t *)context >> index & 1;
}

/* The last end of each group, one after the other. */
static int twin_groups(const torus_ends_t *ends, int64_t latest, int64_t growth,
		       uint64_t counted, int64_t *last)
{
	int64_t limit[MOST * 2], begin = 0;
	int groups = 0, count = 0, in = 0;

	while (count < ends->count && (!latest || ends->end[count] <= latest))
		count++;
	for (int i = 0; i < count && !begin; i++) {
		if (counted >> i & 1)
			begin = (ends->end[i] / 30 + 1) * 30;
	}
	for (int k = 0; k < MOST * 2; k++)
		limit[k] = begin +
			   (growth ? 30 + k * growth : INT64_C(30) << (k < 40 ? k : 40));
	for (int i = 0; i < count; i++) {
		if (!(counted >> i & 1))
			continue;
		last[groups] = ends->end[i];
		if (i + 1 == ends->count || ends->end[i + 1] <= limit[in])
			continue;
		while (in < MOST * 2 - 1 && ends->end[i + 1] > limit[in])
			in++;
		groups++;
		last[groups] = INT64_MIN;
	}
	return groups;
}

static void groups_ends_as_slurm_does(void **state)
{
	uint32_t later = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		int64_t end[MOST], last[MOST + 1] = {INT64_MIN}, when, found;
		torus_ends_t ends = {random_ends(end), end};
		int64_t growth = random_in(0, 1) ? 0 : random_in(1000, 4000);
		int64_t latest = random_in(0, 2) ? 0 : random_in(1, 3000);
		uint64_t counted = random_in(0, 2) ? UINT64_MAX : random_next();
		int groups = twin_groups(&ends, latest, growth, counted, last), g = 0;

		when = ends.count && random_in(0, 3)
			       ? end[random_in(0, (uint32_t)ends.count - 1)]
			       : random_in(0, 3000);
		while (g < groups && last[g] < when)
			g++;
		found = torus_ends_group(&ends, when, latest, growth, counts_bit,
					 &counted);
		assert_int_equal(found, last[g] > when ? last[g] : when);
		later += found > when;
	}
	assert_true(later > CASES / 10);
}

/* By hand: the first end, rounded up, is 30; the first group goes on until half a minute
 * later, 60, the next until 90, 150 and so on. */
static void knows_a_few_groups(void **state)
{
	const int64_t end[] = {10, 50, 60, 61, 90, 91, 2000};
	const torus_ends_t ends = {7, end};
	uint64_t all = UINT64_MAX, odd = 0x2a;
	torus_ends_t one = {1, end};

	(void)state;
	assert_int_equal(torus_ends_group(&ends, 10, 0, 0, counts_bit, &all), 60);
	assert_int_equal(torus_ends_group(&ends, 60, 0, 0, counts_bit, &all), 60);
	assert_int_equal(torus_ends_group(&ends, 61, 0, 0, counts_bit, &all), 90);
	assert_int_equal(torus_ends_group(&ends, 91, 0, 0, counts_bit, &all), 91);
	assert_int_equal(torus_ends_group(&ends, 92, 0, 0, counts_bit, &all), 2000);
	assert_int_equal(torus_ends_group(&ends, 3000, 0, 0, counts_bit, &all), 3000);
	/* With bf_window_linear=100 the second group goes on until 160. */
	assert_int_equal(torus_ends_group(&ends, 61, 0, 100, counts_bit, &all), 91);
	assert_int_equal(torus_ends_group(&ends, 61, 90, 100, counts_bit, &all), 90);
	/* Only those at 50, 61 and 91 count: the first group goes on until 90, and takes
	 * in one more, since what comes next after 61 is in it. */
	assert_int_equal(torus_ends_group(&ends, 50, 0, 0, counts_bit, &odd), 91);
	assert_int_equal(torus_ends_group(&one, 10, 0, 0, counts_bit, &all), 10);
	one.count = 0;
	assert_int_equal(torus_ends_group(&one, 7, 0, 0, counts_bit, &all), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_first_end),
		cmocka_unit_test(groups_ends_as_slurm_does),
		cmocka_unit_test(knows_a_few_groups),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
