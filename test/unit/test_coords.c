/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Coordinate files and node orders: accepted, rejected with the line, and read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "conf/coords.h"
#include "random.h"

static torus_geometry_t machine(const char *dims)
{
	torus_geometry_t geometry;

	assert_int_equal(torus_geometry_parse(dims, NULL, &geometry, NULL), 0);
	return geometry;
}

static void reads_coordinates(void **state)
{
	static const char text[] = "# a machine with holes\n"
				   "a 0 0 0\r\n"
				   "\n"
				   "  b\t3 1 0   # the corner\n"
				   "n[1-2] 0 0 1\n"
				   "c \\\n"
				   " 003 1 1\n";
	static const char *const expected_names[] = {"a", "b", "n1", "n2", "c"};
	static const uint32_t expected_cells[] = {0, 7, 8, 8, 15};
	torus_geometry_t geometry = machine("4x2x2");
	uint32_t *cells, count;
	char **names;

	(void)state;
	assert_int_equal(torus_coords_parse(text, sizeof(text) - 1, "f", &geometry,
					    &names, &cells, &count, NULL),
			 0);
	assert_int_equal(count, 5);
	for (uint32_t i = 0; i < count; i++) {
		assert_string_equal(names[i], expected_names[i]);
		assert_int_equal(cells[i], expected_cells[i]);
	}
	free(names);
	free(cells);
}

static void rejects_coordinates(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} table[] = {
		{"", "dir/f:1: no node"},
		{"# only\n# comments\n", "dir/f:2: no node"},
		{"a 0 0 0\nb 0 0\n",
		 "dir/f:2: 3 words instead of a node and 3 coordinates"},
		{"a 0 0 0 0\n", "dir/f:1: 5 words"},
		{"a\n", "dir/f:1: 1 words"},
		{"\na 4 0 0\n", "dir/f:2: coordinate 4 in dimension x is not below 4"},
		{"a 0 2 0\n", "dir/f:1: coordinate 2 in dimension y is not below 2"},
		{"a 0 0 99999999999999999999\n", "dimension z is not below 2"},
		{"a 0 0 -1\n", "dir/f:1: '-1' is not a coordinate"},
		{"a 0 0 1.5\n", "dir/f:1: '1.5' is not a coordinate"},
		{"a 0 0 y\n", "dir/f:1: 'y' is not a coordinate"},
		{"a 0,0 0 0\n", "dir/f:1: '0,0' is not a coordinate"},
		{"a 0 0 0\nb 1 0 0\na 2 0 0\n",
		 "dir/f:3: node 'a' was given before, on line 1"},
		{"a 0 0 0\na 0 0 0\n", "dir/f:2: node 'a' was given before, on line 1"},
		{"n[1-3] 0 0 0\nn2 1 0 0\n",
		 "dir/f:2: node 'n2' was given before, on line 1"},
		{"n[1-3,2] 0 0 0\n", "dir/f:1: node 'n2' was given before, on line 1"},
		{"n[1- 0 0 0\n", "dir/f:1: hostlist: 'n[1-' lacks a ']'"},
		{"a 0 0 0\nn[0-16777215] 0 0 0\n", "dir/f:2: more than 16777216 nodes"},
		{"a 0 0 0\n\x01 0 0 0\n", "dir/f:2: a control character"},
	};
	torus_geometry_t geometry = machine("4x2x2");

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		uint32_t *cells, count;
		char **names;

		assert_int_equal(torus_coords_parse(table[i].text, strlen(table[i].text),
						    "dir/f", &geometry, &names, &cells,
						    &count, &err),
				 -1);
		assert_null(names);
		assert_null(cells);
		if (!strstr(err.text, table[i].says))
			fail_msg("%zu: \"%s\" lacks \"%s\"", i, err.text, table[i].says);
	}
}

/* Random machines written to text and read back. */
static void coordinates_round_trip(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 2000);
		uint32_t cells = torus_geometry_cells(&geometry),
			 count = random_in(1, 300);
		uint32_t expected[300], *back, back_count;
		char *text = calloc(count, 100), *at = text;
		char **names;

		assert_non_null(text);
		for (uint32_t i = 0; i < count; i++) {
			int32_t coord[TORUS_MAX_DIMS];

			expected[i] = random_in(0, cells - 1);
			torus_cell_to_coord(&geometry, expected[i], coord);
			at += sprintf(at, "node%u", i);
			for (int axis = 0; axis < geometry.dims; axis++)
				at += sprintf(at, " %d", coord[axis]);
			at += sprintf(at, "\n");
		}
		assert_int_equal(torus_coords_parse(text, (size_t)(at - text), "f",
						    &geometry, &names, &back, &back_count,
						    NULL),
				 0);
		assert_int_equal(back_count, count);
		assert_memory_equal(back, expected, count * sizeof(*back));
		for (uint32_t i = 0; i < count; i++) {
			char name[16];

			sprintf(name, "node%u", i);
			assert_string_equal(names[i], name);
		}
		free(names);
		free(back);
		free(text);
	}
}

static char *const order_names[] = {"a", "n1", "n2", "n3", "b"};

static void reads_an_order(void **state)
{
	static const char text[] = "# from the far end\nb\n\nn[2-3]\nn1 # late\na";
	static const uint32_t expected[] = {4, 2, 3, 1, 0};
	uint32_t order[5];

	(void)state;
	assert_int_equal(torus_order_parse(text, sizeof(text) - 1, "f", order_names, 5,
					   order, NULL),
			 0);
	assert_memory_equal(order, expected, sizeof(expected));
}

static void rejects_orders(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} table[] = {
		{"", "f:1: the file ends without node 'a'; 5 of 5 nodes are missing"},
		{"a\nn[1-2]\nb\n", "f:3: the file ends without node 'n3'; 1 of 5 nodes"},
		{"a\nn[1-4]\nb\n", "f:2: node 'n4' is not on this torus"},
		{"a\nn[1-3]\nb\n\na\n", "f:5: node 'a' was given before, on line 1"},
		{"n[1-3,1]\n", "f:1: node 'n1' was given before, on line 1"},
		{"a b\n", "f:1: 2 words instead of one node name"},
		{"a\nn[\n", "f:2: hostlist: 'n[' lacks"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		uint32_t order[5];

		assert_int_equal(torus_order_parse(table[i].text, strlen(table[i].text),
						   "f", order_names, 5, order, &err),
				 -1);
		if (!strstr(err.text, table[i].says))
			fail_msg("%zu: \"%s\" lacks \"%s\"", i, err.text, table[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_coordinates),
		cmocka_unit_test(rejects_coordinates),
		cmocka_unit_test(coordinates_round_trip),
		cmocka_unit_test(reads_an_order),
		cmocka_unit_test(rejects_orders),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
