/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a comparison. */
#ifndef STORUS_SIM_COMPARE_TABLE_H
#define STORUS_SIM_COMPARE_TABLE_H

#include "storus/cli/output.h"
#include "storus/sim/compare_run.h"

/*
 * Print a line for each measure of the matrix and each row of the plan: the mean of the
 * cells that are done with its 95% confidence interval, and, with a baseline, the mean of
 * the differences to it, seed by seed, with theirs. As text, what is the same in all
 * lines stands above the table. Returns 0, or -1 with [err] filled (memory).
 */
int storus_compare_print(const storus_plan_t *plan, const storus_results_t *results,
			 storus_format_t format, torus_error_t *err);

#endif
