/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus show: the running jobs' metrics, and the machine drawn with them. */
#include "torus_config.h"

#include <err.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "storus/cli/kept.h"
#include "storus/cli/options.h"
#include "storus/cli/replace_file.h"
#include "storus/cli/shown.h"
#include "storus/commands.h"
#include "storus/cli/jobs.h"
#include "storus/cli/picture.h"
#include "storus/show/node.h"
#include "storus/show/table.h"
#include "storus/show/text.h"
#include "storus/show/waiting.h"
#include "storus/cli/view.h"

typedef struct show_options {
	const char *id; /* of a job, or a node's name; NULL: none */
	const char *user;
	bool me;
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

/* Find out the name of the user. Returns 0, or -1 (message printed). */
static int read_me(show_options_t *options)
{
	const struct passwd *entry = getpwuid(getuid());

	if (!entry) {
		warnx("--me: user %u has no name", (unsigned)getuid());
		return -1;
	}
	options->user = entry->pw_name;
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
		{"user", "NAME", "only the jobs of this user, and those that wait",
		 .text = &options->user, .letter = 'u'},
		{"me", NULL, "the same of the user who asks", .flag = &options->me},
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
			"Usage: storus show [JOBID | NODE] [OPTION]...\n"
			"Print how compact the running jobs are, and draw the machine with "
			"them.\n"
			"\n"
			"With JOBID, print all of that job and draw it alone; of a pending "
			"one, when and where\n"
			"Slurm has planned it, what it waits for, which jobs are in its way "
			"and what it could\n"
			"have at once. With NODE, who has that node, or why nobody can. "
			"Without --jobs, jobs\n"
			"and nodes are those of the running Slurm.\n\n",
		.options = table,
		.end = "In the picture a letter is a job, '.' a free node, '=' one that is "
		       "reserved, 'x' one\n"
		       "that is down or drained, '+' one of other jobs, '*' one of several "
		       "jobs; x goes to\n"
		       "the right, y downwards.\n",
	};

	options->colour = colour_by_default();
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (optind < argc)
		options->id = argv[optind++];
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	if (options->jobs && !options->conf) {
		storus_misuse("--jobs needs --conf");
		return -1;
	}
	if (options->me && options->user) {
		storus_misuse("--me and --user exclude each other");
		return -1;
	}
	if (options->id && (options->me || options->user)) {
		storus_misuse("%s goes with all jobs, not with '%s'",
			      options->me ? "--me" : "--user", options->id);
		return -1;
	}
	if (options->me && read_me(options) != 0)
		return -1;
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

/* Which nodes are kept from jobs, by what. */
static int print_kept(const storus_view_t *view, torus_error_t *error)
{
	char *reserved = storus_kept_reserved(view->cluster, -1, view->jobs,
					      (int64_t)time(NULL), "\n= ", error);
	char *unusable = reserved ? storus_kept_unusable(view->cluster, -1, view->jobs,
							 "\nx ", error)
				  : NULL;
	int rc = unusable ? 0 : -1;

	if (unusable && (*reserved || *unusable))
		fputc('\n', stdout);
	if (unusable && *reserved)
		printf("= %s\n", reserved);
	if (unusable && *unusable)
		printf("x %s\n", unusable);
	free(reserved);
	free(unusable);
	return rc;
}

static int print_view(const storus_view_t *view, const show_options_t *options,
		      torus_error_t *error)
{
	int width = terminal_width();

	if (options->format != STORUS_FORMAT_TEXT) {
		storus_show_rows(stdout, options->format, view);
		return 0;
	}
	if (options->id)
		storus_show_records(stdout, view);
	else if (storus_show_aligned(stdout, view, width, options->colour, error) != 0)
		return -1;
	storus_show_links(stdout, view);
	fputc('\n', stdout);
	if (storus_text_draw(stdout, view, width ? width : 80, options->colour, error) !=
	    0)
		return -1;
	return print_kept(view, error);
}

/* Draw the machine with [jobs]. Returns 0, or -1 with [error] filled. */
static int show_view(const torus_cluster_t *cluster, const storus_jobs_t *jobs,
		     const show_options_t *options, torus_error_t *error)
{
	storus_view_t *view = storus_view_create(cluster, jobs, error);
	int rc = view ? 0 : -1;

	if (rc == 0 && options->svg)
		rc = write_svg(view, options->svg, error);
	if (rc == 0)
		rc = print_view(view, options, error);
	if (rc == 0 && options->format == STORUS_FORMAT_TEXT && options->user)
		storus_show_queue(stdout, jobs, options->user);
	storus_view_destroy(view);
	return rc;
}

/* Make the nodes [place] those of a listed job in place of all others. */
static int list_place(storus_jobs_t *jobs, uint32_t number, char *place,
		      torus_error_t *error)
{
	storus_job_t *job;

	for (uint32_t i = 0; i < jobs->count; i++)
		jobs->job[i].listed = false;
	job = storus_jobs_add(jobs);
	if (!job) {
		free(place);
		return torus_fail(error, "out of memory");
	}
	job->nodelist = place;
	job->listed = true;
	job->id = strdup(jobs->waiting[number].job.id);
	return job->id ? 0 : torus_fail(error, "out of memory");
}

/* Print all of a job that waits, and draw the machine with its place. */
static int show_waiting(const torus_cluster_t *cluster, storus_jobs_t *jobs,
			uint32_t number, const show_options_t *options,
			torus_error_t *error)
{
	storus_view_t *view;
	char *place = NULL;
	int width = terminal_width(), rc;

	if (storus_show_waiting(stdout, options->format, cluster, jobs, number, &place,
				error) != 0)
		return -1;
	if (options->format != STORUS_FORMAT_TEXT && !options->svg) {
		free(place);
		return 0;
	}
	if (place && list_place(jobs, number, place, error) != 0)
		return -1;
	view = storus_view_create(cluster, jobs, error);
	rc = view ? 0 : -1;
	if (rc == 0 && options->svg)
		rc = write_svg(view, options->svg, error);
	if (rc == 0 && options->format == STORUS_FORMAT_TEXT) {
		fputc('\n', stdout);
		rc = storus_text_draw(stdout, view, width ? width : 80, options->colour,
				      error);
	}
	storus_view_destroy(view);
	return rc;
}

/* Find the job that waits and is called options->id: 1 with *number, 0, or -1 with
 * [error] filled: several are. */
static int find_waiting(const storus_jobs_t *jobs, const char *id, uint32_t *number,
			torus_error_t *error)
{
	bool found = false;

	for (uint32_t i = 0; i < jobs->waiting_count; i++) {
		if (!storus_show_waits(&jobs->waiting[i], id))
			continue;
		if (found)
			return torus_fail(error,
					  "several parts of job '%s' wait: name one, "
					  "such as %s or %s",
					  id, jobs->waiting[*number].job.id,
					  jobs->waiting[i].job.id);
		*number = i;
		found = true;
	}
	return found;
}

/* Show what options->id names. Returns 0, or -1 with [error] filled. */
static int show_one(const torus_cluster_t *cluster, storus_jobs_t *jobs,
		    const show_options_t *options, torus_error_t *error)
{
	uint32_t number = 0, node;
	int waits = 0, torus;

	if (storus_jobs_select(jobs, options->id) > 0)
		return show_view(cluster, jobs, options, error);
	if (!options->jobs)
		waits = find_waiting(jobs, options->id, &number, error);
	if (waits)
		return waits < 0 ? -1
				 : show_waiting(cluster, jobs, number, options, error);
	if (torus_cluster_find(cluster, options->id, &torus, &node))
		return storus_show_node(stdout, options->format, cluster, jobs,
					options->id, error);
	return options->jobs
		       ? torus_fail(error, "no running job and no node '%s'", options->id)
		       : torus_fail(error,
				    "no job '%s' runs or waits, and no node of a "
				    "torus is called so",
				    options->id);
}

/* Keep only the jobs of [user] in the list. */
static void keep_user(storus_jobs_t *jobs, const char *user)
{
	for (uint32_t i = 0; i < jobs->count; i++) {
		storus_job_t *job = &jobs->job[i];

		job->listed = job->listed && job->user && strcmp(job->user, user) == 0;
	}
}

int storus_show(int argc, char **argv)
{
	show_options_t options = {.format = STORUS_FORMAT_TEXT};
	torus_error_t error;
	storus_jobs_t jobs = {0};
	torus_cluster_t *cluster = NULL;
	int status, rc;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	rc = storus_shown_load(options.conf, options.jobs, &jobs, &cluster, &error);
	if (rc == 0 && options.user)
		keep_user(&jobs, options.user);
	if (rc == 0)
		rc = options.id ? show_one(cluster, &jobs, &options, &error)
				: show_view(cluster, &jobs, &options, &error);
	if (rc != 0)
		warnx("%s", error.text);
	torus_cluster_destroy(cluster);
	storus_jobs_clear(&jobs);
	return rc == 0 ? STORUS_OK : STORUS_BAD;
}
