/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free intervals, against a twin that walks the ranks one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/bitmap.h"
#include "metrics/fragments.h"
#include "random.h"

#define MAX_RANKS 200

/* Start a walk at a rank behind one that is taken, so that no interval is cut in two. */
static torus_fragments_t slow_fragments(const bool *free, uint32_t ranks, bool ring)
{
	torus_fragments_t found = {0};
	uint32_t start = 0, run = 0;

	while (ring && start < ranks && free[start])
		start++;
	for (uint32_t i = 0; i <= ranks; i++) {
		if (i < ranks && free[(start + i) % ranks]) {
			found.free++;
			run++;
			continue;
		}
		if (run) {
			found.intervals++;
			found.squares += (uint64_t)run * run;
			found.largest = run > found.largest ? run : found.largest;
		}
		run = 0;
	}
	return found;
}

static void same_as_walking(void **state)
{
	(void)state;
	for (int round = 0; round < 20000; round++) {
		uint32_t ranks = (uint32_t)random_in(1, MAX_RANKS);
		uint64_t words[TORUS_WORDS(MAX_RANKS)] = {0};
		uint32_t taken = random_in(0, 10), sticks = random_in(1, 20);
		bool free[MAX_RANKS] = {false}, now = false;

		for (uint32_t i = 0; i < ranks; i++) {
			if (random_in(0, sticks) == 0 || i == 0)
				now = random_in(0, 10) >= taken;
			free[i] = now;
			if (now)
				torus_bit_set(words, i);
		}
		for (int span = TORUS_SPAN_LINEAR; span <= TORUS_SPAN_RING; span++) {
			torus_fragments_t fast =
				torus_fragments(words, ranks, (torus_span_t)span);
			torus_fragments_t slow =
				slow_fragments(free, ranks, span == TORUS_SPAN_RING);

			assert_int_equal(fast.free, slow.free);
			assert_int_equal(fast.intervals, slow.intervals);
			assert_int_equal(fast.largest, slow.largest);
			assert_int_equal(fast.squares, slow.squares);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_walking),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
