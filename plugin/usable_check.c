/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slow twin of usable_filter(): see usable_check.h. */
#include "usable_check.h"

#include <stdlib.h>

bitstr_t *usable_check_begin(const bitstr_t *nodes)
{
	static int wanted = -1;

	if (wanted < 0)
		wanted = getenv("TORUS_CHECK_USABLE") != NULL;
	return wanted ? bit_copy((bitstr_t *)nodes) : NULL;
}

/* The position of [node] among those of the job, and that of its first core; or -1. */
static int position_in_job(const job_resources_t *held, int node, int *first_core)
{
	int host = 0;

	*first_core = 0;
	if (!bit_test(held->node_bitmap, node))
		return -1;
	for (int i = 0; i < node; i++) {
		if (!bit_test(held->node_bitmap, i))
			continue;
		host++;
		*first_core += node_record_table_ptr[i]->tot_cores;
	}
	return host;
}

/* Add what [other] holds of [node] to *use, its cores to [cores]. */
static void add_use(const job_record_t *other, const job_record_t *job, int node,
		    node_use_t *use, bitstr_t *cores)
{
	const job_resources_t *held = other->job_resrcs;
	int first_core, host = position_in_job(held, node, &first_core);

	if (host < 0 || !held->cpus[host])
		return;
	use->memory += held->memory_allocated[host];
	if (IS_JOB_SUSPENDED(other) && other->priority == 0)
		return;
	use->kinds += held->node_req;
	use->shared |= other->part_ptr != job->part_ptr &&
		       state_partition_shares(other->part_ptr);
	for (int i = 0; i < node_record_table_ptr[node]->tot_cores; i++) {
		if (held->whole_node == WHOLE_NODE_REQUIRED ||
		    bit_test(held->core_bitmap, first_core + i))
			bit_set(cores, i);
	}
}

static bool fits(const job_record_t *job, uint32_t count, int node, time_t when)
{
	bitstr_t *cores = bit_alloc(node_record_table_ptr[node]->tot_cores);
	usable_need_t need = usable_need(job, count);
	ListIterator jobs = list_iterator_create(job_list);
	bool now = when <= time(NULL);
	node_use_t use = {0};
	const job_record_t *other;

	while ((other = list_next(jobs))) {
		if ((IS_JOB_RUNNING(other) || IS_JOB_SUSPENDED(other)) &&
		    other->job_resrcs && (now || other->end_time > when))
			add_use(other, job, node, &use, cores);
	}
	list_iterator_destroy(jobs);
	use.cores = (uint32_t)bit_set_count(cores);
	bit_free(cores);
	if (now && !(job->bit_flags & BACKFILL_TEST) &&
	    IS_NODE_COMPLETING(node_record_table_ptr[node]))
		return false;
	return usable_fits(&need, job, node, &use);
}

void usable_check_end(bitstr_t *offered, const bitstr_t *kept, const job_record_t *job,
		      uint32_t count, time_t when)
{
	int different = 0, checked = 0;

	if (!offered)
		return;
	for (int i = next_set_bit(offered, 0); i >= 0; i = next_set_bit(offered, i + 1)) {
		bool expected = fits(job, count, i, when);

		checked++;
		if (expected == (bit_test((bitstr_t *)kept, i) != 0))
			continue;
		error("select/torus: usable: JobId=%u count=%u when=%ld: %s is said to be %s",
		      job->job_id, count, (long)when, node_record_table_ptr[i]->name,
		      expected ? "full" : "free");
		different++;
	}
	debug("select/torus: usable: JobId=%u checked %d nodes, %d of them kept, %d different",
	      job->job_id, checked, bit_set_count((bitstr_t *)kept), different);
	FREE_NULL_BITMAP(offered);
}
