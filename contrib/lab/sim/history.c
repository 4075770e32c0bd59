/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site's history with names: see history.h. */
#include "sim/history.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sacct_reader.h"

/* Read the current line: the reason why it is skipped, or NULL. */
static const char *read_job(const torus_sacct_reader_t *reader, torus_history_job_t *job)
{
	const torus_sacct_field_t *field = reader->field;
	const bool *has = reader->columns.has;
	torus_sacct_times_t times;
	torus_sacct_state_t state;
	const char *reason;

	if (!reader->whole || !torus_sacct_count(field[TORUS_SACCT_NODES], &job->nodes) ||
	    (has[TORUS_SACCT_LIMIT] &&
	     torus_sacct_duration(field[TORUS_SACCT_LIMIT], 60, &job->limit) ==
		     TORUS_SACCT_MALFORMED))
		return TORUS_SKIP_MALFORMED;
	reason = torus_sacct_read_times(reader, &times);
	if (reason)
		return reason;
	state = torus_sacct_read_state(reader);
	job->start = times.start;
	job->end = state == TORUS_SACCT_IS_RUNNING || state == TORUS_SACCT_IS_PENDING
			   ? -1
			   : times.end;
	job->waited = times.eligible;
	if (state == TORUS_SACCT_IS_PENDING ||
	    torus_sacct_never_started(reader, &times, job->nodes)) {
		reason = state == TORUS_SACCT_IS_PENDING ? TORUS_SACCT_PENDING
							 : TORUS_SACCT_NEVER_STARTED;
		if (has[TORUS_SACCT_ASKED] && !job->nodes)
			torus_sacct_count(field[TORUS_SACCT_ASKED], &job->nodes);
		job->start = -1;
		if (times.eligible < 0 || !job->nodes ||
		    (job->end >= 0 && job->end < job->waited))
			return reason;
	} else if (job->waited < 0 || job->waited > job->start) {
		job->waited = times.submit;
	}
	job->id = field[TORUS_SACCT_NUMBER];
	job->nodelist = field[TORUS_SACCT_NODELIST];
	if (has[TORUS_SACCT_USER])
		job->user = field[TORUS_SACCT_USER];
	if (has[TORUS_SACCT_ACCOUNT])
		job->account = field[TORUS_SACCT_ACCOUNT];
	if (has[TORUS_SACCT_PARTITION])
		job->partition = field[TORUS_SACCT_PARTITION];
	if (has[TORUS_SACCT_COMMENT])
		job->comment = field[TORUS_SACCT_COMMENT];
	return NULL;
}

static int read_lines(const char *text, size_t length, const char *path,
		      torus_history_t *history, torus_error_t *err)
{
	torus_sacct_reader_t reader;
	int more;

	torus_sacct_reader_begin(&reader, text, length, path);
	while ((more = torus_sacct_reader_next(&reader, err)) == 1) {
		torus_history_job_t job = {.line = reader.number};
		const char *reason;

		if (!reader.columns.has[TORUS_SACCT_NODELIST])
			break;
		reason = read_job(&reader, &job);
		if (reason)
			torus_skip(&history->skipped, reason, reader.number);
		else
			history->job[history->count++] = job;
	}
	if (more < 0 || reader.columns.has[TORUS_SACCT_NODELIST])
		return more;
	return torus_fail(err,
			  "%s: no column NodeList; have sacct -P print it: "
			  "--format=%s",
			  path, TORUS_HISTORY_FORMAT);
}

static int compare_ids(const torus_history_job_t *a, const torus_history_job_t *b)
{
	if (a->id.length != b->id.length)
		return a->id.length < b->id.length ? -1 : 1;
	return memcmp(a->id.at, b->id.at, a->id.length);
}

/* By job, then by start, the lines that count before the others of the same run; jobs
 * that wait come last. */
static int compare_runs(const void *one, const void *other)
{
	const torus_history_job_t *a = *(const torus_history_job_t *const *)one;
	const torus_history_job_t *b = *(const torus_history_job_t *const *)other;
	int difference = compare_ids(a, b);

	if (difference)
		return difference;
	if (a->start != b->start) {
		if (a->start < 0 || b->start < 0)
			return a->start < 0 ? 1 : -1;
		return a->start < b->start ? -1 : 1;
	}
	if ((a->end < 0) != (b->end < 0))
		return a->end < 0 ? 1 : -1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* Whether [job] tells nothing that [before], which comes before it in that order, does
 * not. */
static bool is_told(const torus_history_job_t *job, const torus_history_job_t *before)
{
	if (compare_ids(job, before) != 0)
		return false;
	return job->start == before->start ||
	       (job->start < 0 && before->start >= job->waited);
}

static int skip_duplicates(torus_history_t *history, torus_error_t *err)
{
	const torus_history_job_t **order = calloc(history->count + 1, sizeof(*order));
	bool *told = calloc(history->count + 1, sizeof(*told));
	const torus_history_job_t *before = NULL;
	size_t kept = 0;
	int result = 0;

	if (!order || !told) {
		result = torus_fail(err, "out of memory for %zu jobs", history->count);
		goto done;
	}
	for (size_t i = 0; i < history->count; i++)
		order[i] = &history->job[i];
	qsort(order, history->count, sizeof(*order), compare_runs);
	for (size_t i = 0; i < history->count; i++) {
		if (before && is_told(order[i], before))
			told[order[i] - history->job] = true;
		else
			before = order[i];
	}
	for (size_t i = 0; i < history->count; i++) {
		if (told[i])
			torus_skip(&history->skipped, TORUS_SACCT_DUPLICATE,
				   history->job[i].line);
		else
			history->job[kept++] = history->job[i];
	}
	history->count = kept;
done:
	free(told);
	free(order);
	return result;
}

static void find_ends(torus_history_t *history)
{
	history->first = history->last = -1;
	for (size_t i = 0; i < history->count; i++) {
		const torus_history_job_t *job = &history->job[i];
		const int64_t times[] = {job->waited, job->start, job->end};

		if (job->start >= 0 &&
		    (history->first < 0 || job->start < history->first))
			history->first = job->start;
		for (size_t t = 0; t < sizeof(times) / sizeof(times[0]); t++) {
			if (times[t] > history->last)
				history->last = times[t];
		}
	}
}

int torus_history_read(const char *text, size_t length, const char *path,
		       torus_history_t *history, torus_error_t *err)
{
	size_t lines = torus_sacct_count_lines(text, length);

	*history = (torus_history_t){.job = malloc(lines * sizeof(*history->job))};
	if (!history->job)
		return torus_fail(err, "out of memory for %zu lines of %s", lines, path);
	if (read_lines(text, length, path, history, err) != 0 ||
	    skip_duplicates(history, err) != 0) {
		torus_history_clear(history);
		return -1;
	}
	find_ends(history);
	return 0;
}

void torus_history_clear(torus_history_t *history)
{
	free(history->job);
	*history = (torus_history_t){0};
}
