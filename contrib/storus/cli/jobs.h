/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs that a picture of the machine shows, and the usable nodes. They are read
 * from a file here, and from a running Slurm in show/slurm.h.
 */
#ifndef STORUS_CLI_JOBS_H
#define STORUS_CLI_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct storus_job {
	char *id;	/* as squeue prints it: "12", "12_3" (array), "12+1" (het job) */
	char *name;	/* or NULL when unknown */
	char *user;	/* or NULL when unknown */
	char *nodelist; /* hostlist of its nodes */
	/* The numbers under which scontrol knows it; 0 for none, all 0 from a file. */
	uint32_t job_id;
	uint32_t array_job_id;
	uint32_t het_job_id;
	bool listed; /* in the table and drawn; others only occupy their nodes */
} storus_job_t;

typedef struct storus_jobs {
	uint32_t count;
	storus_job_t *job; /* [count] */
	bool usable_known; /* whether the following says which nodes are usable */
	uint32_t usable_count;
	char **usable; /* [usable_count] their names, sorted by strcmp() */
} storus_jobs_t;

/* Append an empty job and return it. NULL: out of memory. */
storus_job_t *storus_jobs_add(storus_jobs_t *jobs);

/*
 * Read jobs from the file [path] ("-": standard input), "JOB HOSTLIST" a line, JOB being
 * any word; `#` comments and empty lines allowed. Every node counts as usable. On success
 * *jobs is to be cleared with storus_jobs_clear(). Returns 0, or -1 with [err] filled as
 * "PATH:LINE: reason"; then *jobs is empty.
 */
int storus_jobs_read(const char *path, storus_jobs_t *jobs, torus_error_t *err);

/*
 * Keep only the jobs listed that [id] names: by its own id or, as in squeue, by that of
 * its array or heterogeneous job; the others become unlisted. Returns how many stay
 * listed.
 */
uint32_t storus_jobs_select(storus_jobs_t *jobs, const char *id);

/*
 * A copy of [text] (NULL: "") fit for terminals, JSON and SVG, as base/printable.h makes
 * it: users choose the names of jobs. malloc'ed; NULL: out of memory.
 */
char *storus_clean_copy(const char *text);

/* Free what *jobs holds and make it empty. */
void storus_jobs_clear(storus_jobs_t *jobs);

#endif
