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
#include "select/job_test.h"
#include "machine/network_option.h"
#include "select/usable.h"

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
	uint32_t *cpus;	 /* by node: processors that the job could use, as keep_usable()
			  * saw it last for a number of nodes left open; or NULL */
	choice_t choice; /* the engine's last choice, for the log */
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
 * The time for which free nodes are looked for first; 0: now. Later when slurmctld plans
 * a job that it will not start before.
 */
static inline time_t first_start(const decision_t *d)
{
	time_t start = plans(d) ? job_test_start(&d->call->extra) : 0;

	return start > time(NULL) ? start : 0;
}

#endif
