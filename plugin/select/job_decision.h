/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decision about one job: what is known of it. Two are asked, the engine
 * (ask_engine.h) and Slurm's own plugin (ask_slurm.h). How their answers are combined is
 * in job_start.c (ordinary jobs) and decide/job.h (strict ones, for which job_strict.c is
 * the source).
 */
#ifndef TORUS_JOB_DECISION_H
#define TORUS_JOB_DECISION_H

#include "select/job_decide.h"
#include "select/usable.h"
#include "slurm/decision.h"

typedef struct job_decision {
	decision_t common;
	const job_test_call_t *asked; /* the call as it came */
	const job_test_call_t *call;  /* as it is put to Slurm's plugin */
	usable_timeline_t *timeline;  /* made when first needed; or NULL */
	uint32_t *cpus; /* of a strict job, by node: processors that it could use, as
			 * keep_usable() saw it last */
	bool gres_now;	/* GRES that jobs hold now are not free at the time asked about */
	/* The question that is put to Slurm's plugin: see choose_verified(). */
	torus_at_t at;
	uint32_t count; /* of an ordinary job: nodes that it must take */
	bitstr_t *answer;
} job_decision_t;

/* The job is only planned: it may start later than now. */
static inline bool plans(const job_decision_t *d)
{
	return SELECT_IS_MODE_WILL_RUN(d->call->mode);
}

/*
 * The earliest start that the caller asks about; 0: now. Backfill may plan a job for a
 * later time only.
 */
static inline time_t first_start(const job_decision_t *d)
{
	time_t start = plans(d) ? job_test_start(&d->call->extra) : 0;

	return start > time(NULL) ? start : 0;
}

/*
 * The ways to decide. Each returns what select_p_job_test() returns, the chosen nodes in
 * [bitmap].
 */

/* Start an ordinary job now, or plan it (job_start.c). */
int job_start_or_plan(job_decision_t *d, bitstr_t *bitmap);

/*
 * For a strict job (a shape, --contiguous, segments): whether it could ever run, start it
 * now, or plan it, as d->common.asks.asked says (job_strict.c).
 */
int job_decide_strictly(job_decision_t *d, bitstr_t *bitmap);

/*
 * For a job that waits for a better place although it could run, for a box or an
 * interval, or for one that is near (job_patient.c). As long as its patience lasts such a
 * job gets no other; then it gets what it wishes if that is free, or else the best place
 * there is, as any other job. A plan is for the first time at which there will be a place
 * as it wishes, or for the end of its patience, whichever comes first.
 */
int job_start_patiently(job_decision_t *d, bitstr_t *bitmap);

/* One question about a strict job: the context of [strict_source], the functions of a
 * source (decide/job.h) that are asked about it. */
typedef struct strict_question {
	job_decision_t *d;
	bitstr_t *bitmap; /* the nodes offered, and the place */
	bitstr_t *scope;  /* of a plan: those that Slurm's plugin does not refuse */
	bool never; /* there is no place by the end of the window of time asked about */
} strict_question_t;

extern const torus_job_source_t strict_source;

#endif
