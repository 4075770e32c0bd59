/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that count features (slurm/features.h), part by part: see topology/placing.h.
 *
 * For a plan backfill asks about each feature in turn, at "now" and at the ends of jobs
 * until the answer is yes, and puts the answers together. A topology plugin sees no more
 * than the nodes with that one feature. So for a strict job, when the first one is asked
 * about, a place for the whole job is looked for, at the first time at which all of its
 * nodes are expected to be free, and each part then gets its nodes of that place, as soon
 * as Slurm offers them.
 *
 * Nodes of the other features count as free when the last job on them ends: a plan may be
 * later than it need be where jobs share nodes, never on nodes that are no place.
 */
#include "topology/placing.h"

#ifdef TOPOLOGY_CHOOSES

/* The place of the job that is planned, one job at a time: backfill asks about all of its
 * parts in a row. */
static struct {
	uint32_t job_id;
	time_t when;	 /* it was looked for */
	int next;	 /* part that is to come */
	bitstr_t *place; /* NULL: there is none */
	bitstr_t *left;	 /* of it, for the parts to come */
} planned;

void topology_place_forget(void)
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

/* What a node has when a plan is made: all of it, if no job will be on it; nothing else
 * is known of those that are not offered. */
static void has_then(void *context, int node, uint64_t *free)
{
	const placing_t *p = context;
	const node_record_t *record = node_record_table_ptr[node];

	if (!bit_test((bitstr_t *)p->idle_then, node)) {
		placing_has(context, node, free);
		return;
	}
	free[NEED_PROCESSORS] = node_cpus(record);
	for (int kind = 1; kind < p->common.need.need.kinds; kind++) {
		if (p->common.need.gres[kind])
			free[kind] = need_usable_gres(
				&p->common.need, kind,
				need_node_gres(&p->common.need, kind, record, false),
				free[NEED_PROCESSORS]);
	}
	need_node_features(&p->common.need, node, free);
}

static bool has_all(void *context, const void *nodes)
{
	const placing_t *p = context;

	return features_suffice(&p->common.features, nodes);
}

/* Find a place for the whole job among [candidates]; jobs will be on none of those that
 * are [idle]. */
static bool find_whole(placing_t *p, const bitstr_t *candidates, const bitstr_t *idle,
		       bitstr_t *place)
{
	choice_request_t request =
		placing_request(p, features_least_nodes(&p->common.features));
	bitstr_t *free = bit_copy((bitstr_t *)candidates);
	bool found;

	request.need = &p->common.need.need;
	request.has = has_then;
	request.verify = has_all;
	p->idle_then = idle;
	found = choose_nodes(&p->common.chooser, &request, free, place,
			     &p->common.choice) == TORUS_PLACE_FOUND;
	bit_free(free);
	return found;
}

/* Whether there is a place among the nodes that are free at [when]. */
static bool find_at(placing_t *p, const bitstr_t *nodes, const time_t *end, time_t when,
		    bitstr_t *place)
{
	bitstr_t *free = bit_copy((bitstr_t *)nodes), *idle = bit_copy(free);
	bool found;

	for (int i = next_set_bit(free, 0); i >= 0; i = next_set_bit(free, i + 1)) {
		if (end[i] <= when)
			continue;
		bit_clear(idle, i);
		if (!bit_test((bitstr_t *)p->common.offered, i))
			bit_clear(free, i);
	}
	found = find_whole(p, free, idle, place);
	bit_free(free);
	bit_free(idle);
	return found;
}

/* Find the place that is free first. */
static void look_for_place(placing_t *p)
{
	time_t *end = times_of_nodes();
	bitstr_t *nodes = nodes_of_job(p->common.job);
	time_t *times = xcalloc(node_record_count + 1, sizeof(*times));
	int low = 0, high = 1; /* times[0]: now */

	planned.place = bit_alloc(bit_size(nodes));
	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1))
		times[high++] = end[i];
	qsort(times, (size_t)high, sizeof(*times), compare_times);
	high--;
	if (find_at(p, nodes, end, times[high], planned.place)) {
		while (low < high) {
			int middle = low + (high - low) / 2;

			if (find_at(p, nodes, end, times[middle], planned.place))
				high = middle;
			else
				low = middle + 1;
		}
		if (!find_at(p, nodes, end, times[high], planned.place))
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

/* Whether a plan is made for the whole job: it waits strictly, and counts all of its
 * nodes. Where it names nodes, cons_tres has every part have all of these. */
static bool is_planned_whole(placing_t *p)
{
	const job_details_t *details = p->common.job->details;

	return features_of_job(p->common.job, &p->common.features) &&
	       !p->common.features.too_many &&
	       (p->common.features.count == 1 ||
		(p->common.features.apart && !details->req_node_bitmap)) &&
	       features_least_nodes(&p->common.features) >= details->min_nodes &&
	       decision_waits_strictly(&p->common);
}

/* Which part it is; -1: not one of those that are asked for in turn. */
static int part_of(const placing_t *p)
{
	int expected = planned.job_id == p->common.job->job_id ? planned.next : 0;
	int count, part = features_part(p->common.job, expected, &count);

	if (count != p->common.features.count)
		return -1;
	return !part || (part == expected && planned.place) ? part : -1;
}

/* Whether there is a place by now that still counts: for the same question at a later
 * time. */
static bool is_found(const placing_t *p, int part)
{
	return planned.job_id == p->common.job->job_id && planned.place &&
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

/* The nodes for the part; to be freed. NULL: not now. */
static bitstr_t *nodes_of_part(placing_t *p)
{
	int part = part_of(p);
	features_t later = p->common.features;
	uint32_t wanted = p->asking.asked.min_nodes;
	bitstr_t *from, *taken, *rest;

	if (!is_found(p, part)) {
		topology_place_forget();
		planned.job_id = p->common.job->job_id;
		planned.when = time(NULL);
		planned.next = 0;
		look_for_place(p);
	}
	if (!planned.place)
		return NULL;
	from = bit_copy(planned.left);
	bit_and(from, later.nodes[part]);
	bit_and(from, p->common.offered);
	taken = bit_alloc(bit_size(from));
	take(taken, from, wanted, &later, part + 1, false);
	take(taken, from, wanted, &later, part + 1, true);
	for (int i = 0; i <= part; i++)
		later.number[i] = 0;
	rest = bit_copy(planned.left);
	bit_and_not(rest, taken);
	if ((uint32_t)bit_set_count(taken) < wanted || !features_suffice(&later, rest))
		FREE_NULL_BITMAP(taken);
	bit_free(from);
	bit_free(rest);
	return taken;
}

int place_plan_part(void *context)
{
	placing_t *p = context;
	bitstr_t *nodes;
	int rc = SLURM_ERROR;

	p->plans_part = true;
	if (!is_planned_whole(p) || part_of(p) < 0)
		return decision_pass_part(&p->common);
	p->common.need = need_of_job(p->common.job);
	need_add_features(&p->common.need, &p->common.features);
	nodes = nodes_of_part(p);
	if (!nodes)
		return SLURM_ERROR;
	p->asking.offered = bit_copy(p->common.offered);
	p->asking.hide_contiguous = true;
	if (topology_try_part(&p->asking, nodes)) {
		bit_and_not(planned.left, nodes);
		planned.next++;
		if (planned.next == p->common.features.count)
			topology_place_forget();
		rc = SLURM_SUCCESS;
	}
	bit_free(p->asking.offered);
	bit_free(nodes);
	return rc;
}

/* How many of the nodes [named], which Slurm does not offer for the part, have its
 * feature, so that a job that waits strictly needs no others for them. */
static uint32_t count_named_elsewhere(placing_t *p, const bitstr_t *named)
{
	const topology_eval_t *eval = p->asking.eval;
	uint32_t fewest = UINT32_MAX;
	features_t features;

	if (!decision_waits_strictly(&p->common) ||
	    !features_of_job(p->common.job, &features))
		return 0;
	for (int i = 0; i < features.count; i++) {
		bitstr_t *elsewhere;
		uint32_t count;

		if (features.number[i] != eval->min_nodes ||
		    !bit_super_set(eval->node_map, features.nodes[i]))
			continue;
		elsewhere = bit_copy((bitstr_t *)named);
		bit_and(elsewhere, features.nodes[i]);
		bit_and_not(elsewhere, eval->node_map);
		count = (uint32_t)bit_set_count(elsewhere);
		fewest = count < fewest ? count : fewest;
		bit_free(elsewhere);
	}
	features_free(&features);
	return fewest == UINT32_MAX ? 0 : fewest;
}

int place_part(void *context)
{
	placing_t *p = context;
	bitstr_t *named;
	bool made;

	if (p->plans_part)
		return p->asking.slurm->choose(p->asking.eval);
	named = features_named_nodes(p->common.job);
	made = topology_let_slurm_part(&p->asking, named != NULL,
				       named ? count_named_elsewhere(p, named) : 0);
	FREE_NULL_BITMAP(named);
	return made ? SLURM_SUCCESS : SLURM_ERROR;
}

#endif
