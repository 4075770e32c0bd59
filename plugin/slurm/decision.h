/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decision about one job: what both plugins know of it alike, as a plain record, and
 * what becomes of Slurm's question. How a place is found and verified is the plugin's
 * own, and what is tried in which order is in decide/job.h.
 *
 * Of a job that counts features (slurm/features.h) Slurm asks about parts, too: these are
 * left to Slurm's own plugin, or decided as if the part were all of the job.
 */
#ifndef TORUS_SLURM_DECISION_H
#define TORUS_SLURM_DECISION_H

#include "decide/job.h"
#include "slurm/choose.h"
#include "slurm/confine.h"
#include "slurm/features.h"
#include "slurm/need.h"
#include "slurm/patience.h"

/*
 * The plugin's ways, each of which returns what Slurm is to be told: decide as if what is
 * asked about were all of the job, the same for exactly the least number of nodes, have
 * Slurm's plugin answer, have it answer about a part, and about a part of backfill's
 * plan. Their context is that of the chooser.
 */
typedef struct decision_ways {
	int (*decide)(void *context);
	int (*decide_exactly)(void *context);
	int (*pass)(void *context);
	int (*pass_part)(void *context);
	int (*plan_part)(void *context);
} decision_ways_t;

typedef struct decision {
	const decision_ways_t *ways;
	chooser_t chooser;
	job_record_t *job;
	bitstr_t *offered;  /* nodes, which become those chosen */
	uint32_t max_nodes; /* that the job may have */
	torus_job_t asks;
	patience_t patience;
	uint32_t box_nodes;  /* of the box of a job with a wish that does not say how many
			      * nodes, once looked for; 0: there is none */
	features_t features; /* of which the job counts its nodes */
	job_need_t need;
	confine_t confine;
	choice_t choice;     /* the engine's last one, for the log */
	torus_tally_by_t by; /* who chose the nodes that were taken */
	bool is_part;	     /* asked is about nodes with one feature */
	bitstr_t *picked;    /* nodes that Slurm has picked for features, and those that
			      * the job names; NULL: none */
} decision_t;

/*
 * Answer Slurm's question about at least [min_nodes], better [req_nodes], of the nodes
 * offered. If the answer about a part, or about the nodes picked for all of them, is no,
 * the nodes offered are as they were.
 */
int decision_answer(decision_t *d, uint32_t min_nodes, uint32_t req_nodes);

/*
 * Read what place the job, which asks for at least [min_nodes], wants: SLURM_SUCCESS, or
 * it is refused. Of a box it may have as many nodes as there are, if it does not say.
 */
int decision_read(decision_t *d, uint32_t min_nodes);

/* The same where only a strict job that waits for its place, however long, is of
 * interest: whether it is one. */
bool decision_waits_strictly(decision_t *d);

/* Whether the job wants neighbours in Slurm's node table (--contiguous where torus.conf
 * has Contiguous=nodes), which are Slurm's to choose; a shape, which has been read, is a
 * box all the same. */
bool decision_is_for_neighbours(const decision_t *d);

/*
 * Whether a rule of Slurm's own says which nodes the job gets, so that the engine must
 * not choose others: --spread-job; and of nodes that jobs share the least loaded ones,
 * where [select_params] (SelectTypeParameters=) or the partition ask for these, [busy]
 * ones for jobs that are backfilled, and those at the end of the list for serial jobs.
 * [req_nodes]: how many nodes it would like to have.
 */
bool decision_is_by_rule(const job_record_t *job, uint32_t select_params,
			 uint32_t req_nodes, bool busy);

/*
 * Have [decide] decide, the features being added to the need if there are any, and of the
 * nodes that are required only those that the job names, or, about a part, those picked
 * before.
 */
int decision_make(decision_t *d, int (*decide)(void *context));

/* What Slurm is told of a job that is not placed where [rc] says no more. */
int decision_reason_to_wait(const decision_t *d, int rc);

/*
 * Have Slurm's plugin answer a question about a part: only all nodes of the job together
 * have to be neighbours, and do its tasks have to fit on. Nor need a part have all the
 * GRES of the job (--gpus=), which pass_part() sees to: what is picked for the part are
 * no more nodes than it has, and those have GRES of each kind.
 */
int decision_pass_part(const decision_t *d);

/*
 * The request for the place that the job asks for, of at least [min_nodes], better
 * [req_nodes], without a need and a verifier: as many as Slurm's plugin would settle on,
 * but in a box of certain sides as many as that has.
 */
choice_request_t decision_request(const decision_t *d, uint32_t min_nodes,
				  uint32_t req_nodes, bool planned);

/* How many nodes the place of [request] has that there may be among [nodes]; 0: there
 * never is one. */
uint32_t decision_place_nodes(decision_t *d, choice_request_t request, bitstr_t *nodes);

/*
 * Of a strict job without a place of [request] among [nodes]: refuse it, for the reason
 * [why], [offered] being as for refuse_job(); and whether there may be one when nodes
 * come to the vacant places of a torus. (never.c)
 */
int decision_refuse(decision_t *d, torus_never_t why, const choice_request_t *request,
		    bitstr_t *nodes, const bitstr_t *offered);
bool decision_place_may_come(const decision_t *d, const choice_request_t *request);

#endif
