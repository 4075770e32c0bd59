/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that communicate on a torus or mesh, over links that are shared fairly.
 *
 * The machine: a router on each cell, from one to the next a link of the bandwidth of its
 * dimension in either direction, each shared by all messages that pass it at a time.
 * Messages go by dimension order (route.h); where both ways round are equally long as
 * SimGrid's tori, by which the tables of data/ were made. Routers and the nodes' own links
 * limit nothing; a message between two nodes of one router, or within a node, has a link
 * to itself, as fast as the fastest.
 *
 * A message is a flow of bytes that holds all links of its route at once, and the rates of
 * the flows are max-min fair: no rate can grow but by that of a flow which is no faster.
 * (Bertsekas and Gallager, "Data Networks", 1992, 6.5.2; SimGrid's model CM02 without
 * latency, windows and cross traffic.) So times are proportional to bytes / bandwidth, and
 * what is simulated is contention alone: no latency, no packets, no head-of-line blocking.
 * Computation takes no time.
 *
 * A job sends the messages of a step (pattern.h) all at the same time; the next step
 * begins when the last of them has arrived.
 */
#ifndef CONTEND_NETWORK_H
#define CONTEND_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "job.h"
#include "run.h"

typedef struct contend_network contend_network_t;

/*
 * The network of a machine with [per_router] (>= 1) nodes on each cell, node
 * cell * per_router + i being the i-th there, and along dimension d links of bandwidth[d]
 * (> 0) bytes a second and direction. Returns NULL with [err] filled: out of memory. To be
 * freed by contend_network_destroy(), which accepts NULL.
 */
contend_network_t *contend_network_create(const torus_geometry_t *geometry,
					  uint32_t per_router, const double *bandwidth,
					  torus_error_t *err);
void contend_network_destroy(contend_network_t *network);

/* contend_rate_t: the bandwidth of the slowest link of the route. */
double contend_network_rate(const void *network, uint32_t from, uint32_t to);

/*
 * Start [job] now, which must outlive the network. A [sustained] job that has done its
 * rounds has ended, but goes on communicating in the same way until all sustained jobs
 * have ended. Returns the run, to be freed with free() after the network, or NULL with
 * [err] filled: out of memory.
 */
contend_run_t *contend_start(contend_network_t *network, const contend_job_t *job,
			     bool sustained, torus_error_t *err);

/*
 * Wait for the next end of a job that has not been returned yet, but not beyond [until]
 * (seconds; INFINITY: any time). Returns 1 and the run; 0 if none ends until then; or -1
 * with [err] filled: out of memory.
 */
int contend_next_end(contend_network_t *network, double until, contend_run_t **run,
		     torus_error_t *err);

/* Simulated seconds so far. */
double contend_now(const contend_network_t *network);

#endif
