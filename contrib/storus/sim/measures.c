/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What simulations can be compared by: see measures.h. */
#include "storus/sim/measures.h"

#include <stdio.h>
#include <string.h>

#include "sim/workload.h"

/* Measures of the whole, and of each number that every job has. */
enum {
	KINDS = STORUS_MEASURE_KINDS,
	WHOLE = STORUS_MEASURES - KINDS * (TORUS_METRIC_VALUES + TORUS_ISOLATION_VALUES),
	ISOLATION = WHOLE + KINDS * TORUS_METRIC_VALUES,
};

static const char *const names[WHOLE] = {
	"jobs",
	"skipped",
	"makespan",
	"utilization",
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
	"wishes",
	"wishes_met",
	"wishes_waited",
	"mean_wish_wait",
	"mean_free_intervals",
	"min_free_intervals",
	"max_free_intervals",
	"mean_largest_interval",
	"min_largest_interval",
	"mean_largest_share",
	"min_largest_share",
};

static double whole_value(const torus_sim_result_t *result, int number)
{
	const torus_summary_t *summary = &result->summary;
	const double values[WHOLE] = {
		(double)summary->jobs,
		(double)torus_skipped_total(&result->skipped),
		(double)(summary->end - summary->begin) / TORUS_SECOND,
		summary->utilization,
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
		(double)summary->wishes,
		(double)summary->wishes_met,
		(double)summary->wishes_waited,
		summary->mean_wish_wait,
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

bool storus_measure_is_isolation(int number)
{
	return number >= ISOLATION;
}

char *storus_measure_name(int number, char name[STORUS_MEASURE_NAME])
{
	static const char *const kinds[KINDS] = {"mean",	   "max",
						 "sum_of_squares", "weighted",
						 "size_weighted",  "node_weighted"};

	if (number < WHOLE)
		snprintf(name, STORUS_MEASURE_NAME, "%s", names[number]);
	else
		snprintf(name, STORUS_MEASURE_NAME, "%s_%s",
			 kinds[(number - WHOLE) % KINDS],
			 storus_measure_is_isolation(number)
				 ? torus_isolation_name((number - ISOLATION) / KINDS)
				 : torus_metric_name((number - WHOLE) / KINDS));
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

double storus_measure_value(const torus_sim_result_t *result, int number)
{
	const torus_statistic_t *of_jobs;

	if (number < WHOLE)
		return whole_value(result, number);
	if (storus_measure_is_isolation(number))
		of_jobs = &result->summary.isolation[(number - ISOLATION) / KINDS];
	else
		of_jobs = &result->summary.metric[(number - WHOLE) / KINDS];

	const double values[KINDS] = {of_jobs->mean,	      of_jobs->max,
				      of_jobs->squares,	      of_jobs->weighted,
				      of_jobs->size_weighted, of_jobs->node_weighted};

	return values[(number - WHOLE) % KINDS];
}
