/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job could ever run: see job_ever.h. */
#include "select/job_ever.h"

#include "select/ask_engine.h"
#include "select/ask_slurm.h"
#include "select/job_strict.h"
#include "slurm/refuse.h"

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

/* Whether the engine finds a place of [count] nodes, or a box, whatever the nodes have.
 */
static bool is_possible(job_decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	choice_request_t request = engine_request(d, 0);
	bitstr_t *chosen = bit_alloc(bit_size(bitmap));
	bool possible;

	request.need = NULL;
	request.min_nodes = request.nodes = request.max_nodes = count;
	possible = choose_nodes(&d->chooser, &request, bitmap, chosen, &d->choice) ==
		   TORUS_PLACE_FOUND;
	bit_free(chosen);
	return possible;
}

static int shape_ever(job_decision_t *d, bitstr_t *bitmap)
{
	const job_test_call_t *call = d->call;
	char text[TORUS_DIMS_TEXT], reason[256];

	torus_lengths_format(d->network.shape.dims, d->network.shape.side, text);
	if (call->job->details->req_node_bitmap)
		return refuse_job(d->call->job, NULL,
				  "a shape and --nodelist exclude each other");
	if (!is_possible(d, bitmap, 0)) {
		snprintf(reason, sizeof(reason),
			 "no box of shape %s fits into the nodes it may use", text);
		return refuse_job(d->call->job, bitmap, reason);
	}
	if (d->choice.nodes < call->min_nodes || d->choice.nodes > call->max_nodes) {
		snprintf(reason, sizeof(reason),
			 "a box of shape %s has %u nodes, and the job asks for %u to %u: "
			 "give --nodes=%u or none",
			 text, d->choice.nodes, call->min_nodes, call->max_nodes,
			 d->choice.nodes);
		return refuse_job(d->call->job, bitmap, reason);
	}
	return place_ever(d, bitmap);
}

static int contiguous_ever(job_decision_t *d, bitstr_t *bitmap)
{
	uint32_t count = d->call->min_nodes;
	char reason[256];

	if (is_possible(d, bitmap, count))
		return place_ever(d, bitmap);
	snprintf(reason, sizeof(reason),
		 "--contiguous: no %u neighbours on the curve among the nodes it may use",
		 count);
	return refuse_job(d->call->job, bitmap, reason);
}

int job_decide_ever(job_decision_t *d, bitstr_t *bitmap)
{
	if (d->network.has_shape)
		return shape_ever(d, bitmap);
	if (d->contiguous)
		return contiguous_ever(d, bitmap);
	return ask_slurm_as(d, d->call, bitmap, NULL);
}
