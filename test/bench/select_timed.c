/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select/timed: a select plugin that measures another one. Every call is forwarded to the
 * plugin named in the environment variable TIMED_DELEGATE ("select/torus",
 * "select/cons_tres"), and each job_test is written to the file TIMED_LOG as a line
 *
 *     mode rc min_nodes nodes_offered nanoseconds max_nodes wait delegate_nanoseconds
 *
 * (of processor time: thousands of slurmds take turns with slurmctld on the host), so
 * that both are measured in the same way, inside a real slurmctld. "wait" is how many
 * seconds from now a plan starts; the last column is what Slurm's own select/cons_tres
 * took of the time, 0 unless delegate_clock.so is preloaded.
 */
#include "select/delegate.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const char plugin_name[] = "Measures another select plugin";
const char plugin_type[] = "select/timed";
const uint32_t plugin_id = SELECT_PLUGIN_ID(172);
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

static FILE *records;

long long delegate_clock_read(void) __attribute__((weak));

SELECT_SYMBOLS(DELEGATE_FORWARD, DELEGATE_FORWARD, DELEGATE_DECLARE)

int init(void);
int fini(void);

int init(void)
{
	const char *type = getenv("TIMED_DELEGATE"), *path = getenv("TIMED_LOG");

	/* Commands load every plugin that they find, also outside a benchmark. */
	if (!type)
		type = "select/cons_tres";
	if (path && running_in_slurmctld())
		records = fopen(path, "a");
	return delegate_load(type);
}

int fini(void)
{
	if (records)
		fclose(records);
	records = NULL;
	delegate_unload();
	return SLURM_SUCCESS;
}

int select_p_job_test(job_record_t *job_ptr, bitstr_t *bitmap, uint32_t min_nodes,
		      uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,
		      List preemptee_candidates, List *preemptee_job_list,
		      JOB_TEST_EXTRA_PARAMETERS)
{
	int offered = bit_set_count(bitmap), rc;
	struct timespec start, end;
	long long delegate_time = delegate_clock_read ? delegate_clock_read() : 0;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	rc = delegate.select_p_job_test(job_ptr, bitmap, min_nodes, max_nodes, req_nodes,
					mode, preemptee_candidates, preemptee_job_list,
					JOB_TEST_EXTRA_ARGUMENTS);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	if (records) {
		if (delegate_clock_read)
			delegate_time = delegate_clock_read() - delegate_time;
		fprintf(records, "%u %d %u %d %lld %u %ld %lld\n", mode, rc, min_nodes,
			offered,
			(long long)(end.tv_sec - start.tv_sec) * 1000000000 +
				(end.tv_nsec - start.tv_nsec),
			max_nodes, (long)(job_ptr->start_time - time(NULL)),
			delegate_time);
		fflush(records);
	}
	return rc;
}
