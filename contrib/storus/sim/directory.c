/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a simulation leaves behind. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/seconds.h"
#include "sim/swf_write.h"
#include "storus/cli/leftovers.h"
#include "storus/cli/replace_file.h"
#include "storus/sim/directory.h"
#include "storus/sim/figure.h"
#include "storus/sim/frame.h"
#include "storus/sim/gantt.h"
#include "storus/sim/summary.h"

/* Writes one file; [time] is that of a frame. 0, or -1 with the error filled. */
typedef int writer_t(FILE *file, const storus_replay_t *replay, int64_t time,
		     torus_error_t *err);

struct storus_output {
	writer_t *write; /* NULL: it has been written */
	int64_t time;
	storus_replacement_t replacement; /* its file is NULL when it is ended */
};

static int write_summary(FILE *file, const storus_replay_t *replay, int64_t time,
			 torus_error_t *err)
{
	(void)time;
	return storus_summary_write(file, replay, err);
}

static int write_figure(FILE *file, const storus_replay_t *replay, int64_t time,
			torus_error_t *err)
{
	(void)time;
	return storus_figure_write(file, replay, err);
}

static int write_gantt(FILE *file, const storus_replay_t *replay, int64_t time,
		       torus_error_t *err)
{
	(void)time;
	return storus_gantt_write(file, replay, err);
}

/* The jobs as they were replayed, after --max-jobs and similar options. */
static int write_swf(FILE *file, const storus_replay_t *replay, int64_t time,
		     torus_error_t *err)
{
	const storus_sim_options_t *options = replay->options;
	const char *source = options->source[STORUS_SOURCE_WORKLOAD];
	uint32_t nodes = 0;
	char note[256], *text;

	(void)time;
	for (int t = 0; t < replay->cluster->maps; t++)
		nodes += replay->cluster->map[t]->nodes;
	if (source)
		snprintf(note, sizeof(note), "storus sim --workload %s --seed %" PRIu64,
			 source, options->seed);
	else
		snprintf(note, sizeof(note), "as storus sim replayed it");
	text = torus_swf_format(&replay->workload, nodes, note, err);
	if (!text)
		return -1;
	fputs(text, file);
	free(text);
	return 0;
}

/* Begin the file [name] in [folder], or in none. Returns 0, or -1 with the error. */
static int begin(storus_directory_t *directory, const char *folder, const char *name,
		 writer_t *write, int64_t time, torus_error_t *error)
{
	storus_output_t *more =
		reallocarray(directory->output, directory->count + 1, sizeof(*more));
	char *path = NULL;
	int result;

	if (!more)
		return torus_fail(error, "out of memory");
	directory->output = more;
	if (folder && asprintf(&path, "%s/%s", folder, name) < 0)
		return torus_fail(error, "out of memory");
	more += directory->count;
	*more = (storus_output_t){.write = write, .time = time};
	result = storus_replacement_begin(&more->replacement, path ? path : name, error);
	if (result == 0)
		directory->count++;
	free(path);
	return result;
}

/* Begin a file for each time in the list of --frames. */
static int begin_frames(storus_directory_t *directory,
			const storus_sim_options_t *options, torus_error_t *error)
{
	const char *at = options->frames, *end = at + strlen(at);

	for (;; at++) {
		char text[TORUS_SECONDS_TEXT], name[TORUS_SECONDS_TEXT + 16];
		int64_t time;

		if (!torus_seconds_read(&at, end, &time) || (at < end && *at != ','))
			return torus_fail(error,
					  "--frames: '%s' is not a list of seconds, "
					  "separated by commas",
					  options->frames);
		snprintf(name, sizeof(name), "frame-%s.svg",
			 torus_seconds_format(time, text));
		if (begin(directory, options->out, name, storus_frame_write, time,
			  error) != 0)
			return -1;
		if (at == end)
			return 0;
	}
}

static int make_directory(storus_directory_t *directory, const char *path,
			  torus_error_t *error)
{
	struct stat status;
	sigset_t before;
	int code = 0;

	storus_leftovers_hold(&before);
	if (mkdir(path, 0777) != 0)
		code = errno;
	else if (storus_leftovers_add(AT_FDCWD, path) == 0)
		directory->made = path;
	else
		code = rmdir(path) == 0 ? ENOMEM : errno;
	storus_leftovers_release(&before);
	if (code && code != EEXIST)
		return torus_fail(error, "cannot make the directory '%s': %s", path,
				  strerror(code));
	if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
		return torus_fail(error, "--out: '%s' is not a directory", path);
	return 0;
}

static int open_all(const storus_sim_options_t *options, storus_directory_t *directory,
		    torus_error_t *error)
{
	const char *out = options->out;

	if (options->figure &&
	    (storus_figure_check(options->figure, error) != 0 ||
	     begin(directory, NULL, options->figure, write_figure, 0, error) != 0))
		return -1;
	if (options->gantt &&
	    begin(directory, NULL, options->gantt, write_gantt, 0, error) != 0)
		return -1;
	if (options->write_swf &&
	    begin(directory, NULL, options->write_swf, write_swf, 0, error) != 0)
		return -1;
	if (out && (make_directory(directory, out, error) != 0 ||
		    begin(directory, out, "jobs.csv", NULL, 0, error) != 0 ||
		    begin(directory, out, "summary.json", write_summary, 0, error) != 0))
		return -1;
	return options->frames ? begin_frames(directory, options, error) : 0;
}

int storus_directory_open(const storus_sim_options_t *options,
			  storus_directory_t *directory)
{
	torus_error_t error;

	*directory = (storus_directory_t){0};
	if (open_all(options, directory, &error) == 0)
		return 0;
	warnx("%s", error.text);
	return -1;
}

FILE *storus_directory_jobs(const storus_directory_t *directory)
{
	for (size_t i = 0; i < directory->count; i++) {
		if (!directory->output[i].write)
			return directory->output[i].replacement.file;
	}
	return NULL;
}

int storus_directory_write(storus_directory_t *directory, const storus_replay_t *replay)
{
	torus_error_t error;
	int result = 0;

	for (size_t i = 0; result == 0 && i < directory->count; i++) {
		storus_output_t *output = &directory->output[i];

		if (output->write)
			result = output->write(output->replacement.file, replay,
					       output->time, &error);
		/* Notice a full disk before any file is replaced. */
		if (result == 0 && (fflush(output->replacement.file) != 0 ||
				    ferror(output->replacement.file)))
			result = torus_fail(&error, "cannot write '%s': %s",
					    output->replacement.path, strerror(errno));
	}
	for (size_t i = 0; result == 0 && i < directory->count; i++)
		result = storus_replacement_commit(&directory->output[i].replacement,
						   &error);
	if (result != 0) {
		warnx("%s", error.text);
	} else if (directory->made) { /* it stays */
		storus_leftovers_drop(AT_FDCWD, directory->made);
		directory->made = NULL;
	}
	return result;
}

void storus_directory_close(storus_directory_t *directory)
{
	for (size_t i = 0; i < directory->count; i++)
		storus_replacement_abandon(&directory->output[i].replacement);
	free(directory->output);
	if (directory->made) {
		rmdir(directory->made);
		storus_leftovers_drop(AT_FDCWD, directory->made);
	}
}
