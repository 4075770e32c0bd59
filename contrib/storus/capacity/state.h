/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine and what is on it, as storus capacity and storus metrics are told of it: a
 * torus.conf with a file of jobs, bare dimensions with a list of what is free, or, with
 * neither, the running Slurm.
 */
#ifndef STORUS_CAPACITY_STATE_H
#define STORUS_CAPACITY_STATE_H

#include "storus/cli/jobs.h"
#include "storus/cli/machine_options.h"

/* The options as given; texts are borrowed from argv, NULL where not given. */
typedef struct storus_state_options {
	storus_machine_options_t machine;
	const char *free;
	const char *jobs;
} storus_state_options_t;

/* Their lines in a table of options. */
#define STORUS_STATE_OPTIONS(options_)                                                   \
	{.help = "The machine; without --conf and --dims, that of the running Slurm "    \
		 "with its jobs:"},                                                      \
		STORUS_MACHINE_OPTIONS(&(options_)->machine),                            \
		{.help = "\nWhat is free:"},                                             \
		{"free", "LIST",                                                         \
		 "free ranks, such as 0-7,12,20-31, all (default) or none; of those "    \
		 "left out that no job has, nothing is known: they count as down",       \
		 .text = &(options_)->free},                                             \
	{                                                                                \
		"jobs", "FILE",                                                          \
			"the jobs that run (with --conf), `JOB HOSTLIST [end=TIME] "     \
			"[preemptible=yes]` a line, and reservations, `NAME HOSTLIST "   \
			"reservation=yes start=TIME end=TIME`; -: the standard input",   \
			.text = &(options_)->jobs                                        \
	}

typedef struct storus_state {
	const storus_state_options_t *options; /* borrowed */
	char *conf; /* path of the running Slurm's torus.conf, or NULL */
	torus_cluster_t *cluster;
	storus_jobs_t jobs; /* with reservations */
} storus_state_t;

/* Whether the running Slurm is to be asked. */
bool storus_state_from_slurm(const storus_state_options_t *options);

/*
 * Read the state that [options], which must outlive it, ask for. Returns 0, or -1
 * (message printed). In either case to be closed with storus_state_close().
 */
int storus_state_open(storus_state_t *state, const storus_state_options_t *options);
void storus_state_close(storus_state_t *state);

#endif
