/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a simulation's summary can be compared by: numbers with names. */
#ifndef STORUS_SIM_MEASURES_H
#define STORUS_SIM_MEASURES_H

#include "sim/summary.h"

/* Those of the whole simulation, then three of each metric of the allocations. */
#define STORUS_MEASURES (20 + 3 * TORUS_METRIC_VALUES)

/* A buffer for the name of a measure. */
#define STORUS_MEASURE_NAME 40

/*
 * Write the name of measure [number]: "utilization", and of a metric such as apd its mean
 * over the jobs, "apd", "apd_max", and "apd_weighted" by run time. Returns [name].
 */
char *storus_measure_name(int number, char name[STORUS_MEASURE_NAME]);

/* The number of the measure called [name], or -1. */
int storus_measure_find(const char *name);

/* Times are in seconds. */
double storus_measure_value(const torus_summary_t *summary, int number);

#endif
