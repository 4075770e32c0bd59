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

/* Clear from [nodes] what the job could not use at [when], see usable.h. */
void keep_usable(job_decision_t *d, bitstr_t *nodes, uint32_t count, time_t when);

/* The running jobs; owned by the decision. */
const usable_timeline_t *active_jobs(job_decision_t *d);

/* Note, and log, whose choice [nodes] are. */
void note_decision(job_decision_t *d, const bitstr_t *nodes, torus_tally_by_t by);

#endif
