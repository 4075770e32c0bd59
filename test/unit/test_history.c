/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site's history with names: what makes a run, what makes a job that waits, and which
 * of several lines about the same job counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sim/history.h"

#define NAMES                                                                            \
	"JobIDRaw|User|Submit|Eligible|Start|End|ReqNodes|AllocNodes|State|NodeList\n"

/* All that was read: "ID USER WAITED/START-END xNODES @LINE; " of each job, then what was
 * skipped as "REASON COUNT @LINE; ", then "FIRST-LAST"; or the message. */
static const char *describe(const char *text)
{
	static char out[4096];
	torus_history_t history;
	torus_error_t err = {""};
	char *at = out;

	if (torus_history_read(text, strlen(text), "f", &history, &err) != 0) {
		assert_null(history.job);
		return strcpy(out, err.text);
	}
	for (size_t i = 0; i < history.count; i++) {
		const torus_history_job_t *job = &history.job[i];

		at += sprintf(at, "%.*s %.*s %lld/%lld-%lld x%u %.*s@%llu; ",
			      (int)job->id.length, job->id.at, (int)job->user.length,
			      job->user.length ? job->user.at : "",
			      (long long)job->waited, (long long)job->start,
			      (long long)job->end, job->nodes, (int)job->nodelist.length,
			      job->nodelist.length ? job->nodelist.at : "",
			      (unsigned long long)job->line);
	}
	for (int i = 0; i < history.skipped.reasons; i++)
		at += sprintf(at, "%s %llu @%llu; ", history.skipped.by[i].reason,
			      (unsigned long long)history.skipped.by[i].count,
			      (unsigned long long)history.skipped.by[i].first_line);
	sprintf(at, "%lld-%lld", (long long)history.first, (long long)history.last);
	torus_history_clear(&history);
	return out;
}

static void tells_runs_from_waiting(void **state)
{
	(void)state;
	assert_string_equal(
		describe(NAMES "1|ada|100|110|150|350|2|2|COMPLETED|n[0-1]\n"
			       "1.batch||100||150|350||1|COMPLETED|n0\n"
			       "2|bob|100|170|150|Unknown|1|1|RUNNING|n2\n"
			       "3|bob|100|120|Unknown|Unknown|5|0|PENDING|None assigned\n"
			       "4|bob|100|Unknown|Unknown|Unknown|5|0|PENDING|\n"
			       "5|bob|100|120|None|190|6|0|CANCELLED by 7|\n"
			       "6|bob|100|120|190|190|6|0|FAILED|\n"
			       "7|bob|100|120|110|x|6|0|FAILED|\n"
			       "8|bob|100|None|None|110|6|0|CANCELLED by 7|\n"),
		"1 ada 110/150-350 x2 n[0-1]@2; 2 bob 100/150--1 x1 n2@4; "
		"3 bob 120/-1--1 x5 None assigned@5; 5 bob 120/-1-190 x6 @7; "
		"6 bob 120/-1-190 x6 @8; pending 1 @6; malformed 1 @9; "
		"never_started 1 @10; 150-350");
}

static void counts_a_run_once(void **state)
{
	(void)state;
	/* Two months put together; a requeued job; one that changed its size. */
	assert_string_equal(
		describe(NAMES "1|a|1|1|10|Unknown|2|2|RUNNING|n[0-1]\n"
			       "2|a|1|1|Unknown|Unknown|2|0|PENDING|\n"
			       "3|a|1|1|10|20|2|2|REQUEUED|n[0-1]\n"
			       "3|a|21|25|30|40|2|2|RESIZING|n[0-1]\n"
			       "3|a|21|25|40|50|2|1|COMPLETED|n0\n" NAMES
			       "1|a|1|1|10|90|2|2|COMPLETED|n[0-1]\n"
			       "1|a|1|1|10|90|2|2|COMPLETED|n[0-1]\n"
			       "2|a|1|1|60|70|2|2|COMPLETED|n[0-1]\n"
			       "3|a|51|55|Unknown|Unknown|2|0|PENDING|\n"),
		"3 a 1/10-20 x2 n[0-1]@4; 3 a 25/30-40 x2 n[0-1]@5; 3 a 25/40-50 x1 n0@6; "
		"1 a 1/10-90 x2 n[0-1]@8; 2 a 1/60-70 x2 n[0-1]@10; 3 a 55/-1--1 x2 @11; "
		"duplicate 3 @2; 10-90");
}

static void needs_the_nodes(void **state)
{
	(void)state;
	assert_string_equal(
		describe(
			"JobID|Submit|Start|End|AllocNodes|State\n1|1|2|3|1|COMPLETED\n"),
		"f: no column NodeList; have sacct -P print it: "
		"--format=" TORUS_HISTORY_FORMAT);
	assert_string_equal(describe("JobID|Submit|Start|End|AllocNodes|State\n"),
			    "f: no column NodeList; have sacct -P print it: "
			    "--format=" TORUS_HISTORY_FORMAT);
	assert_string_equal(describe(""),
			    "f: no line with the names of columns, as sacct -P prints");
	assert_string_equal(describe(NAMES), "-1--1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_runs_from_waiting),
		cmocka_unit_test(counts_a_run_once),
		cmocka_unit_test(needs_the_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
