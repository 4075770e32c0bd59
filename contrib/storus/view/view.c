/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus view: the machine and its jobs in three dimensions, as one page for a browser.
 */
#include "torus_config.h"

#include <err.h>
#include <time.h>

#include "conf/racks.h"
#include "conf/torus_conf.h"
#include "storus/cli/options.h"
#include "storus/cli/replace_file.h"
#include "storus/cli/shown.h"
#include "storus/cli/view.h"
#include "storus/commands.h"
#include "storus/view/history.h"
#include "storus/view/machine_json.h"
#include "storus/view/page.h"

typedef struct view_options {
	const char *conf;
	const char *jobs;
	const char *history;
	const char *output;
	const char *three_js;
} view_options_t;

/* Read the options. Returns 0, or -1 with *status set to what storus_view() returns. */
static int read_options(int argc, char **argv, view_options_t *options, int *status)
{
	const storus_option_t table[] = {
		{"conf", "FILE",
		 "torus.conf; default: $STORUS_CONF, or the one beside slurm.conf",
		 .text = &options->conf},
		STORUS_JOBS_OPTION(&options->jobs),
		{"history", "DIR",
		 "the jobs of a simulation, that wrote them with `storus sim --out DIR`; needs "
		 "--conf",
		 .text = &options->history},
		{"output", "FILE", "the page; default machine.html",
		 .text = &options->output},
		{"three-js", "FILE", "the library three.js; default " THREE_JS,
		 .text = &options->three_js},
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus view [OPTION]...\n"
			"Write a page that shows the machine and its jobs in three "
			"dimensions, in any browser.\n"
			"\n"
			"The page is one file and fetches nothing. Without --jobs, jobs and "
			"nodes are those\n"
			"of the running Slurm.\n\n",
		.options = table,
		.end = "In the page, ? lists the keys. Its address keeps what is shown: copy it "
		       "to show others\n"
		       "the same.\n",
	};

	*options = (view_options_t){.output = "machine.html", .three_js = THREE_JS};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	if ((options->jobs || options->history) && !options->conf) {
		storus_misuse("--%s needs --conf", options->jobs ? "jobs" : "history");
		return -1;
	}
	if (options->jobs && options->history) {
		storus_misuse("--jobs and --history exclude each other");
		return -1;
	}
	return 0;
}

static int write_page(const storus_view_t *view, const torus_racks_t *racks,
		      const view_options_t *options, torus_error_t *error)
{
	json_t *machine = storus_machine_json(view, racks,
					      options->history ? 0 : (int64_t)time(NULL),
					      options->history != NULL, error);
	storus_replacement_t replacement;
	int rc = -1;

	if (machine &&
	    storus_replacement_begin(&replacement, options->output, error) == 0) {
		rc = storus_page_write(replacement.file, machine, options->three_js,
				       error);
		if (rc == 0)
			rc = storus_replacement_commit(&replacement, error);
		else
			storus_replacement_abandon(&replacement);
	}
	json_decref(machine);
	return rc;
}

static int load(const view_options_t *options, storus_jobs_t *jobs,
		torus_cluster_t **cluster, torus_error_t *error)
{
	if (!options->history)
		return storus_shown_load(options->conf, options->jobs, jobs, cluster,
					 error);
	*cluster = torus_conf_read(options->conf, error);
	return *cluster ? storus_history_read(options->history, *cluster, jobs, error)
			: -1;
}

int storus_view(int argc, char **argv)
{
	view_options_t options;
	torus_error_t error;
	storus_jobs_t jobs = {0};
	torus_racks_t racks = {0};
	torus_cluster_t *cluster = NULL;
	storus_view_t *view = NULL;
	int status, rc;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	rc = load(&options, &jobs, &cluster, &error);
	if (rc == 0)
		rc = torus_racks_read(cluster, &racks, &error);
	if (rc == 0) {
		view = storus_view_create(cluster, &jobs, &error);
		rc = view ? write_page(view, &racks, &options, &error) : -1;
	}
	if (rc != 0)
		warnx("%s", error.text);
	storus_view_destroy(view);
	torus_racks_clear(&racks);
	torus_cluster_destroy(cluster);
	storus_jobs_clear(&jobs);
	return rc == 0 ? STORUS_OK : STORUS_BAD;
}
