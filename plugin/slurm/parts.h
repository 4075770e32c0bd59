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
#include "slurm/patience.h"
#include "slurm/tori.h"

typedef struct parts {
	const tori_t *tori;
	job_record_t *job;
	const features_t *features;
	uint32_t max_nodes; /* that are asked for */
	bitstr_t *offered;  /* nodes, which become those chosen */
	/* The state of the decision: */
	torus_job_t *asks;
	patience_t *patience;
	job_need_t *need;
	bool is_part;	  /* asked is about nodes with one feature */
	bitstr_t *picked; /* nodes that Slurm has picked for features, and those that the
			   * job names; NULL: none */
	/* The plugin's ways, each of which returns what Slurm is to be told: decide as if
	 * what is asked about were all of the job, the same for exactly the least number
	 * of nodes, have Slurm's plugin answer, have it answer about a part, and about a
	 * part of backfill's plan. */
	void *context;
	int (*decide)(void *context);
	int (*decide_exactly)(void *context);
	int (*pass)(void *context);
	int (*pass_part)(void *context);
	int (*plan)(void *context);
} parts_t;

/*
 * Answer such a question. If the answer about a part, or about the nodes picked for all
 * of them, is no, the nodes offered are as they were.
 */
int parts_answer(parts_t *parts, features_question_t question);

/* Whether --contiguous means neighbours in Slurm's node table (Contiguous=nodes in
 * torus.conf), which are Slurm's to choose. */
bool parts_are_neighbours(const parts_t *parts);

/* Note in the state what place the job wants beside its --network, which is there: the
 * segments, of a job that may have [max_nodes], and its patience. */
void parts_read_place(const parts_t *parts, uint32_t max_nodes);

/* Read all that the job asks for: whether it is a strict one that waits for its place,
 * however long. */
bool parts_wait_strictly(const parts_t *parts);

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
