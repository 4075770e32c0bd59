/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs that hold nodes now, by the time at which they reach their time limit, and
 * what is still in use of each node at a later time.
 *
 * What is in use is kept up to date while the time that is asked for moves: the jobs that
 * end between two times are subtracted, or added again. A search over the ends thus
 * touches each job but a few times.
 */
#ifndef TORUS_TIMELINE_H
#define TORUS_TIMELINE_H

#include "select/cons_tres_state.h"

typedef struct usable_timeline {
	int count;
	const job_record_t **job;     /* [count], ascending by end_time */
	struct timeline_state *state; /* of the time last asked for */
} usable_timeline_t;

/*
 * Collect them from slurmctld's list; to be freed, NULL is accepted. Valid while
 * slurmctld's locks are held, for decisions about one job. O(jobs).
 */
usable_timeline_t *usable_timeline_create(void);
void usable_timeline_free(usable_timeline_t *timeline);

/*
 * The index of the first job after whose end [fits] says yes, given that it says so after
 * every later end, too; timeline->count: after none. The ends that are tried grow from
 * the first on, so that the cost follows the answer and not the number of jobs.
 */
int usable_timeline_search(const usable_timeline_t *timeline,
			   bool (*fits)(void *context, time_t when), void *context);

/* How many jobs end by [when]: the index of the first that still holds its nodes then. */
int usable_timeline_ended(const usable_timeline_t *timeline, time_t when);

/*
 * Move to [when], a later time than now: the jobs that reach their time limit by then are
 * gone. [job] is the one that is to be placed. O(nodes and cores of the jobs that end
 * between this time and the one before).
 */
void timeline_move(const usable_timeline_t *timeline, const job_record_t *job,
		   time_t when);

/*
 * Go back to now and count as gone the jobs of the list [gone] (of job_record_t; only
 * those that hold nodes matter), or count them again. Those that are only suspended for
 * others leave their cores and keep their memory. Nothing else may be asked in between
 * but what is in use.
 */
void timeline_leave_out(const usable_timeline_t *timeline, const job_record_t *job,
			slurm_list_t gone);
void timeline_count_again(const usable_timeline_t *timeline, const job_record_t *job,
			  slurm_list_t gone);

/* What is in use of [node] at the time moved to. */
node_use_t timeline_node_use(const usable_timeline_t *timeline, int node);

/* Whether the job holds nodes, and whether it holds their cores, too. */
bool timeline_is_active(const job_record_t *job);
bool timeline_holds_cores(const job_record_t *job);

#endif
