/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job has to stay within one of several tori: see confine.h. */
#include "confine.h"

#include "ask_slurm.h"

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

void keep_on_torus(const machine_t *machine, bitstr_t *nodes, int t)
{
	int last = bit_fls(nodes);

	for (int i = 0; i <= last; i++) {
		if (bit_test(nodes, i) &&
		    (i >= machine->nodes || machine->torus_of_node[i] != t))
			bit_clear(nodes, i);
	}
}

static bool suits_some_torus(const decision_t *d, const bitstr_t *potential)
{
	bitstr_t *there = bit_alloc(bit_size((bitstr_t *)potential));
	bool suits = false;

	for (int t = 0; t < d->machine->tori && !suits; t++) {
		bit_copybits(there, (bitstr_t *)potential);
		keep_on_torus(d->machine, there, t);
		suits = (uint32_t)bit_set_count(there) >= d->call->min_nodes &&
			could_ever_run(d, there);
	}
	bit_free(there);
	return suits;
}

bool is_confined(decision_t *d)
{
	if (d->confinement == CONFINEMENT_UNKNOWN) {
		bitstr_t *potential =
			d->machine->tori < 2 ? NULL : potential_nodes(d->call->job);

		d->confinement = potential && suits_some_torus(d, potential) ? CONFINED
									     : UNCONFINED;
		FREE_NULL_BITMAP(potential);
	}
	return d->confinement == CONFINED;
}
