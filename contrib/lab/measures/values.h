/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of an allocation that are numbers, by number and name: for statistics. */
#ifndef TORUS_MEASURES_VALUES_H
#define TORUS_MEASURES_VALUES_H

#include "metrics/metrics.h"

/* All of torus_metrics_t but the number of nodes and the box, in its order. */
#define TORUS_METRIC_VALUES 15

/* The name of value [number], as that of the member. A constant string. */
const char *torus_metric_name(int number);

/* The number of the value called [name], or -1. */
int torus_metric_find(const char *name);

/* Value [number] of [metrics]; `contiguous` is 0 or 1. */
double torus_metric_value(const torus_metrics_t *metrics, int number);

#endif
