/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start an ordinary job now, or plan it. */
#ifndef TORUS_JOB_START_H
#define TORUS_JOB_START_H

#include "select/decision.h"

/* Returns what select_p_job_test() returns, the chosen nodes in [bitmap]. */
int job_start_or_plan(job_decision_t *d, bitstr_t *bitmap);

#endif
