/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decision about one job: what is known of the job, and the two that are asked, the
 * engine and Slurm's own plugin. How they are combined is in job_start.c and job_ever.c.
 */
#ifndef TORUS_DECISION_H
#define TORUS_DECISION_H

#include "choose.h"
#include "job_test.h"
#include "machine/request.h"
#include "usable.h"

typedef struct decision {
	machine_t *machine;
	const job_test_call_t *call;
	torus_network_request_t network;
	bool contiguous;
	bool confined;		   /* must not be spread over several tori */
	usable_timeline_t *active; /* running jobs, made when first needed; or NULL */
	choice_t choice;	   /* the engine's last choice, for the log */
} decision_t;

/* The engine alone decides what this job may have; Slurm's choice of nodes will not do.
 */
static inline bool is_strict(const decision_t *d)
{
	return d->network.has_shape || d->contiguous;
}

/* The job is only planned: it may start later than now. */
static inline bool plans(const decision_t *d)
{
	return SELECT_IS_MODE_WILL_RUN(d->call->mode);
}

/*
 * Have Slurm's plugin choose from [nodes]; what it returns, SLURM_SUCCESS or not. Jobs
 * are preempted only if [victims] is not NULL; *victims then receives a list of its own,
 * never the caller's, because Slurm's plugin appends to what is there and may be asked
 * more than once for one decision.
 */
int ask_slurm(const decision_t *d, bitstr_t *nodes, slurm_list_t *victims);

/* Forget what Slurm's plugin noted in the job's record for a choice that is not used. */
void forget_answer(const decision_t *d);

/*
 * Have Slurm's plugin verify [nodes], the engine's choice or a superset of it, without
 * preempting anybody and, when planning, for a start not later than [when]. On success
 * what it took of them is in [bitmap].
 */
bool verify_choice(const decision_t *d, const bitstr_t *nodes, time_t when,
		   bitstr_t *bitmap);

/* Hand the list of victims of the decision that is made to the caller; NULL: none. */
void keep_victims(const decision_t *d, slurm_list_t victims);

/* Have the engine choose [count] of the [candidates] into [chosen]; false: it can not. */
bool ask_engine(decision_t *d, const bitstr_t *candidates, uint32_t count,
		bitstr_t *chosen);

/*
 * The same among those of [scope] that are usable at [when] (0: now) for the job on
 * [count] nodes.
 */
bool ask_engine_at(decision_t *d, const bitstr_t *scope, uint32_t count, time_t when,
		   bitstr_t *chosen);

/* Clear from [nodes] what the job could not use at [when], see usable.h. */
void keep_usable(decision_t *d, bitstr_t *nodes, uint32_t count, time_t when);

/* The running jobs; owned by the decision. */
const usable_timeline_t *active_jobs(decision_t *d);

/* Log the decision for [nodes], made in the way that [who] says. */
void log_decision(const decision_t *d, const bitstr_t *nodes, const char *who);

/*
 * The two ways to use a decision. Start now or plan: job_start.c. Whether the job could
 * ever run on [bitmap], if all of it were free: job_ever.c. Both return what
 * select_p_job_test() returns and leave the chosen nodes in [bitmap].
 */
int job_start_or_plan(decision_t *d, bitstr_t *bitmap);
int job_test_ever(decision_t *d, bitstr_t *bitmap);

/* Log once why the job can never run; returns the error for Slurm. */
int refuse_job(const decision_t *d, const char *reason);

#endif
