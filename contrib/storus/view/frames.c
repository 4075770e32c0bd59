/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history that `storus view --record DIR` has kept. */
#include "torus_config.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hostlist.h"
#include "storus/cli/progress.h"
#include "storus/view/frames.h"
#include "storus/view/history.h"

typedef struct reader {
	storus_jobs_t *jobs;
	json_t *running;    /* id: place in jobs->job[] */
	int64_t time;	    /* of the last line */
	int64_t first, end; /* times that the file at hand can have */
	bool short_of_memory;
	uint64_t damaged;     /* lines that were passed over, wholly or in part */
	torus_error_t damage; /* the first of them, and what is wrong with it */
} reader_t;

/* An error that is not a line's: reading ends. */
static int no_memory(reader_t *reader, torus_error_t *err)
{
	reader->short_of_memory = true;
	return torus_fail(err, "out of memory");
}

static int copy_text(const json_t *object, const char *name, char **to)
{
	const char *text = json_string_value(json_object_get(object, name));

	if (!text)
		return 0;
	*to = storus_clean_copy(text);
	return *to ? 0 : -1;
}

/* Jobs that are said to run already are still the same run when there was a pause. */
static bool goes_on(const reader_t *reader, const json_t *object, const char *id,
		    json_t *still)
{
	const json_t *place = json_object_get(reader->running, id);
	const storus_job_t *job;
	const char *nodelist = json_string_value(json_object_get(object, "nodelist"));
	json_int_t start;

	if (!place || !nodelist)
		return false;
	job = &reader->jobs->job[json_integer_value(place)];
	start = json_integer_value(json_object_get(object, "start"));
	return (start <= 0 || start == job->start) &&
	       strcmp(job->nodelist, nodelist) == 0 &&
	       json_object_set_new(still, id, json_true()) == 0;
}

static int end_job(reader_t *reader, const char *id)
{
	const json_t *place = json_object_get(reader->running, id);

	if (place)
		reader->jobs->job[json_integer_value(place)].end = reader->time;
	return place ? json_object_del(reader->running, id) : 0;
}

/* A job that has come; [still] collects those that have not gone. */
static int come(reader_t *reader, const json_t *object, json_t *still, torus_error_t *err)
{
	const char *id = json_string_value(json_object_get(object, "id"));
	const char *nodelist = json_string_value(json_object_get(object, "nodelist"));
	storus_job_t *job;
	uint32_t count;
	char **names;
	int rc = 0;

	if (!id || !nodelist)
		return torus_fail(err, "a job without id or nodelist");
	if (goes_on(reader, object, id, still))
		return 0;
	/* Only here is the line number known. */
	if (torus_hostlist_expand(nodelist, &names, &count, err) != 0)
		return -1;
	free(names);
	end_job(reader, id);
	job = storus_jobs_add(reader->jobs);
	if (!job)
		return no_memory(reader, err);
	job->listed = true;
	job->start = json_integer_value(json_object_get(object, "start"));
	/* Slurm may say it only later. */
	if (job->start <= 0 || job->start > reader->time)
		job->start = reader->time;
#define STORUS_JOB_GET(text)                                                             \
	if (rc == 0)                                                                     \
		rc = copy_text(object, #text, &job->text);
	STORUS_JOB_TEXTS(STORUS_JOB_GET)
#undef STORUS_JOB_GET
	if (rc != 0 || copy_text(object, "id", &job->id) != 0 ||
	    copy_text(object, "nodelist", &job->nodelist) != 0 ||
	    json_object_set_new(reader->running, id,
				json_integer((json_int_t)reader->jobs->count - 1)) != 0 ||
	    json_object_set_new(still, id, json_true()) != 0)
		return no_memory(reader, err);
	return 0;
}

/* All jobs have gone but those in [still]. */
static void end_others(reader_t *reader, const json_t *still)
{
	const char *id;
	json_t *place;
	void *next;

	json_object_foreach_safe(reader->running, next, id, place)
	{
		if (!json_object_get(still, id))
			end_job(reader, id);
	}
}

static int read_line(reader_t *reader, const json_t *line, torus_error_t *err)
{
	const json_t *time = json_object_get(line, "time"), *each;
	json_t *still;
	size_t i;
	int rc = 0;

	if (!json_is_integer(time) || json_integer_value(time) < reader->time)
		return torus_fail(err, "no time, or one before that of the line before");
	if (json_integer_value(time) < reader->first ||
	    json_integer_value(time) >= reader->end)
		return torus_fail(err, "a time that is not of this file's day");
	still = json_object();
	if (!still)
		return no_memory(reader, err);
	reader->time = json_integer_value(time);
	json_array_foreach(json_object_get(line, "gone"), i, each)
	{
		if (json_is_string(each))
			end_job(reader, json_string_value(each));
	}
	/* What is wrong with one job is not the others' fault. */
	json_array_foreach(json_object_get(line, "come"), i, each)
	{
		if (!reader->short_of_memory && come(reader, each, still, err) != 0)
			rc = -1;
	}
	if (!reader->short_of_memory && json_is_true(json_object_get(line, "all")))
		end_others(reader, still);
	json_decref(still);
	return rc;
}

static int read_text(reader_t *reader, const char *text, size_t length,
		     torus_error_t *err)
{
	json_error_t error;
	json_t *line = json_loadb(text, length, 0, &error);
	int rc = line ? read_line(reader, line, err) : torus_fail(err, "%s", error.text);

	json_decref(line);
	return rc;
}

/* Which times the file called [name] can have: those of the day that it is called. */
static void find_day(reader_t *reader, const char *name)
{
	struct tm day = {0};
	const char *rest = strptime(name, "%Y-%m-%d", &day);

	reader->first = INT64_MIN;
	reader->end = INT64_MAX;
	if (rest && strcmp(rest, STORUS_FRAMES_SUFFIX) == 0) {
		reader->first = (int64_t)timegm(&day);
		reader->end = reader->first + 24 * 60 * 60;
	}
}

static int read_file(reader_t *reader, const char *path, torus_error_t *err)
{
	FILE *file = fopen(path, "r");
	unsigned long number = 0;
	char *text = NULL;
	size_t size = 0;
	ssize_t length;
	int rc = 0;

	if (!file)
		return torus_fail(err, "%s: %s", path, strerror(errno));
	while (rc == 0 && (length = getline(&text, &size, file)) > 0) {
		number++;
		/* What a crash has left */
		if (text[length - 1] != '\n')
			break;
		if (read_text(reader, text, (size_t)length, err) == 0)
			continue;
		torus_fail_prefix(err, "%s:%lu: ", path, number);
		if (reader->short_of_memory)
			rc = -1;
		else if (!reader->damaged++)
			reader->damage = *err;
	}
	if (rc == 0 && ferror(file))
		rc = torus_fail(err, "%s: %s", path, strerror(errno));
	free(text);
	fclose(file);
	return rc;
}

static int is_frames(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && dot != entry->d_name && strcmp(dot, STORUS_FRAMES_SUFFIX) == 0;
}

static int read_files(reader_t *reader, const char *directory, torus_error_t *err)
{
	struct dirent **entry;
	int files = scandir(directory, &entry, is_frames, alphasort), rc = 0;

	if (files < 0)
		return torus_fail(err, "%s: %s", directory, strerror(errno));
	for (int i = 0; i < files; i++) {
		char *path = NULL;

		if (rc == 0 && asprintf(&path, "%s/%s", directory, entry[i]->d_name) < 0)
			rc = torus_fail(err, "out of memory");
		if (rc == 0) {
			find_day(reader, entry[i]->d_name);
			rc = read_file(reader, path, err);
		}
		storus_progress((uint64_t)i + 1, (uint64_t)files, NULL);
		free(path);
		free(entry[i]);
	}
	free(entry);
	if (rc == 0 && !files)
		rc = torus_fail(err, "%s/jobs.csv: No such file, and no *%s either",
				directory, STORUS_FRAMES_SUFFIX);
	return rc;
}

int storus_frames_read(const char *directory, storus_jobs_t *jobs, torus_error_t *err)
{
	reader_t reader = {.jobs = jobs, .running = json_object()};
	const char *id;
	json_t *place;
	int rc;

	memset(jobs, 0, sizeof(*jobs));
	storus_progress_begin("reading frames");
	rc = reader.running ? read_files(&reader, directory, err)
			    : torus_fail(err, "out of memory");
	storus_progress_end();
	json_object_foreach(reader.running, id, place)
		jobs->job[json_integer_value(place)]
			.end = reader.time;
	json_decref(reader.running);
	if (rc == 0 && reader.damaged)
		warnx("lines that are damaged and were passed over: %" PRIu64
		      ", the first is %s",
		      reader.damaged, reader.damage.text);
	if (rc == 0 && jobs->count > STORUS_HISTORY_JOBS)
		rc = torus_fail(err, "%s: more than %d jobs are too many for a page",
				directory, STORUS_HISTORY_JOBS);
	if (rc != 0)
		storus_jobs_clear(jobs);
	return rc;
}
