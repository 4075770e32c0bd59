/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs that hold nodes now, by the time at which they reach their time limit.
 *
 * Collecting them takes a walk over all jobs of slurmctld, most of which may be waiting,
 * and backfill asks for many plans while no job starts or ends. So the list is kept until
 * another function of the plugin is called: without one of these calls no job gets nodes
 * or loses them, and none of these records is freed. What may change without one, a job's
 * state and its time limit, is looked at each time.
 */
#ifndef TORUS_ACTIVE_JOBS_H
#define TORUS_ACTIVE_JOBS_H

#include "slurm/compat.h"

typedef struct active_jobs {
	int count;
	const job_record_t **job; /* [count], ascending by end_time */
	bool resumed;		  /* some run again after they had been suspended */
} active_jobs_t;

/*
 * The list as it is now. Calls must exclude each other; valid while slurmctld's locks are
 * held. O(active jobs) if it has been kept, otherwise O(jobs).
 */
const active_jobs_t *active_jobs_now(void);

/* A job may have started or ended: collect them anew when next asked. From any thread. */
void active_jobs_forget(void);

/* Free the list. */
void active_jobs_clear(void);

/*
 * The index of the first job after whose end [fits] says yes, given that it says so after
 * every later end, too; list->count: after none. It tries ends from the first on, further
 * and further apart, so that the cost follows the answer and not the number of jobs.
 * [from]: it is known that it says no after the ends before that index.
 */
int active_jobs_search(const active_jobs_t *list, int from,
		       bool (*fits)(void *context, time_t when), void *context);

/* The same between [from] and [to], after whose end it is known that it says yes, or
 * list->count: where the answer may as well be late. */
int active_jobs_bisect(const active_jobs_t *list, int from, int to,
		       bool (*fits)(void *context, time_t when), void *context);

/*
 * The index of the first job after whose end [fewest] of [nodes] may be free: as many are
 * not held by later jobs that have their nodes alone; list->count: after none.
 */
int active_jobs_leave(const active_jobs_t *list, const bitstr_t *nodes, uint32_t fewest);

/* How many jobs end by [when]: the index of the first that still holds its nodes then. */
int active_jobs_ended(const active_jobs_t *list, time_t when);

/* Whether the job holds nodes, and whether it holds their cores, too. */
bool job_is_active(const job_record_t *job);
bool job_holds_cores(const job_record_t *job);

#endif
