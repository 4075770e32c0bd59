/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running the simulations of a comparison, each in a process of its own. */
#ifndef STORUS_SIM_COMPARE_RUN_H
#define STORUS_SIM_COMPARE_RUN_H

#include "storus/sim/compare_cell.h"

/* Where the result of each cell stands. */
typedef struct storus_results {
	double (*value)[STORUS_MEASURES]; /* [cells] */
	bool *done;			  /* [cells] */
} storus_results_t;

typedef struct storus_run {
	const storus_plan_t *plan;
	const char *directory; /* where results are kept and found, or NULL */
	unsigned jobs;	       /* processes at a time, at least 1 */
	size_t slice, slices;  /* only every [slices]th cell, from [slice] on; 1 slice:
				* all */
} storus_run_t;

/*
 * Make room for the results of a plan; none is there yet. Returns 0, or -1 with [err]
 * filled.
 */
int storus_results_create(const storus_plan_t *plan, storus_results_t *results,
			  torus_error_t *err);
void storus_results_free(storus_results_t *results);

/*
 * Read the results that [run]'s directory holds. Returns how many cells of its slice are
 * still to be simulated, or -1 with [err] filled.
 */
long storus_results_read(const storus_run_t *run, storus_results_t *results,
			 torus_error_t *err);

/*
 * Simulate the cells that are not done, keep and return their results. A simulation that
 * fails, or whose process dies, is reported on standard error and the others go on.
 * Returns 0 when all are done, 1 when some failed, -1 with [err] filled; or, when a
 * signal asked to end, its negative number less one: -1 - SIGINT.
 */
int storus_run(const storus_run_t *run, storus_results_t *results, torus_error_t *err);

#endif
