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

#include "decide/ends.h"
#include "slurm/compat.h"

typedef struct active_jobs {
	int count;
	const job_record_t **job; /* [count], ascending by end_time */
	torus_ends_t ends;	  /* of these, when they were collected */
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
 * The index of the first job after whose end [fewest] of [nodes] may be free: as many are
 * not held by later jobs that have their nodes alone; list->count: after none.
 */
int active_jobs_leave(const active_jobs_t *list, const bitstr_t *nodes, uint32_t fewest);

/* Whether the job holds nodes, and whether it holds their cores, too. */
bool job_is_active(const job_record_t *job);
bool job_holds_cores(const job_record_t *job);

#endif
