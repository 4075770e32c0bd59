/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes a job could use: see usable.h. */
#include "usable.h"

#include <stdlib.h>

/* What one job needs of each of its nodes. */
typedef struct need {
	uint32_t cpus;
	uint64_t memory; /* MB; 0 when Slurm does not allocate memory */
} need_t;

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static need_t need_per_node(const job_record_t *job, uint32_t count)
{
	const struct job_details *details = job->details;
	uint32_t per_task = details->cpus_per_task;
	need_t need = {.cpus = 1};

	if (per_task == 0 || details->cpus_per_task == NO_VAL16)
		per_task = 1;
	need.cpus = larger(need.cpus, per_task * larger(details->ntasks_per_node, 1));
	if (details->pn_min_cpus != NO_VAL)
		need.cpus = larger(need.cpus, details->pn_min_cpus);
	if (count && details->min_cpus != NO_VAL && !details->overcommit)
		need.cpus = larger(need.cpus, (details->min_cpus + count - 1) / count);
	if ((slurm_conf.select_type_param & CR_MEMORY) &&
	    details->pn_min_memory != NO_VAL64) {
		need.memory = details->pn_min_memory & ~MEM_PER_CPU;
		if (details->pn_min_memory & MEM_PER_CPU)
			need.memory *= need.cpus;
	}
	return need;
}

static bool is_active(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) && job->node_bitmap &&
	       job->job_resrcs;
}

/* Add what [job] holds to the arrays over Slurm's node table. */
static void add_use(const job_record_t *job, uint32_t *cpus, uint64_t *memory)
{
	const job_resources_t *held = job->job_resrcs;
	int host = -1, last = bit_fls(held->node_bitmap);

	for (int i = 0; i <= last; i++) {
		if (!bit_test(held->node_bitmap, i))
			continue;
		host++;
		if (!bit_test(job->node_bitmap, i))
			continue; /* given back: the job has shrunk */
		cpus[i] += held->cpus[host];
		if (held->memory_allocated)
			memory[i] += held->memory_allocated[host];
	}
}

/* The first job of the timeline that still holds its nodes at [when]. */
static int first_active(const usable_timeline_t *timeline, time_t when)
{
	int low = 0, high = timeline->count;

	if (when <= time(NULL))
		return 0;
	while (low < high) {
		int middle = (low + high) / 2;

		if (timeline->job[middle]->end_time > when)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void filter_shared(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			  const usable_timeline_t *timeline, int first)
{
	need_t need = need_per_node(job, count);
	uint32_t *cpus = xcalloc(node_record_count, sizeof(*cpus));
	uint64_t *memory = xcalloc(node_record_count, sizeof(*memory));
	int last = bit_fls(nodes);

	for (int i = first; i < timeline->count; i++)
		add_use(timeline->job[i], cpus, memory);
	for (int i = 0; i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!bit_test(nodes, i))
			continue;
		if (cpus[i] + need.cpus > node_cpus(node) ||
		    (need.memory &&
		     memory[i] + node->mem_spec_limit + need.memory > node->real_memory))
			bit_clear(nodes, i);
	}
	xfree(cpus);
	xfree(memory);
}

void usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count,
		   const usable_timeline_t *timeline, time_t when)
{
	int first = first_active(timeline, when);

	if (!job_takes_whole_nodes(job)) {
		filter_shared(nodes, job, count, timeline, first);
		return;
	}
	for (int i = first; i < timeline->count; i++)
		bit_and_not(nodes, timeline->job[i]->node_bitmap);
}

static int compare_ends(const void *a, const void *b)
{
	time_t x = (*(const job_record_t *const *)a)->end_time;
	time_t y = (*(const job_record_t *const *)b)->end_time;

	return (x > y) - (x < y);
}

usable_timeline_t *usable_timeline_create(void)
{
	usable_timeline_t *timeline = xmalloc(sizeof(*timeline));
	ListIterator jobs = list_iterator_create(job_list);
	const job_record_t *job;

	timeline->job = xcalloc(list_count(job_list) + 1, sizeof(*timeline->job));
	while ((job = list_next(jobs))) {
		if (is_active(job))
			timeline->job[timeline->count++] = job;
	}
	list_iterator_destroy(jobs);
	qsort(timeline->job, (size_t)timeline->count, sizeof(*timeline->job),
	      compare_ends);
	return timeline;
}

void usable_timeline_free(usable_timeline_t *timeline)
{
	if (!timeline)
		return;
	xfree(timeline->job);
	xfree(timeline);
}

int usable_rows(const job_record_t *job)
{
	(void)job;
	return 1;
}

void usable_filter_row(bitstr_t *nodes, const job_record_t *job, uint32_t count, int row)
{
	(void)nodes;
	(void)job;
	(void)count;
	(void)row;
}

static int compare_jobs(const void *a, const void *b)
{
	const job_record_t *x = *(job_record_t *const *)a, *y = *(job_record_t *const *)b;

	return (x > y) - (x < y);
}

void usable_filter_without(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			   const usable_timeline_t *timeline, slurm_list_t gone)
{
	int gone_count = list_count(gone), at = 0;
	job_record_t **sorted = xcalloc(gone_count + 1, sizeof(*sorted));
	usable_timeline_t left = {0};
	ListIterator jobs = list_iterator_create(gone);

	while ((sorted[at] = list_next(jobs)))
		at++;
	list_iterator_destroy(jobs);
	qsort(sorted, (size_t)gone_count, sizeof(*sorted), compare_jobs);
	left.job = xcalloc(timeline->count + 1, sizeof(*left.job));
	for (int i = 0; i < timeline->count; i++) {
		if (!bsearch(&timeline->job[i], sorted, (size_t)gone_count,
			     sizeof(*sorted), compare_jobs))
			left.job[left.count++] = timeline->job[i];
	}
	usable_filter(nodes, job, count, &left, 0);
	xfree(left.job);
	xfree(sorted);
}
