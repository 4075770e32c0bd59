/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into slurmctld (LD_PRELOAD): takes the processor time of each decision on a
 * job's nodes, whatever plugins make it, by standing in for the function that asks
 * SelectType's plugin. To the file DECISION_LOG goes a line a decision,
 *
 *     mode rc nanoseconds
 *
 * mode as in Slurm: its low byte is 0 for a start, 1 for the check at submission, 2 for a
 * plan of the backfill scheduler. Needs no header of Slurm, so that one file does for all
 * of its releases.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The last parameter came after 22.05, which ignores it as any function does that is
 * called with one argument too many. */
typedef int job_test_t(void *job, void *nodes, uint32_t min_nodes, uint32_t max_nodes,
		       uint32_t req_nodes, uint16_t mode, void *preemptee_candidates,
		       void *preemptees, void *excluded_cores, void *will_run);

job_test_t select_g_job_test;

static FILE *records;
static job_test_t *job_test;

__attribute__((constructor)) static void find(void)
{
	*(void **)&job_test = dlsym(RTLD_NEXT, "select_g_job_test");
}

int select_g_job_test(void *job, void *nodes, uint32_t min_nodes, uint32_t max_nodes,
		      uint32_t req_nodes, uint16_t mode, void *preemptee_candidates,
		      void *preemptees, void *excluded_cores, void *will_run)
{
	const char *path = getenv("DECISION_LOG");
	struct timespec start, end;
	int rc;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	rc = job_test(job, nodes, min_nodes, max_nodes, req_nodes, mode,
		      preemptee_candidates, preemptees, excluded_cores, will_run);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	if (!records && path)
		records = fopen(path, "a");
	if (records) {
		fprintf(records, "%u %d %lld\n", mode, rc,
			(long long)(end.tv_sec - start.tv_sec) * 1000000000 +
				(end.tv_nsec - start.tv_nsec));
		fflush(records);
	}
	return rc;
}
