/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that must have a certain place: a box, or one interval of the curve. */
#ifndef TORUS_JOB_STRICT_H
#define TORUS_JOB_STRICT_H

#include "select/decision.h"

/*
 * Whether it could ever run, start it now, or plan it, as d->job.asked says; returns as
 * select_p_job_test(), the chosen nodes in [bitmap].
 */
int job_decide_strictly(job_decision_t *d, bitstr_t *bitmap);

/* One question about a strict job: the context of [strict_source], the functions of a
 * source (decide/job.h) that are asked about it. */
typedef struct strict_question {
	job_decision_t *d;
	bitstr_t *bitmap; /* the nodes offered, and the place */
	bitstr_t *scope;  /* of a plan: those that Slurm's plugin does not refuse */
} strict_question_t;

extern const torus_job_source_t strict_source;

#endif
