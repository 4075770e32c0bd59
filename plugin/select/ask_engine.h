/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks the engine, and the line in the log about it. */
#ifndef TORUS_ASK_ENGINE_H
#define TORUS_ASK_ENGINE_H

#include "select/decision.h"

/*
 * The request for [count] nodes; for a strict job, here and below, the count does not
 * matter, and the request is for what it asks for, among nodes that keep_usable() or the
 * like has seen.
 */
choice_request_t engine_request(const job_decision_t *d, uint32_t count);

/* Have the engine choose [count] of the [candidates] into [chosen]; false: it can not. */
bool ask_engine(job_decision_t *d, bitstr_t *candidates, uint32_t count,
		bitstr_t *chosen);

/*
 * The first time at which enough running jobs have reached their time limit for the
 * engine to find [count] nodes in [scope]. 0: there is none.
 *
 * The choice in [chosen] is one for *group_end, the last end of the group of ends in
 * which Slurm's plugin looks at that time: for the first time itself nearly all nodes
 * that are idle now would be needed, and kept from shorter jobs.
 */
time_t ask_engine_when(job_decision_t *d, const bitstr_t *scope, uint32_t count,
		       bitstr_t *chosen, time_t *group_end);

/*
 * Slurm's plugin looks at the ends of running jobs on the nodes of [scope] in groups, and
 * asks itself after each whether the job could start. The first goes to half a minute
 * after the first end, rounded up to half a minute, and each is longer than the one
 * before. It compares the next job's end, on whatever nodes, when it has taken a job: the
 * first one of a group belongs to it however late that is. The last end of the group of
 * [when], which is one.
 */
time_t end_of_group(const job_test_call_t *call, const bitstr_t *scope, time_t when);

/* Clear from [nodes] what the job could not use at [when], see usable.h. */
void keep_usable(job_decision_t *d, bitstr_t *nodes, uint32_t count, time_t when);

/* What is in use later; owned by the decision. */
const usable_timeline_t *timeline_of(job_decision_t *d);

/* Note, and log, whose choice [nodes] are. */
void note_decision(job_decision_t *d, const bitstr_t *nodes, torus_tally_by_t by);

#endif
