/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes to a workload before it is replayed: less of it, or more work. */
#ifndef TORUS_SIM_TRANSFORM_H
#define TORUS_SIM_TRANSFORM_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/workload.h"

/* How much later than the job itself its copies are submitted, at most. */
#define TORUS_REPLICATE_LATEST (3600 * TORUS_SECOND)

/* Nothing is changed by {.work_multiple = 1, .replicate = 1}. */
typedef struct torus_transform {
	size_t max_jobs;      /* only so many jobs, the first submitted; 0: all */
	uint32_t replicate;   /* each job so many times, at least 1 */
	double work_multiple; /* run times and estimates times this, above 0 */
	uint64_t memory;      /* most bytes that a simulation of all may need; 0: any */
	uint64_t seed;	      /* of the submission times of copies */
} torus_transform_t;

/*
 * Apply [transform] to a workload that is sorted, in the order of its members; it is
 * sorted afterwards. A copy is submitted up to TORUS_REPLICATE_LATEST later than its
 * original, every microsecond equally likely; its number is that of the original plus a
 * multiple of the first power of ten above all numbers: 17, 100017, 200017. Returns 0, or
 * -1 with [err] filled: memory; more copies than there is memory to simulate or than a
 * simulation takes; a time or a number that becomes too large.
 */
int torus_workload_transform(torus_workload_t *workload,
			     const torus_transform_t *transform, torus_error_t *err);

#endif
