/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks the engine, and the line in the log about it. */
#ifndef TORUS_ASK_ENGINE_H
#define TORUS_ASK_ENGINE_H

#include "select/decision.h"

/*
 * Have the engine choose [count] of the [candidates] into [chosen]; false: it can not.
 *
 * Where the count does not matter it is 0, here and below: of a shape, and where an
 * interval for a --contiguous job is to be the shortest with enough processors (see
 * interval.h) among the nodes that the last keep_usable() has seen.
 */
bool ask_engine(decision_t *d, const bitstr_t *candidates, uint32_t count,
		bitstr_t *chosen);

/*
 * The same among those of [scope] that are usable at [when] (0: now) for the job on
 * [count] nodes.
 */
bool ask_engine_at(decision_t *d, const bitstr_t *scope, uint32_t count, time_t when,
		   bitstr_t *chosen);

/*
 * Whether an interval with enough processors for the --contiguous job on [count] nodes
 * may lack room for an even share on each, where nodes have different numbers of them
 * free: it is then worth asking without a count.
 */
bool may_be_uneven(const decision_t *d, uint32_t count);

/*
 * The first time at which enough running jobs have reached their time limit for the
 * engine to find [count] nodes in [scope], or any number of them if they may be uneven.
 * 0: there is none.
 *
 * The choice in [chosen] is one for *group_end, the last end of the group of ends in
 * which Slurm's plugin looks at that time: for the first time itself nearly all nodes
 * that are idle now would be needed, and kept from shorter jobs.
 */
time_t ask_engine_when(decision_t *d, const bitstr_t *scope, uint32_t count,
		       bitstr_t *chosen, time_t *group_end);

/* Clear from [nodes] what the job could not use at [when], see usable.h. */
void keep_usable(decision_t *d, bitstr_t *nodes, uint32_t count, time_t when);

/* Where the filters of usable.h are to note processors; NULL if [count] matters. */
uint32_t *cpus_wanted(decision_t *d, uint32_t count);

/* The running jobs; owned by the decision. */
const usable_timeline_t *active_jobs(decision_t *d);

/* Log the decision for [nodes], made in the way that [who] says. */
void log_decision(const decision_t *d, const bitstr_t *nodes, const char *who);

#endif
