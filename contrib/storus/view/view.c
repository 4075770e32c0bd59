/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus view: the machine and its jobs in three dimensions, as one page for a browser.
 */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "storus/view/racks.h"
#include "conf/torus_conf.h"
#include "storus/cli/conf.h"
#include "storus/cli/options.h"
#include "storus/cli/replace_file.h"
#include "storus/cli/shown.h"
#include "storus/cli/times.h"
#include "storus/cli/view.h"
#include "storus/commands.h"
#include "storus/view/accounts.h"
#include "storus/view/frames.h"
#include "storus/view/history.h"
#include "storus/view/machine_json.h"
#include "storus/view/page.h"
#include "storus/view/recording.h"
#include "storus/view/serve/serve.h"

typedef struct view_options {
	const char *conf;
	const char *jobs;
	const char *history;
	const char *from_sacct;
	const char *from, *to; /* as given */
	int64_t from_time, to_time;
	const char *record;
	uint64_t keep;
	const char *output;
	const char *three_js;
	bool serve;
	storus_serve_options_t server;
	uint64_t every;
} view_options_t;

/* Seconds between two looks, and days of frames. */
enum { EVERY_SERVING = 5, EVERY_RECORDING = 60, KEEP = 30 };

static bool from_accounts(const view_options_t *options)
{
	return options->from_sacct || options->from;
}

static bool is_history(const view_options_t *options)
{
	return options->history || from_accounts(options);
}

/* Read --from and --to. Returns 0, or -1 (message printed). */
static int read_times(view_options_t *options)
{
	time_t now = time(NULL), from = now, to = now;
	torus_error_t error;

	if ((options->from && storus_time_parse(options->from, now, &from, &error)) ||
	    (options->to && storus_time_parse(options->to, now, &to, &error)))
		return storus_misuse("%s", error.text);
	options->from_time = (int64_t)from;
	options->to_time = (int64_t)to;
	return options->from && from >= to ? storus_misuse("--from has to be before --to")
					   : 0;
}

/* What the page, or what is served or recorded, is of. */
static int check_source(const view_options_t *options)
{
	if ((options->jobs || options->history) && !options->conf)
		return storus_misuse("--%s needs --conf",
				     options->jobs ? "jobs" : "history");
	if (options->jobs && options->history)
		return storus_misuse("--jobs and --history exclude each other");
	if (from_accounts(options) && (options->jobs || options->history))
		return storus_misuse("--from, --from-sacct, --jobs and --history exclude "
				     "each other");
	if (options->from && options->from_sacct)
		return storus_misuse("--from asks sacct, and --from-sacct reads what it "
				     "has printed: one of them");
	if (options->to && !options->from)
		return storus_misuse("--to needs --from");
	return 0;
}

/* What is done with it. */
static int check_options(const view_options_t *options)
{
	if (options->serve && options->record)
		return storus_misuse("--serve and --record exclude each other");
	if ((options->serve || options->record) && is_history(options))
		return storus_misuse("--%s is of what runs now, not of a history",
				     options->serve ? "serve" : "record");
	if ((options->serve || options->record) && options->output)
		return storus_misuse("--%s and --output exclude each other",
				     options->serve ? "serve" : "record");
	if ((options->serve || options->record) && options->jobs &&
	    strcmp(options->jobs, "-") == 0)
		return storus_misuse("--%s reads --jobs again and again: name a file",
				     options->serve ? "serve" : "record");
	if (!options->serve && !options->record && options->every)
		return storus_misuse("--every needs --serve or --record");
	if (!options->record && options->keep)
		return storus_misuse("--keep needs --record");
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
		 "the jobs of a simulation, that wrote them with `storus sim --out DIR`, or "
		 "those that --record kept; needs --conf",
		 .text = &options->history},
		{"from", "TIME",
		 "the jobs that Slurm's accounts have from then on, by sacct: 2026-11-01 or "
		 "2026-11-01T08:00",
		 .text = &options->from},
		{"to", "TIME", "and until then; default now", .text = &options->to},
		{"from-sacct", "FILE",
		 "the jobs in what sacct -P has printed, plain or gzip'ed; -: the standard "
		 "input",
		 .text = &options->from_sacct},
		{"output", "FILE", "the page; default machine.html",
		 .text = &options->output},
		{"serve", "[=ADDR]",
		 "no file: serve the page at ADDR:PORT or unix:PATH, live, to browsers; "
		 "default 127.0.0.1:6840",
		 .flag = &options->serve, .text = &options->server.address},
		{"record", "DIR",
		 "no file: keep in DIR which jobs came and went, until ended by a signal",
		 .text = &options->record},
		{"keep", "DAYS",
		 "with --record: remove files older than that; default 30",
		 .count = &options->keep, .least = 1, .most = 36500},
		{"every", "SECONDS",
		 "ask Slurm at most once in so many seconds, with --serve for all browsers; "
		 "default 5, with --record 60",
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
	/* A value that may be left out is none behind a blank. */
	if (options->serve && !options->server.address && optind < argc)
		options->server.address = argv[optind++];
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	if (check_source(options) != 0 || check_options(options) != 0 ||
	    read_times(options) != 0)
		return -1;
	if (!options->output)
		options->output = "machine.html";
	if (!options->every)
		options->every = options->serve ? EVERY_SERVING : EVERY_RECORDING;
	if (!options->keep)
		options->keep = KEEP;
	return 0;
}

/* A simulation's jobs are in a file of this name. */
static bool is_simulation(const char *directory)
{
	char *path = NULL;
	bool there =
		asprintf(&path, "%s/jobs.csv", directory) >= 0 && access(path, F_OK) == 0;

	free(path);
	return there;
}

/* The page's data; NULL with [err] filled. */
static json_t *data_of(const torus_cluster_t *cluster, const torus_racks_t *racks,
		       const storus_jobs_t *jobs, const view_options_t *options,
		       torus_error_t *err)
{
	storus_view_t *view;
	json_t *data = NULL;

	if (is_history(options))
		return storus_history_json(
			cluster, racks, jobs,
			!options->history || !is_simulation(options->history), err);
	view = storus_view_create(cluster, jobs, err);
	if (view)
		data = storus_machine_json(view, racks, (int64_t)time(NULL), err);
	storus_view_destroy(view);
	return data;
}

static int write_page(const json_t *machine, const view_options_t *options,
		      torus_error_t *error)
{
	storus_replacement_t replacement;

	if (storus_replacement_begin(&replacement, options->output, error) != 0)
		return -1;
	if (storus_page_write(replacement.file, machine, options->three_js, error) == 0)
		return storus_replacement_commit(&replacement, error);
	storus_replacement_abandon(&replacement);
	return -1;
}

static int load_history(const view_options_t *options, storus_jobs_t *jobs,
			torus_cluster_t **cluster, torus_error_t *error)
{
	char *conf = options->history ? strdup(options->conf)
				      : storus_conf_path(options->conf, error);

	if (!conf)
		return -1;
	*cluster = torus_conf_read(conf, error);
	free(conf);
	if (!*cluster)
		return -1;
	if (!options->history && storus_conf_register(*cluster, error))
		return -1;
	if (!options->history)
		return storus_view_accounts_read(options->from_sacct, options->from_time,
						 options->to_time, jobs, error);
	return is_simulation(options->history)
		       ? storus_history_read(options->history, *cluster, jobs, error)
		       : storus_frames_read(options->history, jobs, error);
}

static int load(const view_options_t *options, storus_jobs_t *jobs,
		torus_cluster_t **cluster, torus_error_t *error)
{
	if (is_history(options))
		return load_history(options, jobs, cluster, error);
	return storus_shown_load(options->conf, options->jobs, jobs, cluster, error);
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

static int record(const view_options_t *options)
{
	torus_error_t error;

	storus_record(options->record, (unsigned)options->every, (unsigned)options->keep,
		      options->conf, options->jobs, &error);
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
	json_t *machine = NULL;
	int status, rc;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	if (options.serve)
		return serve(&options);
	if (options.record)
		return record(&options);
	rc = load(&options, &jobs, &cluster, &error);
	if (rc == 0)
		rc = torus_racks_read(cluster, &racks, &error);
	if (rc == 0) {
		machine = data_of(cluster, &racks, &jobs, &options, &error);
		rc = machine ? write_page(machine, &options, &error) : -1;
	}
	if (rc != 0)
		warnx("%s", error.text);
	json_decref(machine);
	torus_racks_clear(&racks);
	torus_cluster_destroy(cluster);
	storus_jobs_clear(&jobs);
	return rc == 0 ? STORUS_OK : STORUS_BAD;
}
