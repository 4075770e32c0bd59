/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What simulations can be compared by: the numbers of a summary, with names. */
#ifndef STORUS_SIM_MEASURES_H
#define STORUS_SIM_MEASURES_H

#include "sim/simulate.h"

/* Those of the whole simulation, then STORUS_MEASURE_KINDS of each metric of the
 * allocations. */
#define STORUS_MEASURE_KINDS 4
#define STORUS_MEASURES (21 + STORUS_MEASURE_KINDS * TORUS_METRIC_VALUES)

/* A buffer for the name of a measure. */
#define STORUS_MEASURE_NAME 40

/* The number of `skipped`: jobs of the log that were not replayed. */
#define STORUS_MEASURE_SKIPPED 1

/*
 * Write the name of measure [number], as `storus sim` prints it: "utilization", and of a
 * metric such as apd, over the jobs, "mean_apd", "max_apd", "weighted_apd", the mean
 * weighted by run time, and "node_weighted_apd", by node-time. Returns [name].
 */
char *storus_measure_name(int number, char name[STORUS_MEASURE_NAME]);

/* The number of the measure called [name], or -1. */
int storus_measure_find(const char *name);

/* Times are in seconds. */
double storus_measure_value(const torus_sim_result_t *result, int number);

#endif
