/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that a picture of the machine shows: the list, and its reading from a file. */
#include "torus_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "base/printable.h"
#include "storus/cli/jobs.h"

storus_job_t *storus_jobs_add(storus_jobs_t *jobs)
{
	/* The room doubles whenever the count is a power of two. */
	if ((jobs->count & (jobs->count - 1)) == 0) {
		size_t room = jobs->count ? 2 * (size_t)jobs->count : 1;
		storus_job_t *grown = realloc(jobs->job, room * sizeof(*grown));

		if (!grown)
			return NULL;
		jobs->job = grown;
	}
	storus_job_t *job = &jobs->job[jobs->count++];

	memset(job, 0, sizeof(*job));
	return job;
}

char *storus_clean_copy(const char *text)
{
	size_t size = torus_printable_size(text ? text : "");
	char *copy = malloc(size);

	return copy ? torus_printable(text ? text : "", copy, size) : NULL;
}

/* One line; empty ones are fine. Returns 0, or -1 with [err] filled. */
static int read_line(storus_jobs_t *jobs, char *line, torus_error_t *err)
{
	static const char blanks[] = " \t\r\n";
	char *rest = NULL;
	char **names;
	uint32_t count;

	line[strcspn(line, "#")] = '\0';
	const char *id = strtok_r(line, blanks, &rest);
	const char *nodelist = strtok_r(NULL, blanks, &rest);
	const char *extra = strtok_r(NULL, blanks, &rest);

	if (!id)
		return 0;
	if (!nodelist)
		return torus_fail(err, "job '%s' without nodes", id);
	if (extra)
		return torus_fail(err, "unexpected '%s' behind the nodes of job '%s'",
				  extra, id);
	for (uint32_t i = 0; i < jobs->count; i++) {
		if (strcmp(jobs->job[i].id, id) == 0)
			return torus_fail(err, "job '%s' was given before", id);
	}
	/* The list is expanded once more where it is drawn, but only here is the line
	 * number known. */
	if (torus_hostlist_expand(nodelist, &names, &count, err) != 0)
		return -1;
	free(names);

	storus_job_t *job = storus_jobs_add(jobs);

	if (!job)
		return torus_fail(err, "out of memory");
	job->id = storus_clean_copy(id);
	job->nodelist = strdup(nodelist);
	job->listed = true;
	return job->id && job->nodelist ? 0 : torus_fail(err, "out of memory");
}

int storus_jobs_read(const char *path, storus_jobs_t *jobs, torus_error_t *err)
{
	bool standard_input = strcmp(path, "-") == 0;
	FILE *file = standard_input ? stdin : fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	unsigned long number = 0;
	int rc = 0;

	memset(jobs, 0, sizeof(*jobs));
	if (!file)
		return torus_fail(err, "%s: %s", path, strerror(errno));
	while (rc == 0 && getline(&line, &size, file) >= 0) {
		number++;
		rc = read_line(jobs, line, err);
		if (rc != 0)
			torus_fail_prefix(err, "%s:%lu: ", path, number);
	}
	if (rc == 0 && ferror(file))
		rc = torus_fail(err, "%s: %s", path, strerror(errno));
	free(line);
	if (!standard_input)
		fclose(file);
	if (rc != 0)
		storus_jobs_clear(jobs);
	return rc;
}

uint32_t storus_jobs_select(storus_jobs_t *jobs, const char *id)
{
	uint32_t listed = 0;
	char *end;
	unsigned long number = strtoul(id, &end, 10);

	if (*end || end == id || number > UINT32_MAX)
		number = 0;
	for (uint32_t i = 0; i < jobs->count; i++) {
		storus_job_t *job = &jobs->job[i];
		bool named = strcmp(job->id, id) == 0 ||
			     (number &&
			      (job->job_id == number || job->array_job_id == number ||
			       job->het_job_id == number));

		job->listed = job->listed && named;
		listed += job->listed;
	}
	return listed;
}

void storus_jobs_clear(storus_jobs_t *jobs)
{
	for (uint32_t i = 0; i < jobs->count; i++) {
		free(jobs->job[i].id);
		free(jobs->job[i].name);
		free(jobs->job[i].user);
		free(jobs->job[i].nodelist);
	}
	free(jobs->job);
	for (uint32_t i = 0; i < jobs->usable_count; i++)
		free(jobs->usable[i]);
	free(jobs->usable);
	memset(jobs, 0, sizeof(*jobs));
}
