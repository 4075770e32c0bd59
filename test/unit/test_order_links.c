/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of links: texts accepted and rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "order/linklist.h"

static int parse(const char *text, torus_linklist_t *links, torus_error_t *err)
{
	return torus_linklist_parse(text, strlen(text), "links", links, err);
}

static void reads_links(void **state)
{
	static const char *const names[] = {"n2", "n1", "gw-3.site", "alone"};
	torus_linklist_t links;

	(void)state;
	assert_int_equal(parse("# cables\n"
			       "n2 n1 2.5\n"
			       "\n"
			       "\tn1 gw-3.site # uplink\r\n"
			       "n1 n2\n"
			       "alone alone",
			       &links, NULL),
			 0);
	assert_int_equal(links.nodes, 4);
	for (uint32_t i = 0; i < links.nodes; i++)
		assert_string_equal(links.name[i], names[i]);
	assert_int_equal(links.repeated, 1);
	assert_int_equal(links.loops, 1);
	assert_int_equal(links.graph->first[4], 4);
	assert_int_equal(links.graph->neighbor[0], 1);
	assert_true(links.graph->weight[0] == 3.5);
	assert_true(links.graph->weight[2] == 1);
	torus_linklist_clear(&links);
	torus_linklist_clear(&links);
}

static void rejects_bad_lines(void **state)
{
	static const struct {
		const char *text, *says;
	} table[] = {
		{"a\n", "links:1: expected two nodes"},
		{"a b\na b 1 2\n", "links:2: expected two nodes"},
		{"n[1-2] b\n", "links:1: 'n[1-2]': a link has one node at each end"},
		{"a n[1]\n", "write a line for each"},
		{"a b,c\n", "one node at each end"},
		{"a b/c\n", "links:1: "},
		{"a b 0\n", "links:1: weight '0'"},
		{"a b -1\n", "weight '-1'"},
		{"a b nan\n", "weight 'nan'"},
		{"a b 2e15\n", "weight '2e15'"},
		{"a b fast\n", "weight 'fast'"},
		{"a \x01\n", "links:1: a control character"},
		{"", "links: no link"},
		{"# nothing\n\n", "links: no link"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		torus_linklist_t links;

		assert_int_equal(parse(table[i].text, &links, &err), -1);
		if (!strstr(err.text, table[i].says))
			fail_msg("'%s': %s", table[i].text, err.text);
		torus_linklist_clear(&links);
	}
}

/* A ring of thousands, with long names and the least that a line can be. */
static void reads_long_texts(void **state)
{
	enum { NODES = 20000 };
	char *text = malloc(NODES * 32);
	torus_linklist_t links;
	size_t length = 0;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < NODES; i++)
		length += (size_t)sprintf(text + length, "n%05d n%05d\n", i,
					  (i + 1) % NODES);
	assert_int_equal(torus_linklist_parse(text, length, "ring", &links, NULL), 0);
	assert_int_equal(links.nodes, NODES);
	assert_int_equal(links.graph->first[NODES], 2 * NODES);
	torus_linklist_clear(&links);
	free(text);
	assert_int_equal(parse("a b\nc d\ne f\n", &links, NULL), 0);
	assert_int_equal(links.nodes, 6);
	torus_linklist_clear(&links);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_links),
		cmocka_unit_test(rejects_bad_lines),
		cmocka_unit_test(reads_long_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
