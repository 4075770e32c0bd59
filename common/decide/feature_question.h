/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Slurm asks about a job that counts features, as in --constraint="[a*2&b*2]".
 *
 * For such a job Slurm asks feature by feature: first for so many nodes among those that
 * have the first one, then for the next, and at last for all nodes, those that it has
 * picked being required. Nothing but the numbers tells which question it is.
 *
 * Without brackets ("a*2&c*2") one node is counted for each feature that it has. Then
 * Slurm requires what it has picked for one feature among the nodes for the next, and the
 * question about the last part may be the same as that about the whole job: that can only
 * be answered by the nodes picked, if these will do. So the part that takes most nodes is
 * answered as if it were the whole job, where that can be.
 */
#ifndef TORUS_DECIDE_FEATURE_QUESTION_H
#define TORUS_DECIDE_FEATURE_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

typedef enum torus_feature_question {
	TORUS_ABOUT_PART,    /* about the nodes with one of the features */
	TORUS_ABOUT_LEADING, /* such a part, to be answered as the whole job if it can be
			      */
	TORUS_ABOUT_PICKED,  /* the last part or the whole: by the nodes picked */
	TORUS_ABOUT_WHOLE,   /* about all of its nodes */
} torus_feature_question_t;

/* What is known of a question. */
typedef struct torus_feature_asked {
	int features;		/* that the job counts, at least 1 */
	const uint32_t *number; /* [features] of nodes with each */
	bool apart;		/* a node is counted for one of them only */
	bool names_nodes;	/* the job itself requires nodes */
	/* The nodes offered all have one feature, of which the job counts min_nodes. */
	bool for_one;
	uint32_t min_nodes, req_nodes; /* at least, and better */
	/* That the job asks for, and that it has in this question: while it asks about
	 * parts Slurm makes the job one of so many nodes and processors; at first a job
	 * has at least as many processors as nodes. */
	uint32_t job_cpus, min_cpus;
	uint32_t picked; /* nodes that are required */
} torus_feature_asked_t;

torus_feature_question_t torus_feature_question(const torus_feature_asked_t *asked);

#endif
