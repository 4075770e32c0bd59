/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions about parts of a job: see slurm/parts.h. */
#include "slurm/parts.h"

#include "slurm/network.h"
#include "slurm/refuse.h"
#include "slurm/segments.h"

/*
 * While select_nodes() asks about a part the job has as many processors as the part has
 * nodes, but all of its tasks, unless it says how many are to be on each node: cons_tres
 * then finds a place for the part, and fails to distribute the tasks on it, so that the
 * job waits for ever. Under a topology plugin that is after its answer, so that they stay
 * as they are here: after each part select_nodes() puts the tasks back.
 */
static void limit_tasks(job_details_t *details)
{
	if (!details->overcommit && !details->ntasks_per_node &&
	    details->num_tasks != NO_VAL && details->min_cpus == details->min_nodes &&
	    details->min_cpus < details->orig_min_cpus &&
	    details->min_cpus < details->num_tasks)
		details->num_tasks = details->min_cpus;
}

bool parts_are_neighbours(const parts_t *parts)
{
	return parts->tori->cluster->contiguous_by_nodes &&
	       parts->job->details->contiguous;
}

void parts_read_place(const parts_t *parts, uint32_t max_nodes)
{
	torus_job_t *asks = parts->asks;

	asks->segment = segments_of_job(parts->tori, parts->job, max_nodes);
	if (!asks->segment) /* a condition, as in Slurm */
		*parts->patience =
			patience_of_job(parts->tori, parts->job, &asks->network,
					asks->contiguous && !parts_are_neighbours(parts));
}

bool parts_wait_strictly(const parts_t *parts)
{
	torus_error_t err;

	if (network_of_job(parts->job, &parts->asks->network, &err))
		return false;
	parts_read_place(parts, parts->max_nodes);
	return torus_job_is_strict(parts->asks) && !parts->patience->asked.wish;
}

int parts_pass(const parts_t *parts)
{
	job_details_t *details = parts->job->details;
	uint16_t contiguous = details->contiguous;
	int rc;

	if (!parts->tori->cluster->contiguous_by_nodes)
		details->contiguous = 0;
	limit_tasks(details);
	rc = parts->pass_part(parts->context);
	details->contiguous = contiguous;
	return rc;
}

/* Decide about the nodes offered, or only those of them that are [picked]; if the answer
 * is no, they are then as they were. */
static int decide_or_restore(const parts_t *parts, int (*decide)(void *context),
			     const bitstr_t *picked)
{
	bitstr_t *before = bit_copy(parts->offered);
	int rc;

	if (picked)
		bit_and(parts->offered, (bitstr_t *)picked);
	rc = decide(parts->context);

	if (rc != SLURM_SUCCESS)
		bit_copybits(parts->offered, before);
	bit_free(before);
	return rc;
}

/* The part of a job, as if it were all of it; if that cannot be, as a part. */
static int lead(parts_t *parts)
{
	int rc;

	parts->is_part = true;
	refuse_silently(true);
	rc = decide_or_restore(parts, parts->decide, NULL);
	refuse_silently(false);
	return rc == SLURM_SUCCESS ? rc : parts_pass(parts);
}

/* The nodes that are picked, if they will do. */
static int take_picked(parts_t *parts)
{
	job_details_t *details = parts->job->details;
	bitstr_t *picked = details->req_node_bitmap;
	int rc;

	parts->is_part = true;
	details->req_node_bitmap = NULL;
	rc = decide_or_restore(parts, parts->decide_exactly, picked);
	details->req_node_bitmap = picked;
	return rc;
}

/* A job that counts more features than are looked at: Slurm's plugin answers, unless it
 * is a strict job. */
static int pass_too_many(const parts_t *parts)
{
	torus_job_t *asks = parts->asks;
	torus_error_t err;

	if (network_of_job(parts->job, &asks->network, &err))
		return refuse_job(parts->job, NULL, err.text);
	parts_read_place(parts, parts->max_nodes);
	if (torus_job_is_strict(asks) && !parts_are_neighbours(parts))
		return refuse_job(parts->job, NULL, TOO_MANY_FEATURES);
	return parts->pass(parts->context);
}

int parts_answer(parts_t *parts, features_question_t question)
{
	switch (question) {
	case FEATURES_PART:
		return parts_pass(parts);
	case FEATURES_PLAN_PART:
		return parts->plan(parts->context);
	case FEATURES_LEADING:
		return lead(parts);
	case FEATURES_PICKED:
		return take_picked(parts);
	case FEATURES_TOO_MANY:
		return pass_too_many(parts);
	default:
		return parts->decide(parts->context);
	}
}

int parts_decide(parts_t *parts, int (*decide)(void *context))
{
	job_details_t *details = parts->job->details;
	bitstr_t *named;
	int rc;

	if (!parts->features->count)
		return decide(parts->context);
	named = parts->is_part ? NULL : features_named_nodes(parts->job);
	need_add_features(parts->need, parts->features);
	parts->picked = details->req_node_bitmap;
	if (!parts->is_part)
		details->req_node_bitmap = named;
	rc = decide(parts->context);
	details->req_node_bitmap = parts->picked;
	FREE_NULL_BITMAP(named);
	return rc;
}
