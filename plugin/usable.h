/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes a job could use at a given time, as far as this can be told cheaply: the
 * free set on which the engine decides. Slurm's plugin verifies every decision, so a node
 * too many costs a second try, never a wrong allocation.
 */
#ifndef TORUS_USABLE_H
#define TORUS_USABLE_H

#include "slurm_compat.h"

/* The jobs that hold nodes now, by the time at which they reach their time limit. */
typedef struct usable_timeline {
	int count;
	const job_record_t **job; /* [count], ascending by end_time */
} usable_timeline_t;

/* Collect them from slurmctld's list; to be freed, NULL is accepted. O(jobs log jobs). */
usable_timeline_t *usable_timeline_create(void);
void usable_timeline_free(usable_timeline_t *timeline);

/*
 * Clear from [nodes] those on which [job], running on [count] nodes, would not fit at
 * [when]. A job that takes whole nodes needs such that no job holds; another needs nodes
 * with enough CPUs (and memory, where Slurm allocates it) left over for an even share of
 * its tasks. At a later time than now, jobs that reach their time limit by then are gone.
 */
void usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count,
		   const usable_timeline_t *timeline, time_t when);

/*
 * The same at once, as if the jobs of the list [gone] were not there; of those that are
 * only suspended for others, the memory is still taken.
 */
void usable_filter_without(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			   const usable_timeline_t *timeline, slurm_list_t gone);

int usable_rows(const job_record_t *job);
void usable_filter_row(bitstr_t *nodes, const job_record_t *job, uint32_t count, int row);

#endif
