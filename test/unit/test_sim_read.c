/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the simulator reads: logs, outages, slowdowns, times; and changes to workloads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "conf/torus_conf.h"
#include "measures/values.h"
#include "sim/outages.h"
#include "sim/seconds.h"
#include "sim/slowdown.h"
#include "sim/swf.h"
#include "sim/transform.h"

static torus_workload_t read_swf(const char *text, uint32_t processors_per_node)
{
	torus_workload_t workload;

	assert_int_equal(
		torus_swf_read(text, strlen(text), processors_per_node, &workload, NULL),
		0);
	return workload;
}

static void swf_fields_are_read(void **state)
{
	torus_workload_t w = read_swf(
		"; Version: 2.2\n"
		"\n"
		"  ; a comment behind blanks\r\n"
		"7 100 20 300 9 -1 -1 16 400 -1 1 1 1 -1 -1 -1 -1 -1\n"
		"8\t90.5 -1 1.25 -1 2.5 -1 16 -1 -1 0 1 1 -1 -1 -1 -1 -1\r\n"
		"9 100 0 0 1 -1 -1 1 5 -1 1 1 1 -1 -1 -1 -1 -1 ; less than a second",
		8);

	(void)state;
	assert_int_equal(w.count, 3);
	assert_int_equal(torus_skipped_total(&w.skipped), 0);
	/* Sorted by submission; those of the same time as they stood. */
	assert_int_equal(w.job[0].number, 8);
	assert_int_equal(w.job[0].submit, 90500000);
	assert_int_equal(w.job[0].wait, -1);
	assert_int_equal(w.job[0].run_time, 1250000);
	assert_int_equal(w.job[0].estimate, 1250000); /* missing: the run time */
	assert_int_equal(w.job[0].nodes, 2);	      /* requested: 16 on 8 each */
	assert_int_equal(w.job[0].line, 5);
	assert_int_equal(w.job[1].number, 7);
	assert_int_equal(w.job[1].wait, 20 * TORUS_SECOND);
	assert_int_equal(w.job[1].estimate, 400 * TORUS_SECOND);
	assert_int_equal(w.job[1].nodes, 2); /* allocated: 9 on 8 each */
	assert_int_equal(w.job[2].number, 9);
	assert_int_equal(w.job[2].run_time, 0);
	torus_workload_clear(&w);
}

static void what_is_no_job_is_counted(void **state)
{
	static const struct {
		const char *line, *reason;
	} lines[] = {
		{"1 0 0 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1", "malformed"}, /* 17 */
		{"1 0 0 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 x -1", "malformed"},
		{"1 0 0 10 4.5 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1", "malformed"},
		{"1 0 0 10 5000000000 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1", "malformed"},
		{"1 0 0 1e3 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1", "malformed"},
		{"1 0 0 200000000000 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1", "malformed"},
		{"1 -1 0 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1", "malformed"},
		{"-1 0 0 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1", "malformed"},
		{"- 0 0 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1", "malformed"},
		{"what is this", "malformed"},
		{"1 0 0 10 4 -1 -1 4 10 -1 2 1 1 -1 -1 -1 -1 -1", "partial_execution"},
		{"1 0 0 10 4 -1 -1 4 10 -1 4 1 1 -1 -1 -1 -1 -1", "partial_execution"},
		{"1 0 0 -1 4 -1 -1 4 10 -1 5 1 1 -1 -1 -1 -1 -1", "no_run_time"},
		{"1 0 0 0 4 -1 -1 4 10 -1 5 1 1 -1 -1 -1 -1 -1", "no_run_time"},
		{"1 0 0 10 0 -1 -1 -1 10 -1 1 1 1 -1 -1 -1 -1 -1", "no_processors"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char text[256];
		torus_workload_t w;

		snprintf(text, sizeof(text), "; header\n%s\n%s\n", lines[i].line,
			 lines[i].line);
		w = read_swf(text, 1);
		assert_int_equal(w.count, 0);
		assert_int_equal(w.skipped.reasons, 1);
		assert_string_equal(w.skipped.by[0].reason, lines[i].reason);
		assert_int_equal(w.skipped.by[0].count, 2);
		assert_int_equal(w.skipped.by[0].first_line, 2);
		torus_workload_clear(&w);
	}
}

static void repeated_lines_are_counted(void **state)
{
	static const char log[] =
		"7 0 0 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n"
		"7 0 0 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -2\n" /* the last differs */
		"8 0 0 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n" /* the first does */
		"9 1 0 -1 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n"
		"9 1 0 -1 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n" /* no jobs */
		"8 0 0 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n"
		"  7 0 0\t10.0 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1 ; again\n"
		"8 0 0 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1";
	torus_workload_t w = read_swf(log, 1);

	(void)state;
	assert_int_equal(w.count, 6);
	assert_int_equal(w.repeated.count, 3);
	assert_int_equal(w.repeated.first_line, 6);
	torus_workload_clear(&w);
	w = read_swf("", 1);
	assert_int_equal(w.repeated.count, 0);
	torus_workload_clear(&w);
}

static void the_last_reason_takes_the_rest(void **state)
{
	static const char names[TORUS_SKIP_REASONS + 2][2] = {
		"a", "b", "c", "d", "e", "f", "g", "h", "i",
		"j", "k", "l", "m", "n", "o", "p", "q", "r"};
	torus_skipped_t skipped = {0};

	(void)state;
	for (int i = 0; i < TORUS_SKIP_REASONS + 2; i++)
		torus_skip(&skipped, names[i], 1);
	assert_int_equal(skipped.reasons, TORUS_SKIP_REASONS);
	assert_int_equal(skipped.by[TORUS_SKIP_REASONS - 1].count, 3);
	assert_int_equal(torus_skipped_total(&skipped), TORUS_SKIP_REASONS + 2);
}

static int no_files(void *context, const char *path, char **text, size_t *length,
		    torus_error_t *err)
{
	(void)context;
	(void)text;
	(void)length;
	return torus_fail(err, "no file %s", path);
}

static torus_cluster_t *read_cluster(const char *text)
{
	torus_error_t error = {""};
	torus_cluster_t *cluster = torus_conf_read_text(text, strlen(text), "torus.conf",
							no_files, NULL, &error);

	if (!cluster)
		fail_msg("%s", error.text);
	return cluster;
}

static const char two_tori[] =
	"TorusName=a Dims=4x2 Nodes=a[0-15] NodesPerRouter=2 Curve=row_major\n"
	"TorusName=b Dims=3 Nodes=b[0-2] Curve=row_major\n";

static void outages_are_read(void **state)
{
	static const char text[] = "# comment\n"
				   "a[0-1],b2  10 20.5\n"
				   "a:0,7      20 30   # touches that of a0 and a1\n"
				   "b2         30 40\n"
				   "b:all      5 6\n";
	static const torus_outage_t expected[] = {
		{5000000, 6000000, 1, 0},    {5000000, 6000000, 1, 1},
		{5000000, 6000000, 1, 2},    {10000000, 20500000, 1, 2},
		{10000000, 30000000, 0, 0},  {10000000, 30000000, 0, 1},
		{20000000, 30000000, 0, 14}, {20000000, 30000000, 0, 15},
		{30000000, 40000000, 1, 2},
	};
	torus_cluster_t *cluster = read_cluster(two_tori);
	torus_outages_t outages;
	torus_error_t error = {""};

	(void)state;
	if (torus_outages_read(text, strlen(text), "out", cluster, &outages, &error))
		fail_msg("%s", error.text);
	assert_int_equal(outages.count, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < outages.count; i++) {
		assert_int_equal(outages.outage[i].from, expected[i].from);
		assert_int_equal(outages.outage[i].until, expected[i].until);
		assert_int_equal(outages.outage[i].torus, expected[i].torus);
		assert_int_equal(outages.outage[i].rank, expected[i].rank);
	}
	torus_outages_clear(&outages);
	assert_int_equal(torus_outages_read("", 0, "out", cluster, &outages, NULL), 0);
	assert_int_equal(outages.count, 0);
	torus_cluster_destroy(cluster);
}

static void wrong_outages_are_named(void **state)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
		{"a0 1", "out:1: not nodes, from when and until when"},
		{"\na0 1 2 3", "out:2: not nodes"},
		{"c0 1 2", "out:1: no torus has a node 'c0'"},
		{"c:0 1 2", "out:1: there is no torus 'c'"},
		{"0-3 1 2", "out:1: cells of which torus?"},
		{"b:3 1 2", "out:1: "},
		{"a0 2 2", "out:1: the outage ends at 2, not after it begins (2)"},
		{"a0 x 2", "out:1: 'x' is no number of seconds"},
		{"a0 -1 2", "out:1: '-1' is no number of seconds"},
		{"a0 1 2s", "out:1: '2s' is no number of seconds"},
		{"a[0 1 2", "out:1: "},
	};
	torus_cluster_t *cluster = read_cluster(two_tori);

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		torus_outages_t outages;
		torus_error_t error = {""};

		assert_int_equal(torus_outages_read(wrong[i].text, strlen(wrong[i].text),
						    "out", cluster, &outages, &error),
				 -1);
		assert_null(outages.outage);
		if (strncmp(error.text, wrong[i].message, strlen(wrong[i].message)) != 0)
			fail_msg("%s: %s", wrong[i].text, error.text);
	}
	torus_cluster_destroy(cluster);
}

static void slowdowns_are_read(void **state)
{
	static const char *const wrong[] = {
		"average_distance",	"average_distance:",   "average_distance:x",
		"average_distance:-1",	"average_distance:1x", "average_distance:inf",
		"contiguous:1",		"averagedistance:1",   ":1",
		"average_distance:nan", "average_distance: 1", "",
	};
	torus_slowdown_t slowdown;

	(void)state;
	assert_int_equal(torus_slowdown_parse("diameter:0.25", &slowdown, NULL), 0);
	assert_string_equal(torus_metric_name(slowdown.metric), "diameter");
	assert_true(slowdown.weight == 0.25);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		torus_error_t error = {""};

		assert_int_equal(torus_slowdown_parse(wrong[i], &slowdown, &error), -1);
		assert_string_not_equal(error.text, "");
	}
}

static void every_metric_has_its_value(void **state)
{
	torus_metrics_t metrics = {
		.nodes = 99,
		.span_ring = 1,
		.span_linear = 2,
		.stretch_span = 3,
		.contiguous = true,
		.components = 5,
		.volume = 6,
		.side_sum = 7,
		.cube_side = 8,
		.nodes_affected = 9,
		.links_affected = 10,
		.average_distance = 11,
		.summed_distance = 12,
		.distance_from_center = 13,
		.diameter = 14,
		.apd = 15,
	};

	(void)state;
	for (int i = 0; i < TORUS_METRIC_VALUES; i++) {
		bool contiguous = strcmp(torus_metric_name(i), "contiguous") == 0;

		assert_int_equal(torus_metric_find(torus_metric_name(i)), i);
		assert_true(torus_metric_value(&metrics, i) ==
			    (contiguous ? 1 : (double)i + 1));
	}
	assert_int_equal(torus_metric_find("nodes"), -1);
}

static void times_are_read_and_written(void **state)
{
	static const struct {
		const char *text;
		int64_t time;
		const char *back;
	} times[] = {
		{"0", 0, "0"},
		{"12", 12000000, "12"},
		{"-1", -1000000, "-1"},
		{"0.25", 250000, "0.25"},
		{"-0.000001", -1, "-0.000001"},
		{"1.0000019", 1000001, "1.000001"},
		{".5", 500000, "0.5"},
		{"3.", 3000000, "3"},
		{"1000000000000", INT64_C(1000000000000000000), "1000000000000"},
	};
	static const char *const wrong[] = {"", "-", ".", "x", "1000000000001", "-."};
	char back[TORUS_SECONDS_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		const char *at = times[i].text, *end = at + strlen(at);
		int64_t time;

		assert_true(torus_seconds_read(&at, end, &time));
		assert_ptr_equal(at, end);
		assert_int_equal(time, times[i].time);
		assert_string_equal(torus_seconds_format(time, back), times[i].back);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *at = wrong[i];
		int64_t time;

		assert_false(torus_seconds_read(&at, at + strlen(at), &time));
		assert_ptr_equal(at, wrong[i]);
	}
}

static void workloads_are_changed(void **state)
{
	static const char log[] = "7 0 0 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n"
				  "12 5 0 30 2 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"
				  "13 6 0 30 3 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n";
	torus_transform_t transform = {
		.max_jobs = 2, .replicate = 3, .work_multiple = 1.5, .seed = 1};
	torus_workload_t w = read_swf(log, 1), again = read_swf(log, 1);
	bool seen[3][2] = {{false}};
	torus_error_t error;

	(void)state;
	assert_int_equal(torus_workload_transform(&w, &transform, NULL), 0);
	assert_int_equal(w.count, 6);
	for (size_t i = 0; i < w.count; i++) {
		uint64_t copy = w.job[i].number / 100, number = w.job[i].number % 100;
		int64_t original = number == 7 ? 0 : 5 * TORUS_SECOND;

		assert_true(number == 7 || number == 12);
		assert_true(i == 0 || w.job[i].submit >= w.job[i - 1].submit);
		assert_true(w.job[i].submit >= original &&
			    w.job[i].submit <= original + TORUS_REPLICATE_LATEST);
		assert_true(copy || w.job[i].submit == original);
		assert_int_equal(w.job[i].run_time,
				 (number == 7 ? 15 : 45) * TORUS_SECOND);
		assert_int_equal(w.job[i].estimate,
				 (number == 7 ? 30 : 45) * TORUS_SECOND);
		seen[copy][number == 12] = true;
	}
	for (int i = 0; i < 6; i++)
		assert_true(seen[i / 2][i % 2]);
	/* The same seed gives the same. */
	assert_int_equal(torus_workload_transform(&again, &transform, NULL), 0);
	for (size_t i = 0; i < w.count; i++)
		assert_int_equal(w.job[i].submit, again.job[i].submit);
	transform = (torus_transform_t){.replicate = UINT32_MAX, .work_multiple = 1};
	assert_int_equal(torus_workload_transform(&again, &transform, &error), -1);
	assert_string_equal(error.text,
			    "4294967295 times 6 jobs are 25769803770; at most "
			    "2147483646 can be simulated");
	transform.memory = UINT64_C(3) << 30;
	assert_int_equal(torus_workload_transform(&again, &transform, &error), -1);
	assert_string_equal(error.text,
			    "4294967295 times 6 jobs are 25769803770, and need "
			    "about 1.23e+04 GiB of memory; there are 3 GiB");
	assert_int_equal(again.count, 6);
	transform = (torus_transform_t){
		.max_jobs = 1, .replicate = 2, .work_multiple = 1, .memory = 1023};
	assert_int_equal(torus_workload_transform(&again, &transform, NULL), -1);
	transform.memory = 1024;
	assert_int_equal(torus_workload_transform(&again, &transform, NULL), 0);
	assert_int_equal(again.count, 2);
	transform = (torus_transform_t){.replicate = 1, .work_multiple = 1e12};
	assert_int_equal(torus_workload_transform(&again, &transform, NULL), -1);
	torus_workload_clear(&again);
	torus_workload_clear(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swf_fields_are_read),
		cmocka_unit_test(what_is_no_job_is_counted),
		cmocka_unit_test(repeated_lines_are_counted),
		cmocka_unit_test(the_last_reason_takes_the_rest),
		cmocka_unit_test(outages_are_read),
		cmocka_unit_test(wrong_outages_are_named),
		cmocka_unit_test(slowdowns_are_read),
		cmocka_unit_test(every_metric_has_its_value),
		cmocka_unit_test(times_are_read_and_written),
		cmocka_unit_test(workloads_are_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
