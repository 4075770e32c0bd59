/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can never be: refused when it is submitted, so that nobody waits for it. */
#include "decision.h"

/* Slurm asks several times for one submission; the log needs to say it once. */
int refuse_job(const decision_t *d, const char *reason)
{
	static char *last;
	char *text = xstrdup_printf("select/torus: JobId=%u can not run: %s",
				    d->call->job->job_id, reason);

	if (xstrcmp(text, last)) {
		info("%s", text);
		xfree(last);
		last = text;
	} else {
		xfree(text);
	}
	return ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
}

int job_test_ever(decision_t *d, bitstr_t *bitmap)
{
	const job_test_call_t *call = d->call;
	bitstr_t *chosen = bit_alloc(bit_size(bitmap));
	bool possible = true;
	uint32_t count = call->min_nodes == call->max_nodes ? call->min_nodes : 0;
	char text[TORUS_DIMS_TEXT], reason[256];
	int rc = SLURM_SUCCESS;

	if (d->network.has_shape || (d->contiguous && count))
		possible = ask_engine(d, bitmap, count, chosen);
	if (d->network.has_shape) {
		torus_lengths_format(d->network.shape.dims, d->network.shape.side, text);
		if (call->job->details->req_node_bitmap)
			rc = refuse_job(d, "a shape and --nodelist exclude each other");
		else if (!possible) {
			snprintf(reason, sizeof(reason),
				 "no box of shape %s fits into the nodes it may use",
				 text);
			rc = refuse_job(d, reason);
		} else if (d->choice.nodes < call->min_nodes ||
			   d->choice.nodes > call->max_nodes) {
			snprintf(
				reason, sizeof(reason),
				"a box of shape %s has %u nodes, and the job asks for %u to "
				"%u: give --nodes=%u or none",
				text, d->choice.nodes, call->min_nodes, call->max_nodes,
				d->choice.nodes);
			rc = refuse_job(d, reason);
		} else {
			bit_copybits(bitmap, chosen);
		}
	} else if (!possible) {
		snprintf(
			reason, sizeof(reason),
			"--contiguous: no %u neighbours on the curve among the nodes it may "
			"use",
			count);
		rc = refuse_job(d, reason);
	}
	bit_free(chosen);
	return rc == SLURM_SUCCESS ? ask_slurm(d, bitmap, NULL) : rc;
}
