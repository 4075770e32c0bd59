/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision about one job, from Slurm's parameters on: see job_decide.h. */
#include "select/job_decide.h"

#include "select/ask_slurm.h"
#include "select/delegate.h"
#include "select/pick_part.h"
#include "select/plan_parts.h"
#include "select/reservation.h"
#include "slurm/network.h"
#include "slurm/refuse.h"
#include "slurm/segments.h"

int job_pass(const job_test_call_t *call, bitstr_t *bitmap)
{
	job_test_extra_t extra = call->extra;

	return delegate.select_p_job_test(call->job, bitmap, call->min_nodes,
					  call->max_nodes, call->req_nodes, call->mode,
					  call->preemptee_candidates, call->preemptees,
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
		by = torus_job_is_strict(&d->job) ? TORUS_BY_ENGINE : TORUS_BY_SLURM;
	decisions_count(mode, by, begin);
}

/* The decision about the nodes offered: the context of its parts. */
typedef struct deciding {
	job_decision_t *d;
	bitstr_t *bitmap;
	const job_test_call_t *asked; /* as it came */
} deciding_t;

/* By one of the ways, for the job as it asks. */
static int decide(void *context)
{
	const deciding_t *deciding = context;
	job_decision_t *d = deciding->d;
	bool ever = d->job.asked == TORUS_ASKED_EVER;

	if (!ever && d->patience.asked.wish)
		return job_start_patiently(d, deciding->bitmap);
	if (torus_job_is_strict(&d->job))
		return job_decide_strictly(d, deciding->bitmap);
	return ever ? ask_slurm_alone(d, deciding->bitmap, NULL)
		    : job_start_or_plan(d, deciding->bitmap);
}

static int decide_and_count(job_decision_t *d)
{
	const struct timespec begin = decisions_begin();
	int rc;

	if (torus_job_is_strict(&d->job)) {
		d->need = need_of_job(d->call->job);
		d->cpus = xcalloc(node_record_count, sizeof(*d->cpus));
	}
	rc = parts_decide(&d->parts, decide);
	usable_timeline_free(d->timeline);
	confine_end(&d->confine);
	xfree(d->cpus);
	count(d, rc, &begin);
	return SELECT_IS_MODE_TEST_ONLY(d->call->mode)
		       ? rc
		       : reason_to_wait(rc, torus_job_waits_for(&d->job,
								d->patience.asked.wish));
}

/* Read what the job asks for, and decide. */
static int read_and_decide(job_decision_t *d, bitstr_t *bitmap)
{
	job_test_call_t boxed = *d->call;
	torus_error_t err;
	int rc;

	if (network_of_job(boxed.job, &d->job.network, &err))
		return refuse_job(boxed.job, NULL, err.text);
	if (d->job.network.shapes.count && max_nodes_is_implied(boxed.job)) {
		boxed.max_nodes = (uint32_t)node_record_count;
		d->call = &boxed;
	}
	parts_read_place(&d->parts, boxed.max_nodes);
	rc = segments_check(boxed.job, d->job.segment, boxed.min_nodes, boxed.max_nodes);
	if (rc != SLURM_SUCCESS)
		return rc;
	if (!boxed.min_nodes ||
	    (!d->job.network.has_shape &&
	     (parts_are_neighbours(&d->parts) ||
	      (!d->job.segment && !tori_have_any(d->chooser.tori, bitmap)))))
		return job_pass(d->call, bitmap);
	if (!SELECT_IS_MODE_TEST_ONLY(boxed.mode) &&
	    (uint32_t)bit_set_count(bitmap) < boxed.min_nodes)
		return job_pass(d->call, bitmap); /* too few, whichever they are */
	return decide_and_count(d);
}

/* The plan of the whole job, of which backfill has asked about all parts. */
static int plan_whole(job_decision_t *d)
{
	job_test_call_t whole = *d->call;

	whole.min_nodes = features_least_nodes(&d->features);
	if (!d->features.apart && whole.job->details->min_nodes > whole.min_nodes)
		whole.min_nodes = whole.job->details->min_nodes;
	whole.req_nodes = whole.min_nodes;
	if (d->job.network.shapes.count && max_nodes_is_implied(whole.job))
		whole.max_nodes = (uint32_t)node_record_count;
	d->call = &whole;
	return decide_and_count(d);
}

/* Whether it is a strict job that waits for its place, however long. */
static bool waits_strictly(const job_decision_t *d)
{
	return !parts_are_neighbours(&d->parts) && parts_wait_strictly(&d->parts);
}

/* Whether a plan is made for the whole job: it waits strictly, and counts all of its
 * nodes. */
static bool is_planned_whole(job_decision_t *d)
{
	const job_record_t *job = d->call->job;

	return plans(d) && features_of_job(job, &d->features) && !d->features.too_many &&
	       (!d->features.apart ||
		features_least_nodes(&d->features) >= job->details->min_nodes) &&
	       waits_strictly(d);
}

/* A part of backfill's plan: see plan_parts.h. */
static int plan_part(void *context)
{
	const deciding_t *deciding = context;
	job_decision_t *d = deciding->d;
	plan_part_t part = is_planned_whole(d)
				   ? plan_parts_note(d->call->job, deciding->bitmap)
				   : PLAN_PART_UNKNOWN;

	switch (part) {
	case PLAN_PART_LAST:
		return plan_whole(d);
	case PLAN_PART_FIRST:
		d->call->job->start_time = time(NULL);
		bit_clear_all(deciding->bitmap);
		return SLURM_SUCCESS;
	default:
		return parts_pass(&d->parts);
	}
}

/* With as many nodes as are asked for, or the fewest of them. */
static int decide_on(void *context, uint32_t max_nodes)
{
	const deciding_t *deciding = context;
	job_test_call_t call = *deciding->asked;
	int rc;

	call.max_nodes = max_nodes;
	deciding->d->call = &call;
	rc = read_and_decide(deciding->d, deciding->bitmap);
	deciding->d->call = deciding->asked;
	return rc;
}

static int decide_as_asked(void *context)
{
	const deciding_t *deciding = context;

	return decide_on(context, deciding->asked->max_nodes);
}

static int decide_exactly(void *context)
{
	const deciding_t *deciding = context;

	return decide_on(context, deciding->asked->min_nodes);
}

static int pass(void *context)
{
	const deciding_t *deciding = context;

	return job_pass(deciding->asked, deciding->bitmap);
}

/* Whether nothing has to be picked for the parts of a job that names nodes: it waits
 * strictly, for a place in which there are enough nodes of each feature. */
static bool needs_no_picks(job_decision_t *d)
{
	const job_record_t *job = d->call->job;
	bool alone;

	if (!features_names_nodes(job) || !features_of_job(job, &d->features))
		return false;
	alone = d->features.apart || d->features.count == 1;
	features_free(&d->features);
	return alone && waits_strictly(d);
}

static int pass_part(void *context)
{
	const deciding_t *deciding = context;
	int rc;

	if (SELECT_IS_MODE_WILL_RUN(deciding->asked->mode))
		return pass(context);
	rc = pick_part(deciding->asked, deciding->bitmap);
	if (rc == SLURM_SUCCESS && needs_no_picks(deciding->d))
		bit_clear_all(deciding->bitmap);
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
	job_decision_t d = {
		.chooser = {.tori = tori, .context = &d, .could_run = could_run_on_torus},
		.call = call,
		.job = {.asked = asked_by(call),
			.at_once = call->job->bit_flags & TEST_NOW_ONLY,
			.contiguous = call->job->details->contiguous},
	};
	deciding_t deciding = {&d, bitmap, call};
	int rc;

	if (is_reservation(call->job))
		return reservation_decide(tori, call, bitmap);
	d.parts = (parts_t){
		.tori = tori,
		.job = call->job,
		.features = &d.features,
		.max_nodes = call->max_nodes,
		.offered = bitmap,
		.asks = &d.job,
		.patience = &d.patience,
		.need = &d.need,
		.context = &deciding,
		.decide = decide_as_asked,
		.decide_exactly = decide_exactly,
		.pass = pass,
		.pass_part = pass_part,
		.plan = plan_part,
	};
	rc = parts_answer(&d.parts, features_read(call->job, call->min_nodes,
						  call->req_nodes, bitmap, &d.features));
	features_free(&d.features);
	return rc;
}
