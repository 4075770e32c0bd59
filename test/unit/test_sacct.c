/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is read of a site's history: columns in any order, what is skipped and why, times
 * where clocks are set back; and random jobs, written as sacct writes them and read
 * again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "random.h"
#include "sim/sacct.h"
#include "sim/sacct_fields.h"

#define NAMES "JobIDRaw|Submit|Eligible|Start|End|TimelimitRaw|AllocNodes|State\n"

/* The zone of these tests: an hour ahead, two in summer, without the files of tzdata. */
#define ZONE "CET-1CEST,M3.5.0,M10.5.0/3"

/*
 * All that was read: "NUMBER SUBMIT+WAIT:RUN<=ESTIMATE xNODES @LINE; " of each job, in
 * seconds, then "REASON COUNT @LINE; "; or the message.
 */
static const char *describe(const char *text)
{
	static char out[4096];
	torus_workload_t workload;
	torus_error_t err = {""};
	char *at = out;

	*out = '\0';
	if (torus_sacct_read(text, strlen(text), "f", &workload, &err) != 0) {
		assert_null(workload.job);
		return strcpy(out, err.text);
	}
	for (size_t i = 0; i < workload.count; i++) {
		const torus_sim_job_t *job = &workload.job[i];

		at += sprintf(at, "%llu %lld+%lld:%lld<=%lld x%u @%llu; ",
			      (unsigned long long)job->number,
			      (long long)(job->submit / TORUS_SECOND),
			      (long long)(job->wait / TORUS_SECOND),
			      (long long)(job->run_time / TORUS_SECOND),
			      (long long)(job->estimate / TORUS_SECOND), job->nodes,
			      (unsigned long long)job->line);
		assert_false(job->has_shape);
	}
	for (int i = 0; i < workload.skipped.reasons; i++)
		at += sprintf(at, "%s %llu @%llu; ", workload.skipped.by[i].reason,
			      (unsigned long long)workload.skipped.by[i].count,
			      (unsigned long long)workload.skipped.by[i].first_line);
	torus_workload_clear(&workload);
	return out;
}

typedef struct {
	const char *text, *says;
} expectation_t;

static void check(const expectation_t *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_string_equal(describe(table[i].text), table[i].says);
}
#define CHECK(table) check(table, sizeof(table) / sizeof((table)[0]))

static void finds_columns_by_name(void **state)
{
	static const expectation_t table[] = {
		{NAMES "7|100|110|150|350|10|4|COMPLETED\n", "7 110+40:200<=600 x4 @2; "},
		/* any order and case, others among them, the better of two */
		{"STATE|nnodes|JobName|start|Partition|END|submit|allocnodes|jobid\n"
		 "COMPLETED|9|x|150|all|350|100|4|7\n",
		 "7 100+50:200<=200 x4 @2; "},
		{"JobID|JobIDRaw|Submit|Start|Elapsed|NNodes|State\n"
		 "7_3|9|100|150|00:03:20|4|COMPLETED\n",
		 "9 100+50:200<=200 x4 @2; "},
		{"JobIDRaw|Submit|Start|Elapsed|ElapsedRaw|NNodes|State|Timelimit\n"
		 "9|100|150|00:03:21|200|4|COMPLETED|1-00:00:00\n",
		 "9 100+50:200<=86400 x4 @2; "},
		/* of two of the same name the first */
		{"JobIDRaw|JobIDRaw|Submit|Start|End|NNodes|State\n"
		 "1|2|100|150|350|4|COMPLETED\n",
		 "1 100+50:200<=200 x4 @2; "},
		/* -p has a bar at the end of each line; lines may end with CR LF */
		{"JobIDRaw|Submit|Start|End|AllocNodes|State|\r\n"
		 "7|100|150|350|4|FAILED|\r\n",
		 "7 100+50:200<=200 x4 @2; "},
		{"\n" NAMES "\n7|100|110|150|350|10|4|COMPLETED",
		 "7 110+40:200<=600 x4 @4; "},
		{NAMES, ""},
		{"", "f: no line with the names of columns, as sacct -P prints"},
		{"7|100|110|150|350|10|4|COMPLETED\n",
		 "f:1: no column JobIDRaw; the first line has to name the columns, as with "
		 "sacct -P --format=" TORUS_SACCT_FORMAT},
		{"\nJobIDRaw|Submit|Start|End|AllocNodes\n",
		 "f:2: no column State; the first line has to name the columns, as with "
		 "sacct -P --format=" TORUS_SACCT_FORMAT},
		{"JobID|Submit|Start|AllocNodes|State\n",
		 "f:1: no column End; the first line has to name the columns, as with "
		 "sacct -P --format=" TORUS_SACCT_FORMAT},
	};

	(void)state;
	CHECK(table);
}

static void takes_every_run_of_a_job(void **state)
{
	static const expectation_t table[] = {
		/* sorted by submission, in their order where it is the same */
		{NAMES "2|200|200|200|300|1|1|COMPLETED\n"
		       "1|100|100|100|300|1|1|COMPLETED\n"
		       "3|100|100|100|300|1|1|TIMEOUT\n",
		 "1 100+0:200<=200 x1 @3; 3 100+0:200<=200 x1 @4; "
		 "2 200+0:100<=100 x1 @2; "},
		/* requeued, changed in size: as often as it had nodes */
		{NAMES "5|100|100|110|120|60|2|NODE_FAIL\n"
		       "5|120|240|250|300|60|2|REQUEUED\n"
		       "5|300|420|430|500|60|2|RESIZING\n"
		       "5|500|500|500|600|60|3|COMPLETED\n",
		 "5 100+10:10<=3600 x2 @2; 5 240+10:50<=3600 x2 @3; "
		 "5 420+10:70<=3600 x2 @4; 5 500+0:100<=3600 x3 @5; "},
		/* arrays and heterogeneous jobs; steps are no jobs */
		{"JobID|Submit|Start|End|AllocNodes|State\n"
		 "7_1|1|2|3|1|COMPLETED\n7_1.batch||2|3|1|COMPLETED\n"
		 "7_2|1|2|3|1|CANCELLED by 0\n7_2.extern||2|3|1|COMPLETED\n"
		 "8+0|1|2|3|1|OUT_OF_MEMORY\n8+0.0||2|3|1|OUT_OF_ME+\n8+1|1|2|3|5|COMPLETED\n",
		 "7 1+1:1<=1 x1 @2; 7 1+1:1<=1 x1 @4; 8 1+1:1<=1 x1 @6; "
		 "8 1+1:1<=1 x5 @8; "},
		/* Eligible counts only between submission and start. */
		{NAMES
		 "1|100|90|150|350|1|1|COMPLETED\n2|100|151|150|350|1|1|COMPLETED\n"
		 "3|100|150|150|350|1|1|COMPLETED\n4|100|Unknown|150|350|1|1|PREEMPTED\n",
		 "1 100+50:200<=200 x1 @2; 2 100+50:200<=200 x1 @3; "
		 "4 100+50:200<=200 x1 @5; 3 150+0:200<=200 x1 @4; "},
		{NAMES "1|5|5|5|5|1|1|COMPLETED\n", "1 5+0:0<=60 x1 @2; "},
	};

	(void)state;
	CHECK(table);
}

static void counts_what_it_skips(void **state)
{
	static const expectation_t table[] = {
		{NAMES "1|100|100|Unknown|Unknown|1|0|PENDING\n"
		       "2_[3-9]|100|100|Unknown|Unknown|1|0|PENDING\n"
		       "3|100|100|110|Unknown|1|2|RUNNING\n"
		       "4|100|100|110|Unknown|1|2|SUSPENDED\n"
		       "5|100|100|110|120|1|2|COMPLETING\n"
		       "6|100|100|110|Unknown|1|2|COMPLETED\n"
		       "7|100|100|None|150|1|0|CANCELLED by 1000\n"
		       "8|100|100|150|150|1|0|CANCELLED by 1000\n"
		       "9|100|100|150|150|1|0|FAILED\n",
		 "pending 2 @2; running 4 @4; never_started 3 @8; "},
		/* NNodes is what was asked for where there was nothing allocated. */
		{"JobID|Submit|Start|End|NNodes|State\n"
		 "1|1|2|2|5|CANCELLED by 0\n2|1|2|2|5|DEADLINE\n3|1|2|2|5|REVOKED\n"
		 "4|1|2|2|5|COMPLETED\n5|1|2|3|5|CANCELLED\n",
		 "4 1+1:0<=0 x5 @5; 5 1+1:1<=1 x5 @6; never_started 3 @2; "},
		/* but AllocNodes never is */
		{"JobID|Submit|Start|End|AllocNodes|State\n1|1|2|2|5|CANCELLED by 0\n",
		 "1 1+1:0<=0 x5 @2; "},
		/* fields too few and too many, numbers that are none, times in a wrong
		   order */
		{NAMES
		 "1|100|100|110|120|1|2\n1|a|b|100|100|110|120|1|2|COMPLETED\n\001\n"
		 "x|100|100|110|120|1|2|COMPLETED\n|100|100|110|120|1|2|COMPLETED\n"
		 "1|Unknown|100|110|120|1|2|COMPLETED\n1|100|1e2|110|120|1|2|COMPLETED\n"
		 "1|100|100|-110|120|1|2|COMPLETED\n1|100|100|110|120|1m|2|COMPLETED\n"
		 "1|100|100|110|120|1|2.5K|COMPLETED\n1|100|100|110|120|1||COMPLETED\n"
		 "1|100|100|110|109|1|2|COMPLETED\n1|100|100|99|109|1|2|COMPLETED\n"
		 "1|100|100|110|100000000001|1|2|COMPLETED\n"
		 "18446744073709551616|100|100|110|120|1|2|COMPLETED\n"
		 "1|100|100|110|120|1|4294967296|COMPLETED\n"
		 "1x|100|100|110|120|1|4|COMPLETED\n",
		 "malformed 17 @2; "},
		/* two months put together: the names again, and a job from one into the
		   other */
		{NAMES
		 "1|100|100|110|120|1|2|COMPLETED\n2|100|100|110|Unknown|1|2|RUNNING\n"
		 "3|105|105|110|220|1|2|COMPLETED\n" NAMES
		 "3|105|105|110|220|1|2|COMPLETED\n2|100|100|110|210|1|2|COMPLETED\n"
		 "3|105|105|110|220|1|2|COMPLETED\n4|120|120|120|130|1|1|COMPLETED\n",
		 "1 100+10:10<=60 x2 @2; 2 100+10:100<=100 x2 @7; 3 105+5:110<=110 x2 @4; "
		 "4 120+0:10<=60 x1 @9; running 1 @3; duplicate 2 @6; "},
	};

	(void)state;
	CHECK(table);
}

static void reads_limits_and_counts(void **state)
{
	static const struct {
		const char *limit;
		int64_t seconds; /* -1: none, -2: malformed */
	} limits[] = {
		{"", -1},
		{"Partition_Limit", -1},
		{"UNLIMITED", 31536000},
		{"0", 0},
		{"1", 60},
		{"525600", 31536000},
		{"1666666666", 99999999960},
		{"1666666667", -2},
		{"00:01:00", 60},
		{"1-00:00:00", 86400},
		{"10-23:59:59", 950399},
		{"01:30", 90},
		{"100:00:00", 360000},
		{"1-24:00:00", -2},
		{"00:60:00", -2},
		{"1-10:00", -2},
		{"1-", -2},
		{"1:2:3:4", -2},
		{"1:", -2},
		{"9999999-00:00:00", -2},
		{"INVALID", -2},
		{" 1", -2},
	};
	static const struct {
		const char *text;
		int64_t count; /* -1: malformed */
	} counts[] = {{"0", 0},
		      {"1", 1},
		      {"1K", 1024},
		      {"17K", 17408},
		      {"2M", 2 << 20},
		      {"3G", INT64_C(3) << 30},
		      {"4G", -1},
		      {"1k", -1},
		      {"1KK", -1},
		      {"K", -1},
		      {"4294967295", 4294967295},
		      {"1.5K", -1},
		      {"1T", -1},
		      {"", -1}};

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		torus_sacct_field_t field = {limits[i].limit, strlen(limits[i].limit)};
		int64_t seconds = 0;
		torus_sacct_value_t value = torus_sacct_duration(field, 60, &seconds);

		assert_int_equal(value, limits[i].seconds == -2	  ? TORUS_SACCT_MALFORMED
					: limits[i].seconds == -1 ? TORUS_SACCT_NONE
								  : TORUS_SACCT_READ);
		if (value == TORUS_SACCT_READ)
			assert_int_equal(seconds, limits[i].seconds);
	}
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		torus_sacct_field_t field = {counts[i].text, strlen(counts[i].text)};
		uint32_t count = 0;

		assert_int_equal(torus_sacct_count(field, &count), counts[i].count >= 0);
		if (counts[i].count >= 0)
			assert_int_equal(count, counts[i].count);
	}
}

static void reads_calendar_times(void **state)
{
	static const struct {
		const char *text;
		int64_t not_before, seconds; /* -1: none, -2: malformed */
	} table[] = {
		{"1970-01-01T01:00:00", 0, 0},
		{"2026-07-01T12:00:00", 0, 1782900000},
		{"2024-02-29T00:00:00", 0, 1709161200},
		/* 25 October 2026, 3:00 becomes 2:00: half past two happens twice. */
		{"2026-10-25T02:30:00", 0, 1792888200},
		{"2026-10-25T02:30:00", 1792888200, 1792888200},
		{"2026-10-25T02:30:00", 1792888201, 1792891800},
		{"2026-10-25T02:30:00", 1792899999, 1792891800},
		{"2026-10-25T01:59:59", 0, 1792886399},
		{"2026-10-25T03:00:00", 0, 1792893600},
		/* 29 March 2026, 2:00 becomes 3:00 */
		{"2026-03-29T01:59:59", 0, 1774745999},
		{"2026-03-29T03:00:00", 0, 1774746000},
		{"1792888200", 0, 1792888200},
		{"Unknown", 0, -1},
		{"None", 0, -1},
		{"", 0, -1},
		{"1969-12-31T23:00:00", 0, -2},
		{"1970-01-01T00:59:59", 0, -2},
		{"2026-02-29T00:00:00", 0, -2},
		{"2026-04-31T00:00:00", 0, -2},
		{"2026-13-01T00:00:00", 0, -2},
		{"2026-00-01T00:00:00", 0, -2},
		{"2026-01-00T00:00:00", 0, -2},
		{"2026-01-01T24:00:00", 0, -2},
		{"2026-01-01T00:60:00", 0, -2},
		{"2026-01-01 00:00:00", 0, -2},
		{"2026-01-01T00:00", 0, -2},
		{"2026-01-01T00:00:00Z", 0, -2},
		{"2026-1-1T00:00:00", 0, -2},
		{"26-01-01T00:00:00", 0, -2},
		{"01 Jan 12:00", 0, -2},
		{"+5", 0, -2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_sacct_field_t field = {table[i].text, strlen(table[i].text)};
		int64_t seconds = 0;
		torus_sacct_value_t value =
			torus_sacct_time(field, table[i].not_before, &seconds);

		assert_int_equal(value, table[i].seconds == -2	 ? TORUS_SACCT_MALFORMED
					: table[i].seconds == -1 ? TORUS_SACCT_NONE
								 : TORUS_SACCT_READ);
		if (value == TORUS_SACCT_READ)
			assert_int_equal(seconds, table[i].seconds);
	}
}

static void survives_the_hour_that_is_left_out(void **state)
{
	torus_sacct_field_t field = {"2026-03-29T02:30:00", 19};
	int64_t seconds;

	(void)state;
	/* Clocks here never show it, those of the cluster did: within the hour either
	 * way. */
	assert_int_equal(torus_sacct_time(field, 0, &seconds), TORUS_SACCT_READ);
	assert_in_range(seconds, 1774746000 - 3600, 1774746000 + 3600);
}

static void follows_a_job_through_the_hour_that_comes_twice(void **state)
{
	(void)state;
	/* submitted at 2:50 before clocks are set back, started 30 minutes later, ended
	 * 20 minutes after that */
	assert_string_equal(
		describe("JobIDRaw|Submit|Eligible|Start|End|AllocNodes|State\n"
			 "1|2026-10-25T02:50:00|2026-10-25T02:50:00|"
			 "2026-10-25T02:20:00|2026-10-25T02:40:00|1|COMPLETED\n"),
		"1 1792889400+1800:1200<=1200 x1 @2; ");
}

/* A random number below 2^40, mostly small. */
static int64_t random_seconds(void)
{
	return (int64_t)(random_next() >> (24 + random_in(0, 35)));
}

/*
 * Write [seconds] as sacct does, as the zone's clocks show it or as a number, and a bar.
 * Returns the length.
 */
static int print_time(char *text, int64_t seconds, bool calendar)
{
	time_t time = seconds;
	struct tm tm;

	if (!calendar)
		return sprintf(text, "%lld|", (long long)seconds);
	localtime_r(&time, &tm);
	return (int)strftime(text, 32, "%Y-%m-%dT%H:%M:%S|", &tm);
}

/* From 2:00 summer time to 3:00 winter time: clocks show it twice. */
static bool is_twice(int64_t seconds)
{
	return seconds >= 1792886400 && seconds < 1792893600;
}

/* The line of a random job, and what describe() is to say of it. */
static bool random_line(char *text, char *want)
{
	bool calendar = random_in(0, 1), minutes = random_in(0, 1);
	int64_t submit = 1790000000 + random_in(0, 4000000);
	int64_t start = submit + random_seconds() % 100000;
	int64_t end = start + random_seconds() % 1000000;
	uint32_t nodes = random_in(1, 5000), limit = random_in(0, 30000);
	int64_t estimate = end - start > 60 * limit ? end - start : 60 * limit;

	text += sprintf(text, "JobIDRaw|Submit|Start|End|Timelimit|AllocNodes|State\n7|");
	text += print_time(text, submit, calendar);
	text += print_time(text, start, calendar);
	text += print_time(text, end, calendar);
	if (minutes)
		text += sprintf(text, "%u", limit);
	else if (limit >= 1440)
		text += sprintf(text, "%u-%02u:%02u:00", limit / 1440, limit / 60 % 24,
				limit % 60);
	else
		text += sprintf(text, "%02u:%02u:00", limit / 60, limit % 60);
	sprintf(text, nodes % 1024 ? "|%u|FAILED\n" : "|%uK|FAILED\n",
		nodes % 1024 ? nodes : nodes / 1024);
	sprintf(want, "7 %lld+%lld:%lld<=%lld x%u @2; ", (long long)submit,
		(long long)(start - submit), (long long)(end - start),
		(long long)estimate, nodes);
	/* Which of the two it was cannot always be told. */
	return !calendar || !(is_twice(submit) || is_twice(start) || is_twice(end));
}

static void reads_what_was_written(void **state)
{
	(void)state;
	for (int round = 0; round < 20000;) {
		char text[512], want[256];

		if (!random_line(text, want))
			continue;
		assert_string_equal(describe(text), want);
		round++;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_columns_by_name),
		cmocka_unit_test(takes_every_run_of_a_job),
		cmocka_unit_test(counts_what_it_skips),
		cmocka_unit_test(reads_limits_and_counts),
		cmocka_unit_test(reads_calendar_times),
		cmocka_unit_test(survives_the_hour_that_is_left_out),
		cmocka_unit_test(follows_a_job_through_the_hour_that_comes_twice),
		cmocka_unit_test(reads_what_was_written),
	};

	setenv("TZ", ZONE, 1);
	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
