/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The OpenMetrics text, character by character; Prometheus reads it in
 * metrics_prometheus.bats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "storus/metrics/openmetrics.h"

static void families_and_samples(void **state)
{
	static const storus_om_family_t plain = {"jobs", "gauge", NULL, "All jobs."};
	static const storus_om_family_t unit = {"wait_seconds", "histogram", "seconds",
						"Back\\slash, \"quotes\"."};
	const storus_om_label_t none[] = {{NULL, NULL}};
	const storus_om_label_t one[] = {{"le", "+Inf"}, {NULL, NULL}};
	const storus_om_label_t hostile[] = {
		{"torus", "a\"b\\c\nd}"}, {"user", "\xc3\xa4"}, {NULL, NULL}};
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	(void)state;
	assert_non_null(file);
	storus_om_family(file, &plain);
	storus_om_count(file, &plain, "", none, UINT64_MAX);
	storus_om_number(file, &plain, "", hostile, 0.5);
	storus_om_family(file, &unit);
	storus_om_count(file, &unit, "_bucket", one, 3);
	storus_om_number(file, &unit, "_sum", none, 1.0 / 3);
	storus_om_end(file);
	assert_int_equal(fclose(file), 0);
	assert_string_equal(text,
			    "# TYPE jobs gauge\n"
			    "# HELP jobs All jobs.\n"
			    "jobs 18446744073709551615\n"
			    "jobs{torus=\"a\\\"b\\\\c\\nd}\",user=\"\xc3\xa4\"} 0.5\n"
			    "# TYPE wait_seconds histogram\n"
			    "# UNIT wait_seconds seconds\n"
			    "# HELP wait_seconds Back\\\\slash, \\\"quotes\\\".\n"
			    "wait_seconds_bucket{le=\"+Inf\"} 3\n"
			    "wait_seconds_sum 0.333333333\n"
			    "# EOF\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(families_and_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
