/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus order. */
#ifndef STORUS_ORDER_OPTIONS_H
#define STORUS_ORDER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "order/objective.h"
#include "storus/cli/machine_options.h"
#include "storus/order/solver.h"

/* Texts are borrowed from argv; NULL where not given. */
typedef struct storus_order_options {
	storus_machine_options_t machine;
	const char *nodelist;
	const char *graph;
	const char *start;
	const char *output;
	bool distance; /* the objective: distance, or else nearness */
	double decay;  /* of distance; 0: the weights of [objective] */
	bool ring;     /* of distance: the line is closed */
	torus_order_objective_t objective; /* weights and k; its near stays NULL */
	uint64_t reach;			   /* of nearness; 1 for distance */
	double seconds;			   /* --time-limit */
	uint64_t seed;
	const storus_solver_t *solver; /* NULL: auto */
	bool no_solver;
	bool compare;
	storus_format_t format;
} storus_order_options_t;

/*
 * Read them. Returns 0, or -1 with *status set to what storus_order() is to return
 * (messages or help printed).
 */
int storus_order_options_read(int argc, char **argv, storus_order_options_t *options,
			      int *status);

#endif
