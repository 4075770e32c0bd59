/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strict jobs on a small machine, a line of nodes on which jobs run, with the sources
 * (decide/job.h) that select/torus and topology/torus have of it, beside a slow twin that
 * looks at every time and every place.
 */
#ifndef TORUS_TEST_JOB_CASE_H
#define TORUS_TEST_JOB_CASE_H

#include "decide/job.h"

#define NODES 12
#define ENDS 6
#define REFUSED (-7) /* of the sources here, less the reason */

typedef struct machine {
	uint32_t may_have;   /* nodes that the job may ever have */
	uint32_t held[ENDS]; /* nodes of the jobs that end then */
	uint32_t preempted;  /* of these, nodes of jobs that may be preempted */
	uint32_t unfit;	     /* nodes that the verifier refuses in every place */
	int size;	     /* nodes that the job wants, side by side */
	bool grows;	     /* places may come */
	bool tells;	     /* whether all nodes count as free */
} machine_t;

/* What the verifier answers that chooses of all nodes. */
#define LEFT 1
/* What is no for now, and yes for ever. */
#define POSTPONED 3

/* The nodes that are free after so many ends; the first is 1. */
static inline uint32_t free_after(const machine_t *machine, int ends)
{
	uint32_t free = machine->may_have;

	for (int i = ends; i < ENDS; i++)
		free &= ~machine->held[i];
	return free;
}

/* The first place among [nodes]; 0: there is none. */
static inline uint32_t first_place(const machine_t *machine, uint32_t nodes)
{
	uint32_t place = (1u << machine->size) - 1;

	for (int i = 0; i + machine->size <= NODES; i++, place <<= 1) {
		if ((place & nodes) == place)
			return place;
	}
	return 0;
}

/* What a source knows, and the place that it has found. */
typedef struct knows {
	const machine_t *machine;
	uint32_t offered; /* at the one time; of a plan: that are not refused */
	bool ever;
	bool preempts;
	int finds;	/* so far */
	uint32_t place; /* the last one found */
	int when;	/* ends before it; -1: at the cost of others */
} knows_t;

static inline torus_outcome_t find_among(knows_t *knows, uint32_t nodes, int when)
{
	knows->finds++;
	knows->place = first_place(knows->machine, nodes & ~knows->machine->unfit);
	knows->when = when;
	return knows->place ? TORUS_PLACE_FOUND : TORUS_NO_PLACE;
}

static inline bool is_possible(void *context, bool whole)
{
	const knows_t *knows = context;

	(void)whole;
	return first_place(knows->machine, knows->machine->may_have) != 0;
}

static inline int refuse(void *context, torus_never_t why)
{
	(void)context;
	return REFUSED - (int)why;
}

/* As select/torus: it sees all times. */
static inline torus_outcome_t select_find(void *context, torus_at_t at, int64_t when)
{
	knows_t *knows = context;
	const machine_t *machine = knows->machine;

	switch (at) {
	case TORUS_AT_NOW:
		return find_among(knows, free_after(machine, 0), 0);
	case TORUS_AT_PREEMPTING:
		return knows->preempts
			       ? find_among(knows,
					    free_after(machine, 0) | (machine->preempted &
								      machine->may_have),
					    -1)
			       : TORUS_UNDECIDED;
	case TORUS_AT_TIME:
		return find_among(knows, free_after(machine, (int)when) & knows->offered,
				  (int)when);
	default:
		return find_among(knows, machine->may_have, ENDS);
	}
}

static inline int64_t select_next_time(void *context)
{
	const knows_t *knows = context;

	for (int ends = 1; ends <= ENDS; ends++) {
		if (first_place(knows->machine,
				free_after(knows->machine, ends) & knows->offered))
			return ends;
	}
	return 0;
}

static inline bool select_narrow(void *context)
{
	knows_t *knows = context;
	uint32_t before = knows->offered;

	knows->offered &= ~knows->machine->unfit;
	return knows->offered != before;
}

/* As topology/torus: it sees the nodes that are free at the time that Slurm asks about.
 */
static inline torus_outcome_t topology_find(void *context, torus_at_t at, int64_t when)
{
	knows_t *knows = context;

	(void)at, (void)when;
	return find_among(knows, knows->offered, knows->when);
}

static inline bool topology_was_ever(void *context)
{
	const knows_t *knows = context;

	return knows->machine->tells && knows->ever;
}

static inline bool may_come(void *context)
{
	const knows_t *knows = context;

	return knows->machine->grows;
}

static inline int leave(void *context)
{
	const knows_t *knows = context;

	/* The sources here know always, but for what may come. */
	return knows->machine->grows ? LEFT : LEFT + 1;
}

static inline int topology_postpone(void *context)
{
	(void)context;
	return POSTPONED;
}

static const torus_job_source_t select_source = {
	.find = select_find,
	.next_time = select_next_time,
	.narrow = select_narrow,
	.is_possible = is_possible,
	.may_come = may_come,
	.refuse = refuse,
	.leave = leave,
};

static const torus_job_source_t topology_source = {
	.find = topology_find,
	.was_ever = topology_was_ever,
	.is_possible = is_possible,
	.may_come = may_come,
	.refuse = refuse,
	.leave = leave,
	.postpone = topology_postpone,
};

/* What became of a job. */
typedef struct fate {
	int answer;
	uint32_t place;
	int when;
} fate_t;

static inline int ask_with(knows_t *knows, torus_job_source_t source, torus_asked_t asked)
{
	const torus_job_t job = {.asked = asked, .contiguous = true};

	source.context = knows;
	return torus_job_strictly(&job, &source, false);
}

static inline fate_t fate_of(const knows_t *knows, int answer)
{
	fate_t fate = {.answer = answer};

	if (!answer) {
		fate.place = knows->place;
		fate.when = knows->when;
	}
	return fate;
}

static inline fate_t by_select(const machine_t *machine, torus_asked_t asked,
			       bool preempts)
{
	knows_t knows = {
		.machine = machine, .offered = machine->may_have, .preempts = preempts};

	return fate_of(&knows, ask_with(&knows, select_source, asked));
}

/* How Slurm, which knows what it asks, takes the answer. */
static inline int as_taken(int answer, torus_asked_t asked)
{
	if (answer == POSTPONED)
		return asked == TORUS_ASKED_EVER ? LEFT : TORUS_JOB_WAITS;
	if (answer == TORUS_JOB_WAITS && asked == TORUS_ASKED_EVER)
		return REFUSED - (int)TORUS_NEVER_HAS;
	return answer;
}

/* Slurm asks topology/torus about one time after the other, until it says yes. */
static inline fate_t by_topology(const machine_t *machine, torus_asked_t asked,
				 bool preempts)
{
	knows_t knows = {.machine = machine};
	int answer;

	if (asked == TORUS_ASKED_EVER) {
		knows.ever = true;
		knows.when = ENDS;
		knows.offered = machine->may_have;
		answer = ask_with(&knows, topology_source, TORUS_ASKED_ONCE);
		return fate_of(&knows, as_taken(answer, asked));
	}
	for (int ends = 0; ends <= (asked == TORUS_ASKED_PLAN ? ENDS : 0); ends++) {
		knows.offered = free_after(machine, ends);
		knows.when = ends;
		answer = as_taken(ask_with(&knows, topology_source, TORUS_ASKED_ONCE),
				  asked);
		if (answer == TORUS_JOB_WAITS && !ends && preempts) {
			knows.offered |= machine->preempted & machine->may_have;
			knows.when = -1;
			answer = as_taken(ask_with(&knows, topology_source,
						   TORUS_ASKED_ONCE),
					  asked);
		}
		if (answer != TORUS_JOB_WAITS)
			break;
	}
	return fate_of(&knows, answer);
}

/* The slow twin. */
static inline fate_t slowly(const machine_t *machine, torus_asked_t asked, bool preempts)
{
	uint32_t good = ~machine->unfit;
	fate_t fate = {.answer = TORUS_JOB_WAITS};

	for (int when = 0; when <= ENDS && fate.answer; when++) {
		uint32_t free = free_after(machine, when);

		if (asked == TORUS_ASKED_EVER && when < ENDS)
			continue;
		if (asked == TORUS_ASKED_START && when)
			break;
		fate.place = first_place(machine, free & good);
		fate.when = when;
		if (!fate.place && !when && preempts) {
			fate.place = first_place(
				machine,
				(free | (machine->preempted & machine->may_have)) & good);
			fate.when = -1;
		}
		if (fate.place)
			fate.answer = TORUS_JOB_PLACED;
	}
	if (fate.answer)
		fate = (fate_t){.answer = fate.answer};
	if (fate.answer && asked == TORUS_ASKED_EVER && machine->grows)
		fate.answer = LEFT;
	else if (fate.answer && asked == TORUS_ASKED_EVER)
		fate.answer = REFUSED - (int)(first_place(machine, machine->may_have)
						      ? TORUS_NEVER_HAS
						      : TORUS_NEVER_INTERVAL);
	return fate;
}

/* Gives a number between two others. */
typedef uint32_t job_number_t(uint32_t low, uint32_t high);

/* A set of nodes, one of [share] of them. */
static inline uint32_t some_nodes(job_number_t *number, uint32_t share)
{
	uint32_t nodes = 0;

	for (int node = 0; node < NODES; node++)
		nodes |= (uint32_t)(number(1, share) == share) << node;
	return nodes;
}

/* A machine made of such numbers. */
static inline machine_t job_case_make(job_number_t *number)
{
	machine_t machine = {0};
	uint32_t taken = 0;

	machine.may_have = ((1u << NODES) - 1) & ~some_nodes(number, 8);
	machine.size = (int)number(1, 8);
	machine.grows = number(0, 3) == 1;
	if (number(0, 1))
		machine.unfit = some_nodes(number, 8);
	for (int i = 0; i < ENDS; i++) {
		machine.held[i] = some_nodes(number, 4) & ~taken;
		taken |= machine.held[i];
		if (number(0, 1))
			machine.preempted |= machine.held[i];
	}
	machine.tells = number(0, 1);
	return machine;
}

static inline bool is_same(fate_t one, fate_t other)
{
	return one.answer == other.answer && one.place == other.place &&
	       one.when == other.when;
}

#endif
