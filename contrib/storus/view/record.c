/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeping a history of the machine in files. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "storus/view/frames.h"

enum { HOUR = 60 * 60, DAY = 24 * HOUR };

/* "2026-11-23.frames" */
#define NAME_TEXT 32

struct storus_recorder {
	const char *path; /* of the directory, borrowed */
	unsigned days;
	int directory; /* open, and locked */
	int file;      /* of [name], or -1 */
	char name[NAME_TEXT];
	json_t *running; /* id: job, as in the line before; NULL: the next has all */
	int64_t last;	 /* time of the line before */
};

static void name_of(int64_t when, char name[NAME_TEXT])
{
	time_t seconds = (time_t)when;
	struct tm day;

	gmtime_r(&seconds, &day);
	strftime(name, NAME_TEXT, "%Y-%m-%d" STORUS_FRAMES_SUFFIX, &day);
}

/* What is written of a job; NULL: out of memory. */
static json_t *job_object(const storus_job_t *job)
{
	json_t *object = json_object();
	char *nodelist = storus_clean_copy(job->nodelist);
	int rc = object && nodelist &&
				 json_object_set_new(object, "id",
						     json_string(job->id)) == 0 &&
				 json_object_set_new(object, "nodelist",
						     json_string(nodelist)) == 0
			 ? 0
			 : -1;

	free(nodelist);
#define STORUS_JOB_SET(text)                                                             \
	if (rc == 0 && job->text)                                                        \
		rc = json_object_set_new(object, #text, json_string(job->text));
	STORUS_JOB_TEXTS(STORUS_JOB_SET)
#undef STORUS_JOB_SET
	if (rc == 0 && job->start)
		rc = json_object_set_new(object, "start", json_integer(job->start));
	if (rc == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* All listed jobs by their ids; NULL: out of memory. */
static json_t *all_of(const storus_jobs_t *jobs)
{
	json_t *all = json_object();

	for (uint32_t i = 0; all && i < jobs->count; i++) {
		const storus_job_t *job = &jobs->job[i];

		if (job->listed &&
		    json_object_set_new(all, job->id, job_object(job)) != 0) {
			json_decref(all);
			return NULL;
		}
	}
	return all;
}

/* Whether they are the same run: texts may change. */
static bool same_run(const json_t *a, const json_t *b)
{
	return a && b &&
	       json_equal(json_object_get(a, "nodelist"),
			  json_object_get(b, "nodelist")) &&
	       json_integer_value(json_object_get(a, "start")) ==
		       json_integer_value(json_object_get(b, "start"));
}

/* The line for [all] jobs at [time], without those of [before] if that is not NULL. */
static json_t *line_of(json_t *before, json_t *all, int64_t time)
{
	json_t *line = json_pack("{s:I}", "time", (json_int_t)time), *come = json_array(),
	       *gone = json_array(), *job;
	int rc = line && come && gone ? 0 : -1;
	const char *id;

	json_object_foreach(all, id, job)
	{
		if (rc == 0 && !same_run(json_object_get(before, id), job))
			rc = json_array_append(come, job);
	}
	json_object_foreach(before, id, job)
	{
		if (rc == 0 && !same_run(json_object_get(all, id), job))
			rc = json_array_append_new(gone, json_string(id));
	}
	if (rc == 0 && !before)
		rc = json_object_set_new(line, "all", json_true());
	if (rc == 0 && (!before || json_array_size(come)))
		rc = json_object_set(line, "come", come);
	if (rc == 0 && json_array_size(gone))
		rc = json_object_set(line, "gone", gone);
	json_decref(come);
	json_decref(gone);
	if (rc == 0)
		return line;
	json_decref(line);
	return NULL;
}

/* Cut off what a crash has left of a line. */
static int cut_rest(int file)
{
	off_t end = lseek(file, 0, SEEK_END), at = end;
	char last = '\n';

	while (at > 0) {
		if (pread(file, &last, 1, at - 1) != 1)
			return -1;
		if (last == '\n')
			break;
		at--;
	}
	return at == end ? 0 : ftruncate(file, at);
}

/* Remove files of more than recorder->days days before [time]. */
static void remove_old(const storus_recorder_t *recorder, int64_t time)
{
	int copy = dup(recorder->directory);
	DIR *directory = copy < 0 ? NULL : fdopendir(copy);
	char oldest[NAME_TEXT];

	name_of(time - (int64_t)recorder->days * DAY, oldest);
	if (!directory) {
		if (copy >= 0)
			close(copy);
		return;
	}
	rewinddir(directory);
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (strlen(entry->d_name) == strlen(oldest) &&
		    strspn(entry->d_name, "0123456789-") ==
			    strlen(oldest) - strlen(STORUS_FRAMES_SUFFIX) &&
		    strcmp(entry->d_name + strspn(entry->d_name, "0123456789-"),
			   STORUS_FRAMES_SUFFIX) == 0 &&
		    strcmp(entry->d_name, oldest) < 0)
			unlinkat(recorder->directory, entry->d_name, 0);
	}
	closedir(directory);
}

/* Go on with the file of the day of [time]. */
static int turn_to(storus_recorder_t *recorder, int64_t time, torus_error_t *err)
{
	char name[NAME_TEXT];

	name_of(time, name);
	if (recorder->file >= 0 && strcmp(name, recorder->name) == 0)
		return 0;
	if (recorder->file >= 0)
		close(recorder->file);
	strcpy(recorder->name, name);
	recorder->file =
		openat(recorder->directory, name,
		       O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (recorder->file < 0 || cut_rest(recorder->file) != 0)
		return torus_fail(err, "%s/%s: %s", recorder->path, name,
				  strerror(errno));
	json_decref(recorder->running);
	recorder->running = NULL;
	remove_old(recorder, time);
	return 0;
}

/* Append the [line], or nothing. */
static int append(const storus_recorder_t *recorder, const json_t *line,
		  torus_error_t *err)
{
	char *text = json_dumps(line, JSON_COMPACT);
	size_t length = text ? strlen(text) : 0;
	off_t end = lseek(recorder->file, 0, SEEK_END);
	ssize_t written;

	if (!text)
		return torus_fail(err, "out of memory");
	text[length] = '\n';
	errno = 0;
	written = write(recorder->file, text, length + 1);
	free(text);
	if (written == (ssize_t)length + 1)
		return 0;
	torus_fail(err, "%s/%s: %s", recorder->path, recorder->name,
		   strerror(errno ? errno : ENOSPC));
	/* A reader takes no notice of half a line, but the next one would follow it. */
	if (written > 0 && ftruncate(recorder->file, end) != 0)
		torus_fail_prefix(err, "cannot take half a line back: ");
	return -1;
}

storus_recorder_t *storus_recorder_open(const char *directory, unsigned days,
					torus_error_t *err)
{
	storus_recorder_t *recorder = calloc(1, sizeof(*recorder));

	if (!recorder) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	*recorder = (storus_recorder_t){
		.path = directory, .days = days, .directory = -1, .file = -1};
	if (mkdir(directory, 0700) == 0 || errno == EEXIST)
		recorder->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (recorder->directory < 0)
		torus_fail(err, "cannot record in '%s': %s", directory, strerror(errno));
	else if (flock(recorder->directory, LOCK_EX | LOCK_NB) != 0)
		torus_fail(err, "cannot record in '%s': %s", directory,
			   errno == EWOULDBLOCK ? "another process does already"
						: strerror(errno));
	else
		return recorder;
	storus_recorder_close(recorder);
	return NULL;
}

int storus_recorder_add(storus_recorder_t *recorder, const storus_jobs_t *jobs,
			int64_t time, torus_error_t *err)
{
	json_t *all, *line;
	int rc = 0;

	if (turn_to(recorder, time, err) != 0)
		return -1;
	all = all_of(jobs);
	line = all ? line_of(recorder->running, all, time) : NULL;
	if (!line)
		rc = torus_fail(err, "out of memory");
	else if (json_object_size(line) > 1 || time - recorder->last >= HOUR) {
		rc = append(recorder, line, err);
		if (rc == 0)
			recorder->last = time;
	}
	json_decref(line);
	if (rc != 0) {
		json_decref(all);
		return -1;
	}
	json_decref(recorder->running);
	recorder->running = all;
	return 0;
}

void storus_recorder_close(storus_recorder_t *recorder)
{
	if (!recorder)
		return;
	json_decref(recorder->running);
	if (recorder->file >= 0)
		close(recorder->file);
	if (recorder->directory >= 0)
		close(recorder->directory);
	free(recorder);
}
