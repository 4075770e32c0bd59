/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the benchmarks of the engine share: their seed, their clock, and medians. Include
 * it first, or define _POSIX_C_SOURCE before any other header.
 */
#ifndef TORUS_BENCH_H
#define TORUS_BENCH_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"

/* The state of torus_random_next(): the environment's TORUS_BENCH_SEED, or 1. */
static inline uint64_t bench_seed(void)
{
	const char *text = getenv("TORUS_BENCH_SEED");
	uint64_t seed = text ? strtoull(text, NULL, 10) : 0;

	return seed ? seed : 1;
}

/* Nanoseconds of processor time: others may be using the machine too. */
static inline double bench_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return left < right ? -1 : left > right;
}

/* The median of the [count] values, which it sorts. */
static inline double bench_median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), bench_compare);
	return values[count / 2];
}

#endif
