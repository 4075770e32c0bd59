/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options by which the programs here are told of a machine. They end the program with
 * a message and exit status 2 on bad usage. */
#ifndef CONTEND_MACHINE_ARGUMENTS_H
#define CONTEND_MACHINE_ARGUMENTS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "geometry/geometry.h"

enum {
	CONTEND_OPTION_DIMS = 256,
	CONTEND_OPTION_WRAP,
	CONTEND_OPTION_NODES_PER_ROUTER,
	CONTEND_OPTION_BANDWIDTH,
	CONTEND_OPTION_OWN,
};

/* Lines of the table for getopt_long(), and of --help. */
#define CONTEND_MACHINE_OPTIONS                                                          \
	{"dims", required_argument, NULL, CONTEND_OPTION_DIMS},                          \
		{"wrap", required_argument, NULL, CONTEND_OPTION_WRAP},                  \
		{"nodes-per-router", required_argument, NULL,                            \
		 CONTEND_OPTION_NODES_PER_ROUTER},                                       \
	{                                                                                \
		"bandwidth", required_argument, NULL, CONTEND_OPTION_BANDWIDTH           \
	}

#define CONTEND_MACHINE_HELP                                                                 \
	"  --dims AxBxC         the routers\n"                                               \
	"  --wrap AXES          all, none (default), letters such as xz, or 1,0,1\n"         \
	"  --nodes-per-router K (default 1)\n"                                               \
	"  --bandwidth BYTES    a second, of each link and direction (default 1e9), or of\n" \
	"                       those of each dimension, with commas between them\n"

typedef struct contend_machine_arguments {
	const char *dims, *wrap;
	torus_geometry_t geometry;
	uint32_t per_router;
	const char *bandwidths;
	double bandwidth[TORUS_MAX_DIMS]; /* of each dimension */
} contend_machine_arguments_t;

/* Whether [code], as getopt_long() returns it, with its [value] is one of these options;
 * then it is kept. [arguments] starts as {0}. */
bool contend_machine_argument(int code, const char *value,
			      contend_machine_arguments_t *arguments);

/* After the last option: fill the members but the texts. */
void contend_machine_arguments_check(contend_machine_arguments_t *arguments);

uint32_t contend_machine_nodes(const contend_machine_arguments_t *arguments);

#endif
