/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs that a picture of the machine shows, its nodes, and reservations. They are
 * read from a file here, and from a running Slurm in slurm_jobs.h.
 */
#ifndef STORUS_CLI_JOBS_H
#define STORUS_CLI_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The texts of a job that may be unknown, by the names that they have everywhere. */
#define STORUS_JOB_TEXTS(X)                                                              \
	X(name)                                                                          \
	X(user)                                                                          \
	X(account)                                                                       \
	X(partition)                                                                     \
	X(qos)                                                                           \
	X(state)                                                                         \
	X(network)                                                                       \
	X(comment)                                                                       \
	X(system_comment)

typedef struct storus_job {
	char *id;	/* as squeue prints it: "12", "12_3" (array), "12+1" (het job) */
	char *nodelist; /* hostlist of its nodes */
#define STORUS_JOB_MEMBER(text) char *text;
	STORUS_JOB_TEXTS(STORUS_JOB_MEMBER) /* each NULL when unknown */
#undef STORUS_JOB_MEMBER
	/* Seconds since 1970; 0 when unknown. The end is that of the time limit. */
	int64_t start, end;
	/* The numbers under which scontrol knows it; 0 for none, all 0 from a file. */
	uint32_t job_id;
	uint32_t array_job_id;
	uint32_t het_job_id;
	bool listed; /* in the table and drawn; others only occupy their nodes */
	bool preemptible;
} storus_job_t;

typedef struct storus_node {
	char *name;
	bool usable;
	const char *state; /* "up", or why it is not usable; a constant */
	uint32_t weight;   /* Slurm's Weight= */
} storus_node_t;

/* A reservation: its nodes are not for jobs outside it from [start] until [end]. */
typedef struct storus_reserved {
	char *name;
	char *nodelist;
	int64_t start;	/* seconds since 1970 */
	int64_t end;	/* INT64_MAX: never */
	int64_t period; /* seconds after which it begins again; 0: once */
} storus_reserved_t;

typedef struct storus_jobs {
	uint32_t count;
	storus_job_t *job; /* [count] */
	uint32_t reservations;
	storus_reserved_t *reservation; /* [reservations] */
	bool nodes_known; /* whether the following is all nodes that Slurm has */
	uint32_t nodes;
	storus_node_t *node; /* [nodes] sorted by storus_jobs_sort_nodes() */
} storus_jobs_t;

/* Append an empty job, or reservation, and return it. NULL: out of memory. */
storus_job_t *storus_jobs_add(storus_jobs_t *jobs);
storus_reserved_t *storus_jobs_add_reservation(storus_jobs_t *jobs);

/*
 * Read jobs from the file [path] ("-": standard input), "JOB HOSTLIST [NAME=VALUE...]" a
 * line, JOB being any word and NAME one of STORUS_JOB_TEXTS, start, end or preemptible
 * (yes or no); times are seconds since 1970, or as squeue prints them
 * (2026-11-22T18:00:00, or NONE, N/A, Unknown); `#` comments and empty lines allowed. A
 * line with reservation=yes is a reservation, with start, end (unknown: from ever, for
 * ever) and repeat (hourly, daily or weekly).
 * Every node counts as usable. On success *jobs is to be cleared with
 * storus_jobs_clear(). Returns 0, or -1 with [err] filled as "PATH:LINE: reason"; then
 * *jobs is empty.
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

/* Sort the nodes by name, for the following. */
void storus_jobs_sort_nodes(storus_jobs_t *jobs);

/* The node called [name], or NULL when Slurm has none of that name or was not asked. */
const storus_node_t *storus_jobs_find_node(const storus_jobs_t *jobs, const char *name);

/* Free what *jobs holds and make it empty. */
void storus_jobs_clear(storus_jobs_t *jobs);

#endif
