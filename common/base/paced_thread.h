/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that does the same thing again and again, keeps others from working while it
 * does, and leaves them most of the time.
 */
#ifndef TORUS_BASE_PACED_THREAD_H
#define TORUS_BASE_PACED_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct torus_paced_thread {
	/*
	 * What it does; returns for how many nanoseconds that has kept others waiting
	 * (>= 0). The next time comes after [ratio] times as long, and after [pause]
	 * nanoseconds at least, by the monotonic clock: somebody may set the time of day
	 * back by an hour. The first time comes after [pause].
	 */
	int64_t (*work)(void *context);
	void *context;
	int64_t pause, ratio;
	/* Private, {0} at first. */
	bool runs, ending;
	pthread_t thread;
	pthread_mutex_t lock; /* of [ending] */
	pthread_cond_t end;
} torus_paced_thread_t;

/* Start it, unless it runs. 0, or an errno value: it does not run. */
int torus_paced_thread_start(torus_paced_thread_t *thread);

/*
 * End it, if it runs, without waiting for the end of a pause; where it is at work, when
 * that is done. The caller has nothing locked that the work needs. Not from the thread.
 */
void torus_paced_thread_end(torus_paced_thread_t *thread);

#endif
