/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job could use one node, by what it needs of each and what is in use of it. */
#ifndef TORUS_USABLE_NODE_H
#define TORUS_USABLE_NODE_H

#include "select/cons_tres_state.h"

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
