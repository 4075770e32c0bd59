/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus place. */
#ifndef STORUS_PLACE_OPTIONS_H
#define STORUS_PLACE_OPTIONS_H

#include <stdbool.h>

#include "place/shape.h"
#include "storus/cli/machine_options.h"
#include "storus/cli/output.h"
#include "storus/cli/segment_options.h"

/* The options as given; texts are borrowed from argv, NULL where not given. */
typedef struct storus_place_options {
	storus_machine_options_t machine;
	const char *free;
	const char *free_nodes;
	const char *jobs;
	const char *weights;
	uint64_t nodes; /* 0: not given */
	const char *allocator;
	uint64_t seed; /* 1 where not given */
	const char *span;
	const char *isolation_weight;
	const char *nodelist;
	const char *shape; /* as given, also of --chips, or NULL */
	torus_shapes_t shapes;
	bool shapes_twice; /* --shape and --chips */
	bool closed;
	bool isolate;
	bool loose;
	uint64_t segment; /* 0: not given */
	storus_segment_options_t segments;
	bool twist;
	uint32_t near; /* in thousandths, as torus_is_near() takes it; 0: not given */
	bool contiguous;
	bool spread;
	storus_format_t format;
} storus_place_options_t;

/* The option that the shapes came from. */
const char *storus_place_shape_option(const storus_place_options_t *options);

/*
 * Read them. Returns 0, or -1 with *status set to what storus_place() is to return
 * (messages or help printed).
 */
int storus_place_options_read(int argc, char **argv, storus_place_options_t *options,
			      int *status);

#endif
