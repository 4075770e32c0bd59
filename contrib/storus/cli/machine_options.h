/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that say which machine a subcommand works on, and the map they lead to:
 *
 *   --conf FILE [--torus NAME] [--curve CURVE]
 *   --dims AxBxC [--wrap WRAP | --cube AxBxC] [--curve CURVE] [--nodes-per-router K]
 */
#ifndef STORUS_CLI_MACHINE_OPTIONS_H
#define STORUS_CLI_MACHINE_OPTIONS_H

#include <stdbool.h>

#include "conf/torus_conf.h"
#include "machine/map.h"
#include "storus/cli/options.h"

/* Their lines in a table of options; [machine_] is where they go. */
#define STORUS_CONF_OPTION(machine_, help_)                                              \
	{                                                                                \
		"conf", "FILE", help_, .text = &(machine_)->conf                         \
	}
#define STORUS_TORUS_OPTION(machine_, help_)                                             \
	{                                                                                \
		"torus", "NAME", help_, .text = &(machine_)->torus                       \
	}
#define STORUS_DIMS_OPTIONS(machine_)                                                    \
	{"dims", "AxBxC", "or these dimensions, 1 to 6 of them",                         \
	 .text = &(machine_)->dims},                                                     \
		{"wrap", "WRAP",                                                         \
		 "which of them wrap: all, none (default), letters of xyzuvw or 1,0,1",  \
		 .text = &(machine_)->wrap},                                             \
		{"cube", "AxBxC",                                                        \
		 "sides of the cubes of --dims that optical switches join, as Cube= in " \
		 "torus.conf",                                                           \
		 .text = &(machine_)->cube},                                             \
	{                                                                                \
		"nodes-per-router", "K",                                                 \
			"nodes on each coordinate of --dims (default 1)",                \
			.count = &(machine_)->nodes_per_router, .least = 1,              \
			.most = TORUS_MAX_CELLS                                          \
	}
#define STORUS_MACHINE_OPTIONS(machine_)                                                 \
	STORUS_CONF_OPTION(machine_, "a torus.conf"),                                    \
		STORUS_TORUS_OPTION(machine_, "which of its tori, if it has several"),   \
		STORUS_DIMS_OPTIONS(machine_),                                           \
	{                                                                                \
		"curve", "CURVE",                                                        \
			"row_major, column_major, snake, z_order, hilbert (default) or " \
			"file:PATH, or gray on a hypercube; with --conf, instead of "    \
			"the curve given there",                                         \
			.text = &(machine_)->curve                                       \
	}

/* The texts of the options given, borrowed from argv; NULL where not given. */
typedef struct storus_machine_options {
	const char *conf;
	const char *torus;
	const char *dims;
	const char *wrap;
	const char *cube;
	const char *curve;
	uint64_t nodes_per_router; /* 0: not given */
} storus_machine_options_t;

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
