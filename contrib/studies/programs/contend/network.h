/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that communicate on a torus or mesh, simulated by SimGrid.
 *
 * The machine: a router on each cell, from one to the next a link of the bandwidth of its
 * dimension in either direction, each shared by all messages that pass it at a time.
 * Messages go by dimension order, first along x, the shorter way round; where both ways
 * round are equally long SimGrid chooses (mostly upwards). Routers and the nodes' own
 * links limit nothing; a message between two nodes of one router, or within a node, has a
 * link to itself, as fast as the fastest.
 *
 * The model is SimGrid's CM02 without its parameters for TCP (no windows, no latency, no
 * cross traffic, all of the bandwidth usable): a message is a flow of bytes that holds
 * all links of its route at once, and the rates of the flows are max-min fair. So times
 * are proportional to bytes / bandwidth, and what is simulated is contention alone: no
 * latency, no packets, no head-of-line blocking. Computation takes no time.
 *
 * A job sends the messages of a step (pattern.h) all at the same time; the next step
 * begins when the last of them has arrived.
 *
 * SimGrid simulates once a process, and ends the process on errors of its own.
 */
#ifndef CONTEND_NETWORK_H
#define CONTEND_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "job.h"

typedef struct contend_network contend_network_t;

/* A job that was started. */
typedef struct contend_run {
	const contend_job_t *job;
	double start, end;	 /* in simulated seconds; the end once it has ended */
	uint64_t lanes;		 /* private, as all below: actors that send */
	uint64_t arrived, alive; /* of them, at the end of the step, and at all */
	uint32_t round, step;	 /* the step within its pattern */
	uint64_t steps;		 /* that it has done */
	int pattern;
	bool sustained, ended, stopped;
	contend_network_t *network;
	/* All messages sent so far, and how much longer than alone they took, in seconds
	 */
	uint64_t messages;
	double waited;
	struct contend_lane *lane; /* [lanes] */
	void *barrier;		   /* SimGrid's */
	struct contend_run *next;  /* in the list of those that have ended */
} contend_run_t;

/*
 * The network of a machine with [per_router] (>= 1) nodes on each cell, node
 * cell * per_router + i being the i-th there, and along dimension d links of bandwidth[d]
 * (> 0) bytes a second and direction. Returns NULL with [err] filled on error: memory, no
 * file for the platform in $TMPDIR or /tmp. To be freed by contend_network_destroy(),
 * which accepts NULL.
 */
contend_network_t *contend_network_create(const torus_geometry_t *geometry,
					  uint32_t per_router, const double *bandwidth,
					  torus_error_t *err);
void contend_network_destroy(contend_network_t *network);

/*
 * Simulate: call main(network, data), which starts jobs and waits for them, until it
 * returns and all jobs have ended. Once a process.
 */
void contend_simulate(contend_network_t *network,
		      void (*main)(contend_network_t *network, void *data), void *data);

/* contend_rate_t: the bandwidth of the slowest link of the route. */
double contend_network_rate(const void *network, uint32_t from, uint32_t to);

/* Links between the routers of two nodes, as SimGrid routes. */
uint32_t contend_network_hops(const contend_network_t *network, uint32_t from,
			      uint32_t to);

/* The following only within `main`. */

/*
 * Start [job] now, which must outlive the simulation. A [sustained] job that has done its
 * rounds has ended, but goes on communicating in the same way until all sustained jobs
 * have ended. Returns the run, to be freed with free() after the simulation, or NULL with
 * [err] filled: memory.
 */
contend_run_t *contend_start(contend_network_t *network, const contend_job_t *job,
			     bool sustained, torus_error_t *err);

/*
 * Wait for the next end of a job. At least one that has not been returned yet must have
 * been started.
 */
contend_run_t *contend_next_end(contend_network_t *network);

/* The same, but not beyond [until] (simulated seconds): NULL if none ends until then. */
contend_run_t *contend_next_end_until(contend_network_t *network, double until);

/*
 * End the process with [status] and [message], as err.h's errx() would: exit() itself
 * does not do while SimGrid simulates.
 */
_Noreturn void contend_quit(int status, const char *message);

/* Simulated seconds so far. */
double contend_now(void);

#endif
