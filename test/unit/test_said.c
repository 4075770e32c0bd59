/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A memory for what has been said: once for each subject, and how much it keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/said.h"

static void once_a_subject(void **state)
{
	static torus_said_t said;

	(void)state;
	for (int round = 0; round < 20; round++) {
		assert_int_equal(torus_said_before(&said, 7, "a"), round > 0);
		assert_int_equal(torus_said_before(&said, 8, "a"), round > 0);
		assert_int_equal(torus_said_before(&said, 7, "b"), round > 0);
		assert_int_equal(torus_said_before(&said, 7, ""), round > 0);
		/* One that shares its room with subject 7. */
		assert_int_equal(torus_said_before(&said, 7 + TORUS_SAID_SETS, "a"),
				 round > 0);
	}
}

static void many_in_turns(void **state)
{
	static torus_said_t said;
	const uint32_t subjects = TORUS_SAID_SETS * TORUS_SAID_TEXTS;

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (uint32_t subject = 0; subject < subjects; subject++)
			assert_int_equal(torus_said_before(&said, subject, "waits"),
					 round > 0);
	}
}

/* The oldest text goes first. */
static void forgets(void **state)
{
	static torus_said_t said;
	char text[16];

	(void)state;
	for (int i = 0; i <= TORUS_SAID_TEXTS; i++) {
		snprintf(text, sizeof(text), "text %d", i);
		assert_false(torus_said_before(&said, 1, text));
	}
	assert_true(torus_said_before(&said, 1, "text 1"));
	assert_false(torus_said_before(&said, 1, "text 0"));
	assert_false(torus_said_before(&said, 1, "text 1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(once_a_subject),
		cmocka_unit_test(many_in_turns),
		cmocka_unit_test(forgets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
