/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into slurmctld (LD_PRELOAD): takes the processor time that Slurm's own
 * select/cons_tres spends on job_test, whoever calls it, by standing in for the function
 * to which its select_p_job_test() leads. select_timed.c reads the sum.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

/* Nanoseconds in this thread, so far. */
__thread long long delegate_clock;

typedef int job_test_t(void *job, void *nodes, uint32_t min_nodes, uint32_t max_nodes,
		       uint32_t req_nodes, uint16_t mode, void *preemptees, void *victims,
		       void **excluded_cores);

job_test_t common_job_test;
long long delegate_clock_read(void);

long long delegate_clock_read(void)
{
	return delegate_clock;
}

/* The function of this name in the plugin from which we were called. */
static job_test_t *of_caller(void *caller)
{
	static job_test_t *known;
	Dl_info where;
	void *plugin;

	if (!known && dladdr(caller, &where)) {
		plugin = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
		*(void **)&known = dlsym(plugin, "common_job_test");
	}
	return known;
}

int common_job_test(void *job, void *nodes, uint32_t min_nodes, uint32_t max_nodes,
		    uint32_t req_nodes, uint16_t mode, void *preemptees, void *victims,
		    void **excluded_cores)
{
	job_test_t *job_test = of_caller(__builtin_return_address(0));
	struct timespec start, end;
	int rc;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	rc = job_test(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptees,
		      victims, excluded_cores);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	delegate_clock += (long long)(end.tv_sec - start.tv_sec) * 1000000000 +
			  (end.tv_nsec - start.tv_nsec);
	return rc;
}
