/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of a site's own history: see sacct.h. */
#include "sim/sacct.h"

#include <stdlib.h>
#include <string.h>

#include "sim/sacct_reader.h"

/* Read the current line: the reason why it is skipped, or NULL. */
static const char *read_job(const torus_sacct_reader_t *reader, torus_sim_job_t *job)
{
	const torus_sacct_field_t *field = reader->field;
	torus_sacct_times_t times;
	torus_sacct_state_t state;
	const char *reason;
	int64_t limit = 0;

	if (!reader->whole ||
	    !torus_sacct_job_number(field[TORUS_SACCT_NUMBER], &job->number) ||
	    !torus_sacct_count(field[TORUS_SACCT_NODES], &job->nodes) ||
	    (reader->columns.has[TORUS_SACCT_LIMIT] &&
	     torus_sacct_duration(field[TORUS_SACCT_LIMIT], 60, &limit) ==
		     TORUS_SACCT_MALFORMED))
		return TORUS_SKIP_MALFORMED;
	state = torus_sacct_read_state(reader);
	if (state == TORUS_SACCT_IS_PENDING)
		return TORUS_SACCT_PENDING;
	if (state == TORUS_SACCT_IS_RUNNING)
		return TORUS_SACCT_RUNNING;
	reason = torus_sacct_read_times(reader, &times);
	if (reason)
		return reason;
	if (times.start >= 0 && times.end < 0)
		return TORUS_SACCT_RUNNING;
	if (torus_sacct_never_started(reader, &times, job->nodes))
		return TORUS_SACCT_NEVER_STARTED;
	/* Later than the start it is when the job was changed while it ran. */
	if (times.eligible >= 0 && times.eligible <= times.start)
		times.submit = times.eligible;
	job->submit = times.submit * TORUS_SECOND;
	job->wait = (times.start - times.submit) * TORUS_SECOND;
	job->run_time = (times.end - times.start) * TORUS_SECOND;
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
			torus_skip(&workload->skipped, TORUS_SACCT_DUPLICATE,
				   workload->job[i].line);
	}
	workload->count = kept;
	return 0;
}

/* Read all lines; line[i] is that of job i. */
static int read_lines(const char *text, size_t length, const char *path,
		      torus_sacct_field_t *line, torus_workload_t *workload,
		      torus_error_t *err)
{
	torus_sacct_reader_t reader;
	int more;

	torus_sacct_reader_begin(&reader, text, length, path);
	while ((more = torus_sacct_reader_next(&reader, err)) == 1) {
		torus_sim_job_t job = {.line = reader.number};
		const char *reason = read_job(&reader, &job);

		line[workload->count] = reader.line;
		if (reason)
			torus_skip(&workload->skipped, reason, reader.number);
		else if (torus_workload_add(workload, &job, err) != 0)
			return -1;
	}
	return more;
}

int torus_sacct_read(const char *text, size_t length, const char *path,
		     torus_workload_t *workload, torus_error_t *err)
{
	size_t lines = torus_sacct_count_lines(text, length);
	torus_sacct_field_t *line = malloc(lines * sizeof(*line));
	int result;

	*workload = (torus_workload_t){0};
	if (!line)
		return torus_fail(err, "out of memory for %zu lines of %s", lines, path);
	result = read_lines(text, length, path, line, workload, err);
	if (result == 0)
		result = skip_duplicates(workload, line, err);
	if (result == 0)
		result = torus_workload_sort(workload, err);
	free(line);
	if (result != 0)
		torus_workload_clear(workload);
	return result;
}
