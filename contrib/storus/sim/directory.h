/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that a simulation leaves behind: each whole or not at all, and none where one
 * cannot be written.
 */
#ifndef STORUS_SIM_DIRECTORY_H
#define STORUS_SIM_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "storus/sim/replay.h"

typedef struct storus_output storus_output_t;

typedef struct storus_directory {
	storus_output_t *output; /* [count] */
	size_t count;
	const char *made; /* the directory, if it was not there */
} storus_directory_t;

/*
 * Before the simulation: make the directory if need be, and begin the files that the
 * options ask for, so that what cannot be written is known at once. Returns 0, or -1
 * (message printed). In either case to be ended with storus_directory_close().
 */
int storus_directory_open(const storus_sim_options_t *options,
			  storus_directory_t *directory);

/* Where the simulation writes jobs.csv as it goes; NULL: it is not wanted. */
FILE *storus_directory_jobs(const storus_directory_t *directory);

/* After it: write the others, and put all in their places. Returns 0, or -1 (message
 * printed). */
int storus_directory_write(storus_directory_t *directory, const storus_replay_t *replay);

/* What was not written goes, and the directory if it was made for it. */
void storus_directory_close(storus_directory_t *directory);

#endif
