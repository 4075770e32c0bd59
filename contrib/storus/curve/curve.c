/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus curve: the ranks of a machine along a curve, or the curve's scores. */
#include "torus_config.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lists/ranklist.h"
#include "measures/score.h"
#include "storus/cli/machine_options.h"
#include "storus/cli/options.h"
#include "storus/cli/output.h"
#include "storus/cli/progress.h"
#include "storus/commands.h"

static int print_ranks(const torus_map_t *map, storus_format_t format)
{
	static const char *const axis_name[TORUS_MAX_DIMS] = {"x", "y", "z",
							      "u", "v", "w"};
	storus_field_t fields[TORUS_MAX_DIMS + 2];
	size_t count = 0;
	storus_table_t table;

	if (!isatty(STDOUT_FILENO)) /* there the ranks themselves show it */
		storus_progress_begin("printing");
	storus_table_begin(&table, stdout, format);
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		int32_t coord[TORUS_MAX_DIMS];

		storus_progress(rank, map->nodes, NULL);

		torus_cell_to_coord(&map->geometry, map->cell_of_rank[rank], coord);
		count = 0;
		fields[count++] = storus_count("rank", rank);
		for (int axis = 0; axis < map->geometry.dims; axis++)
			fields[count++] =
				storus_count(axis_name[axis], (uint64_t)coord[axis]);
		if (map->node_name)
			fields[count++] = storus_text(
				"node", map->node_name[map->node_of_rank[rank]]);
		storus_table_row(&table, fields, count);
	}
	storus_table_end(&table, fields, count);
	storus_progress_end();
	return STORUS_OK;
}

static int print_score(const torus_map_t *map, storus_format_t format)
{
	torus_error_t error;
	torus_curve_score_t score;
	char name[TORUS_SCORE_WINDOWS][2][32];
	storus_field_t fields[3 + 2 * TORUS_SCORE_WINDOWS];
	size_t count = 0;

	storus_progress_begin("scoring");
	int rc = torus_curve_score(&map->geometry, map->cell_of_rank, map->nodes,
				   storus_progress, NULL, &score, &error);

	storus_progress_end();
	if (rc != 0) {
		warnx("%s", error.text);
		return STORUS_BAD;
	}
	fields[count++] = storus_count("long_steps", score.long_steps);
	fields[count++] = storus_count("longest_step", score.longest_step);
	for (int i = 0; i < score.windows; i++) {
		snprintf(name[i][0], sizeof(name[i][0]), "average_distance_%u",
			 (unsigned)score.window[i].length);
		snprintf(name[i][1], sizeof(name[i][1]), "apd_%u",
			 (unsigned)score.window[i].length);
		fields[count++] =
			storus_ratio(name[i][0], score.window[i].average_distance);
		fields[count++] = storus_ratio(name[i][1], score.window[i].apd);
	}
	fields[count++] = storus_yes_no("closed", score.closing_step <= 1);
	storus_record_print(stdout, format, fields, count);
	return STORUS_OK;
}

/* Windows of as many ranks as [list] says; malloc'ed. NULL: message printed. */
static torus_curve_window_t *read_windows(const char *list, uint32_t ranks, int *windows)
{
	torus_curve_window_t *window;
	torus_error_t error;
	uint32_t *length, count;

	if (torus_ranklist_parse_sequence(list, ranks + 1, &length, &count, &error) !=
	    0) {
		warnx("--windows: %s", error.text);
		return NULL;
	}
	window = calloc(count, sizeof(*window));
	if (!window)
		warnx("out of memory");
	for (uint32_t i = 0; window && i < count; i++) {
		window[i].length = length[i];
		if (length[i] < 2) {
			warnx("--windows: %u is too small, at least 2 ranks have a "
			      "distance",
			      (unsigned)length[i]);
			free(window);
			window = NULL;
		}
	}
	free(length);
	*windows = (int)count;
	return window;
}

static int print_windows(const torus_map_t *map, const char *list, storus_format_t format)
{
	torus_curve_window_t *window;
	torus_error_t error;
	storus_table_t table;
	storus_field_t fields[3];
	int windows, rc;

	window = read_windows(list, map->nodes, &windows);
	if (!window)
		return STORUS_BAD;
	storus_progress_begin("scoring");
	rc = torus_curve_windows(&map->geometry, map->cell_of_rank, map->nodes,
				 storus_progress, NULL, window, windows, &error);
	storus_progress_end();
	if (rc != 0) {
		warnx("%s", error.text);
		free(window);
		return STORUS_BAD;
	}
	storus_table_begin(&table, stdout, format);
	for (int i = 0; i < windows; i++) {
		fields[0] = storus_count("ranks", window[i].length);
		fields[1] = storus_ratio("average_distance", window[i].average_distance);
		fields[2] = storus_ratio("apd", window[i].apd);
		storus_table_row(&table, fields, 3);
	}
	storus_table_end(&table, fields, 3);
	free(window);
	return STORUS_OK;
}

typedef struct curve_options {
	storus_machine_options_t machine;
	bool score;
	const char *windows; /* NULL: not given */
	storus_format_t format;
} curve_options_t;

/* Returns 0, or -1 with *status set to what storus_curve() is to return. */
static int read_options(int argc, char **argv, curve_options_t *options, int *status)
{
	const storus_option_t table[] = {
		{.help = "The machine:"},
		STORUS_MACHINE_OPTIONS(&options->machine),
		{.help = "\nOutput:"},
		{"score", NULL,
		 "print how good the curve is on the machine instead: the steps longer than "
		 "one hop, the longest step, and for windows of 2, 4, 8 ... ranks the mean "
		 "distance of their pairs, and whether the last rank is one hop from the "
		 "first",
		 .flag = &options->score},
		{"windows", "LIST",
		 "print that for windows of these numbers of ranks, such as 5,12,30-35: a "
		 "line with ranks, average_distance and apd each",
		 .text = &options->windows},
		STORUS_FORMAT_OPTION(&options->format, "text (default), csv or json"),
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus curve (--conf FILE | --dims AxBxC) [OPTION]...\n"
			"Print one line a node along the curve: rank, coordinates and, with "
			"--conf, name.\n\n",
		.options = table,
	};

	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	if (options->score && options->windows) {
		storus_misuse("--score and --windows exclude each other");
		return -1;
	}
	return 0;
}

int storus_curve(int argc, char **argv)
{
	curve_options_t options = {.format = STORUS_FORMAT_TEXT};
	torus_map_t *map;
	int status;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	map = storus_machine_open(&options.machine);
	if (!map)
		return STORUS_BAD;
	if (options.windows)
		status = print_windows(map, options.windows, options.format);
	else if (options.score)
		status = print_score(map, options.format);
	else
		status = print_ranks(map, options.format);
	torus_map_destroy(map);
	return status;
}
