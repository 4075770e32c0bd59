/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus capacity. */
#include "torus_config.h"

#include <err.h>

#include "storus/capacity/options.h"
#include "storus/cli/options.h"
#include "storus/commands.h"

static int read_shape(const char *name, const char *text, torus_shape_t *shape)
{
	torus_error_t error;

	if (!text || torus_shape_parse(text, shape, &error) == 0)
		return 0;
	warnx("--%s: %s", name, error.text);
	return -1;
}

/* What can be said about the options without a machine. Returns 0, or -1. */
static int check_together(storus_capacity_options_t *options)
{
	const storus_machine_options_t *machine = &options->machine;
	bool from_slurm = !machine->conf && !machine->dims;

	if (options->jobs && !machine->conf) {
		storus_misuse("--jobs needs --conf, which names the nodes");
		return -1;
	}
	if (options->free && from_slurm) {
		storus_misuse("--free needs --dims or --conf: without them the running "
			      "Slurm says what is free");
		return -1;
	}
	return read_shape("shape", options->shape_text, &options->shape) != 0 ||
			       read_shape("advise", options->advise_text,
					  &options->advise) != 0
		       ? -1
		       : 0;
}

int storus_capacity_options_read(int argc, char **argv,
				 storus_capacity_options_t *options, int *status)
{
	const storus_option_t table[] = {
		{.help = "The machine; without --conf and --dims, that of the running "
			 "Slurm with its jobs:"},
		STORUS_MACHINE_OPTIONS(&options->machine),
		{.help = "\nWhat is free:"},
		{"free", "LIST",
		 "free ranks, such as 0-7,12,20-31, all (default) or none; of those left "
		 "out that no job has, nothing is known: they count as down",
		 .text = &options->free},
		{"jobs", "FILE",
		 "the jobs that run (with --conf), `JOB HOSTLIST [end=TIME] "
		 "[preemptible=yes]` a line; -: the standard input",
		 .text = &options->jobs},
		{.help = "\nWhat is asked:"},
		{"shape", "AxBxC",
		 "how many boxes of these sides, in any rotation, fit; when the first one "
		 "does; and what is in its way",
		 .text = &options->shape_text},
		{"advise", "AxBxC",
		 "which jobs to requeue, the fewest, or to wait for, to have such a box",
		 .text = &options->advise_text},
		{"drain", "NODE",
		 "what it would cost to drain this node (without --conf its rank)",
		 .text = &options->drain},
		{.help = "\nOutput:"},
		STORUS_FORMAT_OPTION(&options->format, "text (default), csv or json"),
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus capacity [--conf FILE [--jobs FILE] | --dims AxBxC] "
			"[OPTION]...\n"
			"Print what there is room for: free nodes, the largest interval and "
			"boxes; for a\n"
			"shape how many, when, and which jobs or nodes are in the way.\n\n",
		.options = table,
		.end = "Exit status: 0; 1 when no box of --shape is free now, or none of "
		       "--advise can be had;\n"
		       "2 bad usage or input.\n",
	};

	*options = (storus_capacity_options_t){.format = STORUS_FORMAT_TEXT};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	return storus_no_arguments(argc, argv) != 0 || check_together(options) != 0 ? -1
										    : 0;
}
