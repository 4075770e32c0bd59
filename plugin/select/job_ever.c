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
static int place_ever(decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	job_test_call_t call = *d->call;

	switch (find_strict_place_ever(d, bitmap, count)) {
	case 0:
		return refuse_job(d->call->job,
				  "no such place has the processors, memory or GRES "
				  "that it asks for");
	case 1:
		return SLURM_SUCCESS;
	default: /* some place that was not tried may do */
		return ask_slurm_as(d, &call, bitmap, NULL);
	}
}

static int shape_ever(decision_t *d, bitstr_t *bitmap)
{
	const job_test_call_t *call = d->call;
	bitstr_t *chosen = bit_alloc(bit_size(bitmap));
	char text[TORUS_DIMS_TEXT], reason[256];
	bool possible = ask_engine(d, bitmap, 0, chosen);

	bit_free(chosen);
	torus_lengths_format(d->network.shape.dims, d->network.shape.side, text);
	if (call->job->details->req_node_bitmap)
		return refuse_job(d->call->job,
				  "a shape and --nodelist exclude each other");
	if (!possible) {
		snprintf(reason, sizeof(reason),
			 "no box of shape %s fits into the nodes it may use", text);
		return refuse_job(d->call->job, reason);
	}
	if (d->choice.nodes < call->min_nodes || d->choice.nodes > call->max_nodes) {
		snprintf(reason, sizeof(reason),
			 "a box of shape %s has %u nodes, and the job asks for %u to %u: "
			 "give --nodes=%u or none",
			 text, d->choice.nodes, call->min_nodes, call->max_nodes,
			 d->choice.nodes);
		return refuse_job(d->call->job, reason);
	}
	return place_ever(d, bitmap, 0);
}

static int contiguous_ever(decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	bitstr_t *chosen = bit_alloc(bit_size(bitmap));
	bool possible = ask_engine(d, bitmap, count, chosen);
	char reason[256];

	bit_free(chosen);
	if (possible)
		return place_ever(d, bitmap, count);
	snprintf(reason, sizeof(reason),
		 "--contiguous: no %u neighbours on the curve among the nodes it may use",
		 count);
	return refuse_job(d->call->job, reason);
}

int job_test_ever(decision_t *d, bitstr_t *bitmap)
{
	const job_test_call_t *call = d->call;

	if (d->network.has_shape)
		return shape_ever(d, bitmap);
	if (d->contiguous && call->min_nodes == call->max_nodes)
		return contiguous_ever(d, bitmap, call->min_nodes);
	return ask_slurm_as(d, call, bitmap, NULL);
}
