/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can never be: refused when it is submitted, so that nobody waits for it. */
#ifndef TORUS_JOB_EVER_H
#define TORUS_JOB_EVER_H

#include "select/decision.h"

/*
 * Whether the job could ever run on [bitmap], if all of it were free; as
 * select_p_job_test(), the chosen nodes in [bitmap].
 */
int job_decide_ever(job_decision_t *d, bitstr_t *bitmap);

#endif
