/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job may have one day, torus by torus: see potential.h. */
#include "slurm/potential.h"

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

bool suits_some_torus(const machine_t *machine, job_record_t *job, uint32_t min_nodes,
		      bool (*could_run)(void *context, const bitstr_t *nodes),
		      void *context)
{
	bitstr_t *potential = machine->tori < 2 ? NULL : potential_nodes(job), *there;
	bool suits = false;

	if (!potential)
		return false;
	there = bit_alloc(bit_size(potential));
	for (int t = 0; t < machine->tori && !suits; t++) {
		bit_copybits(there, potential);
		keep_on_torus(machine, there, t);
		suits = (uint32_t)bit_set_count(there) >= min_nodes &&
			could_run(context, there);
	}
	bit_free(there);
	bit_free(potential);
	return suits;
}
