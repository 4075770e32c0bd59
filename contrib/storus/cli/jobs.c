/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that a picture of the machine shows: the list, and its reading from a file. */
#include "torus_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

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

/* Where a job keeps the text called [name], or NULL. */
static char **text_called(storus_job_t *job, const char *name)
{
#define STORUS_JOB_NAMED(text)                                                           \
	if (strcmp(name, #text) == 0)                                                    \
		return &job->text;
	STORUS_JOB_TEXTS(STORUS_JOB_NAMED)
#undef STORUS_JOB_NAMED
	return NULL;
}

/* Whether squeue prints a time that it does not know so. */
static bool unknown_time(const char *text)
{
	static const char *const words[] = {"NONE", "N/A", "Unknown"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(text, words[i]) == 0)
			return true;
	}
	return false;
}

/* Read seconds since 1970, or local time as squeue prints it. */
static int read_time(const char *text, int64_t *time, torus_error_t *err)
{
	struct tm local = {.tm_isdst = -1};
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &local);
	char *end;

	*time = 0;
	if (unknown_time(text))
		return 0;
	if (rest && !*rest) {
		*time = (int64_t)mktime(&local);
		return 0;
	}
	errno = 0;
	long long value = strtoll(text, &end, 10);

	if (end == text || *end || errno || value <= 0)
		return torus_fail(err,
				  "'%s' is not a time in seconds since 1970, nor one "
				  "such as 2026-11-22T18:00:00",
				  text);
	*time = value;
	return 0;
}

static int read_yes_no(const char *text, bool *yes, torus_error_t *err)
{
	*yes = strcasecmp(text, "yes") == 0;
	if (!*yes && strcasecmp(text, "no") != 0)
		return torus_fail(err, "'%s' is neither yes nor no", text);
	return 0;
}

/* A word "NAME=VALUE" behind the nodes of a job. */
static int read_more(storus_job_t *job, char *word, torus_error_t *err)
{
	char *value = strchr(word, '=');
	char **text;

	if (!value)
		return torus_fail(err, "unexpected '%s' behind the nodes of job '%s'",
				  word, job->id);
	*value++ = '\0';
	if (strcmp(word, "start") == 0)
		return read_time(value, &job->start, err);
	if (strcmp(word, "end") == 0)
		return read_time(value, &job->end, err);
	if (strcmp(word, "preemptible") == 0)
		return read_yes_no(value, &job->preemptible, err);
	text = text_called(job, word);
	if (!text)
		return torus_fail(err, "unknown '%s=' of job '%s'", word, job->id);
	free(*text);
	*text = storus_clean_copy(value);
	return *text ? 0 : torus_fail(err, "out of memory");
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

	if (!id)
		return 0;
	if (!nodelist)
		return torus_fail(err, "job '%s' without nodes", id);
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
	if (!job->id || !job->nodelist)
		return torus_fail(err, "out of memory");
	for (char *more; (more = strtok_r(NULL, blanks, &rest));) {
		if (read_more(job, more, err) != 0)
			return -1;
	}
	return 0;
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

static int compare_nodes(const void *a, const void *b)
{
	const storus_node_t *p = a, *q = b;

	return strcmp(p->name, q->name);
}

void storus_jobs_sort_nodes(storus_jobs_t *jobs)
{
	qsort(jobs->node, jobs->nodes, sizeof(*jobs->node), compare_nodes);
}

const storus_node_t *storus_jobs_find_node(const storus_jobs_t *jobs, const char *name)
{
	const storus_node_t wanted = {.name = (char *)name};

	return jobs->nodes ? bsearch(&wanted, jobs->node, jobs->nodes,
				     sizeof(*jobs->node), compare_nodes)
			   : NULL;
}

void storus_jobs_clear(storus_jobs_t *jobs)
{
	for (uint32_t i = 0; i < jobs->count; i++) {
		free(jobs->job[i].id);
		free(jobs->job[i].nodelist);
#define STORUS_JOB_FREE(text) free(jobs->job[i].text);
		STORUS_JOB_TEXTS(STORUS_JOB_FREE)
#undef STORUS_JOB_FREE
	}
	free(jobs->job);
	for (uint32_t i = 0; i < jobs->nodes; i++)
		free(jobs->node[i].name);
	free(jobs->node);
	memset(jobs, 0, sizeof(*jobs));
}
