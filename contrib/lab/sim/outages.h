/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Outages of nodes, from a text:
 *
 *     # nodes        from   until       (seconds of the log's time)
 *     n[000-015]     86400  172800
 *     main:0-7,12    90000  93600
 *
 * The nodes are a hostlist of names on the tori, or the numbers of cells of a torus,
 * whose name and a colon stand before them unless there is only one torus.
 */
#ifndef TORUS_SIM_OUTAGES_H
#define TORUS_SIM_OUTAGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "machine/cluster.h"

/* A node is down from [from] until [until], which is later. */
typedef struct torus_outage {
	int64_t from, until; /* microseconds */
	int torus;
	uint32_t rank;
} torus_outage_t;

typedef struct torus_outages {
	torus_outage_t *outage; /* [count], owned; by from, until, torus and rank. Those
				 * of one node neither overlap nor touch. */
	size_t count;
} torus_outages_t;

/*
 * Read the text[0 .. length-1], called [path] in messages, about the tori of [cluster].
 * Outages of a node that overlap or touch become one. Returns 0, and then [outages] is to
 * be cleared by the caller; or -1 with [err] as "[path]:LINE: reason", [outages] empty.
 */
int torus_outages_read(const char *text, size_t length, const char *path,
		       const torus_cluster_t *cluster, torus_outages_t *outages,
		       torus_error_t *err);

/* Free the outages. None are left. */
void torus_outages_clear(torus_outages_t *outages);

#endif
