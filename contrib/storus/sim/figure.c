/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulation as a figure, drawn by gnuplot. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storus/sim/figure.h"
#include "storus/sim/axis.h"

extern char **environ;

/*
 * Curves over time are drawn by so many sections, each about two pixels wide: a line of
 * means on a band from least to most. Of a year's log every change would be a block.
 */
enum { SECTIONS = 400 };

/* A change of a count at a time. */
typedef struct step {
	int64_t time; /* from the beginning of the summary; before it, below 0 */
	int64_t change;
} step_t;

/* What a count was in a section of time. */
typedef struct section {
	double sum; /* of count times time */
	int64_t least, most;
	bool seen;
} section_t;

/* The terminal of gnuplot for the file's name; NULL: none. */
static const char *terminal_of(const char *path)
{
	size_t length = strlen(path);

	if (length > 4 && strcmp(path + length - 4, ".svg") == 0)
		return "svg size 960,1400 dynamic background rgb 'white'";
	if (length > 4 && strcmp(path + length - 4, ".png") == 0)
		return "pngcairo size 960,1400";
	return NULL;
}

/*
 * Run gnuplot with the descriptors [input] and [output] as its standard ones. Returns 0
 * and *child, or the error's number.
 */
static int run_gnuplot(char *argument, int input, int output, pid_t *child)
{
	char name[] = "gnuplot";
	char *argv[] = {name, argument, NULL};
	posix_spawn_file_actions_t actions;
	int code = posix_spawn_file_actions_init(&actions);

	if (code)
		return code;
	code = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (!code)
		code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!code)
		code = posix_spawnp(child, name, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

/* Wait for gnuplot to end. Returns 0, or -1 with [err] filled. */
static int await_gnuplot(pid_t child, torus_error_t *err)
{
	int status;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return torus_fail(err, "--figure: %s", strerror(errno));
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return torus_fail(err, "--figure: gnuplot has failed; its messages are above");
}

int storus_figure_check(const char *path, torus_error_t *err)
{
	char version[] = "--version";
	int nothing, code;
	pid_t child;

	if (!terminal_of(path))
		return torus_fail(err, "--figure: '%s' does not end with .svg or .png",
				  path);
	nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (nothing < 0)
		return torus_fail(err, "--figure: /dev/null: %s", strerror(errno));
	code = run_gnuplot(version, nothing, nothing, &child);
	close(nothing);
	if (code)
		return torus_fail(err,
				  "--figure needs gnuplot, which cannot be run: %s "
				  "(Debian: apt-get install gnuplot-nox)",
				  strerror(code));
	return await_gnuplot(child, err);
}

static int compare_steps(const void *a, const void *b)
{
	const step_t *first = a, *second = b;

	return (first->time > second->time) - (first->time < second->time);
}

/* The count is [value] from [from] until [until], of [total] time. */
static void add_to_sections(section_t *section, int64_t from, int64_t until,
			    int64_t total, int64_t value)
{
	double width = (double)total / SECTIONS;
	int first = (int)((double)from / width);

	for (int i = first; i < SECTIONS && (double)i * width < (double)until; i++) {
		double begin = (double)i * width, end = begin + width;

		begin = (double)from > begin ? (double)from : begin;
		end = (double)until < end ? (double)until : end;
		if (end <= begin)
			continue;
		section[i].sum += (end - begin) / width * (double)value;
		if (!section[i].seen || value < section[i].least)
			section[i].least = value;
		if (!section[i].seen || value > section[i].most)
			section[i].most = value;
		section[i].seen = true;
	}
}

/*
 * Write a block of data, a line a section: its middle, mean, least and most of what the
 * changes add up to.
 */
static void write_sections(FILE *script, const char *name, step_t *step, size_t count,
			   int64_t total)
{
	section_t section[SECTIONS] = {{0}};
	int64_t sum = 0, until;

	qsort(step, count, sizeof(*step), compare_steps);
	for (size_t i = 0; total > 0 && i < count; i++) {
		sum += step[i].change;
		until = i + 1 < count ? step[i + 1].time : total;
		if (until > 0)
			add_to_sections(section, step[i].time > 0 ? step[i].time : 0,
					until, total, sum);
	}
	fprintf(script, "$%s << EOD\n", name);
	for (int i = 0; i < SECTIONS; i++)
		fprintf(script, "%.6f %.6f %lld %lld\n",
			(i + 0.5) / SECTIONS * (double)total /
				storus_time_unit_of(total).microseconds,
			section[i].sum, (long long)section[i].least,
			(long long)section[i].most);
	fputs("EOD\n", script);
}

/* Of each record, two steps. */
static void write_series(FILE *script, const storus_replay_t *replay, step_t *step)
{
	const torus_sim_result_t *result = &replay->result;
	int64_t begin = result->summary.begin, total = result->summary.end - begin;
	size_t count = 0;

	for (size_t i = 0; i < result->count; i++) {
		const torus_sim_record_t *record = &result->record[i];

		step[count++] = (step_t){record->start - begin, record->nodes};
		step[count++] = (step_t){record->end - begin, -(int64_t)record->nodes};
	}
	for (size_t i = 0; i < result->lost_count; i++) {
		const torus_sim_record_t *record = &result->lost[i];

		step[count++] = (step_t){record->start - begin, record->nodes};
		step[count++] = (step_t){record->end - begin, -(int64_t)record->nodes};
	}
	write_sections(script, "used", step, count, total);
	count = 0;
	for (size_t i = 0; i < result->count; i++) {
		const torus_sim_record_t *record = &result->record[i];

		step[count++] =
			(step_t){replay->workload.job[record->job].submit - begin, 1};
		step[count++] = (step_t){record->start - begin, -1};
	}
	write_sections(script, "waiting", step, count, total);
}

static void write_script(FILE *script, const storus_replay_t *replay, step_t *step)
{
	const torus_sim_result_t *result = &replay->result;
	const torus_free_history_t *free = &result->summary.free;
	int64_t total = result->summary.end - result->summary.begin;
	storus_time_unit_t unit = storus_time_unit_of(total);

	fprintf(script, "set terminal %s\n", terminal_of(replay->options->figure));
	write_series(script, replay, step);
	fputs("$jobs << EOD\n", script);
	for (size_t i = 0; i < result->count; i++) {
		if (result->record[i].torus >= 0)
			fprintf(script, "%u %.6f\n", result->record[i].nodes,
				result->record[i].metrics.average_distance);
	}
	fputs("EOD\n$free << EOD\n", script);
	for (uint32_t i = 0; i < free->count; i++)
		fprintf(script, "%.6f %llu %llu\n",
			(double)(i * free->every) / unit.microseconds,
			(unsigned long long)free->sample[i].nodes,
			(unsigned long long)free->sample[i].largest);
	fprintf(script,
		"EOD\n"
		"set multiplot layout 4,1\n"
		"set key off\n"
		"set lmargin 9\n"
		"set xlabel '%s'\n"
		"set xrange [0:%.6f]\n"
		"set ylabel 'nodes in use'\n"
		"set yrange [0:%llu]\n"
		"set key outside top center horizontal\n"
		"plot $used using 1:3:4 with filledcurves fc rgb '#b8d0e8'"
		" title 'least to most',"
		" $used using 1:2 with lines lc rgb '#2060a0' title 'mean'\n"
		"set ylabel 'jobs waiting'\n"
		"set yrange [0:*]\n"
		"plot $waiting using 1:3:4 with filledcurves fc rgb '#ecc8b8'"
		" title 'least to most',"
		" $waiting using 1:2 with lines lc rgb '#a04020' title 'mean'\n"
		"set ylabel 'free nodes'\n"
		"plot $free using 1:2 with steps lc rgb '#808080' title 'all',"
		" $free using 1:3 with steps lc rgb '#208040' title 'largest interval'\n"
		"set key off\n"
		"set xrange [*:*]\n"
		"set xlabel 'nodes of the job'\n"
		"set ylabel 'average distance (hops)'\n"
		"set logscale x 2\n"
		"plot $jobs with points pt 7 ps 0.3 lc rgb '#40803060'\n"
		"unset multiplot\n",
		unit.name, (double)total / unit.microseconds,
		(unsigned long long)result->summary.nodes);
}

int storus_figure_write(FILE *file, const storus_replay_t *replay, torus_error_t *err)
{
	size_t steps = 2 * (replay->result.count + replay->result.lost_count);
	step_t *step = malloc(steps * sizeof(*step));
	char stdin_name[] = "-";
	FILE *script = NULL;
	int ends[2] = {-1, -1}, code;
	pid_t child;

	if (!step)
		return torus_fail(err, "out of memory for the figure");
	if (pipe2(ends, O_CLOEXEC) == 0)
		script = fdopen(ends[1], "w");
	code = script ? run_gnuplot(stdin_name, ends[0], fileno(file), &child) : errno;
	if (ends[0] >= 0)
		close(ends[0]);
	if (code == 0)
		write_script(script, replay, step);
	if (script)
		fclose(script);
	else if (ends[1] >= 0)
		close(ends[1]);
	free(step);
	if (code)
		return torus_fail(err, "--figure: gnuplot cannot be run: %s",
				  strerror(code));
	return await_gnuplot(child, err);
}
