/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How fragmented the free ranks are, over time. Private to the simulator. */
#ifndef TORUS_SIM_FREE_SPACE_H
#define TORUS_SIM_FREE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pool.h"
#include "sim/summary.h"

/* The state since a point in time. */
typedef struct torus_free_space {
	uint64_t nodes;	    /* free ones */
	uint64_t intervals; /* by each torus's span rule */
	uint32_t largest;   /* ranks of the largest */
	double share;	    /* that of all free ranks; 1 when none is free */
} torus_free_space_t;

/* Sums over time, and what they need. */
typedef struct torus_free_watch {
	int64_t since; /* the pool has been as in [last] since then */
	torus_free_space_t last;
	int64_t counted_from, time;	  /* nothing counts before; time counted so far */
	double intervals, largest, share; /* times microseconds */
	torus_time_statistic_t range[3];  /* min and max of these */
	torus_free_history_t history;
} torus_free_watch_t;

/* Measure the pool. O(words changed since the last time * log words). */
torus_free_space_t torus_free_space(const torus_pool_t *pool);

/* Begin to watch the pool at [begin]. Time before [counted_from] does not count. */
void torus_free_watch_begin(torus_free_watch_t *watch, const torus_pool_t *pool,
			    int64_t begin, int64_t counted_from);

/* The pool has changed at [now]. */
void torus_free_watch_look(torus_free_watch_t *watch, const torus_pool_t *pool,
			   int64_t now);

/* Fill the three statistics of [summary] and its history, up to the last look. */
void torus_free_watch_end(const torus_free_watch_t *watch, torus_summary_t *summary);

#endif
