/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the running jobs.
 *
 * Slurm tells a topology plugin which nodes a job could have, long before and often, but
 * never that it has started, has been resized, or has been put back into the queue. So a
 * thread looks, as soon as slurmctld has noted a change of its jobs and lets go of them:
 * it keeps the token in their SystemComment true, writes that of jobs that have ended in
 * the meantime, and remembers where the others are for "scontrol show topology", which
 * comes when the jobs cannot be read.
 */
#ifndef TORUS_TOPOLOGY_WATCH_H
#define TORUS_TOPOLOGY_WATCH_H

#include "topology/tori.h"

/* What a running job has of one torus. */
typedef struct watched_part {
	char *torus;
	char *nodes; /* a hostlist */
	char *token; /* of these nodes alone, see machine/token.h */
} watched_part_t;

/*
 * Start the thread, unless it runs. [with_tokens]: it is to write the jobs' tokens;
 * without, somebody else does.
 */
void topology_watch_start(bool with_tokens);

/* Note all jobs anew: the map has changed. Tokens that they have stay. */
void topology_watch_forget(void);

/* End it. The caller holds no lock of slurmctld. */
void topology_watch_end(void);

/*
 * Call [see] for each part of each running job that has nodes on a torus, by ascending
 * job id, with the [context] given along. The part is only lent.
 */
void topology_watch_each(void (*see)(void *context, uint32_t job_id,
				     const watched_part_t *part),
			 void *context);

#endif
