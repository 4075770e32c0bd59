/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a simulation, and what schedulers may do with it. Private to the
 * simulator.
 */
#ifndef TORUS_SIM_ENGINE_H
#define TORUS_SIM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/agenda.h"
#include "sim/free_space.h"
#include "sim/gainers.h"
#include "sim/ideal.h"
#include "sim/occupants.h"
#include "sim/pool.h"
#include "sim/profile.h"
#include "sim/queue.h"
#include "sim/records.h"
#include "sim/simulate.h"

typedef struct torus_sim torus_sim_t;

/* Number of no job. */
#define TORUS_NO_JOB UINT32_MAX

/* What a scheduler is; those in schedulers/ define one each. */
typedef struct torus_scheduler_rule {
	/*
	 * The order of the queue: by these two numbers, then by submission, then by the
	 * workload's order. NULL: by the last two.
	 */
	void (*key)(const torus_sim_t *sim, uint32_t job, int64_t key[2]);
	/* When a job begins to wait; NULL: when it is submitted. */
	int64_t (*ready)(const torus_sim_t *sim, uint32_t job);
	/* Whether sim->profile is kept, and sim->gainers. */
	bool plans, compresses;
	/*
	 * Start what may start at sim->now, after jobs have ended or come; returns 0, or
	 * -1 with sim->err filled.
	 */
	int (*decide)(torus_sim_t *sim);
	/* A job has come and stands in the queue, before decide(). Or NULL. */
	void (*arrive)(torus_sim_t *sim, uint32_t job);
	/* The next time to call decide() at even if there is no event; or NULL. */
	int64_t (*wake)(const torus_sim_t *sim);
} torus_scheduler_rule_t;

extern const torus_scheduler_rule_t torus_rule_fcfs, torus_rule_easy,
	torus_rule_conservative, torus_rule_cplant, torus_rule_greedy,
	torus_rule_recorded;

/* A job of the workload. */
typedef struct torus_sim_state {
	torus_job_need_t need;
	int64_t estimate; /* the log's, but at least 1: an empty plan would hold no node
			   */
	uint32_t place;	  /* in the queue */
	uint32_t slot;	  /* in running[], while it runs */
	uint32_t run_number;  /* how often it was begun */
	bool refused;	      /* it has been, though enough nodes were free */
	uint64_t refused_at;  /* sim->releases when it last was */
	int64_t expected;     /* while it runs: when the schedulers think it ends */
	torus_plan_t plan;    /* of conservative, while it waits: its reservation */
	bool late;	      /* conservative: it has no place at its reserved time */
	bool patient;	      /* its patience has begun */
	bool met;	      /* the place last found is one that it wishes for */
	bool over;	      /* it has ended, or is skipped */
	int64_t could;	      /* when it began, */
	int64_t patience;     /* and ends; TORUS_FOR_EVER: never */
	torus_sim_run_t *run; /* [runs] its ranks while it runs, or until it is settled
			       * if the result keeps none; owned */
	uint32_t runs;
} torus_sim_state_t;

/* What means of the jobs' numbers are taken over. */
typedef struct torus_weights {
	uint64_t jobs;
	double run_time; /* seconds */
	double nodes;
	double node_time; /* node-seconds */
} torus_weights_t;

/* A kind of job that needs more than a number of nodes: a shape or a strategy's box. */
typedef struct torus_fit {
	torus_shape_t shape; /* dims 0: none */
	uint32_t asked;
	uint32_t nodes; /* it needs so many; 0: it does not fit on the empty machine */
	bool *on;	/* [tori] whether it fits there, owned */
} torus_fit_t;

/* The wish of all jobs of so many nodes. */
typedef struct torus_kind_wish {
	uint32_t nodes;
	torus_sim_wish_t wish; /* not asked for: they have none */
} torus_kind_wish_t;

struct torus_sim {
	const torus_workload_t *workload;
	const torus_sim_config_t *config;
	const torus_scheduler_rule_t *rule;
	torus_error_t *err;
	torus_sim_result_t *result;
	torus_records_t records;	      /* of jobs, up to when they are settled */
	uint32_t settled;		      /* this and all jobs after it are not */
	torus_weights_t weights;	      /* of the settled jobs */
	__extension__ unsigned __int128 used; /* by these: node-microseconds */
	__extension__ unsigned __int128 unwanted; /* of it, what their boxes have over */
	torus_pool_t *pool;
	torus_queue_t *queue;
	torus_profile_t *profile; /* NULL unless the rule plans */
	torus_gainers_t *gainers; /* NULL unless the rule compresses, on one
				   * torus, and no job has a wish */
	torus_agenda_t agenda;
	torus_sim_state_t *state; /* [jobs] */
	torus_fit_t *fit;	  /* [fits] a list, as there are few kinds */
	size_t fits;
	torus_kind_wish_t **wish; /* [wishes] a list, as there are few numbers of nodes */
	size_t wishes;
	torus_agenda_t patience; /* ends of patience; .run does not matter */
	uint32_t *job_at;	 /* [jobs] by place in the queue */
	uint32_t *arrival;	 /* [jobs] in the order in which they begin to wait */
	uint32_t arrived, arrivals;
	uint32_t *running; /* [running_count] */
	uint32_t running_count;
	uint32_t left;	   /* jobs that have not ended */
	uint64_t releases; /* how often nodes have become free */
	bool changed;	   /* a job has come or nodes have become free since decide() */
	int late;	   /* how many jobs are late */
	bool disturbed;	   /* the profile differs from what was planned */
	bool failed;	   /* nodes have failed since decide() */
	int64_t now, begin;
	int64_t counted_from;	      /* the summary begins then */
	int64_t *counts;	      /* [tori] scratch */
	int64_t *extra;		      /* [tori] scratch of schedulers ... */
	uint64_t **spare;	      /* [tori] ... and bitmaps */
	size_t outage;		      /* number of the next one to begin */
	torus_agenda_t down;	      /* outages that end: .job is their number */
	int64_t period;		      /* of cplant */
	torus_ideal_t *ideal;	      /* NULL without slowdown */
	torus_occupants_t *occupants; /* NULL unless isolation is measured */
	size_t run_room;	      /* of result->run */
	uint64_t advised_at;	      /* pool->changes when advice was last looked for */
	torus_free_watch_t watch;
};

/* The job of the workload. */
static inline const torus_sim_job_t *torus_sim_job(const torus_sim_t *sim, uint32_t job)
{
	return &sim->workload->job[job];
}

/* The first job in the queue, or TORUS_NO_JOB. */
static inline uint32_t torus_sim_first(const torus_sim_t *sim)
{
	uint32_t place = torus_queue_next(sim->queue, 0);

	return place == TORUS_NO_PLACE ? TORUS_NO_JOB : sim->job_at[place];
}

/*
 * Find a place for a waiting job among all free nodes. Returns 1 with the place in the
 * pool; 0 if there is none; -1 with sim->err filled. If enough nodes were free, 0 counts
 * as a failure by external fragmentation, once until nodes are released again.
 */
int torus_sim_try(torus_sim_t *sim, uint32_t job);

/*
 * The same among the nodes of [among] (as in torus_pool_place()), without counting
 * failures. If there is a place, but not as the job wishes, its patience begins; 0 until
 * that ends.
 */
int torus_sim_place(torus_sim_t *sim, uint32_t job, const uint64_t *const *among);

/* Whether the waiting job still has patience at [time]; it has begun. */
static inline bool torus_sim_is_patient(const torus_sim_state_t *state, int64_t time)
{
	return state->patient && time < state->patience;
}

/* [start] + [duration], or the end of time. */
static inline int64_t torus_sim_later(int64_t start, int64_t duration)
{
	int64_t end;

	return __builtin_add_overflow(start, duration, &end) ? INT64_MAX : end;
}

/*
 * Start the waiting job at the place that the pool has just decided on. Returns 0, or -1
 * with sim->err filled.
 */
int torus_sim_start(torus_sim_t *sim, uint32_t job);

/*
 * Start every waiting job, in the order of the queue, for which there is a place. Returns
 * 0, or -1 with sim->err filled.
 */
int torus_sim_start_all(torus_sim_t *sim);

/*
 * A running job releases its nodes at sim->now. It has ended; or, if [lost], a node has
 * failed and it waits again. Returns 0, or -1 with sim->err filled.
 */
int torus_sim_stop(torus_sim_t *sim, uint32_t job, bool lost);

/*
 * Count the jobs that are over, up to the first that is not, and hand them on. Returns 0,
 * or -1 with sim->err filled.
 */
int torus_sim_settle(torus_sim_t *sim);

/* Put a job into the queue. */
void torus_sim_wait(torus_sim_t *sim, uint32_t job);

/* sim->err: out of memory. Returns -1. */
int torus_sim_no_memory(torus_sim_t *sim);

/*
 * Outages: when the next one begins or ends (INT64_MAX: none); end those that end at
 * sim->now; begin those that begin then, which returns 0, or -1 with sim->err filled.
 */
int64_t torus_sim_next_outage(const torus_sim_t *sim);
void torus_sim_end_outages(torus_sim_t *sim);
int torus_sim_begin_outages(torus_sim_t *sim);

/*
 * Advice, as simulate.h says: when it is to be looked for though nothing happens
 * (INT64_MAX: not); and follow it, after decide(), which returns 0, or -1 with sim->err
 * filled.
 */
int64_t torus_sim_next_advice(const torus_sim_t *sim);
int torus_sim_advise(torus_sim_t *sim);

/*
 * The summary: begin it, count a job that has ended (of jobs in the workload's order, as
 * sums are rounded), and fill it when all are counted.
 */
void torus_sim_summary_begin(torus_sim_t *sim);
void torus_sim_summary_add(torus_sim_t *sim, const torus_sim_record_t *record);
void torus_sim_summary_end(torus_sim_t *sim);

#endif
