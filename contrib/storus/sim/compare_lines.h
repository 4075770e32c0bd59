/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a comparison's table: one for each measure of the matrix and each row of
 * the plan, with the mean of the cells that are done, its 95% confidence interval, and,
 * with a baseline, the mean of the differences to it, seed by seed, with theirs.
 */
#ifndef STORUS_SIM_COMPARE_LINES_H
#define STORUS_SIM_COMPARE_LINES_H

#include <stdbool.h>

#include "storus/cli/output.h"
#include "storus/sim/compare_run.h"

/* Columns: what is measured, of what, and the numbers. */
enum {
	STORUS_LINE_MEASURE,
	STORUS_LINE_MACHINE,
	STORUS_LINE_WORKLOAD,
	STORUS_LINE_LOAD,
	STORUS_LINE_WORK_MULTIPLE,
	STORUS_LINE_SCHEDULER,
	STORUS_LINE_CURVE,
	STORUS_LINE_ALLOCATOR,
	STORUS_LINE_WISH,
	STORUS_LINE_SEGMENT,
	STORUS_LINE_NAMES,
	STORUS_LINE_SEEDS = STORUS_LINE_NAMES,
	STORUS_LINE_MEAN,
	STORUS_LINE_MEAN_CI95,
	STORUS_LINE_DIFFERENCE,
	STORUS_LINE_DIFFERENCE_CI95,
	STORUS_LINE_DIFFERENCE_PERCENT,
	STORUS_LINE_FIELDS
};

typedef struct storus_lines {
	const storus_plan_t *plan; /* borrowed, as are the results */
	const storus_results_t *results;
	char **machine_name;		  /* [machines], private */
	double *value;			  /* [2 * seeds], private */
	bool constant[STORUS_LINE_NAMES]; /* the column is the same in all lines */
	/* A line, for what the columns are that are constant. */
	storus_field_t first[STORUS_LINE_NAMES];
} storus_lines_t;

/*
 * Returns 0, and then the lines are to be ended with storus_lines_end(); or -1 with [err]
 * filled (memory).
 */
int storus_lines_begin(const storus_plan_t *plan, const storus_results_t *results,
		       storus_lines_t *lines, torus_error_t *err);
void storus_lines_end(storus_lines_t *lines);

/* Call [visit] with the fields of every line, measure after measure. */
void storus_lines_each(storus_lines_t *lines,
		       void (*visit)(storus_lines_t *lines, const storus_field_t *fields,
				     void *context),
		       void *context);

#endif
