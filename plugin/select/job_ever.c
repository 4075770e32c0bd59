/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job could ever run: see job_ever.h. */
#include "select/job_ever.h"

#include "select/ask_engine.h"
#include "select/ask_slurm.h"
#include "select/job_strict.h"
#include "slurm/no_box.h"
#include "slurm/refuse.h"
#include "slurm/segments.h"

/*
 * Find a place for the strict job, of which the engine has found one among all nodes: one
 * that has what else the job needs.
 */
static int place_ever(job_decision_t *d, bitstr_t *bitmap)
{
	bitstr_t *offered = bit_copy(bitmap);
	int rc = SLURM_SUCCESS;

	switch (find_strict_place_ever(d, bitmap)) {
	case TORUS_NO_PLACE:
		rc = refuse_job(d->call->job, offered, NO_PLACE_HAS);
		break;
	case TORUS_PLACE_FOUND:
		break;
	default: /* some place that was not tried may do */
		rc = ask_slurm_as(d, d->call, bitmap, NULL);
		break;
	}
	bit_free(offered);
	return rc;
}

/* Whether the engine finds such a place, whatever the nodes have. */
static bool is_possible(job_decision_t *d, choice_request_t request, bitstr_t *bitmap)
{
	bitstr_t *chosen = bit_alloc(bit_size(bitmap));
	bool possible;

	request.need = NULL;
	possible = choose_nodes(&d->chooser, &request, bitmap, chosen, &d->choice) ==
		   TORUS_PLACE_FOUND;
	bit_free(chosen);
	return possible;
}

static int shape_ever(job_decision_t *d, bitstr_t *bitmap)
{
	choice_request_t request = engine_request(d, 0), any_number = request;
	bool other;
	char reason[NO_BOX_TEXT];

	if (d->call->job->details->req_node_bitmap)
		return refuse_job(d->call->job, NULL,
				  "a shape and --nodelist exclude each other");
	if (is_possible(d, request, bitmap))
		return place_ever(d, bitmap);
	if (d->segment) {
		any_number.segment = 0;
		if (is_possible(d, any_number, bitmap))
			return segments_refuse_box(d->call->job, d->segment);
	}
	any_number.min_nodes = any_number.max_nodes = 0;
	other = !d->network.shapes.any && is_possible(d, any_number, bitmap);
	explain_no_box(d->chooser.tori->cluster, &d->network.shapes, request.min_nodes,
		       request.max_nodes, other ? d->choice.nodes : 0, reason,
		       sizeof(reason));
	return refuse_job(d->call->job, bitmap, reason);
}

static int contiguous_ever(job_decision_t *d, bitstr_t *bitmap)
{
	choice_request_t request = engine_request(d, 0);
	uint32_t count = segments_least_nodes(d->segment, d->call->min_nodes);
	char reason[256];

	request.min_nodes = request.nodes = request.max_nodes = count;
	if (is_possible(d, request, bitmap))
		return place_ever(d, bitmap);
	snprintf(reason, sizeof(reason),
		 "--contiguous: no %u neighbours on the curve among the nodes it may use",
		 count);
	return refuse_job(d->call->job, bitmap, reason);
}

static int segments_ever(job_decision_t *d, bitstr_t *bitmap)
{
	if (is_possible(d, engine_request(d, 0), bitmap))
		return place_ever(d, bitmap);
	return segments_refuse_too_few(d->call->job, bitmap, d->segment,
				       d->call->min_nodes);
}

int job_decide_ever(job_decision_t *d, bitstr_t *bitmap)
{
	if (d->network.has_shape)
		return shape_ever(d, bitmap);
	if (d->contiguous)
		return contiguous_ever(d, bitmap);
	if (d->segment)
		return segments_ever(d, bitmap);
	return ask_slurm_as(d, d->call, bitmap, NULL);
}
