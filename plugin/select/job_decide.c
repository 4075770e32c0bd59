/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision about one job, from Slurm's parameters on: see job_decide.h. */
#include "select/job_decide.h"

#include "base/monotonic.h"
#include "select/ask_slurm.h"
#include "select/delegate.h"
#include "select/parts.h"
#include "select/reservation.h"
#include "slurm/decisions.h"

int job_pass(const job_test_call_t *call, bitstr_t *bitmap)
{
	job_test_extra_t extra = call->extra;

	return delegate.select_p_job_test(call->job, bitmap, call->min_nodes,
					  call->max_nodes, call->req_nodes, call->mode,
					  call->preemptee_candidates, call->preemptees,
					  JOB_TEST_EXTRA_UNPACK(&extra));
}

/* Count a decision. Of a check nobody notes whose it was. */
static void count(const job_decision_t *d, int rc, int64_t begin)
{
	torus_tally_mode_t mode = SELECT_IS_MODE_TEST_ONLY(d->call->mode)
					  ? TORUS_TALLY_CHECK
				  : plans(d) ? TORUS_TALLY_PLAN
					     : TORUS_TALLY_START;
	torus_tally_by_t by = d->common.by;

	if (rc != SLURM_SUCCESS)
		by = TORUS_BY_NOBODY;
	else if (mode == TORUS_TALLY_CHECK)
		by = torus_job_is_strict(&d->common.asks) ? TORUS_BY_ENGINE
							  : TORUS_BY_SLURM;
	decisions_count(mode, by, begin);
}

/* By one of the ways, for the job as it asks. */
static int decide(void *context)
{
	job_decision_t *d = context;
	bitstr_t *bitmap = d->common.offered;
	bool ever = d->common.asks.asked == TORUS_ASKED_EVER;

	if (!ever && d->common.patience.asked.wish)
		return job_start_patiently(d, bitmap);
	if (torus_job_is_strict(&d->common.asks))
		return job_decide_strictly(d, bitmap);
	return ever ? ask_slurm_alone(d, bitmap, NULL) : job_start_or_plan(d, bitmap);
}

static int decide_and_count(job_decision_t *d)
{
	const int64_t begin = torus_monotonic_ns();
	int rc;

	if (torus_job_is_strict(&d->common.asks)) {
		d->common.need = need_of_job(d->call->job);
		d->cpus = xcalloc(node_record_count, sizeof(*d->cpus));
	}
	rc = decision_make(&d->common, decide);
	usable_timeline_free(d->timeline);
	xfree(d->cpus);
	count(d, rc, begin);
	return SELECT_IS_MODE_TEST_ONLY(d->call->mode)
		       ? rc
		       : decision_reason_to_wait(&d->common, rc);
}

/* Whether Slurm's plugin answers alone: no node that matters is on a torus, or there are
 * too few, whichever they are. */
static bool passes(const job_decision_t *d)
{
	const torus_job_t *asks = &d->common.asks;
	const bitstr_t *offered = d->common.offered;

	if (!d->call->min_nodes)
		return true;
	if (decision_is_for_neighbours(&d->common) ||
	    (!asks->network.has_shape && !asks->segment &&
	     !tori_have_any(d->common.chooser.tori, offered)))
		return true;
	return asks->asked != TORUS_ASKED_EVER &&
	       (uint32_t)bit_set_count((bitstr_t *)offered) < d->call->min_nodes;
}

/* Read what the job, which may have [max_nodes], asks for, and decide. */
static int decide_on(job_decision_t *d, uint32_t max_nodes)
{
	job_test_call_t call = *d->asked;
	int rc;

	d->common.max_nodes = max_nodes;
	rc = decision_read(&d->common, call.min_nodes);
	call.max_nodes = d->common.max_nodes;
	d->call = &call;
	if (rc == SLURM_SUCCESS)
		rc = passes(d) ? job_pass(&call, d->common.offered) : decide_and_count(d);
	d->call = d->asked;
	return rc;
}

static int decide_as_asked(void *context)
{
	job_decision_t *d = context;

	return decide_on(d, d->asked->max_nodes);
}

static int decide_exactly(void *context)
{
	job_decision_t *d = context;

	return decide_on(d, d->asked->min_nodes);
}

/* The plan of the whole job, of which backfill has asked about all parts. */
static int plan_whole(job_decision_t *d)
{
	job_test_call_t whole = *d->asked;
	int rc;

	whole.min_nodes = features_least_nodes(&d->common.features);
	if (!d->common.features.apart && whole.job->details->min_nodes > whole.min_nodes)
		whole.min_nodes = whole.job->details->min_nodes;
	whole.req_nodes = whole.min_nodes;
	whole.max_nodes = d->common.max_nodes;
	d->call = &whole;
	rc = decide_and_count(d);
	d->call = d->asked;
	return rc;
}

/* Whether a plan is made for the whole job: it waits strictly, and counts all of its
 * nodes. */
static bool is_planned_whole(job_decision_t *d)
{
	const job_record_t *job = d->call->job;
	features_t *features = &d->common.features;

	return plans(d) && features_of_job(job, features) && !features->too_many &&
	       (!features->apart ||
		features_least_nodes(features) >= job->details->min_nodes) &&
	       decision_waits_strictly(&d->common);
}

/* A part of backfill's plan: see parts.h. */
static int plan_part(void *context)
{
	job_decision_t *d = context;
	plan_part_t part = is_planned_whole(d)
				   ? parts_note(d->call->job, d->common.offered)
				   : PLAN_PART_UNKNOWN;

	switch (part) {
	case PLAN_PART_LAST:
		return plan_whole(d);
	case PLAN_PART_FIRST:
		d->call->job->start_time = time(NULL);
		bit_clear_all(d->common.offered);
		return SLURM_SUCCESS;
	default:
		return decision_pass_part(&d->common);
	}
}

static int pass(void *context)
{
	const job_decision_t *d = context;

	return job_pass(d->asked, d->common.offered);
}

/* Whether nothing has to be picked for the parts of a job that names nodes: it waits
 * strictly, for a place in which there are enough nodes of each feature. */
static bool needs_no_picks(job_decision_t *d)
{
	const job_record_t *job = d->call->job;
	features_t *features = &d->common.features;
	bool alone;

	if (!features_names_nodes(job) || !features_of_job(job, features))
		return false;
	alone = features->apart || features->count == 1;
	features_free(features);
	return alone && decision_waits_strictly(&d->common);
}

static int pass_part(void *context)
{
	job_decision_t *d = context;
	int rc;

	if (plans(d))
		return pass(context);
	rc = pick_part(d->asked, d->common.offered);
	if (rc == SLURM_SUCCESS && needs_no_picks(d))
		bit_clear_all(d->common.offered);
	return rc;
}

static torus_asked_t asked_by(const job_test_call_t *call)
{
	return SELECT_IS_MODE_TEST_ONLY(call->mode)  ? TORUS_ASKED_EVER
	       : SELECT_IS_MODE_WILL_RUN(call->mode) ? TORUS_ASKED_PLAN
						     : TORUS_ASKED_START;
}

int job_decide(tori_t *tori, const job_test_call_t *call, bitstr_t *bitmap)
{
	static const decision_ways_t ways = {
		.decide = decide_as_asked,
		.decide_exactly = decide_exactly,
		.pass = pass,
		.pass_part = pass_part,
		.plan_part = plan_part,
	};
	job_decision_t d = {
		.common = {.ways = &ways,
			   .chooser = {.tori = tori,
				       .context = &d,
				       .could_run = could_run_on_torus},
			   .job = call->job,
			   .offered = bitmap,
			   .max_nodes = call->max_nodes,
			   .asks = {.asked = asked_by(call),
				    .at_once = call->job->bit_flags & TEST_NOW_ONLY,
				    .contiguous = call->job->details->contiguous}},
		.asked = call,
		.call = call,
	};

	if (is_reservation(call->job))
		return reservation_decide(tori, call, bitmap);
	return decision_answer(&d.common, call->min_nodes, call->req_nodes);
}
