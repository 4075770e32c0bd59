/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spending a search budget: see taskmap/search/effort.h. */
#include "taskmap/search/effort.h"

#include <time.h>

/* Look at the clock after this many distances, which take less than a millisecond. */
#define LOOK_INTERVAL 50000

/* The processor's clock: waiting for other processes must not change the result. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void torus_effort_begin(const torus_mapper_budget_t *budget, torus_effort_t *effort)
{
	*effort = (torus_effort_t){
		.work = budget->work,
		.unlooked = LOOK_INTERVAL,
		.deadline = now() + budget->seconds,
		.over = !budget->work || budget->seconds <= 0,
	};
}

double torus_effort_seconds(const torus_effort_t *effort)
{
	return effort->deadline - now();
}

void torus_effort_look(torus_effort_t *effort)
{
	effort->unlooked = LOOK_INTERVAL;
	if (now() >= effort->deadline)
		effort->over = true;
}

torus_effort_t torus_effort_part(torus_effort_t *effort, uint64_t work)
{
	torus_effort_t part = *effort;

	part.work = work < effort->work ? work : effort->work;
	part.over = effort->over || !part.work;
	effort->work -= part.work;
	return part;
}

void torus_effort_return(torus_effort_t *effort, const torus_effort_t *part)
{
	effort->work += part->work;
	/* When a part has run out of work the whole goes on; the clock ends both. */
	torus_effort_look(effort);
	if (!effort->work)
		effort->over = true;
}
