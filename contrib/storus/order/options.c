/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the options of storus order. */
#include "torus_config.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

#include "order/network.h"
#include "storus/commands.h"
#include "storus/order/options.h"

static const char help[] =
	"Usage: storus order (--conf FILE [--torus NAME] | --dims AxBxC [--nodelist HOSTS] |\n"
	"                     --graph LINKS) [OPTION]...\n"
	"Make an order of the nodes of an irregular network, for Curve=file: in torus.conf.\n"
	"\n"
	"The network:\n"
	"  --conf FILE        a torus.conf, nodes that are missing in it included\n"
	"  --torus NAME       which of its tori, if it has several\n"
	"  --dims AxBxC       or these dimensions\n"
	"  --wrap WRAP        which of them wrap: all, none (default), letters of xyzuvw\n"
	"                     or 1,0,1\n"
	"  --nodes-per-router K  nodes on each coordinate of --dims (default 1)\n"
	"  --nodelist HOSTS   the names of the nodes of --dims, in the order of Nodes=\n"
	"                     (default n0, n1, ...)\n"
	"  --graph LINKS      or a file of links, a line `node node [weight]` each\n"
	"\n"
	"What is looked for:\n"
	"  --k K              nodes up to K positions apart earn something (default 4)\n"
	"  --weights W1,W2,.. what 1, 2, ... positions apart earn; there are K of them then\n"
	"                     (default K/K, ..., 2/K, 1/K)\n"
	"  --reach R          nodes up to R hops apart in the network earn something, 1/hops\n"
	"                     of it (default 1)\n"
	"\n"
	"How:\n"
	"  --solver SOLVER    glpk or cbc, none, or auto (default): one of them if the\n"
	"                     network is small\n"
	"  --time-limit S     seconds for the search, and again for the solver (default 10)\n"
	"  --start NAME|FILE  begin with this curve, or bisection, breadth or greedy of links,\n"
	"                     or with the order in this file (default: the best of them)\n"
	"  --seed SEED        of the search's random numbers (default 1)\n"
	"\n"
	"Output:\n"
	"  --output FILE      write the order there and print what it is worth; without\n"
	"                     it print the order\n"
	"  --compare          print a table of the orders to begin with and the one found:\n"
	"                     their objective and mean distance\n"
	"  --format FORMAT    of that: text (default), csv or json\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 ordered, 2 bad usage or input.\n";

enum {
	OPTION_NODELIST = STORUS_OPTION_OWN,
	OPTION_GRAPH,
	OPTION_K,
	OPTION_WEIGHTS,
	OPTION_REACH,
	OPTION_SOLVER,
	OPTION_TIME_LIMIT,
	OPTION_START,
	OPTION_SEED,
	OPTION_OUTPUT,
	OPTION_COMPARE,
};

/* --k and --weights as given: which goes with which is known only at the end. */
typedef struct given {
	const char *weights;
	uint64_t k; /* 0: not given */
} given_t;

static int store(storus_order_options_t *options, given_t *given, int code)
{
	switch (code) {
	case OPTION_NODELIST:
		options->nodelist = optarg;
		return 0;
	case OPTION_GRAPH:
		options->graph = optarg;
		return 0;
	case OPTION_K:
		return storus_number_parse("k", optarg, 1, TORUS_ORDER_K_MAX, &given->k);
	case OPTION_WEIGHTS:
		given->weights = optarg;
		return 0;
	case OPTION_REACH:
		return storus_number_parse("reach", optarg, 1, TORUS_ORDER_REACH_MAX,
					   &options->reach);
	case OPTION_SOLVER:
		return storus_solver_parse(optarg, &options->solver, &options->no_solver);
	case OPTION_TIME_LIMIT:
		return storus_number_parse("time-limit", optarg, 0, 1000000,
					   &options->seconds);
	case OPTION_START:
		options->start = optarg;
		return 0;
	case OPTION_SEED:
		return storus_number_parse("seed", optarg, 0, UINT64_MAX, &options->seed);
	case OPTION_OUTPUT:
		options->output = optarg;
		return 0;
	case OPTION_COMPARE:
		options->compare = true;
		return 0;
	default:
		return storus_format_parse(optarg, &options->format);
	}
}

static int weights(storus_order_options_t *options, const given_t *given)
{
	torus_error_t error;

	if (!given->weights) {
		torus_order_weights(&options->objective,
				    given->k ? (uint32_t)given->k : 4);
		return 0;
	}
	if (torus_order_weights_parse(given->weights, &options->objective, &error) != 0) {
		warnx("--weights: %s", error.text);
		return -1;
	}
	if (given->k && given->k != options->objective.k) {
		warnx("--weights has %u weights, but --k is %u: give one of them, or as "
		      "many weights as --k says",
		      options->objective.k, (unsigned)given->k);
		return -1;
	}
	return 0;
}

/* Whether the options go together. */
static int check(const storus_order_options_t *options)
{
	const storus_machine_options_t *machine = &options->machine;

	if (options->graph && (machine->conf || machine->dims)) {
		storus_misuse("--graph and --%s exclude each other",
			      machine->conf ? "conf" : "dims");
		return -1;
	}
	if (options->graph &&
	    (machine->torus || machine->wrap || machine->nodes_per_router)) {
		storus_misuse("--torus, --wrap and --nodes-per-router do not go with "
			      "--graph");
		return -1;
	}
	if (!options->graph && !machine->conf && !machine->dims) {
		storus_misuse("which network? Give --conf, --dims or --graph");
		return -1;
	}
	if (options->nodelist && !machine->dims) {
		storus_misuse("--nodelist goes with --dims: elsewhere the nodes have "
			      "names");
		return -1;
	}
	return 0;
}

int storus_order_options_read(int argc, char **argv, storus_order_options_t *options,
			      int *status)
{
	static const struct option table[] = {
		STORUS_COMMON_OPTIONS,
		{"conf", required_argument, NULL, STORUS_OPTION_CONF},
		{"torus", required_argument, NULL, STORUS_OPTION_TORUS},
		{"dims", required_argument, NULL, STORUS_OPTION_DIMS},
		{"wrap", required_argument, NULL, STORUS_OPTION_WRAP},
		{"nodes-per-router", required_argument, NULL,
		 STORUS_OPTION_NODES_PER_ROUTER},
		STORUS_FORMAT_OPTION,
		{"nodelist", required_argument, NULL, OPTION_NODELIST},
		{"graph", required_argument, NULL, OPTION_GRAPH},
		{"k", required_argument, NULL, OPTION_K},
		{"weights", required_argument, NULL, OPTION_WEIGHTS},
		{"reach", required_argument, NULL, OPTION_REACH},
		{"solver", required_argument, NULL, OPTION_SOLVER},
		{"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
		{"start", required_argument, NULL, OPTION_START},
		{"seed", required_argument, NULL, OPTION_SEED},
		{"output", required_argument, NULL, OPTION_OUTPUT},
		{"compare", no_argument, NULL, OPTION_COMPARE},
		{NULL, 0, NULL, 0},
	};
	given_t given = {0};
	int code;

	*options = (storus_order_options_t){.reach = 1, .seconds = 10, .seed = 1};
	*status = STORUS_BAD;
	while ((code = storus_option_next(argc, argv, table, help)) !=
	       STORUS_OPTIONS_END) {
		if (code == STORUS_OPTIONS_HELPED)
			*status = STORUS_OK;
		if (code == STORUS_OPTIONS_HELPED || code == STORUS_OPTIONS_WRONG)
			return -1;
		if (!storus_machine_option(&options->machine, code, optarg) &&
		    store(options, &given, code) != 0)
			return -1;
	}
	if (storus_no_arguments(argc, argv) != 0 || check(options) != 0)
		return -1;
	return weights(options, &given);
}
