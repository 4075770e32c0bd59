/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulation as the options describe it: the machine, the jobs, what came out. */
#ifndef STORUS_SIM_REPLAY_H
#define STORUS_SIM_REPLAY_H

#include <stdio.h>

#include "machine/cluster.h"
#include "sim/simulate.h"
#include "storus/sim/options.h"

typedef struct storus_replay {
	const storus_sim_options_t *options; /* borrowed */
	torus_cluster_t *cluster;
	torus_segments_where_t segments;
	torus_sim_wish_t wish; /* of the jobs, with what the site says */
	torus_workload_t workload;
	torus_outages_t outages;
	torus_sim_result_t result; /* its records only for figures */
	FILE *jobs;		   /* where jobs.csv is written to, or NULL; borrowed */
} storus_replay_t;

/*
 * With its options set, .jobs if need be, and all else 0: open the machine, read the
 * jobs, simulate, and say on standard error which jobs were skipped. Returns 0, or -1
 * (message printed). In either case to be freed with storus_replay_clear().
 */
int storus_replay_run(storus_replay_t *replay);
void storus_replay_clear(storus_replay_t *replay);

#endif
