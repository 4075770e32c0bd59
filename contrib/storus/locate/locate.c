/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus locate: on a node, where it is, from what the node knows. */
#include "torus_config.h"

#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/locate/place.h"

/* In the order in which they are tried. A program is there only if it is given. */
static const char *const source_names[] = {"program", "neuron", "tpu", "tenstorrent",
					   NULL};
static storus_located_t (*const sources[])(const storus_locating_t *, storus_place_t *,
					   torus_error_t *) = {
	storus_locate_program,
	storus_locate_neuron,
	storus_locate_tpu,
	storus_locate_tenstorrent,
};

#define SOURCES (sizeof(sources) / sizeof(sources[0]))

typedef enum { TOPOLOGY, FEATURE } slurmd_t;

static const char *const slurmd_names[] = {
	[TOPOLOGY] = "topology", [FEATURE] = "feature", NULL};

typedef struct locate_options {
	const char *torus;
	bool from_given;
	int from; /* in sources[] */
	bool slurmd_given;
	int slurmd; /* slurmd_t */
	storus_locating_t locating;
} locate_options_t;

static int read_options(int argc, char **argv, locate_options_t *options, int *status)
{
	const storus_option_t table[] = {
		{.help = "Where from:"},
		{"from", "SOURCE",
		 "only this one of neuron (AWS Trainium), tpu, tenstorrent and program; "
		 "without it the first that is there",
		 .flag = &options->from_given, .choice = &options->from,
		 .choices = source_names},
		{"program", "FILE",
		 "run this program of the site's own, which prints x y z, x:y:z or "
		 "TORUS:x:y:z",
		 .text = &options->locating.program},
		{"time-limit", "SECONDS", "end it when it takes longer (default 10)",
		 .seconds = &options->locating.time_limit, .low = 0, .high = 86400,
		 .above_low = true},
		{"descriptor", "FILE",
		 "of tenstorrent: a factory system descriptor, or a mesh graph descriptor",
		 .text = &options->locating.descriptor},
		{"host", "NAME",
		 "the name of this node in it; without it what the node calls itself",
		 .text = &options->locating.host},
		{"root", "DIR", "look for sysfs and other files of the node below DIR",
		 .text = &options->locating.root},
		{.help = "\nOutput:"},
		{"torus", "NAME",
		 "the TorusName= (default main); %s in it becomes the server, slice or "
		 "ring that the node is in",
		 .text = &options->torus},
		{"slurmd", "[=HOW]",
		 "print the text for slurmd -Z --conf instead: as topology (the default; "
		 "from Slurm 25.05 on) or feature (all releases)",
		 .flag = &options->slurmd_given, .choice = &options->slurmd,
		 .choices = slurmd_names},
		{0},
	};
	const storus_usage_t usage = {
		.begin = "Usage: storus locate [OPTION]...\n"
			 "Print where in a torus this node is, as TORUS:x:y:z, from what "
			 "the node knows.\n\n",
		.options = table,
		.end = "Exit status: 0 printed, 1 the node knows no place, or not yet, 2 bad "
		       "usage or input.\n",
	};

	*options = (locate_options_t){
		.torus = "main",
		.locating = {.root = "", .time_limit = 10},
	};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	options->locating.named = options->from_given;
	if (options->from_given && (sources[options->from] == storus_locate_program) !=
					   !!options->locating.program) {
		storus_misuse("--from program and --program go together");
		return -1;
	}
	return 0;
}

/* Ask the sources. Returns an exit status, with [err] filled unless it is 0. */
static int find(const locate_options_t *options, storus_place_t *place,
		torus_error_t *err)
{
	storus_located_t located = STORUS_LOCATE_ABSENT;

	for (size_t i = 0; i < SOURCES && located == STORUS_LOCATE_ABSENT; i++) {
		if (!options->from_given || options->from == (int)i)
			located = sources[i](&options->locating, place, err);
	}
	if (located == STORUS_LOCATE_ABSENT && !options->from_given)
		torus_fail(
			err,
			"nothing here tells where this node is: no Neuron device with node_id_4, "
			"no TPU_WORKER_ID, no TT_MESH_GRAPH_DESC_PATH; --program asks one of "
			"your own");
	return located == STORUS_LOCATED      ? STORUS_OK
	       : located == STORUS_LOCATE_BAD ? STORUS_BAD
					      : STORUS_NO;
}

static void print(const locate_options_t *options, const char *torus,
		  const storus_place_t *place)
{
	if (options->slurmd_given)
		fputs(options->slurmd == FEATURE ? "Features=torus="
						 : "Topology=default:",
		      stdout);
	fputs(torus, stdout);
	for (int i = 0; i < place->dims; i++)
		printf(":%d", place->at[i]);
	putchar('\n');
}

int storus_locate(int argc, char **argv)
{
	locate_options_t options;
	storus_place_t place;
	char torus[STORUS_PLACE_NAME + 1];
	torus_error_t error;
	int status;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	status = find(&options, &place, &error);
	if (status == STORUS_OK &&
	    storus_place_name(&place, options.torus, torus, &error) != 0)
		status = STORUS_BAD;
	if (status == STORUS_OK)
		print(&options, torus, &place);
	else
		warnx("%s", error.text);
	return status;
}
