/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that leaves others their time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/paced_thread.h"

#define MS INT64_C(1000000)
#define HOUR (3600 * 1000 * MS)
enum { MOST = 64 };

/* What the thread has done: when each time began and ended, and how long it says that it
 * kept others waiting. */
typedef struct log {
	atomic_int times;
	int64_t began[MOST], ended[MOST], says;
} log_t;

static int64_t note(void *context)
{
	log_t *log = context;
	int time = atomic_load(&log->times);

	if (time == MOST)
		return 0;
	log->began[time] = torus_monotonic_ns();
	usleep(1000);
	log->ended[time] = torus_monotonic_ns();
	atomic_store(&log->times, time + 1);
	return log->says;
}

static torus_paced_thread_t thread_of(log_t *log, int64_t pause, int64_t ratio)
{
	return (torus_paced_thread_t){
		.work = note, .context = log, .pause = pause, .ratio = ratio};
}

/* Run it until it has done so many [times]: after pauses of [least] nanoseconds at least.
 */
static void run_until(log_t *log, torus_paced_thread_t *thread, int times, int64_t least)
{
	int64_t start = torus_monotonic_ns();
	int before = atomic_load(&log->times);

	assert_int_equal(torus_paced_thread_start(thread), 0);
	assert_int_equal(torus_paced_thread_start(thread), 0); /* it runs */
	while (atomic_load(&log->times) < times)
		usleep(1000);
	torus_paced_thread_end(thread);
	times = atomic_load(&log->times);
	assert_true(log->began[before] - start >= thread->pause);
	for (int i = before + 1; i < times; i++)
		assert_true(log->began[i] - log->ended[i - 1] >= least);
	usleep(3000);
	assert_int_equal(atomic_load(&log->times), times); /* it has ended */
}

static void pauses_at_least_as_long_as_said(void **state)
{
	log_t log = {0};
	torus_paced_thread_t thread = thread_of(&log, 5 * MS, 50);

	(void)state;
	run_until(&log, &thread, 5, 5 * MS);
	run_until(&log, &thread, 10, 5 * MS); /* and once more */
}

static void pauses_longer_after_it_kept_others_waiting(void **state)
{
	log_t log = {.says = MS / 2};
	torus_paced_thread_t thread = thread_of(&log, MS, 50);

	(void)state;
	run_until(&log, &thread, 4, 25 * MS);
}

/* Without this the test would last an hour. */
static void ends_in_a_pause(void **state)
{
	log_t log = {0};
	torus_paced_thread_t thread = thread_of(&log, HOUR, 1);
	log_t other = {.says = HOUR};
	torus_paced_thread_t later = thread_of(&other, 1, 1);

	(void)state;
	torus_paced_thread_end(&thread); /* does not run */
	assert_int_equal(torus_paced_thread_start(&thread), 0);
	torus_paced_thread_end(&thread);
	torus_paced_thread_end(&thread);
	assert_int_equal(atomic_load(&log.times), 0);
	run_until(&other, &later, 1, HOUR);
	assert_int_equal(atomic_load(&other.times), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pauses_at_least_as_long_as_said),
		cmocka_unit_test(pauses_longer_after_it_kept_others_waiting),
		cmocka_unit_test(ends_in_a_pause),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
