/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rank lists: texts accepted and rejected, parse and format inverse of each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "random.h"
#include "lists/ranklist.h"

enum { LIMIT = 100 };

static void reads_sets(void **state)
{
	static const struct {
		const char *text;
		uint32_t count, lowest, highest;
	} table[] = {
		{"", 0, LIMIT, 0}, {"all", 100, 0, 99},	 {"ALL", 100, 0, 99},
		{"0", 1, 0, 0},	   {"99", 1, 99, 99},	 {"0-99", 100, 0, 99},
		{"5-5", 1, 5, 5},  {"7,3,5-6", 4, 3, 7}, {"0-7,12,20-31", 21, 0, 31},
		{"007", 1, 7, 7},  {"63-64", 2, 63, 64},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint64_t bitmap[TORUS_WORDS(LIMIT)] = {~UINT64_C(0), ~UINT64_C(0)};
		torus_error_t err = {""};
		uint32_t highest = 0;

		assert_int_equal(
			torus_ranklist_parse_set(table[i].text, LIMIT, bitmap, &err), 0);
		assert_string_equal(err.text, "");
		assert_int_equal(torus_bitmap_count(bitmap, LIMIT), table[i].count);
		assert_int_equal(torus_bitmap_next_set(bitmap, LIMIT, 0),
				 table[i].lowest);
		for (uint32_t bit = 0; bit < LIMIT; bit++) {
			if (torus_bit_test(bitmap, bit))
				highest = bit;
		}
		assert_int_equal(highest, table[i].highest);
	}
}

static void rejects_sets(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} table[] = {
		{"100", "'100' is not below 100"},
		{"0-100", "'0-100' is not below 100"},
		{"18446744073709551616", "not below"},
		{"99999999999999999999999999999999999999999999", "not below"},
		{"7-3", "'7-3' descends"},
		{"3,3", "'3' has a number that was given before"},
		{"3-5,9,4", "'4' has"},
		{"3-5,1-9", "'1-9' has"},
		{",", "'' is not a number"},
		{"1,", "'' is not a number"},
		{",1", "'' is not a number"},
		{"1,,2", "'' is not a number"},
		{"-1", "'-1' is not a number"},
		{"1-", "'1-' is not a number"},
		{"1-2-3", "'1-2-3' is not a number"},
		{"1;2", "'1;2' is not a number"},
		{" 1", "' 1' is not a number"},
		{"1 ,2", "'1 ' is not a number"},
		{"0x1", "'0x1' is not a number"},
		{"all,1", "'all' is not a number"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint64_t bitmap[TORUS_WORDS(LIMIT)];
		torus_error_t err = {""};

		assert_int_equal(
			torus_ranklist_parse_set(table[i].text, LIMIT, bitmap, &err), -1);
		if (!strstr(err.text, table[i].says))
			fail_msg("'%s': \"%s\" lacks \"%s\"", table[i].text, err.text,
				 table[i].says);
	}
}

static void reads_sequences(void **state)
{
	static const struct {
		const char *text;
		const char *formatted;
		uint32_t count;
	} table[] = {
		{"0", "0", 1},	       {"0-3;17", "0-3,17", 5}, {"3,2,1", "3,2,1", 3},
		{"7-4", "7,6,5,4", 4}, {"1,1,1", "1,1,1", 3},	{"4-5;5-6", "4-5,5-6", 4},
		{"0-1,2-3", "0-3", 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		uint32_t *list, count;
		char *text;

		assert_int_equal(torus_ranklist_parse_sequence(table[i].text, LIMIT,
							       &list, &count, &err),
				 0);
		assert_int_equal(count, table[i].count);
		text = torus_ranklist_format(list, count, ',');
		assert_string_equal(text, table[i].formatted);
		free(text);
		free(list);
	}
}

static void rejects_sequences(void **state)
{
	static const struct {
		const char *text;
		uint32_t limit;
		const char *says;
	} table[] = {
		{"", LIMIT, "empty"},
		{"100", LIMIT, "'100' is not below 100"},
		{"1;;2", LIMIT, "'' is not a number"},
		{"all", LIMIT, "'all' is not a number"},
		{"1-2;x", LIMIT, "'x' is not a number"},
		{"0-268435456", UINT32_MAX, "longer than 2^28"},
		{"0-268435455,0", UINT32_MAX, "longer than 2^28"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		uint32_t *list, count;

		assert_int_equal(torus_ranklist_parse_sequence(table[i].text,
							       table[i].limit, &list,
							       &count, &err),
				 -1);
		assert_null(list);
		if (!strstr(err.text, table[i].says))
			fail_msg("'%s': \"%s\" lacks \"%s\"", table[i].text, err.text,
				 table[i].says);
	}
}

/* Random lists with many runs survive text in both readings. */
static void round_trips(void **state)
{
	(void)state;
	for (int round = 0; round < 2000; round++) {
		uint32_t limit = random_in(1, 500), count = 0, back_count;
		uint64_t bitmap[TORUS_WORDS(500)], expected[TORUS_WORDS(500)] = {0};
		uint32_t list[500], *back;
		char separator = random_in(0, 1) ? ',' : ';';
		char *text;

		for (uint32_t i = 0; i < limit; i++) {
			if (random_in(0, 3)) {
				list[count++] = i;
				torus_bit_set(expected, i);
			}
		}
		text = torus_ranklist_format(list, count, ',');
		assert_int_equal(torus_ranklist_parse_set(text, limit, bitmap, NULL), 0);
		assert_memory_equal(bitmap, expected,
				    TORUS_WORDS(limit) * sizeof(*bitmap));
		free(text);
		if (!count)
			continue;
		for (uint32_t i = 0; i < count / 8; i++)
			list[random_in(0, count - 1)] = random_in(0, limit - 1);
		text = torus_ranklist_format(list, count, separator);
		assert_int_equal(torus_ranklist_parse_sequence(text, limit, &back,
							       &back_count, NULL),
				 0);
		assert_int_equal(back_count, count);
		assert_memory_equal(back, list, count * sizeof(*list));
		free(back);
		free(text);
	}
}

static void formats_the_largest_number(void **state)
{
	static const uint32_t list[] = {UINT32_MAX - 1, UINT32_MAX, 0, 1};
	char *text = torus_ranklist_format(list, 4, ';');

	(void)state;
	assert_string_equal(text, "4294967294-4294967295;0-1");
	free(text);
	text = torus_ranklist_format(NULL, 0, ',');
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_sets),
		cmocka_unit_test(rejects_sets),
		cmocka_unit_test(reads_sequences),
		cmocka_unit_test(rejects_sequences),
		cmocka_unit_test(round_trips),
		cmocka_unit_test(formats_the_largest_number),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
