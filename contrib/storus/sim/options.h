/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus sim. */
#ifndef STORUS_SIM_OPTIONS_H
#define STORUS_SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/network_option.h"
#include "sim/scheduler.h"
#include "sim/slowdown.h"
#include "storus/cli/machine_options.h"
#include "storus/cli/output.h"
#include "storus/cli/segment_options.h"
#include "storus/sim/source.h"

/* Texts are borrowed from argv, NULL where not given. */
typedef struct storus_sim_options {
	storus_machine_options_t machine;
	const char *allocator;
	const char *span;
	const char *isolation_weight;
	const char *outages;
	const char *source[STORUS_SOURCES]; /* what each is told; only one is given */
	uint64_t processors_per_node;
	uint64_t max_jobs; /* 0: all */
	uint64_t replicate;
	double work_multiple;
	torus_scheduler_t scheduler;
	double period; /* seconds; 0: not given */
	torus_slowdown_t slowdown;
	uint64_t warmup;
	bool isolation;
	double boxes;	    /* share of the jobs */
	bool cubes;	    /* what these ask for */
	uint32_t whole;	    /* as in storus_shares_t; 0: not given */
	double preemptible; /* the same */
	double isolate;	    /* the same */
	double loose;	    /* the same */
	/* What the jobs wish for; of the words of --network=torus: those for that */
	torus_network_request_t asked;
	bool closed, twist, shapes_twice;
	double wishes;	  /* share of the jobs */
	uint64_t segment; /* 0: not given */
	storus_segment_options_t segments;
	double advise; /* seconds; below 0: not given */
	uint64_t seed;
	const char *out;
	const char *write_swf;
	const char *figure;
	const char *gantt;
	const char *frames;
	storus_format_t format;
} storus_sim_options_t;

/*
 * Read the options. Returns 0; or -1 when there is no more to be done, *status being the
 * exit status (help or a message printed).
 */
int storus_sim_options_read(int argc, char **argv, storus_sim_options_t *options,
			    int *status);

#endif
