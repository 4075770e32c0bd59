/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job needs of its nodes, as decide/need.h wants it: processors (the first kind),
 * and each GRES, of a type or of any, that the job asks for.
 */
#ifndef TORUS_NEED_H
#define TORUS_NEED_H

#include "slurm/compat.h"

#include "decide/need.h"

#define NEED_PROCESSORS 0

typedef struct job_need {
	torus_need_t need;
	const gres_state_t *gres[TORUS_MAX_KINDS]; /* of the job; [0] is not used */
} job_need_t;

/* The need of [job]. Of GRES those that find room; Slurm's plugin knows the others. */
job_need_t need_of_job(const job_record_t *job);

/*
 * How much of kind [kind], which is a GRES, the node has; [now]: besides what jobs hold
 * of it.
 */
uint64_t need_node_gres(const job_need_t *need, int kind, const node_record_t *node,
			bool now);

/*
 * How much of [count] the job could use on a node with so many processors: it may ask for
 * some with each.
 */
uint64_t need_usable_gres(const job_need_t *need, int kind, uint64_t count,
			  uint64_t processors);

/*
 * The most nodes that Slurm's plugin would take for a job that may have [min] to [max],
 * and how many it would like to have when [wanted] is the number asked for.
 */
uint32_t need_most_nodes(const job_record_t *job, uint32_t min, uint32_t max);
uint32_t need_wanted_nodes(uint32_t min, uint32_t wanted, uint32_t max);

/*
 * Whether the nodes that the job names are the [min] that it asks for, and have the
 * processors that it needs by what [has] says of each. Others would then only fill the
 * gaps between them for --contiguous, and nobody asked for those.
 */
bool need_is_named(const job_record_t *job, uint32_t min,
		   void (*has)(void *context, int node, uint64_t *has), void *context);

#endif
