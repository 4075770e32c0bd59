/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decision of topology/torus: what is known of it, and the ways to decide. Each of
 * these returns what topology_p_eval_nodes() returns, the chosen nodes in the question's
 * map of nodes.
 */
#ifndef TORUS_TOPOLOGY_PLACING_H
#define TORUS_TOPOLOGY_PLACING_H

#include "slurm/decision.h"
#include "topology/place.h"

#ifdef TOPOLOGY_CHOOSES

typedef struct placing {
	decision_t common;
	topology_try_t asking;
	topology_could_run_t *could_run;
	uint32_t near;	    /* the place must be so near; 0: any place */
	bool planned;	    /* weights are on the scale of plans: see node_weight() */
	bool at_submission; /* it is known that all nodes count as free */
	bool at_some_time;  /* it is known that they do not */
	bool plans_part;    /* it is known that backfill asks */
	const bitstr_t
		*idle_then; /* nodes on which no job will be, for a plan of parts */
	bitstr_t *refused;  /* the last choice, if Slurm's plugin refused it; or NULL */
} placing_t;

/* --- what is asked (ask.c) ---------------------------------------------- */

/* The request for [nodes] nodes, or for as many as Slurm's plugin would settle on in the
 * place that the job asks for; the latter with what the job needs. */
choice_request_t placing_request(const placing_t *p, uint32_t nodes);
choice_request_t placing_request_range(const placing_t *p);

/* What Slurm's plugin has found free of a node: has() of a request. The context is the
 * placing_t. */
void placing_has(void *context, int node, uint64_t *has);

/*
 * Have the engine choose among the nodes offered until Slurm's plugin agrees. Whatever it
 * says, the nodes offered stay.
 */
torus_outcome_t placing_choose(placing_t *p, choice_request_t *request);

/* could_run() of the chooser. */
bool placing_could_run(void *context, int t);

/* Note, and log, whose choice it was. */
void placing_note(placing_t *p, torus_tally_by_t by);

/* Forget what was noted for one decision. */
void placing_end(placing_t *p);

/* --- the ways ----------------------------------------------------------- */

/* A strict job gets a place that Slurm's plugin accepts, or none (strict.c). */
int place_strictly(placing_t *p);

/* How many nodes the place has that a strict job asks for, on any nodes of its partition;
 * 0: there is none, or no partition is known. */
uint32_t placing_place_nodes(placing_t *p);

/* Its functions, with a placing_t as context. */
extern const torus_job_source_t placing_strict_source;

/* An ordinary job gets the best place, and without one what Slurm's plugin chooses
 * (ordinary.c). */
int place_ordinary(placing_t *p);

/* A job that waits for a better place gets that; where it is not to be had, after its
 * patience any other (patient.c). */
int place_patiently(placing_t *p);

/* For a job that counts features, of which Slurm asks about a part: one of backfill's
 * plan, or any other (parts.c). The context is a placing_t. */
int place_plan_part(void *context);
int place_part(void *context);

#endif
#endif
