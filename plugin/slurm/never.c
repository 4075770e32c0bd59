/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a strict job never has a place: see slurm/decision.h. */
#include "slurm/decision.h"

#include <stdio.h>

#include "machine/registration.h"
#include "machine/no_box.h"
#include "slurm/refuse.h"
#include "slurm/segments.h"

/* The nodes of a box as the job asks for, whatever their number; 0: there is none. */
static uint32_t nodes_of_other_box(decision_t *d, choice_request_t request,
				   bitstr_t *nodes)
{
	request.segment = 0;
	request.min_nodes = request.nodes = request.max_nodes = 0;
	return request.shapes->any ? 0 : decision_place_nodes(d, request, nodes);
}

static int refuse_box(decision_t *d, const choice_request_t *request, bitstr_t *nodes,
		      const bitstr_t *offered)
{
	char reason[TORUS_NO_BOX_TEXT];

	torus_explain_no_box(d->chooser.tori->cluster, request->shapes,
			     request->min_nodes, request->max_nodes,
			     nodes_of_other_box(d, *request, nodes), reason,
			     sizeof(reason));
	return refuse_job(d->job, offered, reason);
}

static int refuse_interval(const decision_t *d, uint32_t min_nodes,
			   const bitstr_t *offered)
{
	char reason[256];

	snprintf(reason, sizeof(reason),
		 "--contiguous: no %u neighbours on the curve among the nodes it may use",
		 segments_least_nodes(d->asks.segment, min_nodes));
	return refuse_job(d->job, offered, reason);
}

int decision_refuse(decision_t *d, torus_never_t why, const choice_request_t *request,
		    bitstr_t *nodes, const bitstr_t *offered)
{
	switch (why) {
	case TORUS_NEVER_BOX:
		return refuse_box(d, request, nodes, offered);
	case TORUS_NEVER_BOX_IN_SEGMENTS:
		return segments_refuse_box(d->job, d->asks.segment);
	case TORUS_NEVER_INTERVAL:
		return refuse_interval(d, request->min_nodes, offered);
	case TORUS_NEVER_SEGMENTS:
		return segments_refuse_too_few(d->job, offered, d->asks.segment,
					       request->min_nodes);
	default:
		return refuse_job(
			d->job, offered,
			d->features.count
				? "no such place has the processors, memory, GRES or "
				  "features that it asks for"
				: "no such place has the processors, memory or GRES that "
				  "it asks for");
	}
}

/* Whether a torus without vacant places could have such a place of the job. */
static bool is_large_enough(const tori_t *tori, int t, const torus_job_t *asks,
			    uint32_t min_nodes, uint32_t max_nodes)
{
	torus_cluster_t alone = {.maps = 1, .map = &tori->cluster->map[t]};
	char reason[TORUS_NO_BOX_TEXT];

	if (asks->network.has_shape)
		return !torus_explain_never(&alone, &asks->network.shapes, min_nodes,
					    max_nodes, reason, sizeof(reason));
	if (asks->contiguous)
		return alone.map[0]->nodes >=
		       segments_least_nodes(asks->segment, min_nodes);
	return alone.map[0]->nodes >= asks->segment;
}

/* The segments that all tori would have together. */
static uint64_t count_segments(const tori_t *tori, uint32_t size)
{
	uint64_t count = 0;

	for (int t = 0; t < tori->count; t++)
		count += tori->cluster->map[t]->nodes / size;
	return count;
}

bool decision_place_may_come(const decision_t *d, const choice_request_t *request)
{
	const tori_t *tori = d->chooser.tori;
	uint32_t size = d->asks.segment;

	if (!tori->grows ||
	    (size && count_segments(tori, size) <
			     segments_least_nodes(size, request->min_nodes) / size))
		return false;
	for (int t = 0; t < tori->count; t++) {
		if (torus_map_vacancies(tori->cluster->map[t]) &&
		    is_large_enough(tori, t, &d->asks, request->min_nodes,
				    request->max_nodes))
			return true;
	}
	return false;
}
