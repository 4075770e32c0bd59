/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --network texts: ours, other people's, and wrong ones. */
#define _GNU_SOURCE /* strsep() */
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "machine/network_option.h"
#include "random.h"

static void reads(void **state)
{
	static const struct {
		const char *text;
		const char *shape; /* NULL: nothing is ours */
	} table[] = {
		{NULL, NULL},
		{"", NULL},
		{"Instances=4,User_Space", NULL},
		{"myshape=4x4x2,shapes=3,shape,reshape:2", NULL},
		{"devname=ib0,protocol=mpi,bulk_xfer=3,cau=5,immed=2", NULL},
		{"job_vni,single_node_vni=all,tcs=low_latency,def_tles=4", NULL},
		{"torus2=x:y,torusshape", NULL},
		{"torus2,torus-fast,torus_a;torus.b", NULL},
		{"ib0,,devtype=ib;2x2", NULL},
		{"torus:shape=4x4x2", "4x4x2"},
		{"TORUS:Shape=4X4", "4x4"},
		{"sn_all;torus:shape=8", "8"},
		{";;torus:shape=1x2x3x4x5x6", "1x2x3x4x5x6"},
		{"ib0,torus:shape=2x2", "2x2"},
		{" torus:shape=2x2", "2x2"},
		{"torus:shape=2x2,sn_single", "2x2"},
		{"ib0;sn_all , \tTorus : Shape = 2x3\t, Instances=4,User_Space", "2x3"},
		{"2x2,torus:shape=2", "2"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_network_request_t request = {.has_shape = !table[i].shape};
		torus_error_t err = {""};
		char text[TORUS_DIMS_TEXT];

		assert_int_equal(torus_network_parse(table[i].text, &request, &err), 0);
		assert_int_equal(request.has_shape, table[i].shape != NULL);
		if (table[i].shape)
			assert_string_equal(torus_lengths_format(request.shape.dims,
								 request.shape.side,
								 text),
					    table[i].shape);
	}
}

static void rejects(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} table[] = {
		{"torus", "'torus' asks for nothing: a colon and a request follow torus"},
		{"ib0, TORUS ,x", "'TORUS' asks for nothing"},
		{"torus;shape=2x2", "'torus' asks for nothing"},
		{"torus=2x2", "'torus=2x2' asks for nothing"},
		{"torus shape=2x2", "'torus shape=2x2' asks for nothing"},
		{"xtorus:shape=2x2", "'xtorus:shape=2x2': torus: must begin an item"},
		{"a;b xTorus:", "'b xTorus:': torus: must begin an item"},
		{"torus:shape=2,ib0 torus:", "'ib0 torus:': torus: must begin an item"},
		{"\"torus:shape=2x2\"", "torus: must begin an item"},
		{"\ntorus:shape=2x2", "'\\x0atorus:shape=2x2': torus: must begin"},
		{"torus:", "'' is not of the form key=value"},
		{"torus:,shape=2x2", "'' is not of the form key=value"},
		{"torus:;shape=2x2", "'' is not of the form key=value"},
		{"torus:shape=2x2;", "'' is not of the form key=value"},
		{"torus:shape=2x2;,ib0", "'' is not of the form key=value"},
		{"torus:shape", "'shape' is not of the form key=value"},
		{"torus:=2x2", "'=2x2' is not of the form key=value"},
		{"torus::shape=2x2", "unknown key ':shape='"},
		{"torus:shape=", "shape='' is not of the form 8x8x5"},
		{"torus:shape=2x2 foo", "shape='2x2 foo' is not of the form 8x8x5"},
		{"torus:shape==2x2", "shape='=2x2' is not of the form 8x8x5"},
		{"torus:shape=0x2", "has a side of length 0"},
		{"torus:shape=2x2;shape=2x2", "shape= is given twice"},
		{"torus:shape=2x2,torus:shape=2x2",
		 "'torus:shape=2x2': torus: is given twice"},
		{"shape=2x2x2", "'shape=2x2x2' looks like a request for a shape, which "
				"has to be written as in --network=torus:shape=4x4x2"},
		{"ib0, Shape : 2x2", "'Shape : 2x2' looks like a request for a shape"},
		{"torus3d:shape=2x2", "'torus3d:shape=2x2' looks like a request"},
		{"torus3d:2x2", "'torus3d:2x2' looks like a request"},
		{"sn_all;TORUS-3D :4", "'TORUS-3D :4' looks like a request"},
		{"topology/torus3d:shape=2", "'topology/torus3d:shape=2' looks like"},
		{"torus:shape=2x2,shape=2x2", "'shape=2x2' looks like a request"},
		{"torus2,shape=2x2", "'shape=2x2' looks like a request"},
		{"torus:size=2x2", "unknown key 'size=': the only key is shape="},
		{"torus:shape=2x2;torus:shape=2x2", "unknown key 'torus:shape='"},
		{"torus:shape=2x2;sn_all", "'sn_all' is not of the form key=value"},
		{"torus:shape=4,4,2",
		 "'4' behind the shape: the sides of a shape are separated"},
		{"torus:shape=2x2\nslurmctld: error: forged",
		 "'2x2\\x0aslurmctld: error: forged' is not of the form 8x8x5"},
		{"torus:\x9b"
		 "2J=1",
		 "unknown key '\\x9b2J='"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_network_request_t request;
		torus_error_t err = {""};

		assert_int_equal(torus_network_parse(table[i].text, &request, &err), -1);
		assert_false(request.has_shape);
		assert_int_equal(strncmp(err.text, "--network=torus: ", 17), 0);
		if (!strstr(err.text, table[i].says))
			fail_msg("'%s': \"%s\" lacks \"%s\"", table[i].text, err.text,
				 table[i].says);
	}
}

static bool matches(const char *text, const char *pattern)
{
	regex_t regex;
	bool found;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB),
			 0);
	found = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	return found;
}

/* A part between semicolons that is all that may be asked for. */
#define B "[ \t]*"
#define OURS "^" B "torus" B ":" B "shape" B "=" B "[1-9]{1,3}(x[1-9]{1,3}){0,5}" B "$"

/* The grammar in regular expressions: 1 ours, 0 somebody else's, -1 to be refused. */
static int slow_parse(const char *text)
{
	char copy[200], *items = copy, *item;
	int ours = 0;
	bool wrong = false;

	snprintf(copy, sizeof(copy), "%s", text);
	while ((item = strsep(&items, ","))) {
		int before = ours;
		char *part;

		while ((part = strsep(&item, ";"))) {
			if (ours > before) /* any second option is too much */
				wrong = true;
			else if (matches(part, OURS))
				ours++;
			else if (matches(part, "torus:") ||
				 matches(part, "^" B "torus([^-a-z0-9_.]|$)") ||
				 matches(part, "^" B "torus[-a-z0-9_.]+" B ":") ||
				 matches(part, "(^|[^-a-z0-9_.])shape" B "[=:]") ||
				 (ours && matches(part, "^" B "[0-9]")))
				wrong = true;
		}
	}
	return wrong || ours > 1 ? -1 : ours;
}

static void random_texts(void **state)
{
	static const char *const tokens[] = {
		"torus",
		"TORUS",
		"torus:shape=",
		"torus:",
		"torus3d",
		"shape=",
		"torus:shape=3x2",
		"shape",
		":",
		",",
		";",
		"=",
		" ",
		"\t",
		"2x3",
		"4",
		"x",
		"ib0",
		"-",
		"sn_all",
	};
	int seen[3] = {0};

	(void)state;
	for (int round = 0; round < 20000; round++) {
		torus_network_request_t request;
		char text[200] = "";
		int expected, got;

		for (uint32_t i = random_in(1, 9); i > 0; i--)
			strcat(text, tokens[random_in(
					     0, sizeof(tokens) / sizeof(tokens[0]) - 1)]);
		if (matches(text, "[0-9]{4}")) /* sides that make too large a box */
			continue;
		expected = slow_parse(text);
		got = torus_network_parse(text, &request, NULL);
		if (got == 0)
			got = request.has_shape;
		if (got != expected)
			fail_msg("'%s' gives %d, not %d", text, got, expected);
		seen[got + 1]++;
	}
	for (int i = 0; i < 3; i++)
		assert_true(seen[i] > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads),
		cmocka_unit_test(rejects),
		cmocka_unit_test(random_texts),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
