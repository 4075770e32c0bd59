/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that Slurm's accounts have, as a history. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/history.h"
#include "storus/cli/sacct.h"
#include "storus/view/accounts.h"
#include "storus/view/history.h"

/* A copy of a text that may be empty, which then is NULL. */
static int copy(torus_sacct_field_t field, char **to)
{
	char *text;

	if (!field.length)
		return 0;
	text = strndup(field.at, field.length);
	*to = text ? storus_clean_copy(text) : NULL;
	free(text);
	return *to ? 0 : -1;
}

static int add_run(const torus_history_job_t *run, int64_t last, storus_jobs_t *jobs,
		   torus_error_t *err)
{
	storus_job_t *job;

	if (jobs->count == STORUS_HISTORY_JOBS)
		return torus_fail(
			err,
			"more than %d runs of jobs are too many for a page: take "
			"a shorter time",
			STORUS_HISTORY_JOBS);
	job = storus_jobs_add(jobs);
	if (!job)
		return torus_fail(err, "out of memory");
	job->listed = true;
	job->start = run->start;
	job->end = run->end < 0 ? last : run->end;
	if (copy(run->id, &job->id) != 0 || copy(run->nodelist, &job->nodelist) != 0 ||
	    copy(run->user, &job->user) != 0 || copy(run->account, &job->account) != 0 ||
	    copy(run->partition, &job->partition) != 0 ||
	    copy(run->comment, &job->system_comment) != 0)
		return torus_fail(err, "out of memory");
	return 0;
}

static int add_runs(const torus_history_t *history, const char *path, storus_jobs_t *jobs,
		    torus_error_t *err)
{
	for (size_t i = 0; i < history->count; i++) {
		const torus_history_job_t *run = &history->job[i];

		if (run->start >= 0 && run->nodelist.length && run->id.length &&
		    add_run(run, history->last, jobs, err) != 0)
			return -1;
	}
	if (!jobs->count)
		return torus_fail(err, "%s: no job that ran", path);
	return 0;
}

static void report_skipped(const torus_skipped_t *skipped, const char *path)
{
	for (int i = 0; i < skipped->reasons; i++) {
		const torus_skip_count_t *by = &skipped->by[i];

		if (strcmp(by->reason, TORUS_SKIP_MALFORMED) == 0)
			warnx("%s: lines that cannot be read: %" PRIu64
			      ", the first is line %" PRIu64,
			      path, by->count, by->first_line);
	}
}

int storus_view_accounts_read(const char *path, int64_t from, int64_t to,
			      storus_jobs_t *jobs, torus_error_t *err)
{
	const char *name = path ? path : "sacct";
	torus_history_t history;
	char *text;
	int rc;

	memset(jobs, 0, sizeof(*jobs));
	rc = storus_sacct_history(path, from, to, &text, &history, err);
	if (rc == 0) {
		report_skipped(&history.skipped, name);
		rc = add_runs(&history, name, jobs, err);
	}
	torus_history_clear(&history);
	free(text);
	if (rc != 0)
		storus_jobs_clear(jobs);
	return rc;
}
