/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus place. */
#include "torus_config.h"

#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/place/options.h"

static const char help[] =
	"Usage: storus place (--conf FILE | --dims AxBxC) [--free LIST] --nodes N [OPTION]...\n"
	"Choose the nodes of a job as the Slurm plugins do, and print the choice's metrics.\n"
	"\n" STORUS_MACHINE_OPTIONS_HELP "\n"
	"What is free, and what the job asks for:\n"
	"  --free LIST        free ranks, such as 0-7,12,20-31, or all (default);\n"
	"                     -: read them from the standard input\n"
	"  --free-nodes HOSTS free nodes by name instead (with --conf); of names that are on\n"
	"                     no torus Slurm's own rules would choose\n"
	"  --jobs FILE        the jobs that run (with --conf), `JOB HOSTLIST` a line, as for\n"
	"                     storus show: their nodes are not free; and with whom links\n"
	"                     would be shared\n"
	"  --weights FILE     node weights (with --conf): lines of a hostlist and a number, as\n"
	"                     from sinfo -hN -o '%N %w'; the others weigh 1\n"
	"  --nodes N          number of nodes\n"
	"  --allocator NAME   best_fit (default), first_fit, sum_of_squares, free_list or\n"
	"                     compact; to compare with: random, interval:first_fit,\n"
	"                     interval:best_fit, paging, mbs, buddy, contiguous, frame_sliding,\n"
	"                     hybrid, mc1x1, mm, partner, multipartner\n"
	"  --seed N           seed of the allocator random; default 1\n"
	"  --span RULE        ring or linear; default: ring if some dimension wraps\n"
	"  --isolation-weight W  what compact gives, in hops, for nodes of others in the box\n"
	"                     around the job, for each of its own; 0 (default) to 16\n"
	"  --contiguous       only nodes that follow each other on the curve will do\n"
	"  --nodelist HOSTS   nodes that must be among the chosen (with --conf)\n"
	"  --shape AxBxC      a box of these sides, in any rotation\n"
	"  --spread           over several tori, or one and nodes beside it, if no torus\n"
	"                     alone holds the job\n"
	"With --conf, --allocator, --span and --isolation-weight default to what is given\n"
	"there. --nodes may be left out with --shape and with --nodelist. Of several tori the\n"
	"best is chosen, unless --torus names one.\n"
	"\n"
	"Output:\n"
	"  --format FORMAT    text (default), csv or json\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 placed, 1 nothing fits, 2 bad usage or input.\n";

/* What can be said about the options without a machine. Returns 0, or -1. */
static int check_together(const storus_place_options_t *options)
{
	if (!options->nodes && !options->shape && !options->nodelist) {
		storus_misuse("how many nodes? Give --nodes, --shape or --nodelist");
		return -1;
	}
	if (options->shape && (options->nodelist || options->contiguous)) {
		storus_misuse("--shape and --%s exclude each other",
			      options->nodelist ? "nodelist" : "contiguous");
		return -1;
	}
	const char *by_name = options->nodelist	    ? "nodelist"
			      : options->free_nodes ? "free-nodes"
			      : options->jobs	    ? "jobs"
			      : options->weights    ? "weights"
						    : NULL;

	if (by_name && !options->machine.conf) {
		storus_misuse("--%s needs --conf, which names the nodes", by_name);
		return -1;
	}
	if (options->free && options->free_nodes) {
		storus_misuse("--free and --free-nodes exclude each other");
		return -1;
	}
	return 0;
}

int storus_place_options_read(int argc, char **argv, storus_place_options_t *options,
			      int *status)
{
	enum {
		OPTION_FREE = STORUS_OPTION_OWN,
		OPTION_FREE_NODES,
		OPTION_JOBS,
		OPTION_WEIGHTS,
		OPTION_NODES,
		OPTION_ALLOCATOR,
		OPTION_SEED,
		OPTION_SPAN,
		OPTION_ISOLATION_WEIGHT,
		OPTION_CONTIGUOUS,
		OPTION_NODELIST,
		OPTION_SHAPE,
		OPTION_SPREAD,
	};
	static const struct option table[] = {
		STORUS_COMMON_OPTIONS,
		STORUS_MACHINE_OPTIONS,
		STORUS_FORMAT_OPTION,
		{"free", required_argument, NULL, OPTION_FREE},
		{"free-nodes", required_argument, NULL, OPTION_FREE_NODES},
		{"jobs", required_argument, NULL, OPTION_JOBS},
		{"weights", required_argument, NULL, OPTION_WEIGHTS},
		{"nodes", required_argument, NULL, OPTION_NODES},
		{"allocator", required_argument, NULL, OPTION_ALLOCATOR},
		{"seed", required_argument, NULL, OPTION_SEED},
		{"span", required_argument, NULL, OPTION_SPAN},
		{"isolation-weight", required_argument, NULL, OPTION_ISOLATION_WEIGHT},
		{"contiguous", no_argument, NULL, OPTION_CONTIGUOUS},
		{"nodelist", required_argument, NULL, OPTION_NODELIST},
		{"shape", required_argument, NULL, OPTION_SHAPE},
		{"spread", no_argument, NULL, OPTION_SPREAD},
		{NULL, 0, NULL, 0},
	};
	int code;

	*options = (storus_place_options_t){.format = STORUS_FORMAT_TEXT};
	*status = STORUS_BAD;
	while ((code = storus_option_next(argc, argv, table, help)) !=
	       STORUS_OPTIONS_END) {
		if (storus_machine_option(&options->machine, code, optarg))
			continue;
		switch (code) {
		case STORUS_OPTIONS_HELPED:
			*status = STORUS_OK;
			return -1;
		case STORUS_OPTIONS_WRONG:
			return -1;
		case STORUS_OPTION_FORMAT:
			if (storus_format_parse(optarg, &options->format) != 0)
				return -1;
			break;
		case OPTION_FREE:
			options->free = optarg;
			break;
		case OPTION_FREE_NODES:
			options->free_nodes = optarg;
			break;
		case OPTION_JOBS:
			options->jobs = optarg;
			break;
		case OPTION_WEIGHTS:
			options->weights = optarg;
			break;
		case OPTION_NODES:
			options->nodes = optarg;
			break;
		case OPTION_ALLOCATOR:
			options->allocator = optarg;
			break;
		case OPTION_SEED:
			options->seed = optarg;
			break;
		case OPTION_SPAN:
			options->span = optarg;
			break;
		case OPTION_ISOLATION_WEIGHT:
			options->isolation_weight = optarg;
			break;
		case OPTION_CONTIGUOUS:
			options->contiguous = true;
			break;
		case OPTION_NODELIST:
			options->nodelist = optarg;
			break;
		case OPTION_SHAPE:
			options->shape = optarg;
			break;
		case OPTION_SPREAD:
			options->spread = true;
			break;
		}
	}
	return storus_no_arguments(argc, argv) != 0 || check_together(options) != 0 ? -1
										    : 0;
}
