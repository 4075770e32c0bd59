/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus map. */
#ifndef STORUS_MAP_OPTIONS_H
#define STORUS_MAP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "storus/map/job.h"

/* The options as given; texts are borrowed from argv, NULL where not given. */
typedef struct storus_map_options {
	storus_map_source_t source;
	const char *grid, *mpi_dims; /* one of them */
	const char *stencil;
	const char *periodic;
	const char *graph;
	const char *distribution;
	const char *head;
	const char *mapper;
	double budget; /* seconds */
	uint64_t threads;
	uint64_t seed; /* 1 where not given */
	const char *format;
	const char *output;
	const char *svg;
	bool no_rotation;
	bool compare;
	bool print_path;
} storus_map_options_t;

/* Whether the pattern is unknown: --grid any. */
bool storus_map_grid_is_any(const storus_map_options_t *options);

/*
 * Read them. Returns 0, or -1 with *status set to what storus_map() is to return
 * (messages or help printed).
 */
int storus_map_options_read(int argc, char **argv, storus_map_options_t *options,
			    int *status);

#endif
