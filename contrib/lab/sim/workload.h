/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload: the jobs that a simulation replays, whether they were read from a log or
 * generated.
 */
#ifndef TORUS_SIM_WORKLOAD_H
#define TORUS_SIM_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "place/box.h"
#include "sim/skipped.h"

/*
 * Simulated time is counted in microseconds: whole numbers, so that sums are exact and
 * results the same with every compiler.
 */
#define TORUS_SECOND INT64_C(1000000)

typedef struct torus_sim_job {
	uint64_t number;  /* the job's own number in the log, or 1, 2, 3 ... */
	int64_t submit;	  /* when it is submitted, in the log's time */
	int64_t wait;	  /* how long it then waited in the log; -1: not known */
	int64_t run_time; /* how long it runs, at least 0 */
	int64_t estimate; /* what its user asked for; never below run_time */
	uint32_t nodes;	  /* how many it needs, at least 1 */
	uint32_t wanted;  /* what it would do with, if it asks for a box with more; or 0 */
	bool has_shape;	  /* whether it asks for a box; its nodes are then these */
	torus_shape_t shape;
	bool wishes;	  /* whether it has the simulation's wish (sim/wish.h) */
	bool preemptible; /* whether it may be requeued for another one */
	bool isolated;	  /* whether it keeps others out of its box */
	bool loose;	  /* whether it leaves compact places to others */
	uint64_t line;	  /* of the log where it stands; 0: in none */
} torus_sim_job_t;

/* Lines of a log that stand in it before, field by field. */
typedef struct torus_repeated {
	uint64_t count;
	uint64_t first_line; /* of the log; 0: there are none */
} torus_repeated_t;

typedef struct torus_workload {
	torus_sim_job_t *job; /* [count], owned */
	size_t count;
	torus_skipped_t skipped;   /* what the log held besides */
	torus_repeated_t repeated; /* among the jobs */
	size_t room;		   /* private */
} torus_workload_t;

/* Append a job; an empty workload is {0}. Returns 0, or -1 with [err] filled (memory). */
int torus_workload_add(torus_workload_t *workload, const torus_sim_job_t *job,
		       torus_error_t *err);

/* Make room for [jobs] in all, so that adding them takes no more memory. Returns as
 * above.
 */
int torus_workload_reserve(torus_workload_t *workload, size_t jobs, torus_error_t *err);

/*
 * Sort by time of submission, jobs of the same time staying in their order. Returns 0, or
 * -1 with [err] filled (memory) and the order as it was.
 */
int torus_workload_sort(torus_workload_t *workload, torus_error_t *err);

/* Free the jobs. An empty workload is left. */
void torus_workload_clear(torus_workload_t *workload);

#endif
