/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run times that depend on how compact an allocation is:
 *
 *     run time * (1 + weight * (m / ideal - 1)),  but never shorter than in the log,
 *
 * where m is a metric of the allocation and `ideal` its value for as many nodes filled, x
 * fastest, into the most cubic box that holds them and fits the machine. If the ideal is
 * 0 (as for distance within one router), there is no penalty.
 *
 * On a machine of cubes m is that of the job's own torus (torus/joined.h), and so is the
 * ideal: of as many nodes as whole cubes have on the most compact torus of these, of
 * fewer than one has in such a box within it, of others in a box of the grid.
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
 * an unknown metric, one of which more is not worse (contiguous), or a weight that is not
 * a number of at least 0.
 */
int torus_slowdown_parse(const char *text, torus_slowdown_t *slowdown,
			 torus_error_t *err);

#endif
