/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had which nodes when: a site's own history with names, as Slurm's `sacct -P` prints
 * it. sim/sacct.h, whose columns are needed here as well, reads the same text for
 * replaying and says what it means. Here NodeList is needed, too; ReqNodes, User,
 * Account, Partition and SystemComment are read if they are there. All other columns
 * (AdminComment, say, in which programs of others keep their own) are passed over.
 *
 * A line is a run: each job of an array, each component of a heterogeneous job, each run
 * of a job that was requeued, each part between changes of its size. Lines that do not
 * make a run are jobs that waited in vain, or still wait.
 *
 * Of two lines with the same job and start, as in two months put together, the first that
 * says when the run ended counts, or else the first; a job that waits does not count if
 * another line has its start. Skipped and counted, with the reasons of sim/sacct.h, are
 * malformed and duplicate lines, and pending and never_started ones of jobs that never
 * became eligible, or that did not ask for a number of nodes.
 */
#ifndef TORUS_SIM_HISTORY_H
#define TORUS_SIM_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/sacct_fields.h"
#include "sim/skipped.h"

/* The columns to ask sacct for. */
#define TORUS_HISTORY_FORMAT                                                             \
	"JobIDRaw,User,Account,Partition,Submit,Eligible,Start,End,TimelimitRaw,"        \
	"ReqNodes,AllocNodes,State,NodeList,SystemComment"

/* Times are seconds since 1970. */
typedef struct torus_history_job {
	/* Texts of the line, borrowed; empty: none. */
	torus_sacct_field_t id, user, account, partition, nodelist, comment;
	int64_t waited; /* since when it waited: when it became eligible, or submission */
	int64_t start;	/* of the run; -1: it has not run */
	int64_t end;	/* of the run or of waiting in vain; -1: not yet */
	int64_t limit;	/* of its run time, in seconds; 0: not known */
	uint32_t nodes; /* that it had or, without a run, asked for; at least 1 */
	uint64_t line;	/* of the text, from 1 */
} torus_history_job_t;

typedef struct torus_history {
	torus_history_job_t *job; /* [count] in the order of the text, owned */
	size_t count;
	int64_t first, last; /* the earliest start of a run and the latest time of all;
			      * -1: none */
	torus_skipped_t skipped;
} torus_history_t;

/*
 * Read text[0 .. length-1], called [path] in messages, which must outlive [history].
 * Returns 0, and then it is to be cleared by the caller; or -1 with [err] filled,
 * [history] empty: a column that is missing (as "[path]:LINE: reason"), memory.
 * O(length + n log n).
 */
int torus_history_read(const char *text, size_t length, const char *path,
		       torus_history_t *history, torus_error_t *err);

/* Free the jobs. An empty history ({0}) is left. */
void torus_history_clear(torus_history_t *history);

#endif
