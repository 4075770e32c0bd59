/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus sim. */
#include "torus_config.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/seconds.h"
#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/sim/options.h"
#include "storus/sim/synthetic.h"

static const char help[] =
	"Usage: storus sim (--conf FILE | --dims AxBxC)\n"
	"                  (--trace FILE | --workload KIND | --from-sacct FILE) [OPTION]...\n"
	"       storus sim compare FILE [OPTION]...\n"
	"Replay a workload on a machine, and measure what each job gets.\n"
	"\n" STORUS_MACHINE_OPTIONS_HELP
	"  --allocator NAME   best_fit (default), first_fit, sum_of_squares, free_list,\n"
	"                     compact or one to compare with, such as mc1x1\n"
	"                     (storus-place(1) has them all); with --conf, instead of the\n"
	"                     allocators given there\n"
	"  --span RULE        ring or linear; the same\n"
	"  --isolation-weight W  what compact gives, in hops, for nodes of others in the box\n"
	"                     around a job, for each of its own: 0 (default) to 16; the same\n"
	"  --outages FILE     lines of nodes, from when and until when they are down\n"
	"\n" STORUS_SOURCES_HELP
	"  --processors-per-node K  of the trace's processors, on each node (default 1)\n"
	"  --max-jobs N       only the first N\n"
	"  --replicate K      each K times, the copies submitted up to an hour later\n"
	"  --work-multiple X  run times and estimates times X\n"
	"\n"
	"How they are scheduled:\n"
	"  --scheduler NAME   fcfs, easy (default), conservative, cplant or recorded\n"
	"  --period SECONDS   how often cplant looks at its queue (default 600)\n"
	"  --slowdown METRIC:WEIGHT  run times grow with this metric of the allocation, in\n"
	"                     relation to what a compact one has\n"
	"  --seed N           of all that is left to chance (default 1)\n"
	"\n"
	"Output:\n"
	"  --out DIR          write jobs.csv, a line a job, and summary.json into DIR\n"
	"  --isolation        measure how much the jobs are in each other's way: foreign nodes\n"
	"                     in a job's bounding box, links shared; takes time\n"
	"  --warmup N         do not count the first N jobs in the summary\n"
	"  --write-swf FILE   save the jobs as a log in the Standard Workload Format\n"
	"  --figure FILE      draw the simulation into FILE.svg or FILE.png, with gnuplot\n"
	"  --frames T1,T2...  draw the machine at these seconds of the log's time into\n"
	"                     DIR/frame-T1.svg ...\n"
	"  --format FORMAT    of the summary printed: text (default), csv or json\n"
	"  --help, --version\n\n";

/* What can be said about the options together. Returns 0, or -1 (message printed). */
static int check_together(const storus_sim_options_t *options)
{
	int sources = 0;

	for (int i = 0; i < STORUS_SOURCES; i++)
		sources += options->source[i] != NULL;
	if (sources != 1) {
		storus_misuse(sources ? "jobs of one source only, please"
				      : "which jobs? Give --trace, --workload or "
					"--from-sacct");
		return -1;
	}
	if (options->processors_per_node > 1 && options->source[STORUS_SOURCE_SACCT]) {
		storus_misuse("--processors-per-node is for --trace: sacct counts nodes");
		return -1;
	}
	if (options->period && options->scheduler != TORUS_CPLANT) {
		storus_misuse("--period is for --scheduler=cplant");
		return -1;
	}
	if (options->frames && !options->out) {
		storus_misuse("--frames are written into the directory of --out");
		return -1;
	}
	return 0;
}

/* Read a number above 0 and below 10^9. Returns 0, or -1 (message printed). */
static int multiple_parse(const char *name, const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	if (end == text || *end || !(*value > 0) || !(*value < 1e9)) {
		warnx("--%s: '%s' is not a number above 0 and below 10^9", name, text);
		return -1;
	}
	return 0;
}

static int period_parse(const char *text, int64_t *period)
{
	const char *at = text, *end = text + strlen(text);

	if (!torus_seconds_read(&at, end, period) || at != end || *period <= 0) {
		warnx("--period: '%s' is not a number of seconds above 0", text);
		return -1;
	}
	return 0;
}

/* Read a number that fits into 32 bits. Returns 0, or -1 (message printed). */
static int count_parse(const char *name, const char *text, uint32_t *value)
{
	uint64_t number;

	if (storus_number_parse(name, text, 1, UINT32_MAX, &number) != 0)
		return -1;
	*value = (uint32_t)number;
	return 0;
}

enum {
	OPTION_ALLOCATOR = STORUS_OPTION_OWN,
	OPTION_SPAN,
	OPTION_ISOLATION_WEIGHT,
	OPTION_OUTAGES,
	OPTION_PROCESSORS_PER_NODE,
	OPTION_MAX_JOBS,
	OPTION_REPLICATE,
	OPTION_WORK_MULTIPLE,
	OPTION_SCHEDULER,
	OPTION_PERIOD,
	OPTION_SLOWDOWN,
	OPTION_SEED,
	OPTION_OUT,
	OPTION_ISOLATION,
	OPTION_WARMUP,
	OPTION_WRITE_SWF,
	OPTION_FIGURE,
	OPTION_FRAMES,
	OPTION_SOURCE, /* and as many more as there are sources */
};

#define SOURCE_OPTION(name, option)                                                      \
	{option, required_argument, NULL, OPTION_SOURCE + STORUS_SOURCE_##name},

static const struct option table[] = {
	STORUS_COMMON_OPTIONS,
	STORUS_MACHINE_OPTIONS,
	STORUS_FORMAT_OPTION,
	{"allocator", required_argument, NULL, OPTION_ALLOCATOR},
	{"span", required_argument, NULL, OPTION_SPAN},
	{"isolation-weight", required_argument, NULL, OPTION_ISOLATION_WEIGHT},
	{"outages", required_argument, NULL, OPTION_OUTAGES},
	{"processors-per-node", required_argument, NULL, OPTION_PROCESSORS_PER_NODE},
	{"max-jobs", required_argument, NULL, OPTION_MAX_JOBS},
	{"replicate", required_argument, NULL, OPTION_REPLICATE},
	{"work-multiple", required_argument, NULL, OPTION_WORK_MULTIPLE},
	{"scheduler", required_argument, NULL, OPTION_SCHEDULER},
	{"period", required_argument, NULL, OPTION_PERIOD},
	{"slowdown", required_argument, NULL, OPTION_SLOWDOWN},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"out", required_argument, NULL, OPTION_OUT},
	{"isolation", no_argument, NULL, OPTION_ISOLATION},
	{"warmup", required_argument, NULL, OPTION_WARMUP},
	{"write-swf", required_argument, NULL, OPTION_WRITE_SWF},
	{"figure", required_argument, NULL, OPTION_FIGURE},
	{"frames", required_argument, NULL, OPTION_FRAMES},
	STORUS_SOURCE_LIST(SOURCE_OPTION){NULL, 0, NULL, 0},
};

/* Take the option [code] with [argument]. Returns 0, or -1 (message printed). */
static int take_option(storus_sim_options_t *options, int code, const char *argument)
{
	torus_error_t error;
	int result = 0;

	switch (code) {
	case STORUS_OPTION_FORMAT:
		return storus_format_parse(argument, &options->format);
	case OPTION_ALLOCATOR:
		options->allocator = argument;
		return 0;
	case OPTION_SPAN:
		options->span = argument;
		return 0;
	case OPTION_ISOLATION_WEIGHT:
		options->isolation_weight = argument;
		return 0;
	case OPTION_OUTAGES:
		options->outages = argument;
		return 0;
	case OPTION_PROCESSORS_PER_NODE:
		return count_parse("processors-per-node", argument,
				   &options->processors_per_node);
	case OPTION_MAX_JOBS:
		return storus_number_parse("max-jobs", argument, 1, UINT32_MAX,
					   &options->max_jobs);
	case OPTION_REPLICATE:
		return count_parse("replicate", argument, &options->replicate);
	case OPTION_WORK_MULTIPLE:
		return multiple_parse("work-multiple", argument, &options->work_multiple);
	case OPTION_SCHEDULER:
		result = torus_scheduler_parse(argument, &options->scheduler, &error);
		break;
	case OPTION_PERIOD:
		return period_parse(argument, &options->period);
	case OPTION_SLOWDOWN:
		result = torus_slowdown_parse(argument, &options->slowdown, &error);
		break;
	case OPTION_SEED:
		return storus_number_parse("seed", argument, 0, UINT64_MAX,
					   &options->seed);
	case OPTION_OUT:
		options->out = argument;
		return 0;
	case OPTION_ISOLATION:
		options->isolation = true;
		return 0;
	case OPTION_WARMUP:
		return storus_number_parse("warmup", argument, 0, UINT32_MAX,
					   &options->warmup);
	case OPTION_WRITE_SWF:
		options->write_swf = argument;
		return 0;
	case OPTION_FIGURE:
		options->figure = argument;
		return 0;
	case OPTION_FRAMES:
		options->frames = argument;
		return 0;
	default:
		options->source[code - OPTION_SOURCE] = argument;
		return 0;
	}
	if (result != 0)
		warnx("%s", error.text);
	return result;
}

/* Take all options, with [text] for --help. As storus_sim_options_read(). */
static int take_options(int argc, char **argv, const char *text,
			storus_sim_options_t *options, int *status)
{
	int code;

	while ((code = storus_option_next(argc, argv, table, text)) !=
	       STORUS_OPTIONS_END) {
		if (storus_machine_option(&options->machine, code, optarg))
			continue;
		if (code == STORUS_OPTIONS_HELPED)
			*status = STORUS_OK;
		if (code == STORUS_OPTIONS_HELPED || code == STORUS_OPTIONS_WRONG ||
		    take_option(options, code, optarg) != 0)
			return -1;
	}
	return 0;
}

int storus_sim_options_read(int argc, char **argv, storus_sim_options_t *options,
			    int *status)
{
	char *text = storus_help_compose(help, storus_synthetic_help);
	int result = -1;

	*options = (storus_sim_options_t){
		.format = STORUS_FORMAT_TEXT,
		.scheduler = TORUS_EASY,
		.processors_per_node = 1,
		.replicate = 1,
		.work_multiple = 1,
		.seed = 1,
	};
	*status = STORUS_BAD;
	if (text)
		result = take_options(argc, argv, text, options, status);
	free(text);
	return result != 0 || storus_no_arguments(argc, argv) != 0 ||
			       check_together(options) != 0
		       ? -1
		       : 0;
}
