/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decision about one job: what is known of the job, and the two that are asked, the
 * engine and Slurm's own plugin. How they are combined is in job_start.c (ordinary jobs),
 * job_strict.c (jobs that must have a certain place) and job_ever.c (submission).
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
	bool contiguous; /* only one interval of the curve will do */
	enum {
		CONFINEMENT_UNKNOWN,
		CONFINED,
		UNCONFINED
	} confinement;		   /* is_confined() */
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
 * With several tori: whether the job has to stay within one, because there is one on
 * which Slurm's plugin says that it could run one day. Asked once a decision.
 */
bool is_confined(decision_t *d);

/* Clear from [nodes] those that are not on torus [t]. */
void keep_on_torus(const machine_t *machine, bitstr_t *nodes, int t);

/* --- Slurm's plugin ------------------------------------------------------ */

/*
 * Have Slurm's plugin choose from [nodes]; what it returns, SLURM_SUCCESS or not. Jobs
 * are preempted only if [victims] is not NULL; *victims then receives a list of its own,
 * never the caller's, because Slurm's plugin appends to what is there and may be asked
 * more than once for one decision.
 */
int ask_slurm(const decision_t *d, bitstr_t *nodes, slurm_list_t *victims);

/*
 * The same for [call] in place of the decision's own, which may differ in mode and
 * counts.
 */
int ask_slurm_as(const decision_t *d, const job_test_call_t *call, bitstr_t *nodes,
		 slurm_list_t *victims);

/* Whether Slurm's plugin says that the job could run on [nodes] if they were all free. */
bool could_ever_run(const decision_t *d, const bitstr_t *nodes);

/* When a node has to be fit for the job. */
typedef enum fitness {
	FIT_EVER,	/* if nothing ran on it */
	FIT_NOW,	/* beside what runs on it */
	FIT_PREEMPTING, /* the same, when all jobs that may be preempted are gone */
} fitness_t;

/*
 * Keep of [nodes] those that Slurm's plugin would take for a part of the job, however
 * large the part: it is asked for as many of them as it would give a job of no size.
 * Returns whether some had to go. All stay when it refuses even that, and where the
 * question makes no sense because the job counts GRES in all.
 */
bool keep_fit(const decision_t *d, bitstr_t *nodes, fitness_t when);

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

/* --- the engine ---------------------------------------------------------- */

/* Have the engine choose [count] of the [candidates] into [chosen]; false: it can not. */
bool ask_engine(decision_t *d, const bitstr_t *candidates, uint32_t count,
		bitstr_t *chosen);

/*
 * The same among those of [scope] that are usable at [when] (0: now) for the job on
 * [count] nodes.
 */
bool ask_engine_at(decision_t *d, const bitstr_t *scope, uint32_t count, time_t when,
		   bitstr_t *chosen);

/*
 * The first time at which enough running jobs have reached their time limit for the
 * engine to find [count] nodes in [scope], and its choice for that time in [chosen]. 0:
 * there is none.
 */
time_t ask_engine_when(decision_t *d, const bitstr_t *scope, uint32_t count,
		       bitstr_t *chosen);

/* Clear from [nodes] what the job could not use at [when], see usable.h. */
void keep_usable(decision_t *d, bitstr_t *nodes, uint32_t count, time_t when);

/* The running jobs; owned by the decision. */
const usable_timeline_t *active_jobs(decision_t *d);

/* Log the decision for [nodes], made in the way that [who] says. */
void log_decision(const decision_t *d, const bitstr_t *nodes, const char *who);

/* --- the ways to decide -------------------------------------------------- */

/*
 * Each returns what select_p_job_test() returns and leaves the chosen nodes in [bitmap]:
 * an ordinary job, now or planned; a strict one; and whether the job could ever run on
 * [bitmap], if all of it were free.
 */
int job_start_or_plan(decision_t *d, bitstr_t *bitmap);
int job_start_strictly(decision_t *d, bitstr_t *bitmap);
int job_test_ever(decision_t *d, bitstr_t *bitmap);

/*
 * Find a place for a strict job that could have it if all of [nodes] were free, and that
 * Slurm's plugin agrees to: 1, and [nodes] is that place; 0: there is none; -1: those
 * tried were refused, but not all could be tried.
 */
int find_strict_place_ever(decision_t *d, bitstr_t *nodes, uint32_t count);

/* Log once why the job can never run; returns the error for Slurm. */
int refuse_job(const decision_t *d, const char *reason);

#endif
