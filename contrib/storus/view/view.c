/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus view: the machine and its jobs in three dimensions, as one page for a browser.
 */
#include "torus_config.h"

#include <err.h>
#include <string.h>
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
#include "storus/view/serve/serve.h"

typedef struct view_options {
	const char *conf;
	const char *jobs;
	const char *history;
	const char *output;
	const char *three_js;
	bool serve;
	storus_serve_options_t server;
	uint64_t every;
} view_options_t;

/* Seconds between two looks of --serve. */
#define EVERY 5

static int check_options(const view_options_t *options)
{
	if ((options->jobs || options->history) && !options->conf)
		return storus_misuse("--%s needs --conf",
				     options->jobs ? "jobs" : "history");
	if (options->jobs && options->history)
		return storus_misuse("--jobs and --history exclude each other");
	if (options->serve && options->history)
		return storus_misuse("--serve and --history exclude each other");
	if (options->serve && options->output)
		return storus_misuse("--serve and --output exclude each other");
	if (options->serve && options->jobs && strcmp(options->jobs, "-") == 0)
		return storus_misuse("--serve reads --jobs again and again: name a file");
	if (!options->serve && options->every)
		return storus_misuse("--every needs --serve");
	if (!options->serve && (options->server.token_file ||
				options->server.server_name || options->server.all))
		return storus_misuse("--token-file, --server-name and --private need "
				     "--serve");
	return 0;
}

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
		{"serve", "[=ADDR]",
		 "no file: serve the page at ADDR:PORT or unix:PATH, live, to browsers; "
		 "default 127.0.0.1:6840",
		 .flag = &options->serve, .text = &options->server.address},
		{"every", "SECONDS",
		 "ask Slurm at most once in so many seconds for all of them; default 5",
		 .count = &options->every, .least = 1, .most = 86400},
		{"token-file", "FILE",
		 "serve only those who show the token in it; addresses that other hosts reach "
		 "need one",
		 .text = &options->server.token_file},
		{"server-name", "NAME",
		 "a name by which browsers may call the server, beside this host's own",
		 .text = &options->server.server_name},
		{"private", NULL,
		 "serve also what PrivateData of slurm.conf hides, as far as Slurm shows it "
		 "to this user",
		 .flag = &options->server.all},
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

	*options = (view_options_t){.three_js = THREE_JS};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	/* getopt_long() sees no address behind a blank. */
	if (options->serve && !options->server.address && optind < argc)
		options->server.address = argv[optind++];
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	if (check_options(options) != 0)
		return -1;
	if (!options->output)
		options->output = "machine.html";
	if (!options->every)
		options->every = EVERY;
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

static int serve(const view_options_t *options)
{
	storus_serve_options_t server = options->server;
	torus_error_t error;

	server.conf = options->conf;
	server.jobs = options->jobs;
	server.three_js = options->three_js;
	server.seconds = (unsigned)options->every;
	if (storus_serve(&server, &error) == 0)
		return STORUS_OK;
	warnx("%s", error.text);
	return STORUS_BAD;
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
	if (options.serve)
		return serve(&options);
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
