/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decision about one job: what is known of it. Two are asked, the engine
 * (ask_engine.h) and Slurm's own plugin (ask_slurm.h). How their answers are combined is
 * in job_start.c (ordinary jobs), job_strict.c (jobs that must have a certain place) and
 * job_ever.c (submission).
 */
#ifndef TORUS_DECISION_H
#define TORUS_DECISION_H

#include "slurm/choose.h"
#include "slurm/confine.h"
#include "slurm/decisions.h"
#include "slurm/need.h"
#include "slurm/patience.h"
#include "select/job_decide.h"
#include "machine/network_option.h"
#include "select/usable.h"

/* When a node has to be fit for the job. */
typedef enum fitness {
	FIT_EVER,	/* if nothing ran on it */
	FIT_NOW,	/* beside what runs on it then: see first_start() */
	FIT_PREEMPTING, /* the same, when all jobs that may be preempted are gone */
} fitness_t;

typedef struct job_decision {
	chooser_t chooser; /* its context is the decision */
	confine_t confine;
	const job_test_call_t *call;
	torus_network_request_t network;
	bool contiguous;  /* only one interval of the curve will do */
	uint32_t segment; /* only segments of so many nodes will do; 0: anything */
	patience_t patience;
	bool gave_up;		     /* its patience is at an end: any nodes will do */
	usable_timeline_t *timeline; /* made when first needed; or NULL */
	job_need_t need;	     /* of a strict job */
	uint32_t *cpus;	     /* of a strict job, by node: processors that it could use, as
			      * keep_usable() saw it last */
	bool gres_now;	     /* what jobs hold of GRES now is not to be had */
	choice_t choice;     /* the engine's last choice, for the log */
	torus_tally_by_t by; /* whose choice it was, in the end */
	/* The question that is put to Slurm's plugin: see choose_verified(). */
	fitness_t fitness;
	bitstr_t *answer;
} job_decision_t;

/* The engine alone decides what this job may have; Slurm's choice of nodes will not do.
 */
static inline bool is_strict(const job_decision_t *d)
{
	return d->segment || (!d->gave_up && (d->network.has_shape || d->contiguous));
}

/* The job is only planned: it may start later than now. */
static inline bool plans(const job_decision_t *d)
{
	return SELECT_IS_MODE_WILL_RUN(d->call->mode);
}

/*
 * The time for which free nodes are looked for first; 0: now. Later when slurmctld plans
 * a job that it will not start before.
 */
static inline time_t first_start(const job_decision_t *d)
{
	time_t start = plans(d) ? job_test_start(&d->call->extra) : 0;

	return start > time(NULL) ? start : 0;
}

#endif
