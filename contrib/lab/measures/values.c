/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics by number and name: see values.h. */
#include "measures/values.h"

#include <string.h>

static const char *const names[TORUS_METRIC_VALUES] = {
	"span_ring",
	"span_linear",
	"stretch_span",
	"contiguous",
	"components",
	"volume",
	"side_sum",
	"cube_side",
	"nodes_affected",
	"links_affected",
	"average_distance",
	"summed_distance",
	"distance_from_center",
	"diameter",
	"apd",
};

const char *torus_metric_name(int number)
{
	return names[number];
}

int torus_metric_find(const char *name)
{
	for (int i = 0; i < TORUS_METRIC_VALUES; i++) {
		if (strcmp(names[i], name) == 0)
			return i;
	}
	return -1;
}

double torus_metric_value(const torus_metrics_t *metrics, int number)
{
	const double values[TORUS_METRIC_VALUES] = {
		metrics->span_ring,
		metrics->span_linear,
		metrics->stretch_span,
		metrics->contiguous,
		metrics->components,
		(double)metrics->volume,
		metrics->side_sum,
		metrics->cube_side,
		(double)metrics->nodes_affected,
		(double)metrics->links_affected,
		metrics->average_distance,
		(double)metrics->summed_distance,
		(double)metrics->distance_from_center,
		metrics->diameter,
		metrics->apd,
	};

	return values[number];
}
