/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form up to release 24.05: see slurm/compat.h. */
#ifndef TORUS_COMPAT_UNTIL_24_05_H
#define TORUS_COMPAT_UNTIL_24_05_H

#include "compat/until_24_11.h"

/*
 * The last parameter of select_p_job_test(): what the reservations take away, a
 * JOB_TEST_EXCLUDED as until_23_02.h or since_23_11.h has it.
 */
#define JOB_TEST_EXTRA_PARAMETERS JOB_TEST_EXCLUDED *excluded
#define JOB_TEST_EXTRA_ARGUMENTS excluded
typedef struct job_test_extra {
	JOB_TEST_EXCLUDED *excluded;
} job_test_extra_t;
#define JOB_TEST_EXTRA_PACK                                                              \
	{                                                                                \
		.excluded = excluded                                                     \
	}
#define JOB_TEST_EXTRA_UNPACK(extra) (extra)->excluded
#define JOB_TEST_EXTRA_NONE JOB_TEST_NOTHING_EXCLUDED

/* What the reservations take away; only to compare it. */
static inline const void *job_test_excluded(const job_test_extra_t *extra)
{
	return extra->excluded;
}

/*
 * The time before which a planned job will not be started whatever is free, the one after
 * which its start is not asked for (0: none), and the same question for a start at the
 * first of these or not at all. Backfill asks from now on and for ever.
 */
static inline time_t job_test_start(const job_test_extra_t *extra)
{
	(void)extra;
	return 0;
}
static inline time_t job_test_end(const job_test_extra_t *extra)
{
	(void)extra;
	return 0;
}
static inline void job_test_end_at_start(job_test_extra_t *extra)
{
	(void)extra;
}

/* Where the job has a list of licenses for which jobs are to be preempted: none has. */
static inline slurm_list_t *job_licenses_to_preempt(job_record_t *job)
{
	(void)job;
	return NULL;
}

#endif
