/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strict jobs: see topology/placing.h. */
#include "topology/placing.h"

#ifdef TOPOLOGY_CHOOSES

/* The nodes of its partition that the job does not exclude; those offered, if the
 * partition is not known. */
static bitstr_t *nodes_of_job(const placing_t *p)
{
	const job_record_t *job = p->common.job;
	bitstr_t *nodes =
		bit_copy(job->part_ptr ? job->part_ptr->node_bitmap : p->common.offered);

	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	return nodes;
}

/*
 * Whether there may be a box on these nodes. While plans are made it is asked at each
 * time at which there is no place, for one job after the other: the last yes is kept.
 */
static bool is_box_possible(placing_t *p, const choice_request_t *request,
			    bitstr_t *nodes)
{
	tori_t *tori = p->common.chooser.tori;
	const char *network = p->common.job->network;
	uint32_t least = request->min_nodes, most = request->max_nodes;

	if (tori_knows_box(tori, network, nodes, least, most))
		return true;
	if (!choose_is_possible(&p->common.chooser, *request, nodes, &p->common.choice))
		return false;
	tori_know_box(tori, network, nodes, least, most);
	return true;
}

static bool is_possible(void *context, bool whole)
{
	placing_t *p = context;
	choice_request_t request = placing_request_range(p);
	bitstr_t *nodes;
	bool possible;

	if (!p->common.job->part_ptr)
		return true;
	if (whole)
		request.segment = 0;
	nodes = nodes_of_job(p);
	possible = request.shapes && !request.segment && !request.required
			   ? is_box_possible(p, &request, nodes)
			   : choose_is_possible(&p->common.chooser, request, nodes,
						&p->common.choice);
	bit_free(nodes);
	return possible;
}

uint32_t placing_place_nodes(placing_t *p)
{
	bitstr_t *nodes = nodes_of_job(p);
	uint32_t count =
		decision_place_nodes(&p->common, placing_request_range(p), nodes);

	bit_free(nodes);
	return count;
}

static int refuse(void *context, torus_never_t why)
{
	placing_t *p = context;
	choice_request_t request = placing_request_range(p);
	bitstr_t *nodes = nodes_of_job(p);
	int rc = decision_refuse(&p->common, why, &request, nodes,
				 why == TORUS_NEVER_HAS ? p->asking.offered : NULL);

	bit_free(nodes);
	return rc;
}

/* A place that Slurm's plugin accepts, among the nodes offered. */
static torus_outcome_t find(void *context, torus_at_t at, int64_t when)
{
	placing_t *p = context;
	choice_request_t request = placing_request_range(p);
	bitstr_t *named = p->common.job->details->req_node_bitmap;
	torus_outcome_t outcome;

	(void)at, (void)when;
	if (named && bit_super_set(named, p->asking.offered) &&
	    need_is_named(p->common.job, request.min_nodes, placing_has, p))
		request.nodes = request.max_nodes = request.min_nodes;
	outcome = placing_choose(p, &request);
	if (outcome == TORUS_PLACE_FOUND)
		placing_note(p, TORUS_BY_ENGINE);
	return outcome;
}

/* Nodes that cannot be had now are offered only where all count as free. */
static bool was_ever(void *context)
{
	const placing_t *p = context;

	return p->at_submission || (p->common.chooser.tori->grows &&
				    !bit_super_set(p->asking.offered, avail_node_bitmap));
}

static bool may_come(void *context)
{
	const placing_t *p = context;
	choice_request_t request = placing_request_range(p);

	return decision_place_may_come(&p->common, &request);
}

static int leave(void *context)
{
	placing_t *p = context;

	p->common.by = TORUS_BY_SLURM;
	return topology_try(&p->asking, p->asking.offered, TOPOLOGY_SOME, false, NULL)
		       ? SLURM_SUCCESS
		       : SLURM_ERROR;
}

/*
 * The same answer for "now" and for "ever", which Slurm does not tell apart: with
 * best_switch, by which topology/tree has a job wait for --switches=, select/cons_tres
 * takes a yes for no when it is to start or to plan a job, and for yes where it asks what
 * could ever run.
 */
static int postpone(void *context)
{
	placing_t *p = context;
	int rc = SLURM_ERROR;

	if (!p->planned && !p->at_some_time)
		rc = leave(context);
	if (rc != SLURM_SUCCESS)
		return rc;
	p->common.by = TORUS_BY_NOBODY;
	p->asking.eval->job_ptr->best_switch = false;
	return rc;
}

const torus_job_source_t placing_strict_source = {
	.find = find,
	.was_ever = was_ever,
	.is_possible = is_possible,
	.may_come = may_come,
	.refuse = refuse,
	.leave = leave,
	.postpone = postpone,
};

int place_strictly(placing_t *p)
{
	torus_job_source_t source = placing_strict_source;

	source.context = p;
	return torus_job_strictly(&p->common.asks, &source, false);
}

#endif
