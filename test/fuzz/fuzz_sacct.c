/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sacct prints. Input: the text. Every job that is read is one that can be replayed,
 * every line is read or counted at most once, and the same text again adds no job. The
 * same text as a history with names: every text borrowed from it.
 */
#include "fuzz.h"

#include "sim/history.h"
#include "sim/sacct.h"

static size_t count_lines(const char *text, size_t length)
{
	size_t count = length && text[length - 1] != '\n';

	for (size_t i = 0; i < length; i++)
		count += text[i] == '\n';
	return count;
}

static void check_jobs(const torus_workload_t *workload, size_t lines)
{
	uint64_t skipped = torus_skipped_total(&workload->skipped);

	CHECK(workload->count + skipped <= lines);
	for (int i = 0; i < workload->skipped.reasons; i++)
		CHECK(workload->skipped.by[i].first_line <= lines);
	for (size_t i = 0; i < workload->count; i++) {
		const torus_sim_job_t *job = &workload->job[i];

		CHECK(job->nodes && job->submit >= 0 && job->wait >= 0);
		CHECK(job->run_time >= 0 && job->estimate >= job->run_time);
		CHECK(job->submit <= INT64_MAX - job->wait);
		CHECK(job->submit + job->wait <= INT64_MAX - job->estimate);
		CHECK(job->line && job->line <= lines);
		CHECK(!i || job[-1].submit <= job->submit);
	}
}

static void check_twice(const char *text, size_t length, const torus_workload_t *once)
{
	char *twice = malloc(2 * length + 2);
	torus_workload_t workload;

	CHECK(twice);
	memcpy(twice, text, length);
	twice[length] = '\n';
	memcpy(twice + length + 1, text, length);
	CHECK(!torus_sacct_read(twice, 2 * length + 1, "f", &workload, NULL));
	CHECK(workload.count == once->count);
	for (size_t i = 0; i < once->count; i++) {
		CHECK(workload.job[i].line == once->job[i].line);
		CHECK(workload.job[i].submit == once->job[i].submit);
	}
	CHECK(torus_skipped_total(&workload.skipped) ==
	      2 * torus_skipped_total(&once->skipped) + once->count);
	torus_workload_clear(&workload);
	free(twice);
}

static void check_history(const char *text, size_t length)
{
	torus_history_t history;

	if (torus_history_read(text, length, "f", &history, NULL) != 0) {
		CHECK(!history.job && !history.count);
		return;
	}
	CHECK(history.count + torus_skipped_total(&history.skipped) <=
	      count_lines(text, length));
	for (size_t i = 0; i < history.count; i++) {
		const torus_history_job_t *job = &history.job[i];

		CHECK(job->nodes && job->waited >= 0 && job->waited <= history.last);
		CHECK(job->start < 0 || job->start >= job->waited);
		CHECK(job->end < 0 || job->end >= job->waited);
		CHECK(job->start < 0 || job->start >= history.first);
		CHECK(!job->nodelist.length ||
		      (job->nodelist.at >= text &&
		       job->nodelist.at + job->nodelist.length <= text + length));
	}
	torus_history_clear(&history);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	torus_workload_t workload;

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	check_history(text, size);
	if (torus_sacct_read(text, size, "f", &workload, NULL) != 0) {
		CHECK(!workload.job && !workload.count);
		return 0;
	}
	check_jobs(&workload, count_lines(text, size));
	check_twice(text, size, &workload);
	torus_workload_clear(&workload);
	return 0;
}
