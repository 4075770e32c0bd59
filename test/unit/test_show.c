/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tori and tokens in the form of Slurm's own output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "machine/show.h"

static torus_map_t *machine(const char *dims, const char *wrap)
{
	torus_geometry_t geometry;
	torus_map_t *map;

	assert_int_equal(torus_geometry_parse(dims, wrap, &geometry, NULL), 0);
	map = torus_map_create("main", &geometry, TORUS_CURVE_ROW_MAJOR, 1, NULL);
	assert_non_null(map);
	return map;
}

static void shows_tori(void **state)
{
	static const struct {
		const char *dims, *wrap;
		uint64_t free; /* a bitmap of ranks */
		uint32_t used;
		const char *text; /* behind Dims= */
	} table[] = {
		{"4x2", "x", 0x8f, 2,
		 "4x2 Wrap=x Curve=row_major Allocator=compact NodeCount=8 Free=5 Used=2 "
		 "Unavailable=1 LargestFreeInterval=5"}, /* around the end */
		{"4x2", "none", 0x8f, 0,
		 "4x2 Wrap=none Curve=row_major Allocator=compact NodeCount=8 Free=5 Used=0 "
		 "Unavailable=3 LargestFreeInterval=4"},
		{"2x2x2", "all", 0, 8,
		 "2x2x2 Wrap=xyz Curve=row_major Allocator=compact NodeCount=8 Free=0 Used=8 "
		 "Unavailable=0 LargestFreeInterval=0"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		torus_map_t *map = machine(table[i].dims, table[i].wrap);
		char text[TORUS_SHOW_TEXT];

		assert_ptr_equal(torus_show_map(map, &table[i].free, table[i].used, text),
				 text);
		assert_memory_equal(text, "TorusName=main Dims=", 20);
		assert_string_equal(text + 20, table[i].text);
		torus_map_destroy(map);
	}
}

/* The longest name, and the longest of all numbers. */
static void has_room_for_all(void **state)
{
	torus_map_t *map = machine("1x1x1x1x1x64", "all");
	char text[TORUS_SHOW_TEXT];
	const uint64_t none = 0;

	(void)state;
	free(map->name);
	map->name = malloc(64);
	memset(map->name, 'n', 63);
	map->name[63] = '\0';
	torus_show_map(map, &none, 64, text);
	assert_non_null(strstr(text, " LargestFreeInterval=0"));
	assert_true(strlen(text) + 5 * 10 + TORUS_DIMS_TEXT < sizeof(text));
	torus_map_destroy(map);
}

static void shows_tokens(void **state)
{
	static const struct {
		const char *token, *text;
	} table[] = {
		{"torus=main,nodes=12,span=14,box=3x2x3,avghops=1.83",
		 " TorusName=main NodeCount=12 Span=14 Box=3x2x3 AvgHops=1.83"},
		{"torus=a+b,nodes=12,span=14", " TorusName=a+b NodeCount=12 Span=14"},
		{"torus=m,nodes=1,span=1,box=1x1,avghops=0.00,chips=2,chiphops=1.00",
		 " TorusName=m NodeCount=1 Span=1 Box=1x1 AvgHops=0.00 Chips=2 "
		 "ChipHops=1.00"},
		{"torus=m,nodes=8,span=8,box=2x2x2,avghops=1.71,cubes=3+17,joined=4x4x8",
		 " TorusName=m NodeCount=8 Span=8 Box=2x2x2 AvgHops=1.71"},
		{"", ""},
		{"torus=", " TorusName="},
		{"other=1,,nodes=2,", " NodeCount=2"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		char *text = torus_show_token(table[i].token);

		assert_non_null(text);
		assert_string_equal(text, table[i].text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_tori),
		cmocka_unit_test(has_room_for_all),
		cmocka_unit_test(shows_tokens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
