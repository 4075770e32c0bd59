/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that can not run: see refuse.h. */
#include "slurm/refuse.h"

#include <stdio.h>

#include "base/said.h"
#include "machine/registration.h"
#include "slurm/no_box.h"
#include "slurm/segments.h"

/*
 * Whether the job is not offered nodes of its partition, which it does not exclude,
 * because they are down, drained or reserved: during a decision Slurm takes reserved
 * nodes out of avail_node_bitmap, too. Others do not have what the job asks for.
 */
static bool has_more_nodes(const job_record_t *job, const bitstr_t *nodes)
{
	const bitstr_t *excluded = job->details->exc_node_bitmap;
	bitstr_t *more;
	bool any;

	if (!nodes || !avail_node_bitmap || !job->part_ptr || !job->part_ptr->node_bitmap)
		return false;
	more = bit_copy(job->part_ptr->node_bitmap);
	bit_and_not(more, (bitstr_t *)nodes);
	bit_and_not(more, avail_node_bitmap);
	if (excluded)
		bit_and_not(more, (bitstr_t *)excluded);
	any = bit_ffs(more) >= 0;
	bit_free(more);
	return any;
}

static bool silent;

void refuse_silently(bool silently)
{
	silent = silently;
}

int refuse_job(const job_record_t *job, const bitstr_t *nodes, const char *reason)
{
	static torus_said_t said;
	/* Of several partitions another one may have a place. */
	bool several = job->part_ptr_list && list_count(job->part_ptr_list) > 1;
	char *text = xstrdup_printf("%s%s%s: %s", several ? " in partition " : "",
				    several ? job->part_ptr->name : "",
				    has_more_nodes(job, nodes) ? " now" : "", reason);

	if (!silent && !torus_said_before(&said, job->job_id, text))
		info("%s: JobId=%u can not run%s", plugin_type, job->job_id, text);
	xfree(text);
	return ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
}

static int refuse_box(const never_t *never)
{
	char reason[NO_BOX_TEXT];

	explain_no_box(never->tori->cluster, &never->asks->network.shapes,
		       never->min_nodes, never->max_nodes, never->box_nodes, reason,
		       sizeof(reason));
	return refuse_job(never->job, never->nodes, reason);
}

static int refuse_interval(const never_t *never)
{
	char reason[256];

	snprintf(reason, sizeof(reason),
		 "--contiguous: no %u neighbours on the curve among the nodes it may use",
		 segments_least_nodes(never->asks->segment, never->min_nodes));
	return refuse_job(never->job, never->nodes, reason);
}

/* Whether a torus without vacant places could have such a place of the job. */
static bool is_large_enough(const tori_t *tori, int t, const torus_job_t *asks,
			    uint32_t min_nodes, uint32_t max_nodes)
{
	torus_cluster_t alone = {.maps = 1, .map = &tori->cluster->map[t]};
	char reason[NO_BOX_TEXT];

	if (asks->network.has_shape)
		return !explain_never(&alone, &asks->network.shapes, min_nodes, max_nodes,
				      reason, sizeof(reason));
	if (asks->contiguous)
		return alone.map[0]->nodes >=
		       segments_least_nodes(asks->segment, min_nodes);
	return alone.map[0]->nodes >= asks->segment;
}

/* The segments that all tori would have together. */
static uint64_t count_segments(const tori_t *tori, uint32_t size)
{
	uint64_t count = 0;

	for (int t = 0; t < tori->count; t++)
		count += tori->cluster->map[t]->nodes / size;
	return count;
}

bool place_may_come(const tori_t *tori, const torus_job_t *asks, uint32_t min_nodes,
		    uint32_t max_nodes)
{
	uint32_t size = asks->segment;

	if (!tori->grows ||
	    (size && count_segments(tori, size) <
			     segments_least_nodes(size, min_nodes) / size))
		return false;
	for (int t = 0; t < tori->count; t++) {
		if (torus_map_vacancies(tori->cluster->map[t]) &&
		    is_large_enough(tori, t, asks, min_nodes, max_nodes))
			return true;
	}
	return false;
}

int refuse_never(const never_t *never, torus_never_t why)
{
	switch (why) {
	case TORUS_NEVER_BOX:
		return refuse_box(never);
	case TORUS_NEVER_BOX_IN_SEGMENTS:
		return segments_refuse_box(never->job, never->asks->segment);
	case TORUS_NEVER_INTERVAL:
		return refuse_interval(never);
	case TORUS_NEVER_SEGMENTS:
		return segments_refuse_too_few(never->job, never->nodes,
					       never->asks->segment, never->min_nodes);
	default:
		return refuse_job(never->job, never->nodes,
				  never->counts_features ? NO_PLACE_HAS_FEATURES
							 : NO_PLACE_HAS);
	}
}

int reason_to_wait(int rc, torus_waits_for_t waits_for)
{
	if (rc != SLURM_ERROR || waits_for == TORUS_WAITS_FOR_NODES)
		return rc;
	return waits_for == TORUS_WAITS_FOR_SEGMENTS ? WAITS_FOR_SEGMENTS
						     : WAITS_FOR_PLACE;
}
