/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of Slurm's questions about parts of a job that counts features
 * (slurm/features.h), in both plugins: left to Slurm's own plugin, or decided as if the
 * part were all of the job.
 */
#ifndef TORUS_SLURM_PARTS_H
#define TORUS_SLURM_PARTS_H

#include "decide/job.h"
#include "slurm/features.h"
#include "slurm/need.h"
#include "slurm/tori.h"

typedef struct parts {
	const tori_t *tori;
	job_record_t *job;
	const features_t *features;
	uint32_t max_nodes; /* that are asked for */
	/* The state of the decision: */
	torus_job_t *asks;
	job_need_t *need;
	bool is_part;	  /* asked is about nodes with one feature */
	bitstr_t *picked; /* nodes that Slurm has picked for features, and those that the
			   * job names; NULL: none */
	/* The plugin's ways, each of which returns what Slurm is to be told: decide as if
	 * what is asked about were all of the job, the same for exactly the least number
	 * of nodes among those [picked], have Slurm's plugin answer, have it answer about
	 * a part, and about a part of backfill's plan. If decide() fails, the nodes
	 * offered are as they were. */
	void *context;
	int (*decide)(void *context);
	int (*decide_picked)(void *context, const bitstr_t *picked);
	int (*pass)(void *context);
	int (*pass_part)(void *context);
	int (*plan)(void *context);
} parts_t;

/* Answer such a question. */
int parts_answer(parts_t *parts, features_question_t question);

/*
 * Have Slurm's plugin answer one about a part: only all nodes of the job together have to
 * be neighbours, and do its tasks have to fit on. Nor need a part have all the GRES of
 * the job (--gpus=), which pass_part() sees to: what is picked for the part are no more
 * nodes than it has, and those have GRES of each kind.
 */
int parts_pass(const parts_t *parts);

/*
 * Have [decide] decide, the features being added to the need if there are any, and of the
 * nodes that are required only those that the job names, or, about a part, those picked
 * before.
 */
int parts_decide(parts_t *parts, int (*decide)(void *context));

#endif
