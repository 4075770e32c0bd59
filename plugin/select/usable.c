/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes a job could use: see usable.h. */
#include "select/usable.h"

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

static bool memory_suffices(const usable_need_t *need, const job_record_t *job,
			    const node_record_t *node, uint64_t used)
{
	uint64_t needed = memory_needed(need, job, node);

	if (need->all_memory)
		return used == 0;
	return !needed || used + node->mem_spec_limit + needed <= node->real_memory;
}

/* Whether the jobs on the node and this one will have each other beside them. */
static bool kinds_go_together(const usable_need_t *need, const node_use_t *use)
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

static bool cores_suffice(const usable_need_t *need, const job_record_t *job,
			  const node_record_t *node, const node_use_t *use)
{
	return !need->cores || cpus_left(need, job, node, use) >= need->cpus;
}

bool usable_is_met(const usable_need_t *need, const job_record_t *job, int node,
		   const node_use_t *use)
{
	const node_record_t *record = node_record_table_ptr[node];

	return memory_suffices(need, job, record, use->memory) &&
	       kinds_go_together(need, use) && cores_suffice(need, job, record, use);
}

uint32_t usable_cpus(const usable_need_t *need, const job_record_t *job, int node,
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
	/* Whole nodes count with all they have. */
	return need->whole_node || cpus < per_task ? cpus : cpus - cpus % per_task;
}

uint32_t usable_cpus_when_idle(const usable_need_t *need, const job_record_t *job,
			       int node)
{
	const node_record_t *record = node_record_table_ptr[node];

	return job_cores(need, record) * node_cpus_per_core(record, job);
}

void usable_filter_row(bitstr_t *nodes, const job_record_t *job, uint32_t count, int row,
		       uint32_t *cpus)
{
	usable_need_t need = usable_need(job, count);
	state_rows_t *rows = state_rows(job, row);
	bool completing = job->bit_flags & BACKFILL_TEST;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		node_use_t use = state_node_use(rows, i);

		if ((!completing && IS_NODE_COMPLETING(node_record_table_ptr[i])) ||
		    !usable_is_met(&need, job, i, &use))
			bit_clear(nodes, i);
		else if (cpus)
			cpus[i] = usable_cpus(&need, job, i, &use);
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

		if (!usable_is_met(&need, job, i, &use))
			bit_clear(nodes, i);
		else if (cpus)
			cpus[i] = usable_cpus(&need, job, i, &use);
	}
}

void usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count,
		   const usable_timeline_t *timeline, time_t when, uint32_t *cpus)
{
	if (!timeline || when <= time(NULL))
		when = 0;
	if (when) {
		timeline_move(timeline, job, when);
		filter_later(nodes, job, count, timeline, cpus);
	} else {
		usable_filter_row(nodes, job, count, STATE_ALL_ROWS, cpus);
	}
}

/* The cores count in all, also where memory would not do for each of them. */
void usable_when_idle(const bitstr_t *nodes, const job_record_t *job, uint32_t *cpus)
{
	usable_need_t need = usable_need(job, 0);

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1))
		cpus[i] = usable_cpus_when_idle(&need, job, i);
}

int usable_rows(const job_record_t *job)
{
	return state_row_count(job);
}

void usable_filter_without(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			   const usable_timeline_t *timeline, slurm_list_t gone,
			   uint32_t *cpus)
{
	timeline_leave_out(timeline, job, gone);
	filter_later(nodes, job, count, timeline, cpus);
	timeline_count_again(timeline, job, gone);
}
