/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ordinary jobs: see topology/placing.h. */
#include "topology/placing.h"

#ifdef TOPOLOGY_CHOOSES

/* Make [need] the least, or the most, that one of the [nodes] has. */
static void bound_need(placing_t *p, const bitstr_t *nodes, bool most, torus_need_t *need)
{
	uint64_t of_node[TORUS_MAX_KINDS];
	bool first = true;

	*need = (torus_need_t){.kinds = p->common.need.need.kinds};
	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		placing_has(p, i, of_node);
		for (int kind = 0; kind < need->kinds; kind++) {
			if (first || (of_node[kind] > need->each[kind]) == most)
				need->each[kind] = of_node[kind];
		}
		first = false;
	}
}

/*
 * A job that counts GRES in all: how many nodes that takes Slurm's plugin says, and the
 * engine places as many among nodes that have as much free as those it would take.
 */
static bool place_among_equals(placing_t *p)
{
	bitstr_t *own = bit_alloc(bit_size(p->asking.offered));
	bool made = false;

	if (topology_try(&p->asking, p->asking.offered, TOPOLOGY_SOME, true, own)) {
		choice_request_t request =
			placing_request(p, (uint32_t)bit_set_count(own));
		torus_need_t need;

		request.need = &need;
		request.has = placing_has;
		for (int most = 1; !made && most >= 0; most--) {
			bound_need(p, own, most, &need);
			made = placing_choose(p, &request) == TORUS_PLACE_FOUND;
		}
	}
	bit_free(own);
	return made;
}

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
	bool made;

	made = job_counts_gres_in_all(p->common.job) && !p->common.features.count
		       ? place_among_equals(p)
		       : place_freely(p);
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
