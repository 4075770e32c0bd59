/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that communicate: where their ranks are, and what they send. */
#ifndef CONTEND_JOB_H
#define CONTEND_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "pattern.h"

#define CONTEND_PATTERNS 8
#define CONTEND_MOST_FLITS 1000000u

typedef struct contend_job {
	char *name;	 /* owned, or NULL */
	char *word;	 /* the patterns as they were written; owned, or NULL */
	uint32_t *node;	 /* [ranks] owned; several ranks may be on one node */
	uint32_t ranks;	 /* at least 1 */
	uint32_t rounds; /* at least 1 */
	uint64_t steps;	 /* 0: all that its rounds have; else it ends after so many */
	double bytes;	 /* of each message, above 0 */
	uint64_t sizes;	 /* see contend_job_flits(); 0: all messages are alike */
	int patterns;
	/* A round is a round of each of these, one after the other. */
	contend_pattern_t pattern[CONTEND_PATTERNS];
} contend_job_t;

typedef struct contend_jobs {
	contend_job_t *job; /* [count], owned */
	size_t count;
} contend_jobs_t;

/*
 * Set the patterns of [job], whose ranks are set, to [text]: names joined by `+`. Returns
 * 0, or -1 with [err] filled: an unknown name, more than CONTEND_PATTERNS.
 */
int contend_job_set_patterns(contend_job_t *job, const char *text, torus_error_t *err);

/*
 * Read the whole of [text] as a number of rounds, 1 .. 2^32-1, or of bytes, at least 1.
 * Return 0, or -1 with [err] filled.
 */
int contend_rounds_parse(const char *text, uint32_t *rounds, torus_error_t *err);
int contend_bytes_parse(const char *text, double *bytes, torus_error_t *err);

/* Messages of a round. */
uint64_t contend_job_messages(const contend_job_t *job);

/* After how many steps, of one round and more, it has sent [messages], 1 or more. 0: it
 * sends none. */
uint64_t contend_job_steps_for(const contend_job_t *job, uint64_t messages);

/*
 * How long the message of a sender's [slot] (rank * lanes + lane) in the [step]th step of
 * all its rounds is, if they are [mean] (>= 1) flits long by mean: [mean] where
 * job->sizes is 0; otherwise by chance, as often k as (1 - 1/mean)^(k-1) / mean, which is
 * the exponential distribution of whole flits, and decided by sizes, step and slot.
 */
uint32_t contend_job_flits(const contend_job_t *job, uint64_t step, uint64_t slot,
			   uint32_t mean);

/* Steps of a round; the most messages that are under way at once. */
uint32_t contend_job_steps(const contend_job_t *job);
uint64_t contend_job_lanes(const contend_job_t *job);

/* Bytes a second of a message from one node to another that has its links to itself. */
typedef double contend_rate_t(const void *network, uint32_t from, uint32_t to);

/*
 * Seconds that the job would take if each message had its links to itself, where that
 * makes it [rate] bytes a second: a step takes as long as its slowest message.
 */
double contend_job_undisturbed(const contend_job_t *job, contend_rate_t *rate,
			       const void *network);

/*
 * Read jobs from text[0 .. length-1], called [path] in messages, a line each, in the
 * manner of base/lines.h:
 *
 *   NAME PATTERN[+PATTERN...] ROUNDS BYTES NODE,NODE,...
 *
 * The nodes, each below [nodes], are those of rank 0, 1, ... as
 * torus_ranklist_parse_sequence() takes them. Returns 0, with [jobs] to be freed by
 * contend_jobs_clear(); or -1 with [err] as "PATH:LINE: reason", and nothing to be freed.
 */
int contend_jobs_read(const char *text, size_t length, const char *path, uint32_t nodes,
		      contend_jobs_t *jobs, torus_error_t *err);
void contend_jobs_clear(contend_jobs_t *jobs);

#endif
