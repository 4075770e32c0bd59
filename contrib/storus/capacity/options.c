/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus capacity. */
#include "torus_config.h"

#include <err.h>
#include <strings.h>

#include "machine/nearness.h"
#include "storus/capacity/options.h"
#include "storus/cli/options.h"
#include "storus/cli/times.h"
#include "storus/commands.h"

/* Read --[name], or the same in chips. *text, that of the one, becomes that which is
 * given. */
static int read_shape(const char *name, const char **text, const char *chips_name,
		      const char *chips, torus_shape_t *shape)
{
	torus_error_t error;

	if (*text && chips) {
		storus_misuse("--%s and --%s exclude each other: the sides of one are in "
			      "nodes, of the other in chips",
			      name, chips_name);
		return -1;
	}
	if (!*text && !chips)
		return 0;
	if (torus_shape_parse(chips ? chips : *text, shape, &error) != 0) {
		warnx("--%s: %s", chips ? chips_name : name, error.text);
		return -1;
	}
	if (chips) {
		*text = chips;
		shape->in_chips = true;
	}
	return 0;
}

static int read_duration(const char *text, int64_t *seconds)
{
	torus_error_t error;
	uint32_t minutes;

	*seconds = 1;
	if (!text)
		return 0;
	if (storus_duration_parse(text, &minutes, &error) != 0) {
		warnx("--duration: %s", error.text);
		return -1;
	}
	*seconds = (int64_t)minutes * 60;
	return 0;
}

static int read_near(const char *value, void *to, torus_error_t *err)
{
	return torus_near_parse(value, to, err);
}

/* What --nodes goes with. Returns 0, or -1 (message printed). */
static int check_nodes(storus_capacity_options_t *options)
{
	if (options->shape_text && strcasecmp(options->shape_text, "any") == 0) {
		options->any = true;
		options->shape_text = NULL;
	}
	if (options->any && !options->nodes)
		storus_misuse("--shape any: a box of how many nodes? Give --nodes");
	else if (options->near && !options->nodes)
		storus_misuse("--near: how many nodes? Give --nodes");
	else if (options->near && options->any)
		storus_misuse("--near does not go with --shape any: a box is as near as "
			      "its sides make it");
	else if (options->nodes && (options->shape_text || options->chips_text))
		storus_misuse("--nodes does not go with --shape %s, which says how many "
			      "they are; --shape any is a box of so many",
			      options->shape_text ? options->shape_text
						  : options->chips_text);
	else
		return 0;
	return -1;
}

int storus_capacity_options_read(int argc, char **argv,
				 storus_capacity_options_t *options, int *status)
{
	const storus_option_t table[] = {
		STORUS_STATE_OPTIONS(&options->state),
		{.help = "\nWhat is asked:"},
		{"nodes", "N",
		 "when, and where, so many nodes can be had at once, placed as the plugins "
		 "place them; and which jobs hold them now",
		 .count = &options->nodes, .least = 1, .most = TORUS_MAX_NODES},
		{"near", "R",
		 "with --nodes: only where their mean distance is at most R times that of "
		 "as many nodes on the empty machine; from 1 to 16, such as 1.2",
		 .read = read_near, .to = &options->near},
		{"shape", "AxBxC",
		 "how many boxes of these sides, in any rotation, fit; when the first one "
		 "does; and what is in its way; any: with --nodes, only where they are a box",
		 .text = &options->shape_text},
		{"chips", "AxBxC",
		 "the same in chips, where nodes are boxes of chips (NodeShape= in "
		 "torus.conf)",
		 .text = &options->chips_text},
		{"duration", "TIME",
		 "how long the nodes are needed, as in `sbatch --time`: reservations that "
		 "begin meanwhile are in the way; default: those that are in force",
		 .text = &options->duration},
		{"advise", "AxBxC",
		 "which jobs to requeue, the fewest, or to wait for, to have such a box",
		 .text = &options->advise_text},
		{"advise-chips", "AxBxC", "the same in chips",
		 .text = &options->advise_chips_text},
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
			"shape how many, when, and which jobs or nodes are in the way; for a "
			"number of\n"
			"nodes when and where.\n\n",
		.options = table,
		.end = "Exit status: 0; 1 when no box of --shape or --chips is free now, "
		       "--nodes cannot be had now, or none of --advise\n"
		       "or --advise-chips can be had; 2 bad usage or input.\n",
	};

	*options = (storus_capacity_options_t){.format = STORUS_FORMAT_TEXT};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (storus_no_arguments(argc, argv) != 0 || check_nodes(options) != 0 ||
	    read_shape("shape", &options->shape_text, "chips", options->chips_text,
		       &options->shape) != 0 ||
	    read_shape("advise", &options->advise_text, "advise-chips",
		       options->advise_chips_text, &options->advise) != 0)
		return -1;
	return read_duration(options->duration, &options->seconds);
}
