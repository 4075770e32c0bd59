/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --network texts: ours, other people's, and wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "machine/request.h"

static void reads(void **state)
{
	static const struct {
		const char *text;
		const char *shape; /* NULL: nothing is ours */
	} table[] = {
		{NULL, NULL},
		{"", NULL},
		{"Instances=4,User_Space", NULL},
		{"xtorus:shape=2x2", NULL},
		{"a,torus:shape=2x2", NULL},
		{"shape=4x4x2", NULL},
		{"torus", NULL},
		{"torus:shape=4x4x2", "4x4x2"},
		{"TORUS:Shape=4X4", "4x4"},
		{"sn_all;torus:shape=8", "8"},
		{";;torus:shape=1x2x3x4x5x6", "1x2x3x4x5x6"},
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
		{"torus:", "'' is not of the form key=value"},
		{"torus:;shape=2x2", "'' is not of the form key=value"},
		{"torus:shape=2x2;", "'' is not of the form key=value"},
		{"torus:shape", "'shape' is not of the form key=value"},
		{"torus:=2x2", "'=2x2' is not of the form key=value"},
		{"torus:shape=", "shape='' is not of the form 8x8x5"},
		{"torus:shape=2x2,foo", "shape='2x2,foo' is not of the form 8x8x5"},
		{"torus:shape=0x2", "has a side of length 0"},
		{"torus:shape=2x2;shape=2x2", "shape= is given twice"},
		{"torus:size=2x2", "unknown key 'size=': the only key is shape="},
		{"torus:shape=2x2;torus:shape=2x2", "unknown key 'torus:shape='"},
		{"torus:shape=2x2;sn_all", "'sn_all' is not of the form key=value"},
		{"torus: shape=2x2", "unknown key ' shape='"},
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads),
		cmocka_unit_test(rejects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
