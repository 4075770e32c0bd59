/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a simulation's summary can be compared by: see measures.h. */
#include "storus/sim/measures.h"

#include <stdio.h>
#include <string.h>

#include "sim/workload.h"

enum { WHOLE = STORUS_MEASURES - 3 * TORUS_METRIC_VALUES };

static const char *const names[WHOLE] = {
	"jobs",
	"utilization",
	"makespan",
	"mean_wait",
	"max_wait",
	"mean_response",
	"mean_bounded_slowdown",
	"max_bounded_slowdown",
	"fragmentation_failures",
	"fragmented_jobs",
	"spread_jobs",
	"lost_runs",
	"lost_node_seconds",
	"free_intervals",
	"free_intervals_min",
	"free_intervals_max",
	"largest_interval",
	"largest_interval_min",
	"largest_share",
	"largest_share_min",
};

static double whole_value(const torus_summary_t *summary, int number)
{
	const double values[WHOLE] = {
		(double)summary->jobs,
		summary->utilization,
		(double)(summary->end - summary->begin) / TORUS_SECOND,
		summary->mean_wait,
		summary->max_wait,
		summary->mean_response,
		summary->mean_bounded_slowdown,
		summary->max_bounded_slowdown,
		(double)summary->fragmentation_failures,
		(double)summary->fragmented_jobs,
		(double)summary->spread_jobs,
		(double)summary->lost_runs,
		summary->lost_node_seconds,
		summary->free_intervals.mean,
		summary->free_intervals.min,
		summary->free_intervals.max,
		summary->largest_interval.mean,
		summary->largest_interval.min,
		summary->largest_share.mean,
		summary->largest_share.min,
	};

	return values[number];
}

char *storus_measure_name(int number, char name[STORUS_MEASURE_NAME])
{
	static const char *const kinds[] = {"", "_max", "_weighted"};

	if (number < WHOLE)
		snprintf(name, STORUS_MEASURE_NAME, "%s", names[number]);
	else
		snprintf(name, STORUS_MEASURE_NAME, "%s%s",
			 torus_metric_name((number - WHOLE) / 3),
			 kinds[(number - WHOLE) % 3]);
	return name;
}

int storus_measure_find(const char *name)
{
	char known[STORUS_MEASURE_NAME];

	for (int i = 0; i < STORUS_MEASURES; i++) {
		if (!strcmp(name, storus_measure_name(i, known)))
			return i;
	}
	return -1;
}

double storus_measure_value(const torus_summary_t *summary, int number)
{
	const torus_statistic_t *metric;

	if (number < WHOLE)
		return whole_value(summary, number);
	metric = &summary->metric[(number - WHOLE) / 3];
	switch ((number - WHOLE) % 3) {
	case 0:
		return metric->mean;
	case 1:
		return metric->max;
	default:
		return metric->weighted;
	}
}
