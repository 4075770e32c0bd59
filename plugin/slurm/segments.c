/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of segments: see slurm/segments.h. */
#include "slurm/segments.h"

#include <inttypes.h>
#include <stdio.h>

#include "place/segments.h"
#include "slurm/refuse.h"

uint32_t segments_of_job(const tori_t *tori, const job_record_t *job, uint32_t max_nodes)
{
	uint32_t size = job_segment_size(job);

	if (size < 2 || size >= max_nodes || !job->part_ptr ||
	    !job->part_ptr->node_bitmap ||
	    !tori_have_any(tori, job->part_ptr->node_bitmap))
		return 0;
	return size;
}

uint32_t segments_least_nodes(uint32_t size, uint32_t min_nodes)
{
	if (!size || torus_segments_divide(min_nodes, size))
		return min_nodes;
	return min_nodes + size - min_nodes % size;
}

/* For [reason], in the words that Slurm's own plugins have for that: see refuse_job(). */
static int refuse(const job_record_t *job, const bitstr_t *nodes, const char *reason)
{
	refuse_job(job, nodes, reason);
	return SEGMENTS_UNAVAILABLE;
}

/* Of a kind of GRES that the job asks for in all (--gpus=), so that [segments] have not as
 * many each: how many. 0: there is none. */
static uint64_t uneven_gres(const job_record_t *job, uint32_t segments)
{
	slurm_list_iterator_t iterator;
	const gres_state_t *state;
	uint64_t uneven = 0;

	if (!job->gres_list_req)
		return 0;
	iterator = list_iterator_create(job->gres_list_req);
	while (!uneven && (state = list_next(iterator))) {
		const gres_job_state_t *wanted = state->gres_data;

		if (wanted->gres_per_job % segments)
			uneven = wanted->gres_per_job;
	}
	list_iterator_destroy(iterator);
	return uneven;
}

int segments_check(const job_record_t *job, uint32_t size, uint32_t min_nodes,
		   uint32_t max_nodes)
{
	uint32_t least = segments_least_nodes(size, min_nodes);
	uint64_t uneven;
	char reason[128];

	if (!size)
		return SLURM_SUCCESS;
	if (least > max_nodes) {
		if (min_nodes == max_nodes)
			snprintf(reason, sizeof(reason),
				 "--segment=%u does not divide its %u nodes", size,
				 min_nodes);
		else
			snprintf(reason, sizeof(reason),
				 "--segment=%u divides no number of nodes from %u to %u",
				 size, min_nodes, max_nodes);
		return refuse(job, NULL, reason);
	}
	uneven = min_nodes == max_nodes ? uneven_gres(job, min_nodes / size) : 0;
	if (uneven) {
		snprintf(reason, sizeof(reason),
			 "--segment=%u: its %u segments cannot have %" PRIu64
			 " GRES (--gpus) in equal parts",
			 size, min_nodes / size, uneven);
		return refuse(job, NULL, reason);
	}
	return SLURM_SUCCESS;
}

int segments_refuse_box(const job_record_t *job, uint32_t size)
{
	char reason[128];

	snprintf(reason, sizeof(reason),
		 "--segment=%u does not divide the nodes of its box", size);
	return refuse(job, NULL, reason);
}

int segments_refuse_too_few(const job_record_t *job, const bitstr_t *nodes, uint32_t size,
			    uint32_t min_nodes)
{
	char reason[128];

	snprintf(reason, sizeof(reason),
		 "--segment=%u: no %u such segments among the nodes it may use", size,
		 segments_least_nodes(size, min_nodes) / size);
	/* Slurm does not come to look at segments if there are not enough nodes at all.
	 */
	if (nodes && (uint32_t)bit_set_count((bitstr_t *)nodes) < min_nodes)
		return refuse_job(job, nodes, reason);
	return refuse(job, nodes, reason);
}
