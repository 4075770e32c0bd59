/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision about one job, from Slurm's parameters on: see job_decide.h. */
#include "select/job_decide.h"

#include "select/ask_slurm.h"
#include "select/delegate.h"
#include "select/job_ever.h"
#include "select/job_patient.h"
#include "select/job_start.h"
#include "select/job_strict.h"
#include "select/reservation.h"
#include "slurm/network.h"
#include "slurm/refuse.h"
#include "slurm/segments.h"

/* Contiguous=nodes: which nodes are neighbours is then Slurm's to say. */
static bool slurm_chooses_alone(const tori_t *tori, const job_record_t *job)
{
	return tori->cluster->contiguous_by_nodes && job->details->contiguous;
}

int job_pass(const job_test_call_t *call, bitstr_t *bitmap)
{
	job_test_extra_t extra = call->extra;

	return delegate.select_p_job_test(call->job, bitmap, call->min_nodes,
					  call->max_nodes, call->req_nodes, call->mode,
					  call->preemptees, call->victims,
					  JOB_TEST_EXTRA_UNPACK(&extra));
}

/* Count a decision. Of a check nobody notes whose it was. */
static void count(const job_decision_t *d, int rc, const struct timespec *begin)
{
	torus_tally_mode_t mode = SELECT_IS_MODE_TEST_ONLY(d->call->mode)
					  ? TORUS_TALLY_CHECK
				  : plans(d) ? TORUS_TALLY_PLAN
					     : TORUS_TALLY_START;
	torus_tally_by_t by = d->by;

	if (rc != SLURM_SUCCESS)
		by = TORUS_BY_NOBODY;
	else if (mode == TORUS_TALLY_CHECK)
		by = is_strict(d) ? TORUS_BY_ENGINE : TORUS_BY_SLURM;
	decisions_count(mode, by, begin);
}

int job_decide(tori_t *tori, const job_test_call_t *call, bitstr_t *bitmap)
{
	const struct timespec begin = decisions_begin();
	job_test_call_t boxed = *call;
	job_decision_t d = {
		.chooser = {.tori = tori, .context = &d, .could_run = could_run_on_torus},
		.call = call,
		.contiguous = call->job->details->contiguous,
	};
	torus_error_t err;
	int rc;

	if (is_reservation(call->job))
		return reservation_decide(tori, call, bitmap);
	if (network_of_job(call->job, &d.network, &err))
		return refuse_job(d.call->job, NULL, err.text);
	if (d.network.shapes.count && max_nodes_is_implied(call->job)) {
		boxed.max_nodes = (uint32_t)node_record_count;
		d.call = call = &boxed;
	}
	d.segment = segments_of_job(tori, call->job, call->max_nodes);
	rc = segments_check(call->job, d.segment, call->min_nodes, call->max_nodes);
	if (rc != SLURM_SUCCESS)
		return rc;
	if (!d.segment) /* a condition, as in Slurm */
		d.patience = patience_of_job(tori, call->job, &d.network,
					     d.contiguous &&
						     !tori->cluster->contiguous_by_nodes);
	if (!call->min_nodes ||
	    (!d.network.has_shape && (slurm_chooses_alone(tori, call->job) ||
				      (!d.segment && !tori_have_any(tori, bitmap)))))
		return job_pass(call, bitmap);
	if (!SELECT_IS_MODE_TEST_ONLY(call->mode) &&
	    (uint32_t)bit_set_count(bitmap) < call->min_nodes)
		return job_pass(call, bitmap); /* too few, whichever they are */
	if (is_strict(&d)) {
		d.need = need_of_job(call->job);
		d.cpus = xcalloc(node_record_count, sizeof(*d.cpus));
	}
	if (SELECT_IS_MODE_TEST_ONLY(call->mode))
		rc = job_decide_ever(&d, bitmap);
	else if (d.patience.asked.wish)
		rc = job_start_patiently(&d, bitmap);
	else
		rc = is_strict(&d) ? job_start_strictly(&d, bitmap)
				   : job_start_or_plan(&d, bitmap);
	usable_timeline_free(d.timeline);
	confine_end(&d.confine);
	xfree(d.cpus);
	count(&d, rc, &begin);
	return SELECT_IS_MODE_TEST_ONLY(call->mode)
		       ? rc
		       : reason_to_wait(rc, d.segment && !d.network.has_shape,
					is_strict(&d) || d.patience.asked.wish);
}
