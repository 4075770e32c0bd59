/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes for a reservation: see reservation.h. */
#include "select/reservation.h"

#include "slurm/choose.h"

bool is_reservation(const job_record_t *job)
{
	return !job->part_ptr;
}

bool choose_reserved(tori_t *tori, bitstr_t *candidates, uint32_t count,
		     const bitstr_t *required, bitstr_t *chosen)
{
	chooser_t chooser = {.tori = tori};
	choice_request_t request = {
		.min_nodes = count,
		.nodes = count,
		.max_nodes = count,
		.required = required,
		.planned = true,
	};
	choice_t choice;

	return choose_nodes(&chooser, &request, candidates, chosen, &choice) ==
	       TORUS_PLACE_FOUND;
}

int reservation_decide(tori_t *tori, const job_test_call_t *call, bitstr_t *bitmap)
{
	const job_details_t *details = call->job->details;
	bitstr_t *chosen;
	int rc = SLURM_ERROR;

	if (!call->min_nodes || !wants_whole_nodes(details->whole_node))
		return job_pass(call, bitmap);
	chosen = bit_alloc(bit_size(bitmap));
	if (choose_reserved(tori, bitmap, call->min_nodes, details->req_node_bitmap,
			    chosen))
		rc = job_pass(call, chosen);
	if (rc == SLURM_SUCCESS)
		bit_copybits(bitmap, chosen);
	else
		rc = job_pass(call, bitmap);
	bit_free(chosen);
	return rc;
}
