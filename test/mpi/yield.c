/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the MPI programs of the tests: processes that wait sleep for a moment. Both MPIs
 * have them spin, where there are more processes than processors for most of the time.
 * Open MPI is told to call sched_yield(), which is this one. What MPICH calls while it
 * spins is UCX's, and where the MPI has no UCX this is called by nobody.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

unsigned ucp_worker_progress(void *worker);

int sched_yield(void)
{
	return nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

unsigned ucp_worker_progress(void *worker)
{
	static unsigned (*progress)(void *worker);
	unsigned events;

	if (!progress)
		*(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
	events = progress(worker);
	if (!events)
		sched_yield();
	return events;
}
