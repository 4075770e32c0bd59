/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that wait for a better place although they could run: for a box or an interval, or
 * for one that is near. As long as its patience lasts such a job gets no other; then it
 * gets what it wishes if that is free, or else the best place there is, as any other job.
 */
#ifndef TORUS_JOB_PATIENT_H
#define TORUS_JOB_PATIENT_H

#include "select/decision.h"

/*
 * Start it now, or plan it; as select_p_job_test(), the chosen nodes in [bitmap]. A plan
 * is for the first time at which there will be a place as it wishes, or for the end of
 * its patience, whichever comes first.
 */
int job_start_patiently(job_decision_t *d, bitstr_t *bitmap);

#endif
