/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The edit distance, against the words of its definition. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/edit_distance.h"
#include "random.h"

/* Try every way to treat the first characters. */
static size_t slow_distance(const char *a, const char *b)
{
	size_t best, other;

	if (!*a || !*b)
		return strlen(a) + strlen(b);
	best = slow_distance(a + 1, b + 1) +
	       (tolower((unsigned char)*a) != tolower((unsigned char)*b));
	other = 1 + slow_distance(a + 1, b);
	best = other < best ? other : best;
	other = 1 + slow_distance(a, b + 1);
	return other < best ? other : best;
}

static void known_words(void **state)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} table[] = {
		{"", "", 0},	       {"", "map", 3},		 {"show", "", 4},
		{"place", "plcae", 2}, {"kitten", "sitting", 3}, {"CURVE", "curve", 0},
		{"Dim", "Dims", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_int_equal(torus_edit_distance(table[i].a, table[i].b),
				 table[i].distance);
}

static void random_words(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		char word[2][8] = {"", ""};

		for (int w = 0; w < 2; w++) {
			uint32_t length = random_in(0, 6);

			for (uint32_t i = 0; i < length; i++)
				word[w][i] = "abBc"[random_in(0, 3)];
		}
		size_t slow = slow_distance(word[0], word[1]);

		if (torus_edit_distance(word[0], word[1]) != slow)
			fail_msg("'%s' and '%s' are %zu apart", word[0], word[1], slow);
	}
}

static void long_words(void **state)
{
	char longest[TORUS_EDIT_LONGEST + 1], longer[TORUS_EDIT_LONGEST + 2];

	(void)state;
	memset(longest, 'a', sizeof(longest));
	longest[TORUS_EDIT_LONGEST] = '\0';
	memset(longer, 'a', sizeof(longer));
	longer[TORUS_EDIT_LONGEST + 1] = '\0';
	assert_int_equal(torus_edit_distance(longest, longest), 0);
	assert_int_equal(torus_edit_distance(longest, ""), TORUS_EDIT_LONGEST);
	assert_int_equal(torus_edit_distance(longer, longest), TORUS_EDIT_LONGEST + 1);
	assert_int_equal(torus_edit_distance("", longer), TORUS_EDIT_LONGEST + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_words),
		cmocka_unit_test(random_words),
		cmocka_unit_test(long_words),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
