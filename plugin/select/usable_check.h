/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests: with the environment variable TORUS_CHECK_USABLE set in slurmctld, each
 * answer of usable_filter() is compared with that of the slow, obvious way, a walk over
 * all jobs. For a job of one node that may start now it is also compared, together with
 * that of usable_filter_row(), with what Slurm's plugin says to each node alone. A line
 * "select/torus: usable: ..." is logged for each answer, and an error for each node that
 * differs.
 */
#ifndef TORUS_USABLE_CHECK_H
#define TORUS_USABLE_CHECK_H

#include "select/usable.h"

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

/* In usable.c: the need of [job] on [count] nodes, and whether a node so used meets it.
 */
usable_need_t usable_need(const job_record_t *job, uint32_t count);
bool usable_fits(const usable_need_t *need, const job_record_t *job, int node,
		 const node_use_t *use);

/* A copy of [nodes] for usable_check_end(); NULL when nothing is to be checked. */
bitstr_t *usable_check_begin(const bitstr_t *nodes);

/*
 * Compare [kept], what usable_filter() has left of [offered] for a start at [when] (0:
 * now), and free [offered]. Nothing when that is NULL.
 */
void usable_check_end(bitstr_t *offered, const bitstr_t *kept, const job_record_t *job,
		      uint32_t count, time_t when);

#endif
