/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job has to stay within one of several tori: see confine.h. */
#include "slurm/confine.h"

/*
 * The nodes that the job may have one day, as far as they are known; NULL: they are not.
 * Nodes that a reservation keeps from the job are none of them, because nobody knows
 * whether it will ever end.
 */
static bitstr_t *potential_nodes(job_record_t *job)
{
	bitstr_t *nodes;

	/* Which nodes have the features is worked out where a plugin cannot see it. */
	if (job->details->features)
		return NULL;
	nodes = job_unreserved_nodes(job);
	if (!nodes)
		return NULL;
	bit_and(nodes, job->part_ptr->node_bitmap);
	bit_and(nodes, avail_node_bitmap);
	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	return nodes;
}

void confine_to(const tori_t *tori, bitstr_t *nodes, int t)
{
	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		if (i >= tori->nodes || tori->torus_of_node[i] != t)
			bit_clear(nodes, i);
	}
}

bool confine_suits(confine_t *confine, const tori_t *tori, job_record_t *job,
		   uint32_t min_nodes, int t,
		   bool (*could_run)(void *context, const bitstr_t *nodes), void *context)
{
	bitstr_t *there;
	bool suits;

	if (!confine->known)
		confine->potential = potential_nodes(job);
	confine->known = true;
	if (!confine->potential)
		return false;
	there = bit_copy(confine->potential);
	confine_to(tori, there, t);
	suits = (uint32_t)bit_set_count(there) >= min_nodes && could_run(context, there);
	bit_free(there);
	return suits;
}

void confine_end(confine_t *confine)
{
	FREE_NULL_BITMAP(confine->potential);
	confine->known = false;
}
