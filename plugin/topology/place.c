/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes a job gets: see topology/place.h. */
#include "topology/placing.h"

#ifdef TOPOLOGY_CHOOSES

#include "base/monotonic.h"
#include "slurm/decisions.h"

/*
 * Whether the weights that Slurm has noted for its nodes are on the scale of plans, that
 * of backfill: whenever slurmctld is about to start a job it notes weights on another
 * one.
 */
static bool is_planned(const bitstr_t *nodes)
{
	int i = next_set_bit(nodes, 0);
	const node_record_t *node = i < 0 ? NULL : node_record_table_ptr[i];

	return node && (uint32_t)(node->sched_weight >> 8) != node->config_ptr->weight;
}

/* By one of the ways, for the job as it asks. */
static int decide(void *context)
{
	placing_t *p = context;

	if (p->common.patience.asked.wish)
		return place_patiently(p);
	return torus_job_is_strict(&p->common.asks) ? place_strictly(p)
						    : place_ordinary(p);
}

/* Decide for the job, of which it is known what it asks for. */
static int decide_and_count(placing_t *p)
{
	const int64_t begin = torus_monotonic_ns();
	decision_t *common = &p->common;
	int rc;

	p->asking.offered = bit_copy(common->offered);
	p->asking.hide_contiguous = torus_job_is_strict(&common->asks);
	common->need = need_of_job(common->job);
	/* Slurm offers nodes on which one socket has what is asked for of several. */
	if (!torus_job_is_strict(&common->asks) && !job_counts_gres_in_all(common->job) &&
	    !job_asks_for_gres_of_sockets(common->job))
		common->need.need.kinds = 1; /* the rest Slurm's plugin knows */
	rc = decision_make(common, decide);
	placing_end(p);
	bit_free(p->asking.offered);
	decisions_count(TORUS_TALLY_ANY,
			rc == SLURM_SUCCESS ? common->by : TORUS_BY_NOBODY, begin);
	return p->at_submission ? rc : decision_reason_to_wait(common, rc);
}

/* Whether Slurm's plugin answers alone. */
static bool passes(const placing_t *p)
{
	const topology_eval_t *eval = p->asking.eval;
	const job_record_t *job = p->common.job;

	return decision_is_for_neighbours(&p->common) ||
	       (!torus_job_is_strict(&p->common.asks) &&
		(!tori_have_any(p->common.chooser.tori, eval->node_map) ||
		 decision_is_by_rule(job, eval->cr_type, eval->req_nodes,
				     eval->prefer_alloc_nodes)));
}

static int pass(void *context)
{
	const placing_t *p = context;

	return p->asking.slurm->choose(p->asking.eval);
}

/* Read what the job asks for, and decide. */
static int read_and_decide(void *context)
{
	placing_t *p = context;
	int rc = decision_read(&p->common, p->asking.asked.min_nodes);

	if (rc != SLURM_SUCCESS)
		return rc;
	return passes(p) ? pass(p) : decide_and_count(p);
}

/* The same for the least number of nodes; if there is no place the question is as it
 * was. */
static int decide_exactly(void *context)
{
	placing_t *p = context;
	topology_eval_t *eval = p->asking.eval;
	uint32_t max_nodes = eval->max_nodes;
	int rc;

	eval->max_nodes = p->asking.asked.max_nodes = p->common.max_nodes =
		eval->min_nodes;
	rc = read_and_decide(context);
	if (rc != SLURM_SUCCESS)
		eval->max_nodes = max_nodes;
	return rc;
}

int topology_place(tori_t *tori, const topology_slurm_t *slurm,
		   topology_could_run_t *could_run, topology_eval_t *eval)
{
	static const decision_ways_t ways = {
		.decide = read_and_decide,
		.decide_exactly = decide_exactly,
		.pass = pass,
		.pass_part = place_part,
		.plan_part = place_plan_part,
	};
	job_record_t *job = eval->job_ptr;
	placing_t p = {
		.common = {.ways = &ways,
			   .chooser = {.tori = tori,
				       .context = &p,
				       .could_run = placing_could_run},
			   .job = job,
			   .offered = eval->node_map,
			   .max_nodes = eval->max_nodes,
			   .asks = {.asked = TORUS_ASKED_ONCE,
				    .contiguous = job->details->contiguous &&
						  !tori->cluster->contiguous_by_nodes}},
		.asking = {.slurm = slurm, .eval = eval, .asked = *eval},
		.could_run = could_run,
		.planned = is_planned(eval->node_map),
	};

	job->best_switch = true; /* until a strict job is put off: see strict.c */
	return decision_answer(&p.common, eval->min_nodes, eval->req_nodes);
}

#endif
