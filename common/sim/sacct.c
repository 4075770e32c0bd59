/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of a site's own history: see sacct.h. */
#include "sim/sacct.h"

#include <stdlib.h>
#include <string.h>

#include "sim/sacct_columns.h"
#include "sim/sacct_fields.h"

#define SKIP_PENDING "pending"
#define SKIP_RUNNING "running"
#define SKIP_NEVER_STARTED "never_started"
#define SKIP_DUPLICATE "duplicate"

/* The next line of *rest, without its end; false: there is none. */
static bool next_line(torus_sacct_field_t *rest, torus_sacct_field_t *line)
{
	const char *newline;

	if (!rest->length)
		return false;
	newline = memchr(rest->at, '\n', rest->length);
	*line = *rest;
	if (newline)
		line->length = (size_t)(newline - rest->at);
	rest->at += line->length + (newline != NULL);
	rest->length -= line->length + (newline != NULL);
	if (line->length && line->at[line->length - 1] == '\r')
		line->length--;
	return true;
}

/* Whether a job that ended in this state may never have had nodes. */
static bool may_never_start(torus_sacct_field_t state)
{
	return torus_sacct_begins(state, "CANCELLED") ||
	       torus_sacct_begins(state, "DEADLINE") ||
	       torus_sacct_begins(state, "REVOKED");
}

/* Read when the job ran: the reason why it is skipped, or NULL. In seconds. */
static const char *read_times(const torus_sacct_columns_t *columns,
			      const torus_sacct_field_t *field, int64_t *submit,
			      int64_t *start, int64_t *end)
{
	int64_t eligible, elapsed = 0;
	torus_sacct_value_t value;

	if (torus_sacct_time(field[TORUS_SACCT_SUBMIT], 0, submit) != TORUS_SACCT_READ)
		return TORUS_SKIP_MALFORMED;
	value = torus_sacct_time(field[TORUS_SACCT_START], *submit, start);
	if (value != TORUS_SACCT_READ)
		return value == TORUS_SACCT_NONE ? SKIP_NEVER_STARTED
						 : TORUS_SKIP_MALFORMED;
	if (columns->has[TORUS_SACCT_END]) {
		value = torus_sacct_time(field[TORUS_SACCT_END], *start, end);
	} else {
		value = torus_sacct_duration(field[TORUS_SACCT_ELAPSED], 1, &elapsed);
		*end = *start + elapsed;
	}
	if (value != TORUS_SACCT_READ)
		return value == TORUS_SACCT_NONE ? SKIP_RUNNING : TORUS_SKIP_MALFORMED;
	if (*start < *submit || *end < *start)
		return TORUS_SKIP_MALFORMED;
	if (columns->has[TORUS_SACCT_ELIGIBLE]) {
		value = torus_sacct_time(field[TORUS_SACCT_ELIGIBLE], *submit, &eligible);
		if (value == TORUS_SACCT_MALFORMED)
			return TORUS_SKIP_MALFORMED;
		/* Later than the start it is when the job was changed while it ran. */
		if (value == TORUS_SACCT_READ && eligible > *submit && eligible <= *start)
			*submit = eligible;
	}
	return NULL;
}

/* Read the job that is not a step: the reason why it is skipped, or NULL. */
static const char *read_job(const torus_sacct_columns_t *columns,
			    const torus_sacct_field_t *field, torus_sim_job_t *job)
{
	int64_t submit, start, end, limit = 0;
	const char *reason;

	if (!torus_sacct_job_number(field[TORUS_SACCT_NUMBER], &job->number) ||
	    !torus_sacct_count(field[TORUS_SACCT_NODES], &job->nodes) ||
	    (columns->has[TORUS_SACCT_LIMIT] &&
	     torus_sacct_duration(field[TORUS_SACCT_LIMIT], 60, &limit) ==
		     TORUS_SACCT_MALFORMED))
		return TORUS_SKIP_MALFORMED;
	if (torus_sacct_begins(field[TORUS_SACCT_STATE], "PENDING"))
		return SKIP_PENDING;
	if (torus_sacct_begins(field[TORUS_SACCT_STATE], "RUNNING") ||
	    torus_sacct_begins(field[TORUS_SACCT_STATE], "SUSPENDED") ||
	    torus_sacct_begins(field[TORUS_SACCT_STATE], "COMPLETING"))
		return SKIP_RUNNING;
	reason = read_times(columns, field, &submit, &start, &end);
	if (reason)
		return reason;
	if (!job->nodes || (!columns->nodes_allocated && start == end &&
			    may_never_start(field[TORUS_SACCT_STATE])))
		return SKIP_NEVER_STARTED;
	job->submit = submit * TORUS_SECOND;
	job->wait = (start - submit) * TORUS_SECOND;
	job->run_time = (end - start) * TORUS_SECOND;
	job->estimate = limit * TORUS_SECOND;
	if (job->estimate < job->run_time)
		job->estimate = job->run_time;
	return NULL;
}

/* By their texts; of the same text, the one that stands before the other comes first. */
static int compare_lines(const void *a, const void *b)
{
	const torus_sacct_field_t *first = *(const torus_sacct_field_t *const *)a;
	const torus_sacct_field_t *second = *(const torus_sacct_field_t *const *)b;
	int difference;

	if (first->length != second->length)
		return first->length < second->length ? -1 : 1;
	difference = memcmp(first->at, second->at, first->length);
	if (difference)
		return difference;
	return first->at < second->at ? -1 : first->at > second->at;
}

/* Take out of the workload the jobs whose line, line[i] of job i, stood before. */
static int skip_duplicates(torus_workload_t *workload, torus_sacct_field_t *line,
			   torus_error_t *err)
{
	const torus_sacct_field_t **order = calloc(workload->count + 1, sizeof(*order));
	size_t kept = 0;

	if (!order)
		return torus_fail(err, "out of memory for %zu jobs", workload->count);
	for (size_t i = 0; i < workload->count; i++)
		order[i] = &line[i];
	qsort(order, workload->count, sizeof(*order), compare_lines);
	/* From the last on: each is compared with one that still is there. */
	for (size_t i = workload->count; i-- > 1;) {
		if (torus_sacct_same(*order[i], *order[i - 1]))
			line[order[i] - line].at = NULL;
	}
	free(order);
	for (size_t i = 0; i < workload->count; i++) {
		if (line[i].at)
			workload->job[kept++] = workload->job[i];
		else
			torus_skip(&workload->skipped, SKIP_DUPLICATE,
				   workload->job[i].line);
	}
	workload->count = kept;
	return 0;
}

/* Read all lines, the first of which has the names; line[i] is that of job i. */
static int read_lines(torus_sacct_field_t rest, const char *path,
		      torus_sacct_field_t *line, torus_workload_t *workload,
		      torus_error_t *err)
{
	torus_sacct_columns_t columns = {0};
	torus_sacct_field_t this, field[TORUS_SACCT_MEANINGS];
	uint64_t number = 0;

	while (next_line(&rest, &this)) {
		torus_sim_job_t job = {.line = ++number};
		const char *reason = TORUS_SKIP_MALFORMED;

		if (!this.length)
			continue;
		if (!columns.count) {
			if (torus_sacct_columns_read(this, path, number, &columns, err))
				return -1;
			continue;
		}
		if (torus_sacct_same(this, columns.line))
			continue;
		if (torus_sacct_cut(&columns, this, field)) {
			if (memchr(field[TORUS_SACCT_NUMBER].at, '.',
				   field[TORUS_SACCT_NUMBER].length))
				continue;
			reason = read_job(&columns, field, &job);
		}
		line[workload->count] = this;
		if (reason)
			torus_skip(&workload->skipped, reason, number);
		else if (torus_workload_add(workload, &job, err) != 0)
			return -1;
	}
	if (columns.count)
		return 0;
	return torus_fail(
		err, "%s: no line with the names of columns, as sacct -P prints", path);
}

/* How many lines the text has, at most. */
static size_t count_lines(const char *text, size_t length)
{
	size_t count = 1;

	for (size_t i = 0; i < length; i++)
		count += text[i] == '\n';
	return count;
}

int torus_sacct_read(const char *text, size_t length, const char *path,
		     torus_workload_t *workload, torus_error_t *err)
{
	size_t lines = count_lines(text, length);
	torus_sacct_field_t *line = malloc(lines * sizeof(*line));
	int result;

	*workload = (torus_workload_t){0};
	if (!line)
		return torus_fail(err, "out of memory for %zu lines of %s", lines, path);
	result = read_lines((torus_sacct_field_t){text, length}, path, line, workload,
			    err);
	if (result == 0)
		result = skip_duplicates(workload, line, err);
	if (result == 0)
		result = torus_workload_sort(workload, err);
	free(line);
	if (result != 0)
		torus_workload_clear(workload);
	return result;
}
