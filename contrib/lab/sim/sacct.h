/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader of a site's own history, as Slurm's `sacct -P` prints it. This command
 * prints all that is read:
 *
 *     SLURM_TIME_FORMAT=%s sacct -a -X -D -P -S 2026-10-01 -E 2026-11-01 \
 *         --format=JobIDRaw,Submit,Eligible,Start,End,TimelimitRaw,AllocNodes,State
 *
 * The first line names the columns, which are found by their names, in any case and
 * order, others among them. Needed are
 *
 *   JobIDRaw, or else JobID        the leading number is the job's
 *   Submit, Start
 *   End, or else ElapsedRaw or Elapsed
 *   AllocNodes, or else NNodes     "1K" is 1024
 *   State
 *
 * and, if they are there, used
 *
 *   Eligible       the job is taken to be submitted then, as before it did not wait for
 *                  nodes, but for a time or for other jobs
 *   TimelimitRaw, or else Timelimit
 *                  the user's estimate; UNLIMITED is a year, as in Slurm's backfill; if
 *                  there is none, or only the partition's, the estimate is the run time
 *
 * A job runs from Start to End, suspended or not: its nodes are its own. Each job of an
 * array and each component of a heterogeneous job is a job. So is each run of a job that
 * was requeued, and each part between changes of its size (-D prints them).
 *
 * Times are seconds since 1970, or of the form 2026-10-01T12:00:00 in the reader's time
 * zone (TZ). When clocks are set back, such a time happens twice. The first one counts
 * that is not before the job's submission or start.
 *
 * Empty lines, steps ("12.batch") and further lines of names are passed over, so that
 * the history of several months may be put together. Skipped, and counted, are:
 *
 *   malformed      more or fewer fields than names (a name with "|" in it), a field that
 *                  cannot be read, a start before the submission, an end before the start
 *   pending        State PENDING
 *   running        State RUNNING, SUSPENDED or COMPLETING; no End
 *   never_started  no Start; no nodes; or a run time of 0 and a State that jobs may have
 *                  without a run (CANCELLED, DEADLINE, REVOKED), unless AllocNodes says
 *                  that it had nodes
 *   duplicate      the same line again: a job that ran from one month into the next
 */
#ifndef TORUS_SIM_SACCT_H
#define TORUS_SIM_SACCT_H

#include <stddef.h>

#include "base/error.h"
#include "sim/workload.h"

/* The columns of the command above, for messages. */
#define TORUS_SACCT_FORMAT                                                               \
	"JobIDRaw,Submit,Eligible,Start,End,TimelimitRaw,AllocNodes,State"

/*
 * Read the history text[0 .. length-1] (no NUL needed), called [path] in messages, into
 * the empty workload [workload], in the order of submission. Returns 0, and then the
 * workload is to be cleared by the caller even if it has no job; or -1 with [err] filled,
 * the workload empty: a column that is missing (as "[path]:LINE: reason"), memory.
 * O(length + n log n).
 */
int torus_sacct_read(const char *text, size_t length, const char *path,
		     torus_workload_t *workload, torus_error_t *err);

#endif
