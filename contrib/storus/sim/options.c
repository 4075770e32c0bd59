/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus sim. */
#include "torus_config.h"

#include "base/duration.h"
#include "machine/nearness.h"
#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/sim/mix.h"
#include "storus/sim/options.h"
#include "storus/sim/synthetic.h"

/* Check what the jobs wish for. Returns 0, or -1 (message printed). */
static int check_wish(const storus_sim_options_t *options)
{
	const torus_network_request_t *asked = &options->asked;
	const char *shape = torus_shapes_in_chips(&asked->shapes) ? "chips" : "shape";

	if (options->shapes_twice) {
		storus_misuse("--shape and --chips exclude each other: the sides of one "
			      "are in nodes, of the other in chips");
		return -1;
	}
	if (asked->near && asked->has_shape) {
		storus_misuse("--near does not go with --%s: a box is as near as its "
			      "sides make it",
			      shape);
		return -1;
	}
	if ((options->closed || options->twist) && !asked->has_shape) {
		storus_misuse("--%s: which box? Give --shape, such as 4x4x8",
			      options->closed ? "closed" : "twist");
		return -1;
	}
	if (options->twist && asked->shapes.any) {
		storus_misuse("--twist: which shape? Give --shape, such as 4x4x8");
		return -1;
	}
	if (asked->has_within && !asked->near && !asked->has_shape &&
	    !options->machine.conf) {
		storus_misuse("wait for what? --within goes with --near, --shape or "
			      "--chips, or Patience= of a torus.conf");
		return -1;
	}
	if (asked->has_shape && options->segment) {
		storus_misuse("--segment and --%s exclude each other: a box is one as a "
			      "whole",
			      shape);
		return -1;
	}
	return 0;
}

/* Check the options together. Returns 0, or -1 (message printed). */
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
	if (options->advise >= 0 && options->scheduler != TORUS_FCFS &&
	    options->scheduler != TORUS_EASY) {
		storus_misuse("--advise is for --scheduler=fcfs and easy");
		return -1;
	}
	if (check_wish(options) != 0)
		return -1;
	if (options->cubes && options->boxes <= 0) {
		storus_misuse("--cubes goes with --boxes");
		return -1;
	}
	if (options->frames && !options->out) {
		storus_misuse("--frames are written into the directory of --out");
		return -1;
	}
	return 0;
}

static int read_scheduler(const char *value, void *to, torus_error_t *err)
{
	return torus_scheduler_parse(value, to, err);
}

static int read_slowdown(const char *value, void *to, torus_error_t *err)
{
	return torus_slowdown_parse(value, to, err);
}

static int read_whole(const char *value, void *to, torus_error_t *err)
{
	return storus_whole_parse(value, to, err);
}

static int read_near(const char *value, void *to, torus_error_t *err)
{
	return torus_near_parse(value, to, err);
}

static int read_shapes(const char *value, void *to, torus_error_t *err)
{
	storus_sim_options_t *options = to;
	torus_network_request_t *asked = &options->asked;

	options->shapes_twice |= torus_shapes_in_chips(&asked->shapes);
	asked->has_shape = true;
	return torus_shapes_parse(value, &asked->shapes, err);
}

static int read_chips(const char *value, void *to, torus_error_t *err)
{
	storus_sim_options_t *options = to;
	torus_network_request_t *asked = &options->asked;

	options->shapes_twice |=
		asked->has_shape && !torus_shapes_in_chips(&asked->shapes);
	asked->has_shape = true;
	return torus_chip_shapes_parse(value, &asked->shapes, err);
}

static int read_within(const char *value, void *to, torus_error_t *err)
{
	torus_network_request_t *asked = to;

	asked->has_within = true;
	return torus_duration_or_infinite(value, &asked->within, err);
}

int storus_sim_options_read(int argc, char **argv, storus_sim_options_t *options,
			    int *status)
{
	const storus_option_t table[] = {
		{.help = "The machine:"},
		STORUS_MACHINE_OPTIONS(&options->machine),
		{"allocator", "NAME",
		 "compact (default), best_fit, first_fit, sum_of_squares, free_list or one "
		 "to compare with, such as mc1x1 (storus-place(1) has them all); with "
		 "--conf, instead of the allocators given there",
		 .text = &options->allocator},
		{"span", "RULE", "ring or linear; the same", .text = &options->span},
		{"isolation-weight", "W",
		 "what compact gives, in hops, for nodes of others in the box around a job, "
		 "for each of its own: 0 (default) to 16; the same",
		 .text = &options->isolation_weight},
		{"outages", "FILE",
		 "lines of nodes, from when and until when they are down",
		 .text = &options->outages},
		{.help = "\nThe jobs:"},
		{"trace", "FILE",
		 "a log in the Standard Workload Format, plain or gzip'ed; -: the standard "
		 "input",
		 .text = &options->source[STORUS_SOURCE_TRACE]},
		{"workload", "KIND[:NAME=VALUE,...]",
		 "or jobs made up by these rules; see below",
		 .text = &options->source[STORUS_SOURCE_WORKLOAD]},
		{"from-sacct", "FILE",
		 "or what sacct -P has printed: the site's own history",
		 .text = &options->source[STORUS_SOURCE_SACCT]},
		{"processors-per-node", "K",
		 "of the trace's processors, on each node (default 1)",
		 .count = &options->processors_per_node, .least = 1, .most = UINT32_MAX},
		{"max-jobs", "N", "only the first N", .count = &options->max_jobs,
		 .least = 1, .most = UINT32_MAX},
		{"replicate", "K",
		 "each K times, the copies submitted up to an hour later",
		 .count = &options->replicate, .least = 1, .most = UINT32_MAX},
		{"work-multiple", "X", "run times and estimates times X",
		 .number = &options->work_multiple, .high = 1e9, .above_low = true},
		{.help = "\nHow they are scheduled:"},
		{"scheduler", "NAME",
		 "fcfs, easy (default), conservative, cplant, greedy or recorded",
		 .read = read_scheduler, .to = &options->scheduler},
		{"period", "SECONDS", "how often cplant looks at its queue (default 600)",
		 .seconds = &options->period, .above_low = true, .high = 1e9},
		{"slowdown", "METRIC:WEIGHT",
		 "run times grow with this metric of the allocation, in relation to what a "
		 "compact one has",
		 .read = read_slowdown, .to = &options->slowdown},
		{"boxes", "SHARE",
		 "this share of the jobs of two nodes or more, 0 (default) to 1, asks for a "
		 "box: the most cube-like with room for its nodes",
		 .number = &options->boxes, .high = 1},
		{"cubes", NULL,
		 "these boxes are cubes, all sides alike; without one that is large enough "
		 "a job asks for nodes",
		 .flag = &options->cubes},
		{"whole", "SIDE|buddy",
		 "jobs without a box keep whole blocks of routers with this side, as pages "
		 "are given, or the smallest one that holds them whose side is a power of "
		 "two",
		 .read = read_whole, .to = &options->whole},
		{"preemptible", "SHARE",
		 "this share of all jobs but those may be requeued; the same",
		 .number = &options->preemptible, .high = 1},
		{"isolate", "SHARE",
		 "this share of all jobs but those of --boxes keeps others out of its "
		 "bounding box as far as it can; the same",
		 .number = &options->isolate, .high = 1},
		{"loose", "SHARE",
		 "this share of all jobs but those leaves compact places to others; the same",
		 .number = &options->loose, .high = 1},
		{"near", "R",
		 "jobs wish for a place whose mean distance is at most R times (1 to 16) "
		 "that of as many nodes alone on the machine",
		 .read = read_near, .to = &options->asked.near},
		{"shape", "any|AxB|...",
		 "or for a box of exactly their nodes: any, or the first of these; jobs of "
		 "other sizes do not",
		 .read = read_shapes, .to = options},
		{"chips", "AxBxC|...",
		 "the same in chips, where nodes are boxes of chips (NodeShape= in "
		 "torus.conf)",
		 .read = read_chips, .to = options},
		{"closed", NULL,
		 "with --shape or --chips: a box whose sides go all the way around a "
		 "wrapped dimension, or are 1 or 2",
		 .flag = &options->closed},
		{"twist", NULL,
		 "with --shape or --chips: cubes joined to a twisted torus; only with "
		 "--cube, or Cube= in torus.conf",
		 .flag = &options->twist},
		{"within", "TIME",
		 "how long they wait for it, from when they could start without: MINUTES, "
		 "HOURS:MINUTES:SECONDS ..., infinite; default: infinite for a box, with "
		 "--near that of Patience= in torus.conf, or 5 minutes",
		 .read = read_within, .to = &options->asked},
		{"wishes", "SHARE", "share of the jobs that do so, 0 to 1 (default)",
		 .number = &options->wishes, .high = 1},
		{"segment", "N",
		 "jobs of several times N nodes get segments of N, each an interval of the "
		 "curve or a box, as with --segment of Slurm; they wait for them",
		 .count = &options->segment, .least = 1, .most = UINT32_MAX},
		STORUS_SEGMENT_OPTIONS(&options->segments),
		{"advise", "SECONDS",
		 "a job that has waited so long for a box, being the first of the queue, "
		 "gets the one for which the fewest preemptible jobs are requeued; with fcfs "
		 "and easy",
		 .seconds = &options->advise, .high = 1e9},
		{"seed", "N", "of all that is left to chance (default 1)",
		 .count = &options->seed, .most = UINT64_MAX},
		{.help = "\nOutput:"},
		{"out", "DIR", "write jobs.csv, a line a job, and summary.json into DIR",
		 .text = &options->out},
		{"isolation", NULL,
		 "measure how much the jobs are in each other's way: foreign nodes in a "
		 "job's bounding box, links shared; takes time",
		 .flag = &options->isolation},
		{"warmup", "N", "do not count the first N jobs in the summary",
		 .count = &options->warmup, .most = UINT32_MAX},
		{"write-swf", "FILE",
		 "save the jobs as a log in the Standard Workload Format",
		 .text = &options->write_swf},
		{"figure", "FILE",
		 "draw the simulation into FILE.svg or FILE.png, with gnuplot",
		 .text = &options->figure},
		{"gantt", "FILE",
		 "draw as SVG which job has which nodes when: nodes along the curve, over "
		 "time",
		 .text = &options->gantt},
		{"frames", "T1,T2...",
		 "draw the machine at these seconds of the log's time into DIR/frame-T1.svg "
		 "...",
		 .text = &options->frames},
		STORUS_FORMAT_OPTION(
			&options->format,
			"of the summary printed: text (default), csv or json"),
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus sim (--conf FILE | --dims AxBxC)\n"
			"                  (--trace FILE | --workload KIND | --from-sacct "
			"FILE) [OPTION]...\n"
			"       storus sim compare FILE [OPTION]...\n"
			"Replay a workload on a machine, and measure what each job gets.\n\n",
		.options = table,
		.print_tables = storus_synthetic_help,
	};

	*options = (storus_sim_options_t){
		.format = STORUS_FORMAT_TEXT,
		.scheduler = TORUS_EASY,
		.processors_per_node = 1,
		.replicate = 1,
		.work_multiple = 1,
		.wishes = 1,
		.advise = -1,
		.seed = 1,
	};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (storus_no_arguments(argc, argv) != 0 || check_together(options) != 0)
		return -1;
	torus_shapes_close(&options->asked.shapes, options->closed);
	torus_shapes_twist(&options->asked.shapes, options->twist);
	return 0;
}
