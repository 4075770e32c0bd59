/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader of a site's own history: what Slurm's `sacct -P` prints. The command that
 * prints all that is read, and it well:
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
 *   Eligible                       from when on the job waited for nodes, not for a time
 * or for other jobs: it is submitted then TimelimitRaw, or else Timelimit  the user's
 * estimate; UNLIMITED is a year, for which Slurm's backfill takes it; if there is none,
 * or only the partition's, the estimate is the run time
 *
 * A job runs from Start to End, suspended or not: its nodes are its own. Each job of an
 * array and each component of a heterogeneous job is a job. So is each run of a job that
 * was requeued, and each part between changes of its size (-D prints them).
 *
 * Times are seconds since 1970, or of the form 2026-10-01T12:00:00 and then in the
 * reader's time zone (TZ). Where a clock was set back such a time happened twice: it is
 * the first that is not before what must have been earlier, submission, start, end.
 *
 * Not jobs are empty lines, steps ("12.batch"), and the line of names again, so that the
 * history of several months may be put together. Skipped, and counted in the workload:
 *
 *   malformed      more or fewer fields than names (a name with "|" in it), a field that
 *                  cannot be read, a start before the submission, an end before the start
 *   pending        State PENDING
 *   running        State RUNNING, SUSPENDED or COMPLETING; no End
 *   never_started  no Start, no nodes; after a run of no time in a State that jobs may
 * have without one (CANCELLED, DEADLINE, REVOKED), unless AllocNodes says that it had
 * nodes duplicate      the same line again: a job that ran from one month into the next
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
