/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rest of a search's budget. */
#ifndef TORUS_TASKMAP_SEARCH_EFFORT_H
#define TORUS_TASKMAP_SEARCH_EFFORT_H

#include <stdbool.h>
#include <stdint.h>

#include "taskmap/budget.h"

/* What is left of a budget. */
typedef struct torus_effort {
	uint64_t work;	   /* distances still to be looked up */
	uint64_t unlooked; /* distances until the clock is looked at again */
	double deadline;   /* in processor time of the thread, seconds */
	bool over;
} torus_effort_t;

/* Begin to spend [budget] now. */
void torus_effort_begin(const torus_mapper_budget_t *budget, torus_effort_t *effort);

/*
 * Set [work] of the rest aside as an effort of its own (all of it, if less is left);
 * torus_effort_return() gives back what of it was not spent.
 */
torus_effort_t torus_effort_part(torus_effort_t *effort, uint64_t work);
void torus_effort_return(torus_effort_t *effort, const torus_effort_t *part);

/* What is left, in seconds of processor time. */
double torus_effort_seconds(const torus_effort_t *effort);

/* Look at the clock. Only for torus_effort_spend(). */
void torus_effort_look(torus_effort_t *effort);

/* Spend [work]; returns false when the budget has run out. */
static inline bool torus_effort_spend(torus_effort_t *effort, uint64_t work)
{
	if (work > effort->work) {
		effort->work = 0;
		effort->over = true;
		return false;
	}
	effort->work -= work;
	if (work > effort->unlooked)
		torus_effort_look(effort);
	else
		effort->unlooked -= work;
	return !effort->over;
}

#endif
