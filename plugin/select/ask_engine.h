/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks the engine, and the line in the log about it. */
#ifndef TORUS_ASK_ENGINE_H
#define TORUS_ASK_ENGINE_H

#include "select/job_decision.h"

/*
 * The request for [count] nodes. A strict job's request is for the place that it asks
 * for: its count is ignored, here and below, and keep_usable() must have seen the
 * candidates.
 */
choice_request_t engine_request(const job_decision_t *d, uint32_t count);

/* A number of nodes than which the place for that request has no fewer. */
uint32_t ask_engine_fewest(const job_decision_t *d, uint32_t count);

/* Have the engine choose [count] of the [candidates] into [chosen]; false: it can not. */
bool ask_engine(job_decision_t *d, bitstr_t *candidates, uint32_t count,
		bitstr_t *chosen);

/*
 * The first time at which enough running jobs have reached their time limit for the
 * engine to find [count] nodes in [scope]. 0: there is none.
 *
 * [chosen] is the choice for a later time, *group_end: the last end in the group of job
 * ends to which the first time belongs (see end_of_group()). A choice for the first time
 * itself would hold nearly all nodes that are idle now, and keep shorter jobs from them.
 */
time_t ask_engine_when(job_decision_t *d, const bitstr_t *scope, uint32_t count,
		       bitstr_t *chosen, time_t *group_end);
/* The same for a strict job, of which only the last end of that group is wanted. *never:
 * there is no place by the end of the window of time that backfill asks about either. */
time_t ask_engine_group_end(job_decision_t *d, const bitstr_t *scope, bool *never);

/* The last end of the group of job ends that contains the end [when], of the jobs on the
 * nodes of [scope] (torus_ends_group()). */
time_t end_of_group(const job_test_call_t *call, const bitstr_t *scope, time_t when);

/* Clear from [nodes] those that are not usable for the job at [when], see usable.h. */
void keep_usable(job_decision_t *d, bitstr_t *nodes, uint32_t count, time_t when);

/* What running jobs hold at later times; owned by the decision. */
const usable_timeline_t *timeline_of(job_decision_t *d);

/* Note, and log, whose choice [nodes] are. */
void note_decision(job_decision_t *d, const bitstr_t *nodes, torus_tally_by_t by);

#endif
