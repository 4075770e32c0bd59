/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans that backfill asks for twice. For a job that did not ask for nodes of its own it
 * asks first as if it had (share_res 0), and if the job would start later or never, once
 * more as the job is. Where processors are not shared the answer is the same, and a plan
 * is what costs most: the first one is kept for that second question.
 *
 * Between the two backfill holds slurmctld's locks for jobs and nodes, so that nothing
 * can start, end or change. That it is the second of two such questions is told by this:
 * the same thread asks, no other function of the plugin has been called in between, all
 * that was asked is the same but for share_res, which was 0 and is not now, and the first
 * answer was one after which backfill asks again. If anything differs, it is a question
 * of its own.
 */
#ifndef TORUS_ASKED_TWICE_H
#define TORUS_ASKED_TWICE_H

#include "select/cons_tres_state.h"
#include "select/job_decide.h"

#include <pthread.h>
#include <stdatomic.h>

/* The last answer. All zeros: none. Calls for one of these must exclude each other, but
 * for asked_twice_forget(). */
typedef struct asked_twice {
	atomic_bool kept; /* there is one, and no other function has been called since */
	bool first;	  /* the question may be the first of two */
	pthread_t thread; /* that asked */
	job_test_call_t call;
	uint32_t job_id;
	const part_record_t *partition;
	uint64_t bit_flags; /* of the job */
	uint8_t whole_node; /* of its details */
	enum node_cr_state kind;
	bitstr_t *offered; /* or NULL */
	time_t nodes_changed, partitions_changed, reservations_changed;
	/* The answer, and what a plan leaves in the job's record. */
	int rc;
	bitstr_t *nodes;
	time_t start_time;
	uint32_t total_cpus;
} asked_twice_t;

/*
 * The answer to [call], if that is the second question: leaves the chosen nodes in
 * [bitmap], sets *rc and returns true. In any case no answer is kept afterwards.
 */
bool asked_twice_answer(asked_twice_t *asked, const job_test_call_t *call,
			bitstr_t *bitmap, int *rc);

/* Note the question before it is answered, and the answer. */
void asked_twice_begin(asked_twice_t *asked, const job_test_call_t *call,
		       const bitstr_t *bitmap);
void asked_twice_end(asked_twice_t *asked, int rc, const bitstr_t *bitmap);

/* Something else has happened: the next question is one of its own. From any thread. */
void asked_twice_forget(asked_twice_t *asked);

/* Free what is kept. */
void asked_twice_clear(asked_twice_t *asked);

#endif
