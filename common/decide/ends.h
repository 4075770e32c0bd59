/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ends of the running jobs: the times at which more nodes are free. Among them the
 * first is looked for at which a job has its place.
 */
#ifndef TORUS_DECIDE_ENDS_H
#define TORUS_DECIDE_ENDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct torus_ends {
	int count;
	const int64_t *end; /* [count] seconds, ascending */
} torus_ends_t;

/*
 * The index of the first end at which [fits] says yes, given that it says so at every
 * later one, too; ends->count: at none. It tries ends from the first on, further and
 * further apart, so that the cost follows the answer and not the number of jobs. [from]:
 * it is known that it says no at the ends before that index.
 */
int torus_ends_search(const torus_ends_t *ends, int from,
		      bool (*fits)(void *context, int64_t when), void *context);

/* The same between [from] and [to], at which it is known that it says yes, or
 * ends->count: where the answer may as well be late. */
int torus_ends_bisect(const torus_ends_t *ends, int from, int to,
		      bool (*fits)(void *context, int64_t when), void *context);

/* How many ends are not later than [when]: the index of the first that is. */
int torus_ends_by(const torus_ends_t *ends, int64_t when);

/*
 * The last end of the group of ends that holds [when]; [when] itself if that is later
 * than all of them.
 *
 * Slurm's select/cons_tres simulates the running jobs in groups by their ends: it tests
 * whether a job could start only after the last end of a group. The first group lasts
 * until half a minute after its first end, rounded up to half a minute. Each further one
 * lasts [growth] seconds longer after that same end (bf_window_linear=) or, if that is 0,
 * twice as long, and as often as it takes for the next end to be in it.
 *
 * Only the ends that [counts] says yes to are in groups, and a group has one at least,
 * however late that is; ends later than [latest] (0: none) are not looked at.
 */
int64_t torus_ends_group(const torus_ends_t *ends, int64_t when, int64_t latest,
			 int64_t growth, bool (*counts)(void *context, int index),
			 void *context);

#endif
