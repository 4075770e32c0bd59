/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus show: the running jobs' metrics, and the machine drawn with them. */
#include "torus_config.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "storus/cli/options.h"
#include "storus/cli/replace_file.h"
#include "storus/cli/shown.h"
#include "storus/commands.h"
#include "storus/cli/jobs.h"
#include "storus/cli/picture.h"
#include "storus/show/table.h"
#include "storus/show/text.h"
#include "storus/show/waiting.h"
#include "storus/cli/view.h"

typedef struct show_options {
	const char *job_id;
	const char *conf;
	const char *jobs;
	const char *svg;
	bool colour;
	storus_format_t format;
} show_options_t;

static bool colour_by_default(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal &&
	       strcmp(terminal, "dumb") != 0;
}

/* Read the value of --color, which may be left out. */
static int read_colour(const char *value, void *to, torus_error_t *err)
{
	bool *colour = to;

	if (!value || strcmp(value, "always") == 0)
		*colour = true;
	else if (strcmp(value, "never") == 0)
		*colour = false;
	else if (strcmp(value, "auto") == 0)
		*colour = colour_by_default();
	else
		return torus_fail(err, "'%s' is none of auto, always, never", value);
	return 0;
}

/* Read the options. Returns 0, or -1 with *status set to what storus_show() returns. */
static int read_options(int argc, char **argv, show_options_t *options, int *status)
{
	const storus_option_t table[] = {
		{"conf", "FILE",
		 "torus.conf; default: $STORUS_CONF, or the one beside slurm.conf",
		 .text = &options->conf},
		STORUS_JOBS_OPTION(&options->jobs),
		{"svg", "FILE", "also write the picture as SVG", .text = &options->svg},
		{"color", "[=WHEN]",
		 "colours: auto (default: on a terminal, unless NO_COLOR is set), always or "
		 "never",
		 .read = read_colour, .to = &options->colour},
		STORUS_FORMAT_OPTION(
			&options->format,
			"text (default), or without the picture csv or json"),
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus show [JOBID] [OPTION]...\n"
			"Print how compact the running jobs are, and draw the machine with "
			"them.\n"
			"\n"
			"With JOBID, print all of that job and draw it alone; of a pending one "
			"that waits for\n"
			"a better place, for what and until when. Without --jobs, jobs and "
			"nodes are those of\n"
			"the running Slurm.\n\n",
		.options = table,
		.end = "In the picture a letter is a job, '.' a free node, 'x' one that is "
		       "down or drained,\n"
		       "'+' one of other jobs, '*' one of several jobs; x goes to the right, "
		       "y downwards.\n",
	};

	options->colour = colour_by_default();
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (optind < argc)
		options->job_id = argv[optind++];
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	if (options->jobs && !options->conf) {
		storus_misuse("--jobs needs --conf");
		return -1;
	}
	return 0;
}

/* Columns of the terminal, or 0 when the output goes elsewhere. */
static int terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col
									   : 80;
}

static int write_svg(const storus_view_t *view, const char *path, torus_error_t *error)
{
	storus_replacement_t replacement;

	if (storus_replacement_begin(&replacement, path, error) != 0)
		return -1;
	if (storus_picture_draw(replacement.file, view, error) != 0) {
		storus_replacement_abandon(&replacement);
		return -1;
	}
	return storus_replacement_commit(&replacement, error);
}

static int print_view(const storus_view_t *view, const show_options_t *options,
		      torus_error_t *error)
{
	int width = terminal_width();

	if (options->format != STORUS_FORMAT_TEXT) {
		storus_show_rows(stdout, options->format, view);
		return 0;
	}
	if (options->job_id)
		storus_show_records(stdout, view);
	else if (storus_show_aligned(stdout, view, width, options->colour, error) != 0)
		return -1;
	storus_show_links(stdout, view);
	fputc('\n', stdout);
	return storus_text_draw(stdout, view, width ? width : 80, options->colour, error);
}

int storus_show(int argc, char **argv)
{
	show_options_t options = {.format = STORUS_FORMAT_TEXT};
	torus_error_t error;
	storus_jobs_t jobs = {0};
	torus_cluster_t *cluster = NULL;
	storus_view_t *view = NULL;
	bool waits = false;
	int status, rc;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	rc = storus_shown_load(options.conf, options.jobs, &jobs, &cluster, &error);
	if (rc == 0 && options.job_id && storus_jobs_select(&jobs, options.job_id) == 0) {
		waits = !options.jobs &&
			storus_show_waiting(options.job_id, options.format);
		if (!waits)
			rc = torus_fail(&error, "no running job '%s'", options.job_id);
	}
	if (rc == 0 && !waits) {
		view = storus_view_create(cluster, &jobs, &error);
		rc = view ? 0 : -1;
	}
	if (view && options.svg)
		rc = write_svg(view, options.svg, &error);
	if (rc == 0 && view)
		rc = print_view(view, &options, &error);
	if (rc != 0)
		warnx("%s", error.text);
	storus_view_destroy(view);
	torus_cluster_destroy(cluster);
	storus_jobs_clear(&jobs);
	return rc == 0 ? STORUS_OK : STORUS_BAD;
}
