/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that communicate through wormhole routers, for torus-stream: another network than
 * that of flows in network.h, as publications of the nineties have it.
 *
 * A message is a worm of flits. In each cycle a flit crosses a channel; a channel is one
 * direction of a link, and belongs to one message from when its header takes it until its
 * last flit has crossed it. Routes go by dimension, x first, the shorter way round,
 * upwards if both are as long. A header whose next channel is taken is blocked, first
 * come first served, while its flits stay where they are: a router holds one flit a
 * channel. Where a dimension wraps, each channel is there twice, the second for messages
 * that have crossed the wrap, so that no circle of messages waits for itself; both carry
 * a flit a cycle. Nodes take and give any number of messages at once.
 *
 * Undisturbed, a message of F flits over h >= 1 channels takes F + h - 1 cycles, and F
 * within a router. Jobs go step by step, as in network.h. A cycle is a second.
 */
#ifndef CONTEND_WORMHOLE_H
#define CONTEND_WORMHOLE_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "job.h"
#include "run.h"

typedef struct wormhole wormhole_t;

/*
 * The network of a machine with [per_router] (>= 1) nodes on each cell, for messages of
 * [flits], 1 .. CONTEND_MOST_FLITS, or as job->sizes has them, of so many by mean. NULL
 * with [err] filled: out of memory. Destroy accepts NULL.
 */
wormhole_t *wormhole_create(const torus_geometry_t *geometry, uint32_t per_router,
			    uint32_t flits, torus_error_t *err);
void wormhole_destroy(wormhole_t *network);

/*
 * Start [job] now; it must outlive the network. Returns the run, to be freed with free():
 * `start` and `end`, `messages`, and as `waited` the seconds that the headers of these
 * were blocked. NULL with [err] filled: out of memory.
 */
contend_run_t *wormhole_start(wormhole_t *network, const contend_job_t *job,
			      torus_error_t *err);

/*
 * Wait for the next end of a job that has not been returned yet, but not beyond [until]
 * (microseconds; INT64_MAX: any time). Returns 1 and the run; 0 if none ends until then;
 * or -1 with [err] filled: out of memory.
 */
int wormhole_next_end(wormhole_t *network, int64_t until, contend_run_t **run,
		      torus_error_t *err);

/* Microseconds so far. */
int64_t wormhole_now(const wormhole_t *network);

/* Seconds that a job takes if no header is ever blocked. */
double wormhole_undisturbed(const wormhole_t *network, const contend_job_t *job);

#endif
