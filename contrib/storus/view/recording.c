/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `storus view --record DIR`: looking at the machine again and again. */
#include "torus_config.h"

#include <err.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "storus/cli/shown.h"
#include "storus/view/frames.h"
#include "storus/view/recording.h"

/* *cluster: as storus_shown_again() has it. Frames have only jobs, but where torus.conf
 * cannot be read nobody could look at them. */
static int look(storus_recorder_t *recorder, const char *conf, const char *path,
		torus_cluster_t **cluster, torus_error_t *err)
{
	storus_jobs_t jobs;
	int rc;

	if (storus_shown_again(conf, path, &jobs, cluster, err) != 0)
		return -1;
	rc = storus_recorder_add(recorder, &jobs, (int64_t)time(NULL), err);
	storus_jobs_clear(&jobs);
	return rc;
}

/* Wait until *next, a moment of CLOCK_MONOTONIC, and set the one after it. */
static void wait_until(struct timespec *next, unsigned seconds)
{
	struct timespec now;

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL) != 0)
		;
	clock_gettime(CLOCK_MONOTONIC, &now);
	next->tv_sec += seconds;
	/* What was missed, as the host slept or Slurm did not answer, is not made up for.
	 */
	if (next->tv_sec < now.tv_sec)
		next->tv_sec = now.tv_sec + seconds;
}

int storus_record(const char *directory, unsigned seconds, unsigned days,
		  const char *conf, const char *jobs, torus_error_t *err)
{
	storus_recorder_t *recorder = storus_recorder_open(directory, days, err);
	torus_cluster_t *cluster = NULL;
	torus_error_t error;
	struct timespec next;
	bool failed = false;

	if (!recorder)
		return -1;
	if (look(recorder, conf, jobs, &cluster, err) != 0) {
		torus_cluster_destroy(cluster);
		storus_recorder_close(recorder);
		return -1;
	}
	clock_gettime(CLOCK_MONOTONIC, &next);
	next.tv_sec += seconds;
	for (;;) {
		bool failed_before = failed;

		wait_until(&next, seconds);
		failed = look(recorder, conf, jobs, &cluster, &error) != 0;
		if (failed && !failed_before)
			warnx("%s", error.text);
		else if (!failed && failed_before)
			warnx("recording again");
	}
}
