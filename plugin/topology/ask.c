/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks the engine and Slurm's plugin: see topology/placing.h. */
#include "topology/placing.h"

#ifdef TOPOLOGY_CHOOSES

static bool verify(void *context, const void *nodes)
{
	placing_t *p = context;
	topology_extent_t extent =
		torus_job_is_strict(&p->common.asks) || p->common.features.count
			? TOPOLOGY_ALL
			: TOPOLOGY_SOME;

	if (torus_job_is_strict(&p->common.asks) && p->common.asks.network.has_shape)
		extent = TOPOLOGY_ALL_EVEN;
	if (p->refused && bit_equal(p->refused, (bitstr_t *)nodes))
		return false;
	if (p->common.features.count && !features_suffice(&p->common.features, nodes))
		return false;
	if (topology_try(&p->asking, nodes, extent, false, NULL))
		return true;
	FREE_NULL_BITMAP(p->refused);
	p->refused = bit_copy((bitstr_t *)nodes);
	return false;
}

/* A try may have made the count smaller, see gres_filter_sock_core(). */
static uint64_t gres_count(const sock_gres_t *gres)
{
	return gres->total_cnt > gres->total_cnt_before_filter
		       ? gres->total_cnt
		       : gres->total_cnt_before_filter;
}

void placing_has(void *context, int node, uint64_t *has)
{
	placing_t *p = context;
	const avail_res_t *resources = p->asking.eval->avail_res_array[node];
	slurm_list_iterator_t iterator;
	const sock_gres_t *gres;

	has[NEED_PROCESSORS] = resources->avail_cpus;
	for (int kind = 1; kind < p->common.need.need.kinds; kind++)
		has[kind] = 0;
	need_node_features(&p->common.need, node, has);
	if (p->common.need.need.kinds == 1 || !resources->sock_gres_list)
		return;
	iterator = list_iterator_create(resources->sock_gres_list);
	while ((gres = list_next(iterator))) {
		p->at_submission |= gres->use_total_gres;
		p->at_some_time |= !gres->use_total_gres;
		for (int kind = 1; kind < p->common.need.need.kinds; kind++) {
			if (p->common.need.gres[kind] &&
			    gres->gres_state_job == p->common.need.gres[kind])
				has[kind] = need_usable_gres(&p->common.need, kind,
							     gres_count(gres),
							     has[NEED_PROCESSORS]);
		}
	}
	list_iterator_destroy(iterator);
}

static bool could_run_on(void *context, const bitstr_t *nodes)
{
	const placing_t *p = context;

	return p->could_run(&p->asking.asked, nodes);
}

bool placing_could_run(void *context, int t)
{
	placing_t *p = context;
	job_record_t *job = p->common.job;

	return job->job_id &&
	       confine_suits(&p->common.confine, p->common.chooser.tori, job,
			     p->asking.asked.min_nodes, t, could_run_on, p);
}

choice_request_t placing_request(const placing_t *p, uint32_t nodes)
{
	choice_request_t request =
		choose_request(p->common.job, &p->common.asks, nodes, p->planned);

	request.near = p->near;
	return request;
}

choice_request_t placing_request_range(const placing_t *p)
{
	const topology_eval_t *asked = &p->asking.asked;
	choice_request_t request = decision_request(&p->common, asked->min_nodes,
						    asked->req_nodes, p->planned);

	request.near = p->near;
	request.need = &p->common.need.need;
	request.has = placing_has;
	return request;
}

torus_outcome_t placing_choose(placing_t *p, choice_request_t *request)
{
	bitstr_t *candidates = bit_copy(p->asking.offered);
	torus_outcome_t outcome;

	request->verify = verify;
	outcome = choose_nodes(&p->common.chooser, request, candidates, NULL,
			       &p->common.choice);
	bit_free(candidates);
	return outcome;
}

void placing_note(placing_t *p, torus_tally_by_t by)
{
	p->common.by = by;
	choose_log(p->common.job, "", &p->common.choice, p->asking.eval->node_map, by);
}

void placing_end(placing_t *p)
{
	confine_end(&p->common.confine);
	FREE_NULL_BITMAP(p->refused);
}

#endif
