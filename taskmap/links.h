/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a mapping puts on the links of a machine: one leads from a router to the next in
 * one direction. */
#ifndef TORUS_TASKMAP_LINKS_H
#define TORUS_TASKMAP_LINKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "taskmap/job.h"

/* How many links [geometry] is taken to have: a number for each, also at open ends. */
size_t torus_links(const torus_geometry_t *geometry);

/* That the ways on [geometry] are told by dimensions. 0, or -1 with [err] filled: it is a
 * twisted torus, or has links beside its own. */
int torus_links_check(const torus_geometry_t *geometry, torus_error_t *err);

/*
 * Send [weight] from one cell to another, dimension by dimension (the first one first),
 * the shorter way round where it wraps, half each way where both are as short: calls
 * [add] for each link on the way. O(hops).
 */
void torus_links_send(const torus_geometry_t *geometry, uint32_t from, uint32_t to,
		      double weight,
		      void (*add)(void *context, size_t link, double weight),
		      void *context);

typedef struct torus_link_loads {
	double most; /* on one link, in units of the edges' weights */
	double mean; /* of the links that have any */
} torus_link_loads_t;

/*
 * Add up what each link carries under the mapping node_of_task[] of [job], when every
 * edge sends its weight both ways. Returns 0, or -1 with [err] filled: as
 * torus_links_check(); memory. O(edges * hops + cells).
 */
int torus_link_loads(const torus_task_job_t *job, const uint32_t *node_of_task,
		     torus_link_loads_t *loads, torus_error_t *err);

#endif
