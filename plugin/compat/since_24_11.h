/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form from release 24.11 on: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SINCE_24_11_H
#define TORUS_COMPAT_SINCE_24_11_H

#include "compat/since_24_05.h"

/* What Slurm's own plugins say of segments that a job can not have. */
#define SEGMENTS_UNAVAILABLE ESLURM_REQUESTED_TOPO_CONFIG_UNAVAILABLE

/*
 * The last parameters of select_p_job_test(): what the reservations take away, and
 * between which times a planned job may start. Slurm takes no such times and zeros for
 * the same.
 */
#define JOB_TEST_EXTRA_PARAMETERS resv_exc_t *resv_exc_ptr, will_run_data_t *will_run_ptr
#define JOB_TEST_EXTRA_ARGUMENTS resv_exc_ptr, will_run_ptr
typedef struct job_test_extra {
	resv_exc_t *resv_exc;
	will_run_data_t will_run;
} job_test_extra_t;
#define JOB_TEST_EXTRA_PACK                                                              \
	{                                                                                \
		.resv_exc = resv_exc_ptr,                                                \
		.will_run = will_run_ptr ? *will_run_ptr : (will_run_data_t){0},         \
	}
#define JOB_TEST_EXTRA_UNPACK(extra) (extra)->resv_exc, &(extra)->will_run
#define JOB_TEST_EXTRA_NONE JOB_TEST_NOTHING_EXCLUDED, NULL

/* What the reservations take away; only to compare it. */
static inline const void *job_test_excluded(const job_test_extra_t *extra)
{
	return extra->resv_exc;
}

/*
 * The time before which a planned job will not be started whatever is free, the one after
 * which its start is not asked for (0: none), and the same question for a start at the
 * first of these or not at all.
 */
static inline time_t job_test_start(const job_test_extra_t *extra)
{
	return extra->will_run.start;
}
static inline time_t job_test_end(const job_test_extra_t *extra)
{
	return extra->will_run.end;
}
static inline void job_test_end_at_start(job_test_extra_t *extra)
{
	extra->will_run.end = extra->will_run.start;
}

/* Where the job has a list of licenses for which jobs are to be preempted. */
static inline slurm_list_t *job_licenses_to_preempt(job_record_t *job)
{
	return &job->licenses_to_preempt;
}

#endif
