/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the mappers that search may do so. */
#ifndef TORUS_TASKMAP_BUDGET_H
#define TORUS_TASKMAP_BUDGET_H

#include <stdint.h>

/*
 * A search stops at whichever limit comes first, and never returns something worse than
 * what it began with. When it is [work] that stops it, the result depends on the job and
 * the seed alone.
 */
typedef struct torus_mapper_budget {
	uint64_t work;	/* in distances between two nodes looked up */
	double seconds; /* of processor time */
	uint64_t seed;
} torus_mapper_budget_t;

/*
 * Distances that a processor of today looks up in a second, with room for the half more
 * that best takes: turns seconds into work.
 */
#define TORUS_MAPPER_WORK_PER_SECOND 220e6

#endif
