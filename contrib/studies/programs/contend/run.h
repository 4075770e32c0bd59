/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job that communicates, step by step, whatever the network (network.h, wormhole.h). */
#ifndef CONTEND_RUN_H
#define CONTEND_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"

/* A job that was started. */
typedef struct contend_run {
	const contend_job_t *job;
	double start, end; /* in simulated seconds; the end once it has ended */
	/* All messages that it sent until then, and how many seconds these waited: for
	 * shares of links or, as headers, for channels */
	uint64_t messages;
	double waited;
	/* Private to the network, as all below */
	uint64_t alive; /* messages under way */
	uint64_t steps; /* that have begun */
	uint32_t round, step;
	int pattern;
	bool sustained, ended;
	struct contend_run *next; /* in the list of those that have ended */
} contend_run_t;

/* Runs that have ended and were not returned yet, in order. Empty: {0}. */
typedef struct contend_ends {
	contend_run_t *first, *last;
} contend_ends_t;

/* Send a message of [run] from rank [from] on [lane] to rank [to]. */
typedef void contend_send_t(void *network, contend_run_t *run, uint32_t from,
			    uint32_t lane, uint32_t to);

/*
 * Begin the next step of [run] in which somebody sends, all messages of the one before
 * having arrived: send(network, ...) for each of its messages, which are counted in
 * run->alive. The step's number is run->steps until all are sent. A run that has ended
 * begins its rounds anew. Returns false, and nothing is sent, if the job has done its
 * rounds, or job->steps.
 */
bool contend_run_begin_step(contend_run_t *run, contend_send_t *send, void *network);

/* [run] ends at [now]. */
void contend_run_end(contend_run_t *run, double now, contend_ends_t *ends);

/* The first that ended, taken off the list; NULL: there is none. */
contend_run_t *contend_ends_take(contend_ends_t *ends);

#endif
