/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes a job could use at a given time, as Slurm's plugin counts what is in use:
 * the free set on which the engine decides. What is not looked at here (GRES, reserved
 * cores) Slurm's plugin verifies with every decision, so a node too many costs a second
 * try, never a wrong allocation.
 */
#ifndef TORUS_USABLE_H
#define TORUS_USABLE_H

#include "select/timeline.h"

/*
 * Clear from [nodes] those on which [job], running on [count] nodes, could not use at
 * [when]: too few idle cores for an even share of its tasks (0 nodes: for one of them),
 * too little memory, or jobs that will not share the node with it. A job that takes whole
 * nodes needs such that nobody holds. [timeline] is needed for a later time than now
 * only, and may else be NULL. Now, nodes on which a job is completing are cleared where
 * Slurm's plugin would not take them.
 *
 * These functions write to [cpus], by node, how many processors of each node that is left
 * the job could use (usable_cpus()); cpus may be NULL.
 */
void usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count,
		   const usable_timeline_t *timeline, time_t when, uint32_t *cpus);

/*
 * Where cores may be given to several jobs (OverSubscribe=YES:n or FORCE:n, gang
 * scheduling) Slurm's plugin tries idle cores first, as usable_filter() does, and then
 * one row of cores after the other. usable_rows(): how many there are to try for [job];
 * 0: it shares with nobody. usable_filter_row(): as usable_filter() for now, with what is
 * idle in row [row] alone, 0 <= row < usable_rows().
 */
int usable_rows(const job_record_t *job);
void usable_filter_row(bitstr_t *nodes, const job_record_t *job, uint32_t count, int row,
		       uint32_t *cpus);

/* The same at once, as if the jobs of the list [gone] had given way: see timeline.h. */
void usable_filter_without(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			   const usable_timeline_t *timeline, slurm_list_t gone,
			   uint32_t *cpus);

/* Write to [cpus], for all [nodes], not less than usable_filter() would if they were
 * idle. */
void usable_when_idle(const bitstr_t *nodes, const job_record_t *job, uint32_t *cpus);

/* --- one node ----------------------------------------------------------- */

/* What a job needs of each of its nodes. */
typedef struct usable_need {
	uint32_t cpus;
	uint64_t memory; /* MB of the node or of each CPU; 0: none, or all */
	bool memory_per_cpu;
	bool all_memory;
	bool cores;	  /* cores are counted at all */
	bool whole_cores; /* a core counts with all its CPUs */
	bool spare_cores; /* those of the node set aside are not for this job */
	bool whole_node;  /* nobody else's cores on its nodes */
	enum node_cr_state kind;
} usable_need_t;

/* The need of [job] on [count] nodes (0: left open). */
usable_need_t usable_need(const job_record_t *job, uint32_t count);

/* Whether a node so used meets it. */
bool usable_is_met(const usable_need_t *need, const job_record_t *job, int node,
		   const node_use_t *use);

/*
 * How many processors the job could use of a node that it can use, in whole tasks unless
 * it takes whole nodes; and of any node at most.
 */
uint32_t usable_cpus(const usable_need_t *need, const job_record_t *job, int node,
		     const node_use_t *use);
uint32_t usable_cpus_when_idle(const usable_need_t *need, const job_record_t *job,
			       int node);

#endif
