/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that leaves others their time: see base/paced_thread.h. */
#include "base/paced_thread.h"

#include "base/monotonic.h"

/* Wait, or until the thread is to end: then false. */
static bool pause_for(torus_paced_thread_t *thread, int64_t nanoseconds)
{
	int64_t end = torus_monotonic_ns() + nanoseconds;
	const struct timespec until = {.tv_sec = end / TORUS_NS_PER_SECOND,
				       .tv_nsec = end % TORUS_NS_PER_SECOND};
	bool ending;

	pthread_mutex_lock(&thread->lock);
	while (!thread->ending && torus_monotonic_ns() < end)
		pthread_cond_timedwait(&thread->end, &thread->lock, &until);
	ending = thread->ending;
	pthread_mutex_unlock(&thread->lock);
	return !ending;
}

static void *run(void *context)
{
	torus_paced_thread_t *thread = context;
	int64_t pause = thread->pause;

	while (pause_for(thread, pause)) {
		pause = thread->work(thread->context) * thread->ratio;
		if (pause < thread->pause)
			pause = thread->pause;
	}
	return NULL;
}

/* Make thread->end. 0, or an errno value. */
static int make_condition(torus_paced_thread_t *thread)
{
	pthread_condattr_t attributes;
	int rc = pthread_condattr_init(&attributes);

	if (rc)
		return rc;
	rc = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	if (!rc)
		rc = pthread_cond_init(&thread->end, &attributes);
	pthread_condattr_destroy(&attributes);
	return rc;
}

int torus_paced_thread_start(torus_paced_thread_t *thread)
{
	int rc;

	if (thread->runs)
		return 0;
	rc = make_condition(thread);
	if (rc)
		return rc;
	thread->ending = false;
	pthread_mutex_init(&thread->lock, NULL);
	rc = pthread_create(&thread->thread, NULL, run, thread);
	thread->runs = !rc;
	if (rc) {
		pthread_mutex_destroy(&thread->lock);
		pthread_cond_destroy(&thread->end);
	}
	return rc;
}

void torus_paced_thread_end(torus_paced_thread_t *thread)
{
	if (!thread->runs)
		return;
	pthread_mutex_lock(&thread->lock);
	thread->ending = true;
	pthread_cond_signal(&thread->end);
	pthread_mutex_unlock(&thread->lock);
	pthread_join(thread->thread, NULL);
	pthread_mutex_destroy(&thread->lock);
	pthread_cond_destroy(&thread->end);
	thread->runs = false;
}
