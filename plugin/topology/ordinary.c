/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ordinary jobs: see topology/placing.h. */
#include "topology/placing.h"

#ifdef TOPOLOGY_CHOOSES

/* Among nodes with an even share; if Slurm refuses, once more among all offered, if
 * their features do not matter. */
static bool place_freely(placing_t *p)
{
	choice_request_t request = placing_request_range(p), wider;

	if (placing_choose(p, &request) == TORUS_PLACE_FOUND)
		return true;
	if (p->common.features.count)
		return false;
	wider = placing_request(p, request.nodes);
	return placing_choose(p, &wider) == TORUS_PLACE_FOUND;
}

static uint64_t weight(const placing_t *p, int node)
{
	return node_weight(node_record_table_ptr[node], p->planned);
}

static bool weights_differ(const placing_t *p)
{
	const bitstr_t *nodes = p->asking.offered;
	int first = next_set_bit(nodes, 0);

	for (int i = first; i >= 0; i = next_set_bit(nodes, i + 1)) {
		if (weight(p, i) != weight(p, first))
			return true;
	}
	return false;
}

/*
 * Whether Slurm's plugin says how many nodes the job gets: of one that counts GRES in
 * all, and where weights differ, as the lightest nodes come first although it takes more
 * of them.
 */
static bool slurm_counts(const placing_t *p)
{
	const torus_need_t *need = &p->common.need.need;

	if (p->common.features.count)
		return false;
	return job_counts_gres_in_all(p->common.job) ||
	       (torus_need_share(need, NEED_PROCESSORS, p->asking.asked.min_nodes) > 1 &&
		weights_differ(p));
}

/*
 * What a node has that is as good for the job as the best of Slurm's [own] choice: an
 * even share of the processors, of GRES the most; or as good as the [worst].
 */
static torus_need_t need_of_each(placing_t *p, const bitstr_t *own, bool worst)
{
	const torus_need_t *all = &p->common.need.need;
	torus_need_t need = {.kinds = all->kinds};
	uint64_t of_node[TORUS_MAX_KINDS];
	bool first = true;

	if (!worst && !job_counts_gres_in_all(p->common.job)) {
		need.each[NEED_PROCESSORS] = torus_need_share(
			all, NEED_PROCESSORS, (uint32_t)bit_set_count((bitstr_t *)own));
		return need;
	}
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

static bool has_what_each_needs(placing_t *p, int node, const torus_need_t *need)
{
	uint64_t of_node[TORUS_MAX_KINDS];

	placing_has(p, node, of_node);
	for (int kind = 0; kind < need->kinds; kind++) {
		if (of_node[kind] < need->each[kind])
			return false;
	}
	return true;
}

static int compare_weights(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

/* Whether as many nodes that have what each needs weigh more than Slurm's [own]. */
static bool is_heavier(placing_t *p, const torus_need_t *need, const bitstr_t *own)
{
	int nodes = bit_set_count((bitstr_t *)own), there = 0;
	uint64_t *weights =
		xcalloc((size_t)bit_set_count(p->asking.offered) + 1, sizeof(*weights));
	uint64_t theirs = 0, ours = 0;

	for (int i = next_set_bit(own, 0); i >= 0; i = next_set_bit(own, i + 1))
		theirs += weight(p, i);
	for (int i = next_set_bit(p->asking.offered, 0); i >= 0;
	     i = next_set_bit(p->asking.offered, i + 1)) {
		if (has_what_each_needs(p, i, need))
			weights[there++] = weight(p, i);
	}
	qsort(weights, (size_t)there, sizeof(*weights), compare_weights);
	for (int i = 0; i < nodes && i < there; i++)
		ours += weights[i];
	xfree(weights);
	return there < nodes || ours > theirs;
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
