/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The free ranks as runs, and the window of minimum span among them. Private to place/.
 */
#ifndef TORUS_PLACE_RUNS_H
#define TORUS_PLACE_RUNS_H

#include "place/private.h"

/*
 * Maximal runs of free ranks, in ascending order: run i is edge[2i] .. edge[2i+1] - 1. On
 * a ring whose first and last run touch, `joined` says that these two are one interval.
 */
typedef struct torus_free_runs {
	uint32_t *edge;
	uint32_t count;
	bool joined;
} torus_free_runs_t;

/*
 * Find the runs of [free]; they live in placer->edge until the next call. O(words), and
 * O(runs) unless the last call was for nearly the same ranks.
 */
torus_free_runs_t torus_free_runs_find(torus_placer_t *placer, const uint64_t *free,
				       torus_span_t span);

/* Whether at least [n] ranks are free. */
bool torus_free_runs_have(const torus_free_runs_t *runs, uint32_t n);

/*
 * Find the window of [n] free ranks with the smallest span on a line of [ranks] ranks;
 * ties: lowest first rank. Returns the run that it begins with and fills *span;
 * runs->count when fewer than n are free. O(runs).
 */
uint32_t torus_free_runs_window(const torus_free_runs_t *runs, uint32_t ranks, uint32_t n,
				torus_span_t rule, uint32_t *span);

/* Take [n] free ranks from the start of run [run] on, around the end if need be. */
void torus_free_runs_take(const torus_free_runs_t *runs, uint32_t run, uint32_t n,
			  uint32_t *chosen);

#endif
