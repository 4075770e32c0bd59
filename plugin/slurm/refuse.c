/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that can not run: see refuse.h. */
#include "slurm/refuse.h"

#include <stdio.h>

#include "base/said.h"

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
