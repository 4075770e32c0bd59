/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of Slurm's question about a job: see slurm/decision.h. */
#include "slurm/decision.h"

#include "slurm/network.h"
#include "slurm/refuse.h"
#include "slurm/segments.h"

/*
 * While select_nodes() asks about a part the job has as many processors as the part has
 * nodes, but all of its tasks, unless it says how many are to be on each node: cons_tres
 * then finds a place for the part, and fails to distribute the tasks on it, so that the
 * job waits for ever. Under a topology plugin that is after its answer, so that they stay
 * as they are here: after each part select_nodes() puts the tasks back. Each of the nodes
 * that the part has to have, which are more than its own where they have been picked for
 * others, takes one of the tasks.
 */
static void limit_tasks(job_details_t *details)
{
	const bitstr_t *required = details->req_node_bitmap;
	uint32_t tasks = required ? (uint32_t)bit_set_count((bitstr_t *)required) : 0;

	if (tasks < details->min_cpus)
		tasks = details->min_cpus;
	if (!details->overcommit && !details->ntasks_per_node &&
	    details->num_tasks != NO_VAL && details->min_cpus == details->min_nodes &&
	    details->min_cpus < details->orig_min_cpus && tasks < details->num_tasks)
		details->num_tasks = tasks;
}

bool decision_is_for_neighbours(const decision_t *d)
{
	return d->chooser.tori->cluster->contiguous_by_nodes &&
	       d->job->details->contiguous && !d->asks.network.has_shape;
}

bool decision_is_by_rule(const job_record_t *job, uint32_t select_params,
			 uint32_t req_nodes, bool busy)
{
	if (job->bit_flags & SPREAD_JOB)
		return true;
	if (!job->part_ptr || job_takes_whole_nodes(job))
		return false;
	return busy || (select_params & SELECT_LLN) ||
	       (job->part_ptr->flags & PART_FLAG_LLN) ||
	       (job->details->min_cpus == 1 && req_nodes == 1 &&
		xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end"));
}

/*
 * What place the job wants beside its --network, which is there: its segments, and its
 * patience. Of a box it may have as many nodes as there are, if it does not say.
 */
static void read_place(decision_t *d)
{
	const tori_t *tori = d->chooser.tori;

	if (d->asks.network.shapes.count && max_nodes_is_implied(d->job))
		d->max_nodes = (uint32_t)node_record_count;
	d->asks.segment = segments_of_job(tori, d->job, d->max_nodes);
	if (!d->asks.segment) /* a condition, as in Slurm */
		d->patience = patience_of_job(tori, d->job, &d->asks.network,
					      d->asks.contiguous &&
						      !decision_is_for_neighbours(d));
}

int decision_read(decision_t *d, uint32_t min_nodes)
{
	bool names = d->features.count ? features_names_nodes(d->job)
				       : d->job->details->req_node_bitmap != NULL;
	torus_error_t err;

	if (network_of_job(d->job, &d->asks.network, &err))
		return refuse_job(d->job, NULL, err.text);
	if (d->asks.network.has_shape && names)
		return refuse_job(d->job, NULL,
				  "a shape and --nodelist exclude each other");
	read_place(d);
	return segments_check(d->job, d->asks.segment, min_nodes, d->max_nodes);
}

bool decision_waits_strictly(decision_t *d)
{
	torus_error_t err;

	if (network_of_job(d->job, &d->asks.network, &err))
		return false;
	read_place(d);
	return torus_job_is_strict(&d->asks) && !d->patience.asked.wish &&
	       !decision_is_for_neighbours(d);
}

int decision_pass_part(const decision_t *d)
{
	job_details_t *details = d->job->details;
	uint16_t contiguous = details->contiguous;
	int rc;

	if (!d->chooser.tori->cluster->contiguous_by_nodes)
		details->contiguous = 0;
	limit_tasks(details);
	rc = d->ways->pass_part(d->chooser.context);
	details->contiguous = contiguous;
	return rc;
}

/* Decide about the nodes offered, or only those of them that are [picked]; if the answer
 * is no, they are then as they were. */
static int decide_or_restore(const decision_t *d, int (*decide)(void *context),
			     const bitstr_t *picked)
{
	bitstr_t *before = bit_copy(d->offered);
	int rc;

	if (picked)
		bit_and(d->offered, (bitstr_t *)picked);
	rc = decide(d->chooser.context);
	if (rc != SLURM_SUCCESS)
		bit_copybits(d->offered, before);
	bit_free(before);
	return rc;
}

/* The part of a job, as if it were all of it; if that cannot be, as a part. */
static int lead(decision_t *d)
{
	int rc;

	d->is_part = true;
	refuse_silently(true);
	rc = decide_or_restore(d, d->ways->decide, NULL);
	refuse_silently(false);
	return rc == SLURM_SUCCESS ? rc : decision_pass_part(d);
}

/* The nodes that are picked, if they will do. */
static int take_picked(decision_t *d)
{
	job_details_t *details = d->job->details;
	bitstr_t *picked = details->req_node_bitmap;
	int rc;

	d->is_part = true;
	details->req_node_bitmap = NULL;
	rc = decide_or_restore(d, d->ways->decide_exactly, picked);
	details->req_node_bitmap = picked;
	return rc;
}

/* A job that counts more features than are looked at: Slurm's plugin answers, unless it
 * is a strict job. */
static int pass_too_many(decision_t *d)
{
	torus_error_t err;

	if (network_of_job(d->job, &d->asks.network, &err))
		return refuse_job(d->job, NULL, err.text);
	read_place(d);
	if (torus_job_is_strict(&d->asks) && !decision_is_for_neighbours(d))
		return refuse_job(d->job, NULL,
				  "with a shape, --contiguous or --segment a job can "
				  "count nodes with up to 64 features");
	return d->ways->pass(d->chooser.context);
}

static int answer(decision_t *d, features_question_t question)
{
	switch (question) {
	case FEATURES_PART:
		return decision_pass_part(d);
	case FEATURES_PLAN_PART:
		return d->ways->plan_part(d->chooser.context);
	case FEATURES_LEADING:
		return lead(d);
	case FEATURES_PICKED:
		return take_picked(d);
	case FEATURES_TOO_MANY:
		return pass_too_many(d);
	default:
		return d->ways->decide(d->chooser.context);
	}
}

int decision_answer(decision_t *d, uint32_t min_nodes, uint32_t req_nodes)
{
	int rc = answer(
		d, features_read(d->job, min_nodes, req_nodes, d->offered, &d->features));

	features_free(&d->features);
	return rc;
}

/* decision_make() for a job that counts features. */
static int make_with_features(decision_t *d, int (*decide)(void *context))
{
	job_details_t *details = d->job->details;
	bitstr_t *named = d->is_part ? NULL : features_named_nodes(d->job);
	int rc;

	need_add_features(&d->need, &d->features);
	d->picked = details->req_node_bitmap;
	if (!d->is_part)
		details->req_node_bitmap = named;
	rc = decide(d->chooser.context);
	details->req_node_bitmap = d->picked;
	FREE_NULL_BITMAP(named);
	return rc;
}

int decision_make(decision_t *d, int (*decide)(void *context))
{
	int rc = d->features.count ? make_with_features(d, decide)
				   : decide(d->chooser.context);

	confine_end(&d->confine);
	return rc;
}

int decision_reason_to_wait(const decision_t *d, int rc)
{
	torus_waits_for_t waits_for =
		torus_job_waits_for(&d->asks, d->patience.asked.wish);

	if (rc != SLURM_ERROR || waits_for == TORUS_WAITS_FOR_NODES)
		return rc;
	return waits_for == TORUS_WAITS_FOR_SEGMENTS ? WAITS_FOR_SEGMENTS
						     : WAITS_FOR_PLACE;
}

choice_request_t decision_request(const decision_t *d, uint32_t min_nodes,
				  uint32_t req_nodes, bool planned)
{
	choice_request_t request = choose_request(d->job, &d->asks, 0, planned);

	request.min_nodes = min_nodes;
	request.max_nodes = request.shapes && request.shapes->count
				    ? d->max_nodes
				    : need_most_nodes(d->job, min_nodes, d->max_nodes);
	request.nodes =
		need_wanted_nodes(d->job, min_nodes, req_nodes, request.max_nodes);
	return request;
}

uint32_t decision_place_nodes(decision_t *d, choice_request_t request, bitstr_t *nodes)
{
	return choose_is_possible(&d->chooser, request, nodes, &d->choice)
		       ? d->choice.nodes
		       : 0;
}
