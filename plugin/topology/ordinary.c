/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ordinary jobs: see topology/placing.h. */
#include "topology/placing.h"

#ifdef TOPOLOGY_CHOOSES

/*
 * Among nodes with an even share; if Slurm refuses, once more among all offered, if their
 * features do not matter, nor the GRES of their sockets: of these Slurm first accepts too
 * few, and cannot start the job then.
 */
static bool place_freely(placing_t *p)
{
	choice_request_t request = placing_request_range(p), wider;

	if (placing_choose(p, &request) == TORUS_PLACE_FOUND)
		return true;
	if (p->common.features.count || job_asks_for_gres_of_sockets(p->common.job))
		return false;
	wider = placing_request(p, request.nodes);
	return placing_choose(p, &wider) == TORUS_PLACE_FOUND;
}

/* Those of the nodes offered that have what the job needs of each; to be freed. */
static bitstr_t *nodes_with(placing_t *p, const torus_need_t *need)
{
	bitstr_t *nodes = bit_copy((bitstr_t *)p->asking.offered);
	uint64_t has[TORUS_MAX_KINDS];

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		placing_has(p, i, has);
		for (int kind = 0; kind < need->kinds; kind++) {
			if (has[kind] < need->each[kind])
				bit_clear(nodes, i);
		}
	}
	return nodes;
}

/* What the job needs of each node, with an even share of the processors of so many. */
static torus_need_t even_share(const placing_t *p, uint64_t nodes)
{
	torus_need_t need = p->common.need.need;
	uint64_t share = torus_need_share(&need, NEED_PROCESSORS, (uint32_t)nodes);

	if (share > need.each[NEED_PROCESSORS])
		need.each[NEED_PROCESSORS] = share;
	memset(need.sum, 0, sizeof(need.sum));
	return need;
}

/* The fewest nodes that could have the processors of the job. */
static uint64_t fewest_nodes(placing_t *p)
{
	uint64_t has[TORUS_MAX_KINDS], most = 1, nodes;
	const bitstr_t *offered = p->asking.offered;

	for (int i = next_set_bit(offered, 0); i >= 0; i = next_set_bit(offered, i + 1)) {
		placing_has(p, i, has);
		if (has[NEED_PROCESSORS] > most)
			most = has[NEED_PROCESSORS];
	}
	nodes = (p->common.need.need.sum[NEED_PROCESSORS] + most - 1) / most;
	return nodes > p->asking.asked.min_nodes ? nodes : p->asking.asked.min_nodes;
}

/*
 * Whether an even share on the fewest nodes keeps the job from some that are lighter than
 * others: Slurm takes the lightest, and more of them.
 */
static bool share_passes_over_lighter(placing_t *p)
{
	const bitstr_t *offered = p->asking.offered;
	bitstr_t *even, *others;
	torus_need_t need;
	bool passes;

	if (p->common.need.need.sum[NEED_PROCESSORS] <= p->asking.asked.min_nodes ||
	    !choose_some_are_heavier(offered, offered, p->planned))
		return false;
	need = even_share(p, fewest_nodes(p));
	even = nodes_with(p, &need);
	others = bit_copy((bitstr_t *)offered);
	bit_and_not(others, even);
	passes = choose_some_are_heavier(even, others, p->planned);
	bit_free(even);
	bit_free(others);
	return passes;
}

/* Whether Slurm's plugin says how many nodes the job gets: it counts GRES in all, or for
 * the weights. */
static bool slurm_counts(placing_t *p)
{
	if (p->common.features.count)
		return false;
	return job_counts_gres_in_all(p->common.job) || share_passes_over_lighter(p);
}

/*
 * What a node has that is as good for the job as the best of Slurm's [own] choice: an
 * even share of the processors, of GRES the most; or as good as the [worst].
 */
static torus_need_t need_of_each(placing_t *p, const bitstr_t *own, bool worst)
{
	torus_need_t need = {.kinds = p->common.need.need.kinds};
	uint64_t of_node[TORUS_MAX_KINDS];
	bool first = true;

	if (!worst && !job_counts_gres_in_all(p->common.job))
		return even_share(p, (uint64_t)bit_set_count((bitstr_t *)own));
	for (int i = next_set_bit(own, 0); i >= 0; i = next_set_bit(own, i + 1)) {
		placing_has(p, i, of_node);
		for (int kind = 0; kind < need.kinds; kind++) {
			if (first || (of_node[kind] < need.each[kind]) == worst)
				need.each[kind] = of_node[kind];
		}
		first = false;
	}
	return need;
}

/* Whether as many nodes that have what each needs weigh more than Slurm's [own]. */
static bool is_heavier(placing_t *p, const torus_need_t *need, const bitstr_t *own)
{
	uint32_t nodes = (uint32_t)bit_set_count((bitstr_t *)own);
	bitstr_t *there = nodes_with(p, need);
	bool heavier = choose_lightest(there, nodes, p->planned) >
		       choose_lightest(own, nodes, p->planned);

	bit_free(there);
	return heavier;
}

/*
 * How many nodes it takes Slurm's plugin says, and the engine places as many: among those
 * as good as the best that Slurm would take, unless they are heavier than these, then
 * among those as good as the worst.
 */
static bool place_as_many(placing_t *p)
{
	bitstr_t *own = bit_alloc(bit_size(p->asking.offered));
	bool there =
		topology_try(&p->asking, p->asking.offered, TOPOLOGY_SOME, true, own);
	bool made = false;

	for (int worst = 0; there && !made && worst <= 1; worst++) {
		choice_request_t request =
			placing_request(p, (uint32_t)bit_set_count(own));
		torus_need_t need = need_of_each(p, own, worst);

		request.need = &need;
		request.has = placing_has;
		made = (worst || !is_heavier(p, &need, own)) &&
		       placing_choose(p, &request) == TORUS_PLACE_FOUND;
	}
	bit_free(own);
	if (!there && !job_counts_gres_in_all(p->common.job))
		made = place_freely(p);
	return made;
}

/* Slurm's own choice, with the nodes that it has picked for features. */
static bool let_slurm_take_picked(placing_t *p)
{
	job_details_t *details = p->asking.eval->job_ptr->details;
	bitstr_t *named = details->req_node_bitmap;
	bool made;

	details->req_node_bitmap = p->common.picked;
	made = topology_let_slurm(&p->asking);
	details->req_node_bitmap = named;
	return made;
}

/* Slurm's own choice on one torus. */
static bool let_slurm_choose_on(void *context, int t, int64_t *start)
{
	placing_t *p = context;
	bitstr_t *there = bit_copy(p->asking.offered);
	bool made;

	(void)start;
	confine_to(p->common.chooser.tori, there, t);
	made = (uint32_t)bit_set_count(there) >= p->asking.asked.min_nodes &&
	       topology_try(&p->asking, there, TOPOLOGY_SOME, false, NULL);
	bit_free(there);
	return made;
}

/*
 * Slurm's own choice: of everything, or within one torus; a single node is always on one.
 */
static bool let_slurm_choose(placing_t *p)
{
	if (p->common.picked)
		return let_slurm_take_picked(p);
	if (p->asking.asked.max_nodes == 1 ||
	    !torus_chooser_is_confined(&p->common.chooser))
		return topology_let_slurm(&p->asking);
	return torus_job_torus(p->common.chooser.tori->count, false, let_slurm_choose_on,
			       p) >= 0;
}

int place_ordinary(placing_t *p)
{
	bool made = slurm_counts(p) ? place_as_many(p) : place_freely(p);

	if (made) {
		placing_note(p, TORUS_BY_ENGINE);
		return SLURM_SUCCESS;
	}
	if (p->common.is_part)
		return SLURM_ERROR;
	made = let_slurm_choose(p);
	if (made)
		placing_note(p, TORUS_BY_SLURM);
	return made ? SLURM_SUCCESS : SLURM_ERROR;
}

#endif
