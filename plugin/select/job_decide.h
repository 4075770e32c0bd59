/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decision about one job: restrict and delegate.
 *
 * The engine names the nodes it wants; Slurm's own plugin is handed a node bitmap cut
 * down to them and works out the rest (cores, memory, GRES, preemption). What it refuses
 * is tried wider, and in the end it chooses from everything: a job that stock Slurm would
 * start is started. Only a shape, --contiguous and staying within one torus are never
 * given up.
 */
#ifndef TORUS_JOB_DECIDE_H
#define TORUS_JOB_DECIDE_H

#include "slurm/tori.h"

/* The parameters of select_p_job_test(), in one place. */
typedef struct job_test_call {
	job_record_t *job;
	uint32_t min_nodes;
	uint32_t max_nodes;
	uint32_t req_nodes;
	uint16_t mode;
	slurm_list_t preemptee_candidates; /* jobs that may be preempted, or NULL */
	slurm_list_t *preemptees;	   /* receives those that must be, or NULL */
	job_test_extra_t extra;
} job_test_call_t;

/*
 * Decide for [call] among the nodes set in [bitmap], and leave only the chosen ones set.
 * Returns what select_p_job_test() returns: SLURM_SUCCESS, or an error and then [bitmap]
 * is as good as lost. In a SELECT_MODE_WILL_RUN the job's start_time is set.
 */
int job_decide(tori_t *tori, const job_test_call_t *call, bitstr_t *bitmap);

/* The call as it is to Slurm's plugin. */
int job_pass(const job_test_call_t *call, bitstr_t *bitmap);

#endif
