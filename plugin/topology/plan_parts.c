/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Backfill's plans for strict jobs that count features: see plan_parts.h. */
#include "topology/plan_parts.h"

/* The place of the job that is planned, one job at a time: backfill asks about all of its
 * parts in a row. */
static struct {
	uint32_t job_id;
	time_t when;	 /* it was looked for */
	int next;	 /* part that is to come */
	bitstr_t *place; /* NULL: there is none */
	bitstr_t *left;	 /* of it, for the parts to come */
} planned;

void plan_parts_forget(void)
{
	FREE_NULL_BITMAP(planned.place);
	FREE_NULL_BITMAP(planned.left);
	planned.job_id = 0;
}

/* When the last job on each node ends; 0 without one. To be freed. */
static time_t *times_of_nodes(void)
{
	time_t *end = xcalloc(node_record_count, sizeof(*end));
	slurm_list_iterator_t jobs = list_iterator_create(job_list);
	const job_record_t *job;

	while ((job = list_next(jobs))) {
		const bitstr_t *nodes = job->node_bitmap;

		if (!job_holds_nodes(job))
			continue;
		for (int i = next_set_bit(nodes, 0); i >= 0;
		     i = next_set_bit(nodes, i + 1))
			end[i] = job->end_time > end[i] ? job->end_time : end[i];
	}
	list_iterator_destroy(jobs);
	return end;
}

/* The nodes that the job may have one day, as far as can be seen from here. */
static bitstr_t *nodes_of_job(const job_record_t *job)
{
	const job_details_t *details = job->details;
	bitstr_t *nodes = bit_copy(job->part_ptr->node_bitmap);

	bit_and(nodes, avail_node_bitmap);
	if (details->exc_node_bitmap)
		bit_and_not(nodes, details->exc_node_bitmap);
	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node_cpus(node) < details->pn_min_cpus ||
		    (!(details->pn_min_memory & MEM_PER_CPU) &&
		     node->config_ptr->real_memory < details->pn_min_memory))
			bit_clear(nodes, i);
	}
	return nodes;
}

static int compare_times(const void *a, const void *b)
{
	time_t one = *(const time_t *)a, other = *(const time_t *)b;

	return one < other ? -1 : one > other;
}

/* Whether there is a place among the nodes that are free at [when]. */
static bool find_at(const part_question_t *question, const bitstr_t *nodes,
		    const time_t *end, time_t when, bitstr_t *place)
{
	bitstr_t *free = bit_copy((bitstr_t *)nodes), *idle = bit_copy(free);
	bool found;

	for (int i = next_set_bit(free, 0); i >= 0; i = next_set_bit(free, i + 1)) {
		if (end[i] <= when)
			continue;
		bit_clear(idle, i);
		if (!bit_test((bitstr_t *)question->offered, i))
			bit_clear(free, i);
	}
	found = question->find(question->context, free, idle, place);
	bit_free(free);
	bit_free(idle);
	return found;
}

/* Find the place that is free first. */
static void look_for_place(const part_question_t *question)
{
	time_t *end = times_of_nodes();
	bitstr_t *nodes = nodes_of_job(question->job);
	time_t *times = xcalloc(node_record_count + 1, sizeof(*times));
	int low = 0, high = 1; /* times[0]: now */

	planned.place = bit_alloc(bit_size(nodes));
	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1))
		times[high++] = end[i];
	qsort(times, (size_t)high, sizeof(*times), compare_times);
	high--;
	if (find_at(question, nodes, end, times[high], planned.place)) {
		while (low < high) {
			int middle = low + (high - low) / 2;

			if (find_at(question, nodes, end, times[middle], planned.place))
				high = middle;
			else
				low = middle + 1;
		}
		if (!find_at(question, nodes, end, times[high], planned.place))
			FREE_NULL_BITMAP(planned.place);
	} else {
		FREE_NULL_BITMAP(planned.place);
	}
	if (planned.place)
		planned.left = bit_copy(planned.place);
	xfree(times);
	bit_free(nodes);
	xfree(end);
}

/* Which part it is; -1: not one of those that are asked for in turn. */
static int part_of(const part_question_t *question)
{
	int expected = planned.job_id == question->job->job_id ? planned.next : 0;
	int count, part = features_part(question->job, expected, &count);

	if (count != question->features->count)
		return -1;
	return !part || (part == expected && planned.place) ? part : -1;
}

/* Whether there is a place by now that still counts: for the same question at a later
 * time. */
static bool is_found(const part_question_t *question, int part)
{
	return planned.job_id == question->job->job_id && planned.place &&
	       (part || (!planned.next && planned.when == time(NULL)));
}

/* Add nodes of [from] to [taken], up to so many: without [all] only those that have none
 * of the features [later], from the [first] on. */
static void take(bitstr_t *taken, const bitstr_t *from, uint32_t nodes,
		 const features_t *later, int first, bool all)
{
	uint32_t count = (uint32_t)bit_set_count(taken);

	for (int i = next_set_bit(from, 0); i >= 0 && count < nodes;
	     i = next_set_bit(from, i + 1)) {
		bool is_needed = false;

		for (int k = first; !all && k < later->count; k++)
			is_needed |= bit_test(later->nodes[k], i);
		if (is_needed || bit_test(taken, i))
			continue;
		bit_set(taken, i);
		count++;
	}
}

bool plan_part_is_known(const part_question_t *question)
{
	return part_of(question) >= 0;
}

bitstr_t *plan_part_nodes(const part_question_t *question)
{
	int part = part_of(question);
	features_t later = *question->features;
	bitstr_t *from, *taken, *rest;

	if (!is_found(question, part)) {
		plan_parts_forget();
		planned.job_id = question->job->job_id;
		planned.when = time(NULL);
		planned.next = 0;
		look_for_place(question);
	}
	if (!planned.place)
		return NULL;
	from = bit_copy(planned.left);
	bit_and(from, later.nodes[part]);
	bit_and(from, (bitstr_t *)question->offered);
	taken = bit_alloc(bit_size(from));
	take(taken, from, question->nodes, &later, part + 1, false);
	take(taken, from, question->nodes, &later, part + 1, true);
	for (int i = 0; i <= part; i++)
		later.number[i] = 0;
	rest = bit_copy(planned.left);
	bit_and_not(rest, taken);
	if ((uint32_t)bit_set_count(taken) < question->nodes ||
	    !features_suffice(&later, rest))
		FREE_NULL_BITMAP(taken);
	bit_free(from);
	bit_free(rest);
	return taken;
}

void plan_part_taken(const part_question_t *question, const bitstr_t *nodes)
{
	bit_and_not(planned.left, (bitstr_t *)nodes);
	planned.next++;
	if (planned.next == question->features->count)
		plan_parts_forget();
}
