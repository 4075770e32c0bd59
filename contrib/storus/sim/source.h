/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the jobs of a simulation come from. To add a source: a number here, a function in
 * source.c's table, and a line in the table of options.c.
 */
#ifndef STORUS_SIM_SOURCE_H
#define STORUS_SIM_SOURCE_H

#include "machine/cluster.h"
#include "sim/workload.h"

struct storus_sim_options;

typedef enum storus_source {
	STORUS_SOURCE_TRACE,
	STORUS_SOURCE_WORKLOAD,
	STORUS_SOURCE_SACCT,
	STORUS_SOURCES
} storus_source_t;

/*
 * Read or make the jobs that the options name, for the machine [cluster], sorted by
 * submission. Returns 0, and then the workload is to be cleared; or -1 (message printed).
 */
int storus_source_read(const struct storus_sim_options *options,
		       const torus_cluster_t *cluster, torus_workload_t *workload);

/* The memory of this host in bytes, which copies of jobs must not exceed; 0: not known.
 */
uint64_t storus_source_memory(void);

#endif
