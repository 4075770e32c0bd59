/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the MPI programs of the tests: processes that wait let others have the processor.
 * MPICH's spin, so that where there are more processes than processors a test takes six
 * times as long. What they call while they spin is UCX's, and where the MPI has no UCX
 * this is called by nobody.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker);

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
