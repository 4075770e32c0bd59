/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests: with the environment variable TORUS_CHECK_PLANS set in slurmctld, each plan
 * is compared with what Slurm's plugin alone would plan for the job, among the same nodes
 * and in the same moment, and one that was kept (asked_twice.h) with one made anew. A
 * line "select/torus: plan: ..." is logged for each, and an error where the job would
 * start later than by Slurm's plan, or the kept plan is another than the new one. From
 * 26.05 on Slurm's plan is for the last end on the nodes that it would give, and other
 * nodes of the same group of ends (end_of_group()) may have a later one.
 */
#ifndef TORUS_PLAN_CHECK_H
#define TORUS_PLAN_CHECK_H

#include "select/job_decide.h"

/* A copy of [nodes] for plan_check_end(); NULL when nothing is to be checked. */
bitstr_t *plan_check_begin(const job_test_call_t *call, const bitstr_t *nodes);

/*
 * Compare the answer to [call], [rc] and [chosen], with others to it among the nodes
 * [offered], and free [offered]. Nothing when that is NULL. [kept]: it was a kept one.
 */
void plan_check_end(tori_t *tori, const job_test_call_t *call, bitstr_t *offered, int rc,
		    const bitstr_t *chosen, bool kept);

#endif
