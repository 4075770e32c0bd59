/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that run beside the one that storus place places. */
#ifndef STORUS_PLACE_RUNNING_H
#define STORUS_PLACE_RUNNING_H

#include "storus/cli/view.h"

/* {0}: who holds the nodes that are not free is not known. */
typedef struct storus_running {
	storus_jobs_t jobs;
	storus_view_t *view; /* NULL: not known */
} storus_running_t;

/*
 * Read the jobs of the file [path], as cli/jobs.h says, on [cluster], which must outlive
 * them. Returns 0, or -1 (message printed). In either case to be freed with
 * storus_running_clear().
 */
int storus_running_read(storus_running_t *running, const char *path,
			const torus_cluster_t *cluster);
void storus_running_clear(storus_running_t *running);

/*
 * Measure rank[0 .. n-1] of [map], number [torus] in the cluster, against the jobs that
 * run there. Where they are not known, all nodes that are not in the bitmap [free_nodes]
 * are foreign, and no link is shared. Returns 0, or -1 with [err] filled (memory).
 */
int storus_running_measure(const storus_running_t *running, const torus_map_t *map,
			   int torus, const uint64_t *free_nodes, const uint32_t *rank,
			   uint32_t n, torus_isolation_t *isolation, torus_error_t *err);

#endif
