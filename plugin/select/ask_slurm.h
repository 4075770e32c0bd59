/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks Slurm's own plugin. */
#ifndef TORUS_ASK_SLURM_H
#define TORUS_ASK_SLURM_H

#include "select/job_decision.h"

/*
 * Have Slurm's plugin choose from [nodes]; what it returns, SLURM_SUCCESS or not. Jobs
 * are preempted only if [preemptees] is not NULL; *preemptees then receives a list of its
 * own, never the caller's, because Slurm's plugin appends to what is there and may be
 * asked more than once for one decision.
 */
int ask_slurm(const job_decision_t *d, bitstr_t *nodes, slurm_list_t *preemptees);

/*
 * ask_slurm() where Slurm's plugin alone chooses the nodes: it must then take those that
 * slurmctld has picked for the job's features.
 */
int ask_slurm_alone(const job_decision_t *d, bitstr_t *nodes, slurm_list_t *preemptees);

/*
 * Keep of [nodes] those that Slurm's plugin would take for a part of the job, however
 * large the part: it is asked for as many of them as it would give a job of no size.
 * Returns whether some had to go. All stay when it refuses even that, and where the
 * question makes no sense because the job counts GRES in all.
 */
bool keep_accepted(const job_decision_t *d, bitstr_t *nodes, torus_at_t at);

/* Forget what Slurm's plugin noted in the job's record for a choice that is not used. */
void forget_answer(const job_decision_t *d);

/*
 * Have Slurm's plugin verify [nodes], the engine's choice or a superset of it, without
 * preempting anybody and, when planning, for a start not later than [when]. It has to
 * take [count] of them, or more. On success what it took is in [bitmap].
 */
bool verify_choice(const job_decision_t *d, const bitstr_t *nodes, uint32_t count,
		   time_t when, bitstr_t *bitmap);

/* For verify_choice(): first_start(), or now, and a second more. */
time_t soonest(const job_decision_t *d);

/* Hand the list of preemptees of the decision that is made to the caller; NULL: none. */
void keep_preemptees(const job_decision_t *d, slurm_list_t preemptees);

/*
 * Choose [count] of the [candidates], which may become fewer; a strict job gets what it
 * asks for. With TORUS_PLACE_FOUND Slurm's plugin has agreed for a start [at] that time,
 * and what it took of them is in [bitmap]; otherwise [bitmap] is as it was.
 */
torus_outcome_t choose_verified(job_decision_t *d, bitstr_t *candidates, uint32_t count,
				torus_at_t at, bitstr_t *bitmap);

/* could_run() of the decision's chooser. */
bool could_run_on_torus(void *context, int t);

#endif
