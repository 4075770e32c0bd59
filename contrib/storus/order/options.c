/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the options of storus order. */
#include "torus_config.h"

#include <err.h>
#include <string.h>

#include "metrics/span.h"
#include "order/network.h"
#include "storus/commands.h"
#include "storus/order/options.h"

/* What belongs to an objective, as given; it is understood when all of it is read. */
typedef struct given {
	const char *objective, *weights, *span;
	uint64_t k, reach; /* 0: not given */
	double decay;	   /* the same */
} given_t;

/* Which objective it is. Returns 0, or -1 (message printed). */
static int choose_objective(storus_order_options_t *options, const given_t *given)
{
	bool nearness = given->k || given->reach;
	bool distance = given->decay > 0 || given->span || (given->weights && !nearness);

	if (given->objective) {
		options->distance = strcmp(given->objective, "distance") == 0;
		if (!options->distance && strcmp(given->objective, "nearness") != 0) {
			warnx("--objective: '%s' is neither distance nor nearness",
			      given->objective);
			return -1;
		}
	} else {
		options->distance = distance;
	}
	if (options->distance && nearness) {
		storus_misuse("--k and --reach belong to --objective nearness, --decay "
			      "and --span to distance");
		return -1;
	}
	if (!options->distance && (given->decay > 0 || given->span)) {
		storus_misuse("--decay and --span belong to --objective distance");
		return -1;
	}
	if (given->decay > 0 && given->weights) {
		storus_misuse("--decay and --weights exclude each other");
		return -1;
	}
	return 0;
}

static int read_span(storus_order_options_t *options, const given_t *given)
{
	torus_error_t error;
	torus_span_t span = TORUS_SPAN_LINEAR;

	if (given->span && torus_span_parse(given->span, &span, &error) != 0) {
		warnx("--span: %s", error.text);
		return -1;
	}
	options->ring = span == TORUS_SPAN_RING;
	return 0;
}

static int weights(storus_order_options_t *options, const given_t *given)
{
	torus_error_t error;

	if (!given->weights) {
		torus_order_weights(&options->objective,
				    given->k ? (uint32_t)given->k : 4);
		if (options->distance)
			options->decay = given->decay > 0 ? given->decay : 0.5;
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
	if (options->solver && !options->solver->is_there()) {
		warnx("--solver %s: %s", options->solver->name, options->solver->cure);
		return -1;
	}
	return 0;
}

static int read_solver(const char *value, void *to, torus_error_t *err)
{
	storus_order_options_t *options = to;

	return storus_solver_parse(value, &options->solver, &options->no_solver, err);
}

int storus_order_options_read(int argc, char **argv, storus_order_options_t *options,
			      int *status)
{
	given_t given = {0};
	const storus_option_t table[] = {
		{.help = "The network:"},
		STORUS_CONF_OPTION(&options->machine,
				   "a torus.conf, nodes that are missing in it included"),
		STORUS_TORUS_OPTION(&options->machine,
				    "which of its tori, if it has several"),
		STORUS_DIMS_OPTIONS(&options->machine),
		{"nodelist", "HOSTS",
		 "the names of the nodes of --dims, in the order of Nodes= (default n0, n1, "
		 "...)",
		 .text = &options->nodelist},
		{"graph", "LINKS", "or a file of links, a line `node node [weight]` each",
		 .text = &options->graph},
		{.help = "\nWhat is looked for:"},
		{"objective", "OBJECTIVE",
		 "distance: the sum over all pairs of nodes of a weight times their hops, "
		 "minimised (default with --decay, --weights or --span); nearness: what "
		 "near nodes at near positions earn, maximised (default otherwise)",
		 .text = &given.objective},
		{"decay", "R",
		 "distance: the weight of nodes s positions apart is R to the power of s "
		 "(default 0.5)",
		 .number = &given.decay, .low = 0, .above_low = true, .high = 0.9999},
		{"span", "RULE",
		 "distance: linear (default), or ring: positions are counted around its end",
		 .text = &given.span},
		{"k", "K",
		 "nearness: nodes up to K positions apart earn something (default 4)",
		 .count = &given.k, .least = 1, .most = TORUS_ORDER_K_MAX},
		{"weights", "W1,W2,..",
		 "the weights of 1, 2, ... positions apart, 0 beyond (default of nearness: "
		 "K/K, ..., 2/K, 1/K)",
		 .text = &given.weights},
		{"reach", "R",
		 "nearness: nodes up to R hops apart in the network earn something, 1/hops "
		 "of it (default 1)",
		 .count = &given.reach, .least = 1, .most = TORUS_ORDER_REACH_MAX},
		{.help = "\nHow:"},
		{"solver", "SOLVER",
		 "glpk or cbc, none, or auto (default): one of them if the network is small",
		 .read = read_solver, .to = options},
		{"time-limit", "SECONDS",
		 "for the search, and again for the solver (default 10)",
		 .seconds = &options->seconds, .high = 1000000},
		{"start", "NAME|FILE",
		 "begin with this curve, or bisection, breadth or greedy of links, or with "
		 "the order in this file (default: the best of them)",
		 .text = &options->start},
		{"seed", "SEED", "of the search's random numbers (default 1)",
		 .count = &options->seed, .most = UINT64_MAX},
		{.help = "\nOutput:"},
		{"output", "FILE",
		 "write the order there and print what it is worth; without it print the "
		 "order",
		 .text = &options->output},
		{"compare", NULL,
		 "print a table of the orders to begin with and the one found: their "
		 "objective and mean distance",
		 .flag = &options->compare},
		STORUS_FORMAT_OPTION(&options->format,
				     "of that: text (default), csv or json"),
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus order (--conf FILE [--torus NAME] | --dims AxBxC "
			"[--nodelist HOSTS] |\n"
			"                     --graph LINKS) [OPTION]...\n"
			"Make an order of the nodes of an irregular network, for Curve=file: "
			"in torus.conf.\n\n",
		.options = table,
		.end = "Exit status: 0 ordered, 2 bad usage or input.\n",
	};

	*options = (storus_order_options_t){.reach = 1, .seconds = 10, .seed = 1};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (storus_no_arguments(argc, argv) != 0 || check(options) != 0)
		return -1;
	if (choose_objective(options, &given) != 0 || read_span(options, &given) != 0)
		return -1;
	if (given.reach)
		options->reach = given.reach;
	return weights(options, &given);
}
