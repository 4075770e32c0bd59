/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How good a curve is on a machine: the lengths of its steps, and how compact jobs are
 * that get consecutive ranks.
 */
#ifndef TORUS_MEASURES_SCORE_H
#define TORUS_MEASURES_SCORE_H

#include "base/error.h"
#include "geometry/geometry.h"

#define TORUS_SCORE_WINDOWS 28

typedef struct torus_curve_window {
	uint32_t length;	 /* ranks */
	double average_distance; /* mean over all windows, pairs / (n(n-1)/2) */
	double apd;		 /* the same sums by metrics.h's apd definition */
} torus_curve_window_t;

typedef struct torus_curve_score {
	uint32_t long_steps;   /* steps between consecutive ranks of more than one hop */
	uint32_t longest_step; /* hops of the longest step; 0 when there is one rank */
	uint32_t closing_step; /* hops from the last rank to the first */
	int windows;	       /* number of window lengths measured */
	torus_curve_window_t window[TORUS_SCORE_WINDOWS]; /* 2, 4, 8 ... ranks */
} torus_curve_score_t;

/*
 * Told from time to time, in the caller's thread, that [done] of [total] units of the
 * work are done; [total] stays the same throughout, and the last call has done == total.
 */
typedef void (*torus_curve_progress_t)(uint64_t done, uint64_t total, void *argument);

/*
 * Score the order cells[0 .. count-1] (the cell of each rank; a cell may appear for
 * several consecutive ranks) on [geometry], hops counted with its wrap. All windows of
 * consecutive ranks are measured: linear, they do not go around the end.
 * Time O((count + sum of the lengths of steps) * dims * log count); memory O(sum of
 * sides). [progress], which may be NULL, is called with [argument] every 65,536
 * ranks that a window moves by, which is some milliseconds. Returns 0, or -1 with [err]
 * filled (memory).
 */
int torus_curve_score(const torus_geometry_t *geometry, const uint32_t *cells,
		      uint32_t count, torus_curve_progress_t progress, void *argument,
		      torus_curve_score_t *score, torus_error_t *err);

/*
 * The same for windows of given lengths: window[0 .. windows-1].length, each 2 ..
 * [count]; the means are filled in. Time O((count + sum of the lengths of steps) * dims *
 * windows). Returns 0, or -1 with [err] filled (memory).
 */
int torus_curve_windows(const torus_geometry_t *geometry, const uint32_t *cells,
			uint32_t count, torus_curve_progress_t progress, void *argument,
			torus_curve_window_t *window, int windows, torus_error_t *err);

#endif
