/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The word about an allocation, and putting it into comments that others write too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "geometry/chips.h"
#include "machine/token.h"
#include "metrics/metrics.h"
#include "random.h"
#include "torus/cubes.h"

static torus_map_t *machine(const char *name, const char *dims, const char *wrap,
			    torus_curve_t curve)
{
	torus_geometry_t geometry;
	torus_map_t *map;

	assert_int_equal(torus_geometry_parse(dims, wrap, &geometry, NULL), 0);
	map = torus_map_create(name, &geometry, curve, 1, NULL);
	assert_non_null(map);
	return map;
}

static void describes_allocations(void **state)
{
	static const struct {
		const char *wrap;
		uint32_t ranks[4];
		uint32_t count;
		const char *token;
	} table[] = {
		/* Row by row on 8x4: rank = x + 8y. */
		{"none", {5}, 1, "torus=m,nodes=1,span=1,box=1x1,avghops=0.00"},
		{"none", {0, 1, 2, 3}, 4, "torus=m,nodes=4,span=4,box=4x1,avghops=1.67"},
		{"none", {31, 0}, 2, "torus=m,nodes=2,span=32,box=8x4,avghops=10.00"},
		{"all", {31, 0}, 2, "torus=m,nodes=2,span=2,box=2x2,avghops=2.00"},
		{"x", {7, 0, 8, 15}, 4, "torus=m,nodes=4,span=16,box=2x2,avghops=1.33"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_map_t *map =
			machine("m", "8x4", table[i].wrap, TORUS_CURVE_ROW_MAJOR);
		char *token = torus_token_format(map, table[i].ranks, table[i].count,
						 NULL, NULL);

		assert_string_equal(token, table[i].token);
		free(token);
		torus_map_destroy(map);
	}
}

/* The numbers in the token are those of metrics.h, on random allocations. */
static void agrees_with_the_metrics(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 300);
		torus_map_t *map = torus_map_create("r", &geometry, TORUS_CURVE_SNAKE,
						    random_in(1, 3), NULL);
		uint32_t ranks[900], cells[900], n = 0;
		char expected[256], box[TORUS_DIMS_TEXT], *token;
		bool ring;
		torus_metrics_t metrics;
		uint32_t one;

		assert_non_null(map);
		one = random_in(0, map->nodes - 1); /* at least this */
		ring = map->span == TORUS_SPAN_RING;
		for (uint32_t rank = 0; rank < map->nodes; rank++) {
			if (rank != one && random_in(0, 2))
				continue;
			ranks[n] = rank;
			cells[n++] = map->cell_of_rank[rank];
		}
		assert_int_equal(torus_metrics(&geometry, cells, ranks, n, map->nodes,
					       ring, &metrics, NULL),
				 0);
		reached("the largest gap of a ring is not behind its end",
			ring && metrics.span_ring < metrics.span_linear);
		reached("a line", !ring);
		reached("not from the first rank on", ranks[0]);
		sprintf(expected, "torus=r,nodes=%u,span=%u,box=%s,avghops=%.2f", n,
			ring ? metrics.span_ring : metrics.span_linear,
			torus_lengths_format(geometry.dims, metrics.box, box),
			metrics.average_distance);
		token = torus_token_format(map, ranks, n, NULL, NULL);
		assert_string_equal(token, expected);
		free(token);
		torus_map_destroy(map);
	}
	assert_true(reached_all(20));
}

static void reads_how_cubes_are_joined(void **state)
{
	static const struct {
		const char *token;
		int dims;
		int32_t side[3];
		bool twist;
	} table[] = {
		{"torus=m,nodes=16,cubes=2,joined=4x4", 2, {4, 4, 1}, false},
		{"torus=m,nodes=16,cubes=2+3,joined=2x2x4_twisted", 3, {2, 2, 4}, true},
		{"torus=m,nodes=16,cubes=2,joined=4x4,more=1", 2, {4, 4, 1}, false},
		{"torus=m,joined=8x4_twisted,more=1", 2, {8, 4, 1}, true},
		{"torus=m,nodes=16,cubes=2", 0, {0, 0, 0}, false},
		{"torus=m,joined=", 0, {0, 0, 0}, false},
		{"torus=m,joined=_twisted", 0, {0, 0, 0}, false},
		{"torus=m,joined=4y4", 0, {0, 0, 0}, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t length = strlen(table[i].token);
		torus_shape_t shape;

		assert_int_equal(torus_token_joined(table[i].token, length, &shape),
				 table[i].dims > 0);
		assert_int_equal(shape.dims, table[i].dims);
		assert_int_equal(shape.twist, table[i].twist);
		assert_memory_equal(shape.side, table[i].side, sizeof(table[i].side));
	}
	/* Not beyond the token's end. */
	torus_shape_t shape;

	assert_true(torus_token_joined("torus=m,joined=4x44", 18, &shape));
	assert_int_equal(shape.side[1], 4);
}

/* 8x8 of cubes of 4x4, row by row: rank = x + 8y. */
static void names_the_cubes(void **state)
{
	static const struct {
		uint32_t cubes[4];
		uint32_t count;
		uint32_t nodes; /* the first so many of these cubes */
		const char *shapes;
		bool twist;
		const char *token;
	} table[] = {
		{{2},
		 1,
		 3,
		 NULL,
		 false,
		 "torus=m,nodes=3,span=3,box=3x1,avghops=1.33,cubes=2"},
		{{2},
		 1,
		 16,
		 NULL,
		 false,
		 "torus=m,nodes=16,span=28,box=4x4,avghops=2.13,cubes=2,joined=4x4"},
		{{3, 0},
		 2,
		 32,
		 NULL,
		 false,
		 "torus=m,nodes=32,span=64,box=4x8,avghops=3.10,cubes=0+3,joined=4x8"},
		{{3, 0},
		 2,
		 32,
		 "8x4",
		 false,
		 "torus=m,nodes=32,span=64,box=8x4,avghops=3.10,cubes=0+3,joined=8x4"},
		{{3, 0},
		 2,
		 32,
		 "16x4|8x4",
		 true,
		 "torus=m,nodes=32,span=64,box=8x4,avghops=2.71,cubes=0+3,joined=8x4_twisted"},
		{{0, 3},
		 2,
		 20,
		 NULL,
		 false,
		 "torus=m,nodes=20,span=40,box=8x5,avghops=3.93"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_map_t *map = machine("m", "8x8", "none", TORUS_CURVE_ROW_MAJOR);
		torus_shapes_t shapes = {0};
		uint32_t ranks[64], n = 0;
		char *token;

		assert_int_equal(torus_cubes_parse("4x4", &map->geometry, NULL), 0);
		if (table[i].shapes)
			assert_int_equal(
				torus_shapes_parse(table[i].shapes, &shapes, NULL), 0);
		for (int s = 0; s < shapes.count; s++)
			shapes.shape[s].twist = table[i].twist;
		for (uint32_t c = 0; c < table[i].count; c++) {
			for (uint32_t inner = 0; inner < 16 && n < table[i].nodes;
			     inner++)
				ranks[n++] = torus_cube_cell(&map->geometry,
							     table[i].cubes[c], inner);
		}
		token = torus_token_format(map, ranks, n,
					   table[i].shapes ? &shapes : NULL, NULL);
		assert_string_equal(token, table[i].token);
		free(token);
		torus_map_destroy(map);
	}
}

static void describes_several_tori(void **state)
{
	torus_map_t *a = machine("a", "8x4", "none", TORUS_CURVE_ROW_MAJOR);
	torus_map_t *b = machine("b", "4x4", "all", TORUS_CURVE_ROW_MAJOR);
	const torus_map_t *maps[] = {a, b};
	static const uint32_t on_a[] = {2, 3, 9}, on_b[] = {15, 0};
	const uint32_t *const ranks[] = {on_a, on_b};
	static const uint32_t both[] = {3, 2}, only_b[] = {0, 2};
	char *token;

	(void)state;
	token = torus_token_format_parts(maps, ranks, both, 2, NULL, NULL);
	assert_string_equal(token, "torus=a+b,nodes=5,span=10");
	free(token);
	token = torus_token_format_parts(maps, ranks, only_b, 2, NULL, NULL);
	assert_string_equal(token, "torus=b,nodes=2,span=2,box=2x2,avghops=2.00");
	free(token);
	torus_map_destroy(a);
	torus_map_destroy(b);
}

/* Three chips of each of two nodes, and one; beside adding up all pairs. */
static void counts_chips(void **state)
{
	torus_map_t *map = machine("m", "3x2", "x", TORUS_CURVE_ROW_MAJOR);
	static const uint32_t two[] = {0, 2}, one[] = {4};
	static const uint64_t three[] = {0x7, 0xe}, first[] = {1};
	char *token;

	(void)state;
	assert_int_equal(torus_node_shape_parse("2x2", &map->geometry, NULL), 0);
	/* (0,0) (1,0) (0,1) and (5,0) (4,1) (5,1) on 6x4, around the end of x */
	token = torus_token_add_chips(strdup("torus=m"), map, two, 2, NULL, three, NULL);
	assert_string_equal(token, "torus=m,chips=6,chiphops=1.87");
	free(token);
	token = torus_token_add_chips(strdup("torus=m"), map, one, 1, NULL, first, NULL);
	assert_string_equal(token, "torus=m,chips=1,chiphops=0.00");
	free(token);
	torus_map_destroy(map);
}

static void counts_random_chips(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = random_geometry(3, 30), chips;
		uint32_t ranks[30], n = 0, cell[30 * 8], count = 0;
		uint64_t has[30], summed = 0;
		torus_map_t *map;
		char expected[64], *token;

		for (int axis = 0; axis < geometry.dims; axis++)
			geometry.chips[axis] = (int32_t)random_in(1, 2);
		chips = torus_chip_machine(&geometry);
		map = torus_map_create("r", &geometry, TORUS_CURVE_HILBERT, 1, NULL);
		assert_non_null(map);
		for (uint32_t rank = 0; rank < map->nodes; rank++) {
			if (!n || random_in(0, 1)) {
				uint32_t all = torus_node_chips(&geometry);

				ranks[n] = rank;
				has[n] = random_in(1, (1u << all) - 1);
				for (uint32_t chip = 0; chip < all; chip++) {
					if (has[n] >> chip & 1)
						cell[count++] = torus_chip_cell(
							&geometry,
							map->cell_of_rank[rank], chip);
				}
				n++;
			}
		}
		for (uint32_t a = 0; a < count; a++) {
			for (uint32_t b = 0; b < count; b++)
				summed += torus_hops_cells(&chips, cell[a], cell[b]);
		}
		sprintf(expected, "t,chips=%u,chiphops=%.2f", count,
			count > 1 ? (double)summed / ((double)count * (count - 1)) : 0);
		token = torus_token_add_chips(strdup("t"), map, ranks, n, NULL, has,
					      NULL);
		assert_string_equal(token, expected);
		free(token);
		torus_map_destroy(map);
	}
}

static void finds_the_word(void **state)
{
	static const struct {
		const char *comment;
		const char *found; /* NULL: none */
	} table[] = {
		{NULL, NULL},
		{"", NULL},
		{"  ", NULL},
		{"xtorus=a", NULL},
		{"torus a", NULL},
		{"a,torus=b", NULL},
		{"torus=", "torus="},
		{"torus=a,nodes=1", "torus=a,nodes=1"},
		{"x torus=a y", "torus=a"},
		{"x\ttorus=a\ny", "torus=a"},
		{"torus=a torus=b", "torus=a"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t length = 0;
		const char *word = torus_token_find(table[i].comment, &length);

		assert_int_equal(word != NULL, table[i].found != NULL);
		if (!word)
			continue;
		assert_int_equal(length, strlen(table[i].found));
		assert_memory_equal(word, table[i].found, length);
	}
}

static void replaces_the_word(void **state)
{
	static const struct {
		const char *old;
		const char *token;
		const char *result; /* NULL: empty */
	} table[] = {
		{NULL, NULL, NULL},
		{"", NULL, NULL},
		{NULL, "torus=a", "torus=a"},
		{"", "torus=a", "torus=a"},
		{"note", "torus=a", "note torus=a"},
		{"note ", "torus=a", "note torus=a"},
		{"torus=x", "torus=a", "torus=a"},
		{"torus=x,span=3 note", "torus=a", "torus=a note"},
		{"one  torus=x\ttwo ", "torus=a", "one  torus=a\ttwo "},
		{"torus=x torus=y z", "torus=a", "torus=a z"},
		{"torus=x", NULL, NULL},
		{"note", NULL, "note"},
		{"note torus=x", NULL, "note"},
		{"torus=x note", NULL, "note"},
		{"one torus=x two", NULL, "one two"},
		{"one  two torus=x  three", NULL, "one  two  three"},
		{"torus=x torus=y", NULL, NULL},
		{"xtorus=1 mytorus=2", NULL, "xtorus=1 mytorus=2"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		bool failed = true;
		char *text = torus_comment_replace(table[i].old, TORUS_TOKEN_KEY,
						   table[i].token, &failed);

		assert_false(failed);
		if (table[i].result)
			assert_string_equal(text, table[i].result);
		else
			assert_null(text);
		free(text);
	}
}

/* The slow twin of taking tokens out: the first one, and again. */
static void remove_slowly(char *text)
{
	const char *found;
	size_t length;

	while ((found = torus_token_find(text, &length))) {
		char *from = text + (found - text), *to = from + length;

		if (from > text)
			from--;
		else if (*to)
			to++;
		memmove(from, to, strlen(to) + 1);
	}
}

static void removes_as_one_by_one(void **state)
{
	static const char *const pieces[] = {"torus=a", "torus=", "x",	"torus",
					     " ",	"\t",	  "\n", "  "};

	(void)state;
	for (int round = 0; round < RANDOM_CASES(20000); round++) {
		char text[256] = "", *result;

		for (uint32_t i = random_in(0, 20); i > 0; i--)
			strcat(text, pieces[random_in(0, 7)]);
		result = torus_comment_replace(text, TORUS_TOKEN_KEY, NULL, NULL);
		remove_slowly(text);
		assert_string_equal(result ? result : "", text);
		free(result);
	}
}

/* Anybody's comment may come back with a token a word; time grows with its length. */
static void removes_a_million_words(void **state)
{
	static const char word[] = "torus=x ";
	const size_t words = 1000000, length = sizeof(word) - 1;
	char *text = malloc(words * length + 2), *result;
	clock_t begin;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < words; i++)
		memcpy(text + i * length, word, length);
	memcpy(text + words * length, "y", 2);
	begin = clock();
	result = torus_comment_replace(text, TORUS_TOKEN_KEY, "torus=a", NULL);
	assert_true(clock() - begin < 5 * CLOCKS_PER_SEC);
	assert_string_equal(result, "torus=a y");
	free(result);
	free(text);
}

/* What a job goes through: started, resized, requeued; the others' words stay. */
static void lives_through_a_requeue(void **state)
{
	static const char *const comments[] = {"a", "a b", "  x=1  y", "\ttab"};

	(void)state;
	for (size_t i = 0; i < sizeof(comments) / sizeof(comments[0]); i++) {
		char *started = torus_comment_replace(comments[i], TORUS_TOKEN_KEY,
						      "torus=m,nodes=4", NULL);
		char *resized = torus_comment_replace(started, TORUS_TOKEN_KEY,
						      "torus=m,nodes=2", NULL);
		char *requeued =
			torus_comment_replace(resized, TORUS_TOKEN_KEY, NULL, NULL);

		assert_non_null(strstr(resized, " torus=m,nodes=2"));
		assert_string_equal(requeued, comments[i]);
		free(started);
		free(resized);
		free(requeued);
	}
}

static void counts_its_nodes(void **state)
{
	static const struct {
		const char *text;
		uint32_t nodes;
	} table[] = {
		{"torus=m,nodes=12,span=14", 12},
		{"torus=a+b,nodes=4000000000,span=14", 4000000000},
		{"torus=nodes=3", 0},
		{"torus=m", 0},
		{"torus=m,nodes=", 0},
		{"", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_int_equal(torus_token_nodes(table[i].text, strlen(table[i].text)),
				 table[i].nodes);
	/* What follows the token is none of it. */
	assert_int_equal(torus_token_nodes("torus=m other,nodes=3", 7), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_its_nodes),
		cmocka_unit_test(describes_allocations),
		cmocka_unit_test(agrees_with_the_metrics),
		cmocka_unit_test(names_the_cubes),
		cmocka_unit_test(reads_how_cubes_are_joined),
		cmocka_unit_test(describes_several_tori),
		cmocka_unit_test(counts_chips),
		cmocka_unit_test(counts_random_chips),
		cmocka_unit_test(finds_the_word),
		cmocka_unit_test(replaces_the_word),
		cmocka_unit_test(removes_as_one_by_one),
		cmocka_unit_test(removes_a_million_words),
		cmocka_unit_test(lives_through_a_requeue),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
