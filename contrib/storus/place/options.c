/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus place. */
#include "torus_config.h"

#include "machine/nearness.h"
#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/place/options.h"

static int read_shapes(const char *value, void *to, torus_error_t *err)
{
	storus_place_options_t *options = to;

	options->shapes_twice |= torus_shapes_in_chips(&options->shapes);
	options->shape = value;
	return torus_shapes_parse(value, &options->shapes, err);
}

static int read_chips(const char *value, void *to, torus_error_t *err)
{
	storus_place_options_t *options = to;

	options->shapes_twice |=
		options->shape && !torus_shapes_in_chips(&options->shapes);
	options->shape = value;
	return torus_chip_shapes_parse(value, &options->shapes, err);
}

const char *storus_place_shape_option(const storus_place_options_t *options)
{
	return torus_shapes_in_chips(&options->shapes) ? "--chips" : "--shape";
}

static int read_near(const char *value, void *to, torus_error_t *err)
{
	return torus_near_parse(value, to, err);
}

/* What can be said about the options without a machine. Returns 0, or -1. */
static int check_together(const storus_place_options_t *options)
{
	if (!options->nodes && !options->shape && !options->nodelist) {
		storus_misuse("how many nodes? Give --nodes, --shape, --chips or "
			      "--nodelist");
		return -1;
	}
	if (options->shapes_twice) {
		storus_misuse("--shape and --chips exclude each other: the sides of one "
			      "are in nodes, of the other in chips");
		return -1;
	}
	if (options->shape && (options->nodelist || options->contiguous)) {
		storus_misuse("%s and --%s exclude each other",
			      storus_place_shape_option(options),
			      options->nodelist ? "nodelist" : "contiguous");
		return -1;
	}
	if (options->loose && (options->isolate || options->shape)) {
		storus_misuse("--loose and --%s exclude each other",
			      options->isolate ? "isolate" : "shape");
		return -1;
	}
	if (options->shape && options->near) {
		storus_misuse("--near does not go with %s: a box is as near as its "
			      "sides make it",
			      storus_place_shape_option(options));
		return -1;
	}
	if (options->closed && !options->shape) {
		storus_misuse("--closed: which box? Give --shape, or --shape any");
		return -1;
	}
	if (options->twist && !options->shapes.count) {
		storus_misuse("--twist: which shape? Give --shape, such as 4x4x8");
		return -1;
	}
	if (options->shapes.any && !options->nodes) {
		storus_misuse("--shape any: a box of how many nodes? Give --nodes");
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
	const storus_option_t table[] = {
		{.help = "The machine:"},
		STORUS_MACHINE_OPTIONS(&options->machine),
		{.help = "\nWhat is free, and what the job asks for:"},
		{"free", "LIST",
		 "free ranks, such as 0-7,12,20-31, or all (default); -: read them from the "
		 "standard input",
		 .text = &options->free},
		{"free-nodes", "HOSTS",
		 "free nodes by name instead (with --conf); of names that are on no torus "
		 "Slurm's own rules would choose",
		 .text = &options->free_nodes},
		{"jobs", "FILE",
		 "the jobs that run (with --conf), `JOB HOSTLIST` a line, as for storus "
		 "show: their nodes are not free; and with whom links would be shared",
		 .text = &options->jobs},
		{"weights", "FILE",
		 "node weights (with --conf): lines of a hostlist and a number, as from "
		 "sinfo -hN -o '%N %w'; the others weigh 1",
		 .text = &options->weights},
		{"nodes", "N", "number of nodes", .count = &options->nodes, .least = 1,
		 .most = UINT64_MAX},
		{"allocator", "NAME",
		 "compact (default), best_fit, first_fit, sum_of_squares or free_list; to "
		 "compare with: random, interval:first_fit, interval:best_fit, "
		 "sum_of_squares:greedy, paging, mbs, "
		 "buddy, contiguous, frame_sliding, listed_boxes, hybrid, mc1x1, mm, partner, multipartner",
		 .text = &options->allocator},
		{"seed", "N", "seed of the allocator random; default 1",
		 .count = &options->seed, .most = UINT64_MAX},
		{"span", "RULE", "ring or linear; default: ring if some dimension wraps",
		 .text = &options->span},
		{"isolation-weight", "W",
		 "what compact gives, in hops, for nodes of others in the box around the "
		 "job, for each of its own; 0 (default) to 16",
		 .text = &options->isolation_weight},
		{"contiguous", NULL,
		 "only nodes that follow each other on the curve will do",
		 .flag = &options->contiguous},
		{"nodelist", "HOSTS", "nodes that must be among the chosen (with --conf)",
		 .text = &options->nodelist},
		{"shape", "AxBxC",
		 "a box of these sides, in any rotation; AxBxC|DxE: the first of them that "
		 "is free; any: the most compact free box of exactly --nodes nodes",
		 .read = read_shapes, .to = options},
		{"chips", "AxBxC",
		 "the same in chips, where nodes are boxes of chips (NodeShape= in torus.conf): "
		 "a box of whole nodes, or part of one",
		 .read = read_chips, .to = options},
		{"closed", NULL,
		 "with --shape: every side of the box goes all the way around a wrapped "
		 "dimension, or is 1 or 2",
		 .flag = &options->closed},
		{"isolate", NULL,
		 "keep nodes of others out of the box around the job as far as possible, as "
		 "compact does it, whatever the allocator",
		 .flag = &options->isolate},
		{"loose", NULL,
		 "leave compact places to others: the job's own distance counts a quarter, "
		 "by compact, whatever the allocator",
		 .flag = &options->loose},
		{"segment", "N",
		 "the job in segments of N nodes, each an interval of the curve or a box, as "
		 "with --segment of Slurm",
		 .count = &options->segment, .least = 1, .most = UINT32_MAX},
		STORUS_SEGMENT_OPTIONS(&options->segments),
		{"twist", NULL,
		 "join the cubes of --shape to a twisted torus, with sides k and 2k such as "
		 "4x4x8; only with --cube, or Cube= in torus.conf",
		 .flag = &options->twist},
		{"near", "R",
		 "nothing fits if the mean distance of the place is more than R times that "
		 "of as many nodes on the empty machine; from 1 to 16, such as 1.2",
		 .read = read_near, .to = &options->near},
		{"spread", NULL,
		 "over several tori, or one and nodes beside it, if no torus alone holds "
		 "the job",
		 .flag = &options->spread},
		{.help = "With --conf, --allocator, --span and --isolation-weight default to "
			 "what is given\n"
			 "there. --nodes may be left out with --shape and with --nodelist. Of "
			 "several tori the\n"
			 "best is chosen, unless --torus names one.\n"
			 "\n"
			 "Output:"},
		STORUS_FORMAT_OPTION(&options->format, "text (default), csv or json"),
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus place (--conf FILE | --dims AxBxC) [--free LIST] "
			"--nodes N [OPTION]...\n"
			"Choose the nodes of a job as the Slurm plugins do, and print the "
			"choice's metrics.\n\n",
		.options = table,
		.end = "Exit status: 0 placed, 1 nothing fits, 2 bad usage or input.\n",
	};

	*options = (storus_place_options_t){.format = STORUS_FORMAT_TEXT, .seed = 1};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (storus_no_arguments(argc, argv) != 0 || check_together(options) != 0)
		return -1;
	torus_shapes_close(&options->shapes, options->closed);
	torus_shapes_twist(&options->shapes, options->twist);
	return 0;
}
