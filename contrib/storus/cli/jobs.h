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
	bool hidden; /* stands for all jobs that Slurm does not show to this user */
	bool preemptible;
} storus_job_t;

/* A job that waits. */
typedef struct storus_waiting {
	/* What is known of it; nodelist: the nodes that Slurm has planned, or NULL;
	 * start: when, 0 when unknown. */
	storus_job_t job;
	char *reason;	   /* as squeue prints it */
	uint32_t nodes;	   /* that it asked for */
	int64_t seconds;   /* of its time limit; 0: none, or not known */
	bool contiguous;   /* --contiguous */
	char *excluded;	   /* --exclude, a hostlist, or NULL */
	char *reservation; /* that it is to run in, or NULL */
	uint32_t priority; /* 0: held */
} storus_waiting_t;

typedef struct storus_node {
	char *name;
	bool usable;
	bool busy;     /* a job has it, also one that is not in the list */
	bool reserved; /* a reservation has it now, also one that is not in the list */
	const char *state; /* "up", or why it is not usable; a constant */
	char *reason;	   /* that somebody gave for its state, or NULL */
	uint32_t weight;   /* Slurm's Weight= */
} storus_node_t;

/* A reservation: its nodes are not for jobs outside it from [start] until [end]. */
typedef struct storus_reserved {
	char *name; /* NULL: not to be told, or hidden from this user */
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
	bool waiting_known;		/* whether the following is all that wait */
	uint32_t waiting_count;
	storus_waiting_t *waiting; /* [waiting_count], the highest priority first */
	bool nodes_known;	   /* whether the following is all nodes that Slurm has */
	uint32_t nodes;
	storus_node_t *node; /* [nodes] sorted by storus_jobs_sort_nodes() */
} storus_jobs_t;

/* Append an empty job, reservation or job that waits, and return it. NULL: out of memory.
 */
storus_job_t *storus_jobs_add(storus_jobs_t *jobs);
storus_reserved_t *storus_jobs_add_reservation(storus_jobs_t *jobs);
storus_waiting_t *storus_jobs_add_waiting(storus_jobs_t *jobs);

/*
 * Mark the nodes of the hostlist [nodelist] in marked[jobs->nodes], by their place in
 * jobs->node. Returns 0, or -1 with [err] filled.
 */
int storus_jobs_mark(const storus_jobs_t *jobs, const char *nodelist, bool *marked,
		     torus_error_t *err);

/*
 * Make unusable what the job may not have: nodes outside [nodelist] (NULL: nothing is
 * known of it), outside the reservation it is to run in, which keeps nothing from it then
 * and is taken away, and those that it excludes. Returns 0, or -1 with [err] filled.
 */
int storus_jobs_confine(storus_jobs_t *jobs, const storus_waiting_t *waiting,
			const char *nodelist, torus_error_t *err);

/* The name of the reservation, or what stands for one that is not to be told. */
const char *storus_reserved_name(const storus_reserved_t *reserved);

/*
 * Add what only the states of the nodes tell: a job that is not listed and has all nodes
 * that are busy and that none of the jobs has, "hidden", without an end; and a
 * reservation without a name or an end, of the nodes that are reserved and that none of
 * those in force at [now] has. Neither is added where it would have no nodes. Returns 0,
 * or -1 with [err] filled.
 */
int storus_jobs_add_hidden(storus_jobs_t *jobs, int64_t now, torus_error_t *err);

/* Whether the reservation is in force at [time] (seconds since 1970). */
bool storus_reserved_at(const storus_reserved_t *reserved, int64_t time);

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

/* Sort those that wait by their priority, and of the same one by their numbers. */
void storus_jobs_sort_waiting(storus_jobs_t *jobs);

/* Keep the first [count] of those that wait. */
void storus_jobs_cut_waiting(storus_jobs_t *jobs, uint32_t count);

/* Sort the nodes by name, for the following. */
void storus_jobs_sort_nodes(storus_jobs_t *jobs);

/* The node called [name], or NULL when Slurm has none of that name or was not asked. */
const storus_node_t *storus_jobs_find_node(const storus_jobs_t *jobs, const char *name);

/* As if Slurm had not been asked for nodes. */
void storus_jobs_forget_nodes(storus_jobs_t *jobs);

/* Free what *jobs holds and make it empty. */
void storus_jobs_clear(storus_jobs_t *jobs);

#endif
