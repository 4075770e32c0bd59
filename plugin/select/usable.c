/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes a job could use: see usable.h. */
#include "select/usable.h"

#include "select/usable_check.h"

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t cpus_per_task(const job_record_t *job)
{
	uint16_t given = job->details->cpus_per_task;

	return given && given != NO_VAL16 ? given : 1;
}

usable_need_t usable_need(const job_record_t *job, uint32_t count)
{
	const job_details_t *details = job->details;
	usable_need_t need = {
		.cpus = 1,
		.kind = state_job_kind(job),
		.cores = job_shares_by_cores(job),
		.whole_cores = !job_counts_threads(job),
		.whole_node = wants_whole_nodes(details->whole_node),
		.spare_cores = job_leaves_spare_cores(job),
	};

	need.cpus = larger(need.cpus,
			   cpus_per_task(job) * larger(details->ntasks_per_node, 1));
	if (details->pn_min_cpus != NO_VAL)
		need.cpus = larger(need.cpus, details->pn_min_cpus);
	if (count && details->min_cpus != NO_VAL && !details->overcommit)
		need.cpus = larger(need.cpus, (details->min_cpus + count - 1) / count);
	if (!job_shares_by_memory(job) || details->pn_min_memory == NO_VAL64)
		return need;
	need.memory = details->pn_min_memory & ~MEM_PER_CPU;
	need.memory_per_cpu = details->pn_min_memory & MEM_PER_CPU;
	/* --mem=0 is all memory; not so where GRES bring their own. */
	need.all_memory = !need.memory && !job->gres_list_req;
	return need;
}

/* The cores of the node that the job may have. */
static uint32_t job_cores(const usable_need_t *need, const node_record_t *node)
{
	return need->spare_cores ? node_job_cores(node) : node->tot_cores;
}

/* The memory that a node must have left, in MB; 0: it does not matter. */
static uint64_t memory_needed(const usable_need_t *need, const job_record_t *job,
			      const node_record_t *node)
{
	uint32_t per_core = node_cpus_per_core(node, job), cores;

	if (!need->memory_per_cpu)
		return need->memory;
	if (need->whole_node && !(job->bit_flags & BF_WHOLE_NODE_TEST))
		return need->memory * per_core * job_cores(need, node);
	if (!need->whole_cores)
		return need->memory * need->cpus;
	cores = (need->cpus + per_core - 1) / per_core;
	return need->memory * cores *
	       (job_pays_for_idle_threads(job) ? node->tpc : per_core);
}

static bool memory_fits(const usable_need_t *need, const job_record_t *job,
			const node_record_t *node, uint64_t used)
{
	uint64_t needed = memory_needed(need, job, node);

	if (need->all_memory)
		return used == 0;
	return !needed || used + node->mem_spec_limit + needed <= node->real_memory;
}

/* Whether the jobs on the node and this one will have each other beside them. */
static bool kinds_fit(const usable_need_t *need, const node_use_t *use)
{
	if (use->kinds >= NODE_CR_RESERVED || (need->whole_node && use->cores))
		return false;
	if (need->kind == NODE_CR_ONE_ROW)
		return !use->shared;
	return use->kinds < NODE_CR_ONE_ROW &&
	       (need->kind != NODE_CR_RESERVED || !use->busy);
}

/* The processors of the node that are left for the job. */
static uint32_t cpus_left(const usable_need_t *need, const job_record_t *job,
			  const node_record_t *node, const node_use_t *use)
{
	uint32_t cores = job_cores(need, node);

	if (need->cores)
		cores = use->cores < cores ? cores - use->cores : 0;
	return cores * node_cpus_per_core(node, job);
}

static bool cores_fit(const usable_need_t *need, const job_record_t *job,
		      const node_record_t *node, const node_use_t *use)
{
	return !need->cores || cpus_left(need, job, node, use) >= need->cpus;
}

bool usable_fits(const usable_need_t *need, const job_record_t *job, int node,
		 const node_use_t *use)
{
	const node_record_t *record = node_record_table_ptr[node];

	return memory_fits(need, job, record, use->memory) && kinds_fit(need, use) &&
	       cores_fit(need, job, record, use);
}

/* How many processors the job could use of a node on which it fits, in whole tasks. */
static uint32_t cpus_of_use(const usable_need_t *need, const job_record_t *job, int node,
			    const node_use_t *use)
{
	const node_record_t *record = node_record_table_ptr[node];
	uint32_t cpus = cpus_left(need, job, record, use), per_task = cpus_per_task(job);

	if (need->memory_per_cpu && need->memory) {
		uint64_t left =
			record->real_memory - record->mem_spec_limit - use->memory;

		if (left / need->memory < cpus)
			cpus = (uint32_t)(left / need->memory);
	}
	return cpus < per_task ? cpus : cpus - cpus % per_task;
}

bool usable_shares_evenly(const job_record_t *job, uint32_t count)
{
	return usable_need(job, count).cpus > usable_need(job, 0).cpus;
}

static void filter_now(bitstr_t *nodes, const job_record_t *job, uint32_t count, int row,
		       uint32_t *cpus)
{
	usable_need_t need = usable_need(job, count);
	state_rows_t *rows = state_rows(job, row);
	bool completing = job->bit_flags & BACKFILL_TEST;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		node_use_t use = state_node_use(rows, i);

		if ((!completing && IS_NODE_COMPLETING(node_record_table_ptr[i])) ||
		    !usable_fits(&need, job, i, &use))
			bit_clear(nodes, i);
		else if (cpus)
			cpus[i] = cpus_of_use(&need, job, i, &use);
	}
	state_rows_free(rows);
}

/* With what is in use at the time that the timeline has been moved to. */
static void filter_later(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			 const usable_timeline_t *timeline, uint32_t *cpus)
{
	usable_need_t need = usable_need(job, count);

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		node_use_t use = timeline_node_use(timeline, i);

		if (!usable_fits(&need, job, i, &use))
			bit_clear(nodes, i);
		else if (cpus)
			cpus[i] = cpus_of_use(&need, job, i, &use);
	}
}

void usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count,
		   const usable_timeline_t *timeline, time_t when, uint32_t *cpus)
{
	bitstr_t *offered = usable_check_begin(nodes);

	if (!timeline || when <= time(NULL))
		when = 0;
	if (when) {
		timeline_move(timeline, job, when);
		filter_later(nodes, job, count, timeline, cpus);
	} else {
		filter_now(nodes, job, count, STATE_ALL_ROWS, cpus);
	}
	usable_check_end(offered, nodes, job, count, when);
}

int usable_rows(const job_record_t *job)
{
	return state_row_count(job);
}

void usable_filter_row(bitstr_t *nodes, const job_record_t *job, uint32_t count, int row,
		       uint32_t *cpus)
{
	filter_now(nodes, job, count, row, cpus);
}

void usable_filter_without(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			   const usable_timeline_t *timeline, slurm_list_t gone,
			   uint32_t *cpus)
{
	timeline_leave_out(timeline, job, gone);
	filter_later(nodes, job, count, timeline, cpus);
	timeline_count_again(timeline, job, gone);
}
