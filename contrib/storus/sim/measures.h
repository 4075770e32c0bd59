/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measures by which simulations are compared: the numbers of a summary, with names.
 */
#ifndef STORUS_SIM_MEASURES_H
#define STORUS_SIM_MEASURES_H

#include <stdbool.h>

#include "sim/simulate.h"

/*
 * Those of the whole simulation, then six of each metric of the allocations, then six of
 * each number of metrics/isolation.h.
 */
#define STORUS_MEASURE_KINDS 6
#define STORUS_MEASURES                                                                  \
	(25 + STORUS_MEASURE_KINDS * (TORUS_METRIC_VALUES + TORUS_ISOLATION_VALUES))

/* A buffer for the name of a measure. */
#define STORUS_MEASURE_NAME 40

/* The number of `skipped`: jobs of the log that were not replayed. */
#define STORUS_MEASURE_SKIPPED 1

/*
 * Write the name of measure [number], as `storus sim` prints it: "utilization", and of a
 * metric such as apd, over the jobs, "mean_apd", "max_apd", "sum_of_squares_apd", and
 * means weighted by run time, "weighted_apd", by nodes, "size_weighted_apd", and by
 * node-time, "node_weighted_apd". Returns [name].
 */
char *storus_measure_name(int number, char name[STORUS_MEASURE_NAME]);

/* The number of the measure called [name], or -1. */
int storus_measure_find(const char *name);

/*
 * Whether measure [number] is known only if isolation is measured; it is 0 otherwise.
 */
bool storus_measure_is_isolation(int number);

/* Times are in seconds. */
double storus_measure_value(const torus_sim_result_t *result, int number);

#endif
