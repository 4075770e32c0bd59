/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of an allocation as named fields. */
#include "torus_config.h"

#include "storus/cli/metrics_fields.h"

void storus_metrics_fields(const torus_metrics_t *metrics, int dims,
			   char box_text[TORUS_DIMS_TEXT],
			   storus_field_t fields[STORUS_METRICS])
{
	static const torus_metrics_t none;
	const torus_metrics_t *m = metrics ? metrics : &none;
	const storus_field_t filled[STORUS_METRICS] = {
		storus_count("span_ring", m->span_ring),
		storus_count("span_linear", m->span_linear),
		storus_ratio("stretch_span", m->stretch_span),
		storus_yes_no("contiguous", m->contiguous),
		storus_count("components", m->components),
		storus_text("box", torus_lengths_format(dims, m->box, box_text)),
		storus_count("volume", m->volume),
		storus_count("side_sum", m->side_sum),
		storus_count("cube_side", m->cube_side),
		storus_count("nodes_affected", m->nodes_affected),
		storus_count("links_affected", m->links_affected),
		storus_ratio("average_distance", m->average_distance),
		storus_count("summed_distance", m->summed_distance),
		storus_count("distance_from_center", m->distance_from_center),
		storus_count("diameter", m->diameter),
		storus_ratio("apd", m->apd),
	};

	for (int i = 0; i < STORUS_METRICS; i++) {
		fields[i] = filled[i];
		if (!metrics)
			fields[i].kind = STORUS_MISSING;
	}
}

void storus_isolation_fields(const torus_isolation_t *isolation,
			     storus_field_t fields[STORUS_ISOLATION])
{
	for (int i = 0; i < STORUS_ISOLATION; i++) {
		fields[i] = storus_count(
			torus_isolation_name(i),
			isolation ? (uint64_t)torus_isolation_value(isolation, i) : 0);
		if (!isolation)
			fields[i].kind = STORUS_MISSING;
	}
}
