/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans of backfill for a strict job that counts features (slurm/features.h). Backfill
 * asks for each feature in turn, at "now" and at the ends of jobs until the answer is
 * yes, and puts the answers together. A topology plugin sees no more than the nodes with
 * that one feature. So when the first one is asked about, a place for the whole job is
 * looked for, at the first time at which all of its nodes are expected to be free, and
 * each part then gets its nodes of that place, as soon as Slurm offers them.
 *
 * Nodes of the other features count as free when the last job on them ends: a plan may be
 * later than it need be where jobs share nodes, never on nodes that are no place.
 */
#ifndef TORUS_TOPOLOGY_PLAN_PARTS_H
#define TORUS_TOPOLOGY_PLAN_PARTS_H

#include "slurm/features.h"

typedef struct part_question {
	const job_record_t *job;
	const features_t *features;
	const bitstr_t *offered; /* with the feature that is asked about */
	uint32_t nodes;		 /* of the part */
	/* Find a place for the job among [candidates]; [place] has their size. Jobs will
	 * be on none of those that are [idle]. */
	bool (*find)(void *context, const bitstr_t *candidates, const bitstr_t *idle,
		     bitstr_t *place);
	void *context;
} part_question_t;

/* Whether it is one of the parts that are asked about in turn. */
bool plan_part_is_known(const part_question_t *question);

/* The nodes for such a part; to be freed. NULL: not now. */
bitstr_t *plan_part_nodes(const part_question_t *question);

/* That Slurm has taken these nodes for the part. */
void plan_part_taken(const part_question_t *question, const bitstr_t *nodes);

/* Forget what was noted; at the plugin's end. */
void plan_parts_forget(void);

#endif
