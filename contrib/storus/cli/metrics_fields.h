/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of an allocation as named fields, in the one order used everywhere. */
#ifndef STORUS_CLI_METRICS_FIELDS_H
#define STORUS_CLI_METRICS_FIELDS_H

#include "measures/isolation.h"
#include "metrics/metrics.h"
#include "storus/cli/output.h"

/* span_ring span_linear stretch_span contiguous components box volume side_sum cube_side
 * nodes_affected links_affected average_distance summed_distance distance_from_center
 * diameter apd */
#define STORUS_METRICS 16

/*
 * Fill fields[0 .. STORUS_METRICS-1] from [metrics]; [box_text] receives the text of the
 * box ("2x2x2", [dims] numbers), to which a field refers. With [metrics] NULL, all fields
 * are missing values.
 */
void storus_metrics_fields(const torus_metrics_t *metrics, int dims,
			   char box_text[TORUS_DIMS_TEXT],
			   storus_field_t fields[STORUS_METRICS]);

/* foreign_nodes links_used links_shared */
#define STORUS_ISOLATION TORUS_ISOLATION_VALUES
/* The number of the last, which takes knowing all jobs. */
#define STORUS_LINKS_SHARED 2

/*
 * Fill fields[0 .. STORUS_ISOLATION-1] from [isolation]; all are missing values if that
 * is NULL.
 */
void storus_isolation_fields(const torus_isolation_t *isolation,
			     storus_field_t fields[STORUS_ISOLATION]);

#endif
