/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is still in use of each node at a later time, when some of the jobs that hold
 * nodes now will have reached their time limit.
 *
 * What is in use is kept up to date while the time that is asked for moves: the jobs that
 * end between two times are subtracted, or added again. A search over the ends thus
 * touches each job but a few times.
 */
#ifndef TORUS_TIMELINE_H
#define TORUS_TIMELINE_H

#include "select/active_jobs.h"
#include "select/cons_tres_state.h"

typedef struct usable_timeline {
	const active_jobs_t *active;
	struct timeline_state *state; /* of the time last asked for */
} usable_timeline_t;

/*
 * Now; to be freed, NULL is accepted. Valid while slurmctld's locks are held, for
 * decisions about one job. As active_jobs_now().
 */
usable_timeline_t *usable_timeline_create(void);
void usable_timeline_free(usable_timeline_t *timeline);

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

#endif
