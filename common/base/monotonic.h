/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock that only rises, whoever sets the time of day. */
#ifndef TORUS_BASE_MONOTONIC_H
#define TORUS_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

#define TORUS_NS_PER_SECOND INT64_C(1000000000)

/* Nanoseconds of it. */
static inline int64_t torus_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * TORUS_NS_PER_SECOND + now.tv_nsec;
}

#endif
