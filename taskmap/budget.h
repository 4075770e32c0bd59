/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The budget of the mappers that search. */
#ifndef TORUS_TASKMAP_BUDGET_H
#define TORUS_TASKMAP_BUDGET_H

#include <stdint.h>

/*
 * A search stops at whichever limit it reaches first, and never returns a mapping worse
 * than the one it began with. If [work] is the limit that stops it, the result depends
 * only on the job, the seed and the number of threads.
 */
typedef struct torus_mapper_budget {
	uint64_t work;	/* in distances looked up, each between two nodes */
	double seconds; /* of processor time */
	uint64_t seed;
	uint32_t threads; /* that anneal large jobs, each with all of this budget; 0: 1 */
} torus_mapper_budget_t;

/*
 * Turns seconds into work: distances that today's processors look up in a second, less a
 * third, since `best` spends one and a half budgets.
 */
#define TORUS_MAPPER_WORK_PER_SECOND 220e6

/*
 * The clock may take this many times the seconds asked for before it ends a search. A
 * quiet processor needs up to twice the seconds, and code that sanitizers watch on a busy
 * one has been seen to need more than four times as many.
 */
#define TORUS_MAPPER_GRACE 10

/* No more threads. */
#define TORUS_MAPPER_THREADS_MOST 256

/* What storus map spends unless told otherwise. */
#define TORUS_MAPPER_SECONDS 0.5
#define TORUS_MAPPER_SEED 1

/* The budget of about so many [seconds]: work is the limit except on slow processors. */
static inline torus_mapper_budget_t torus_mapper_budget(double seconds, uint64_t seed)
{
	return (torus_mapper_budget_t){
		.work = (uint64_t)(seconds * TORUS_MAPPER_WORK_PER_SECOND),
		.seconds = seconds * TORUS_MAPPER_GRACE,
		.seed = seed,
	};
}

#endif
