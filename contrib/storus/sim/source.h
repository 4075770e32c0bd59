/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the jobs of a simulation come from. To add a source: a line in the list, a
 * function in source.c's table, and its text in STORUS_SOURCES_HELP.
 */
#ifndef STORUS_SIM_SOURCE_H
#define STORUS_SIM_SOURCE_H

#include "machine/cluster.h"
#include "sim/workload.h"

struct storus_sim_options;

/* X(name of its number, its option) */
#define STORUS_SOURCE_LIST(X)                                                            \
	X(TRACE, "trace")                                                                \
	X(WORKLOAD, "workload")                                                          \
	X(SACCT, "from-sacct")

#define STORUS_SOURCE_NUMBER(name, option) STORUS_SOURCE_##name,
typedef enum storus_source {
	STORUS_SOURCE_LIST(STORUS_SOURCE_NUMBER) STORUS_SOURCES
} storus_source_t;
#undef STORUS_SOURCE_NUMBER

#define STORUS_SOURCES_HELP                                                               \
	"The jobs:\n"                                                                     \
	"  --trace FILE       a log in the Standard Workload Format, plain or gzip'ed;\n" \
	"                     -: the standard input\n"                                    \
	"  --workload KIND[:NAME=VALUE,...]  or jobs made up by these rules; see below\n" \
	"  --from-sacct FILE  or what sacct -P has printed: the site's own history\n"

/*
 * Read or make the jobs that the options name, for the machine [cluster], sorted by
 * submission. Returns 0, and then the workload is to be cleared; or -1 (message printed).
 */
int storus_source_read(const struct storus_sim_options *options,
		       const torus_cluster_t *cluster, torus_workload_t *workload);

#endif
