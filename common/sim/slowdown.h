/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run times that depend on how compact an allocation is:
 *
 *     run time * (1 + weight * (m / ideal - 1)),  but never shorter than in the log,
 *
 * m being a metric of the allocation and `ideal` what it is for the same number of nodes
 * filled, x fastest, into the box most like a cube that holds them and fits the machine.
 * Where the ideal is 0 (one router has no distance), there is no penalty.
 */
#ifndef TORUS_SIM_SLOWDOWN_H
#define TORUS_SIM_SLOWDOWN_H

#include "base/error.h"

/* No slowdown: {0}. */
typedef struct torus_slowdown {
	int metric;    /* number of metrics/values.h */
	double weight; /* at least 0 */
} torus_slowdown_t;

/*
 * Read "METRIC:WEIGHT", e.g. "average_distance:0.5". Returns 0, or -1 with [err] filled:
 * a metric that is not one or of which more is not worse (contiguous), a weight that is
 * no number of at least 0.
 */
int torus_slowdown_parse(const char *text, torus_slowdown_t *slowdown,
			 torus_error_t *err);

#endif
