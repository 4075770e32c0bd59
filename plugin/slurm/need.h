/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job needs of its nodes, as decide/need.h wants it: processors (the first kind),
 * each GRES, of a type or of any, that the job asks for, and the features of which it
 * counts its nodes.
 */
#ifndef TORUS_NEED_H
#define TORUS_NEED_H

#include "slurm/compat.h"

#include "decide/need.h"
#include "slurm/features.h"

#define NEED_PROCESSORS 0

typedef struct job_need {
	torus_need_t need;
	const gres_state_t *gres[TORUS_MAX_KINDS]; /* of the job; [0] is not used */
	const features_t *features;		   /* borrowed; NULL: none are counted */
	uint32_t subset[TORUS_MAX_KINDS]; /* of the features, for which a kind stands */
} job_need_t;

/*
 * The need of [job]. GRES beyond the first TORUS_MAX_KINDS - 1 are left out: Slurm's
 * plugin checks them.
 */
job_need_t need_of_job(const job_record_t *job);

/* The tasks of the job; 0: it does not say. */
uint32_t need_tasks(const job_record_t *job);

/* Add the features to a need, which may be empty, up to TORUS_MAX_KINDS kinds in all. */
void need_add_features(job_need_t *need, const features_t *features);

/* Write to has[] whether the node has what the kinds that are features stand for. */
void need_node_features(const job_need_t *need, int node, uint64_t *has);

/* How much of the GRES [kind] the node has; [now]: without what jobs hold of it. */
uint64_t need_node_gres(const job_need_t *need, int kind, const node_record_t *node,
			bool now);

/*
 * How much of [count], which the node has of the GRES [kind], the job could use there
 * with so many [processors]: a job may ask for GRES and processors together
 * (--cpus-per-gpu=).
 */
uint64_t need_usable_gres(const job_need_t *need, int kind, uint64_t count,
			  uint64_t processors);

/*
 * The most nodes that Slurm's plugin would take for a job that may have [min] to [max],
 * and how many it would like to have when [wanted] is the number asked for: of a job that
 * asks for GRES in all (--gpus=) as few as have enough.
 */
uint32_t need_most_nodes(const job_record_t *job, uint32_t min, uint32_t max);
uint32_t need_wanted_nodes(const job_record_t *job, uint32_t min, uint32_t wanted,
			   uint32_t max);

/*
 * Whether the job names (--nodelist=) all [min] nodes that it asks for, and these have
 * the processors that it needs, as [has] says. With --contiguous such a job gets these
 * nodes only: others would just fill the gaps between them.
 */
bool need_is_named(const job_record_t *job, uint32_t min,
		   void (*has)(void *context, int node, uint64_t *has), void *context);

#endif
