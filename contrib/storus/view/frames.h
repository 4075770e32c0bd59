/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The history that `storus view --record DIR` keeps. DIR has a file YYYY-MM-DD.frames for
 * each day (UTC), whose lines are JSON objects:
 *
 *   {"time":T,"all":true,"come":[JOB,...]}   these jobs run at T, and no others
 *   {"time":T,"come":[JOB,...],"gone":[ID,...]}   what has changed since the line before
 *   {"time":T}   nothing has changed; there is one after an hour without a line
 *
 * The first line of a file has all jobs, so that files of former days may be removed, and
 * so has the first line of a process. A line is written at once; a last line without an
 * end is that of a crash, and does not count. A JOB has its id, nodelist and what
 * else is known of it, by the names of storus_job_t.
 */
#ifndef STORUS_VIEW_FRAMES_H
#define STORUS_VIEW_FRAMES_H

#include <stdint.h>

#include "base/error.h"
#include "storus/cli/jobs.h"

#define STORUS_FRAMES_SUFFIX ".frames"

typedef struct storus_recorder storus_recorder_t;

/*
 * Begin to record in [directory], which is made, for this user only, if it is not there;
 * files of more than [days] days ago will be removed. NULL with [err] filled: it cannot
 * be written, another process records there, memory.
 */
storus_recorder_t *storus_recorder_open(const char *directory, unsigned days,
					torus_error_t *err);

/*
 * Record the listed jobs of [jobs] at [time]. Returns 0, or -1 with [err] filled; what
 * was recorded before stays whole, and the next call tries again.
 */
int storus_recorder_add(storus_recorder_t *recorder, const storus_jobs_t *jobs,
			int64_t time, torus_error_t *err);

/* NULL is accepted. */
void storus_recorder_close(storus_recorder_t *recorder);

/*
 * Read what was recorded in [directory] into *jobs, all listed: a job starts when Slurm
 * says so, and ends at the first look that does not find it; those that still run end
 * with the last look. A line, or a job in it, that is damaged is passed over: standard
 * error has how many lines there are of these, and the first with what is wrong. What
 * such a line said of jobs that went is known from the next line with all jobs. On
 * success *jobs is to be cleared with storus_jobs_clear(). Returns 0, or -1 with [err]
 * filled: no frames, a file that cannot be read, more than STORUS_HISTORY_JOBS, memory;
 * then *jobs is empty.
 */
int storus_frames_read(const char *directory, storus_jobs_t *jobs, torus_error_t *err);

#endif
