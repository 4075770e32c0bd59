/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus report. */
#include "torus_config.h"

#include <err.h>
#include <time.h>

#include "storus/cli/options.h"
#include "storus/cli/times.h"
#include "storus/commands.h"
#include "storus/report/options.h"

/* How far back it looks in the accounts unless told. */
#define DEFAULT_SPAN (30 * 24 * INT64_C(3600))

/* Where the moment of an option goes, and what "now" is. */
typedef struct moment {
	bool *has;
	int64_t *seconds;
	int64_t now;
} moment_t;

static int read_moment(const char *value, void *to, torus_error_t *err)
{
	const moment_t *moment = to;
	time_t seconds;

	if (storus_time_parse(value, (time_t)moment->now, &seconds, err) != 0)
		return -1;
	*moment->has = true;
	*moment->seconds = (int64_t)seconds;
	return *moment->seconds >= 0 ? 0 : torus_fail(err, "'%s' is before 1970", value);
}

static int read_scheduler(const char *value, void *to, torus_error_t *err)
{
	return torus_scheduler_parse(value, to, err);
}

/* Set what follows from the options together. Returns 0, or -1 (message printed). */
static int finish(storus_report_options_t *options)
{
	if (!options->replay && options->scheduler != TORUS_RECORDED) {
		storus_misuse("--scheduler is for --replay");
		return -1;
	}
	if (!options->from_sacct) {
		/* The accounts do not know the future. */
		if (!options->has_to || options->to > options->now)
			options->to = options->now;
		if (!options->has_from)
			options->from = options->to - DEFAULT_SPAN;
		options->has_from = options->has_to = true;
	}
	if (options->has_from && options->has_to && options->from >= options->to) {
		storus_misuse("--from has to be before --to");
		return -1;
	}
	return 0;
}

int storus_report_options_read(int argc, char **argv, storus_report_options_t *options,
			       int *status)
{
	moment_t from = {&options->has_from, &options->from, (int64_t)time(NULL)};
	moment_t to = {&options->has_to, &options->to, from.now};
	const storus_option_t table[] = {
		{.help = "The machine and its history:"},
		{"conf", "FILE",
		 "torus.conf; default: $STORUS_CONF, or the one beside slurm.conf",
		 .text = &options->conf},
		{"from-sacct", "FILE",
		 "what sacct -P has printed, plain or gzip'ed, instead of running sacct; -: "
		 "the standard input",
		 .text = &options->from_sacct},
		{"from", "TIME",
		 "2026-10-01, 2026-10-01T08:00, today or now-30days, the default; of a file its "
		 "first start",
		 .read = read_moment, .to = &from},
		{"to", "TIME", "the same; default now, of a file its latest time",
		 .read = read_moment, .to = &to},
		{"outages", "FILE",
		 "lines of nodes, from when and until when they were down, in seconds since "
		 "1970",
		 .text = &options->outages},
		{.help = "\nWhat else might have been:"},
		{"replay", "NAME,...",
		 "replay the jobs with these allocators: those of storus sim",
		 .text = &options->replay},
		{"scheduler", "NAME",
		 "when the replayed jobs start: recorded (default, as they did), fcfs, easy, "
		 "conservative, cplant or greedy",
		 .read = read_scheduler, .to = &options->scheduler},
		{.help = "\nOutput:"},
		{"worst", "N", "how many of the worst jobs are named (default 10)",
		 .count = &options->worst, .most = UINT32_MAX},
		{"html", "FILE", "write a page with tables and plots as well",
		 .text = &options->html},
		STORUS_FORMAT_OPTION(&options->format,
				     "text (default), csv or json of what is printed"),
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus report [--from TIME] [--to TIME] [OPTION]...\n"
			"       storus report --from-sacct FILE [OPTION]...\n"
			"Tell from Slurm's accounts how compact jobs were, beside what they "
			"would have\n"
			"been alone, by account, user, partition, size and week.\n\n",
		.options = table,
		.end = "Without --from-sacct the sacct in PATH is asked for all jobs of the "
		       "time; a file has\n"
		       "the columns that storus-report(1) lists.\n",
	};

	*options = (storus_report_options_t){
		.now = from.now,
		.worst = 10,
		.scheduler = TORUS_RECORDED,
		.format = STORUS_FORMAT_TEXT,
	};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	return storus_no_arguments(argc, argv) != 0 || finish(options) != 0 ? -1 : 0;
}
