/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus capacity. */
#ifndef STORUS_CAPACITY_OPTIONS_H
#define STORUS_CAPACITY_OPTIONS_H

#include "place/shape.h"
#include "storus/capacity/state.h"
#include "storus/cli/output.h"

/* The options as given; texts are borrowed from argv, NULL where not given. */
typedef struct storus_capacity_options {
	storus_state_options_t state;
	bool has_cubes; /* some torus is made of cubes: known once the state is open */
	const char *shape_text; /* of --shape or --chips, whichever is given */
	const char *chips_text;
	const char *advise_text; /* of --advise or --advise-chips */
	const char *advise_chips_text;
	const char *drain;
	uint64_t nodes; /* of --nodes; 0: not given */
	bool any;	/* --shape any: a box of so many nodes, and shape_text is NULL */
	uint32_t near;	/* of --near, in thousandths; 0: not given */
	const char *duration;
	torus_shape_t shape;  /* of shape_text; in chips if so given */
	torus_shape_t advise; /* of advise_text; the same */
	int64_t seconds;      /* of duration; 1 without */
	storus_format_t format;
} storus_capacity_options_t;

/*
 * Read them. Returns 0, or -1 with *status set to what storus_capacity() is to return
 * (messages or help printed).
 */
int storus_capacity_options_read(int argc, char **argv,
				 storus_capacity_options_t *options, int *status);

#endif
