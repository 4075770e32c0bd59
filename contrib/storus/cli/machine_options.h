/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that say which machine a subcommand works on, and the map they lead to:
 *
 *   --conf FILE [--torus NAME] [--curve CURVE]
 *   --dims AxBxC [--wrap WRAP] [--curve CURVE] [--nodes-per-router K]
 */
#ifndef STORUS_CLI_MACHINE_OPTIONS_H
#define STORUS_CLI_MACHINE_OPTIONS_H

#include <stdbool.h>

#include "conf/torus_conf.h"
#include "machine/map.h"
#include "storus/cli/options.h"

#define STORUS_MACHINE_OPTIONS                                                           \
	{"conf", required_argument, NULL, STORUS_OPTION_CONF},                           \
		{"torus", required_argument, NULL, STORUS_OPTION_TORUS},                 \
		{"dims", required_argument, NULL, STORUS_OPTION_DIMS},                   \
		{"wrap", required_argument, NULL, STORUS_OPTION_WRAP},                   \
		{"curve", required_argument, NULL, STORUS_OPTION_CURVE},                 \
	{                                                                                \
		"nodes-per-router", required_argument, NULL,                             \
			STORUS_OPTION_NODES_PER_ROUTER                                   \
	}

/* Their lines in the texts of --help. */
#define STORUS_MACHINE_OPTIONS_HELP                                                            \
	"The machine:\n"                                                                       \
	"  --conf FILE        a torus.conf\n"                                                  \
	"  --torus NAME       which of its tori, if it has several\n"                          \
	"  --dims AxBxC       or these dimensions, 1 to 6 of them\n"                           \
	"  --wrap WRAP        which of them wrap: all, none (default), letters of xyzuvw\n"    \
	"                     or 1,0,1\n"                                                      \
	"  --nodes-per-router K  nodes on each coordinate of --dims (default 1)\n"             \
	"  --curve CURVE      row_major, column_major, snake, z_order, hilbert (default) or\n" \
	"                     file:PATH, or gray on a hypercube; with --conf, instead of\n"    \
	"                     the curve given there\n"

/* The texts of the options given, borrowed from argv; NULL where not given. */
typedef struct storus_machine_options {
	const char *conf;
	const char *torus;
	const char *dims;
	const char *wrap;
	const char *curve;
	const char *nodes_per_router;
} storus_machine_options_t;

/* Store [argument] if the option [code] is one of these, and return whether it is. */
bool storus_machine_option(storus_machine_options_t *options, int code,
			   const char *argument);

/*
 * The map that the options ask for, to be freed with torus_map_destroy(); its node_name
 * is NULL with --dims. NULL on error (message printed).
 */
torus_map_t *storus_machine_open(const storus_machine_options_t *options);

/*
 * The same where several tori will do: all of the configuration, or the one that --torus
 * names; with --dims a cluster of one torus without node names. To be freed with
 * torus_cluster_destroy(). NULL on error (message printed).
 */
torus_cluster_t *storus_cluster_open(const storus_machine_options_t *options);

/*
 * Give all tori the allocator and the span rule of these names, and this weight of
 * isolation (--allocator, --span, --isolation-weight; NULL: each keeps its own). Returns
 * 0, or -1 (message printed).
 */
int storus_cluster_set_rules(const torus_cluster_t *cluster, const char *allocator,
			     const char *span, const char *isolation);

#endif
