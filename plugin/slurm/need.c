/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job needs of its nodes: see need.h. */
#include "slurm/need.h"

static const gres_job_state_t *wanted_of(const job_need_t *need, int kind)
{
	return need->gres[kind]->gres_data;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint32_t need_tasks(const job_record_t *job)
{
	uint32_t tasks = job->details->num_tasks;

	return tasks == NO_VAL ? 0 : tasks;
}

/* The sockets of each node of which the job wants some. */
static uint64_t sockets(const job_record_t *job)
{
	const multi_core_data_t *asked = job->details->mc_ptr;

	return asked && asked->sockets_per_node != NO_VAL16
		       ? larger(1, asked->sockets_per_node)
		       : 1;
}

static void add_gres(job_need_t *need, const job_record_t *job, const gres_state_t *gres)
{
	const gres_job_state_t *wanted = gres->gres_data;
	int kind = need->need.kinds++;
	uint64_t each = larger(1, wanted->gres_per_node);

	/* Slurm's plugin takes no node that has none. */
	each = larger(each, wanted->gres_per_socket * sockets(job));
	need->gres[kind] = gres;
	need->need.each[kind] = larger(each, wanted->gres_per_task);
	need->need.sum[kind] =
		larger(wanted->gres_per_job, wanted->gres_per_task * need_tasks(job));
}

job_need_t need_of_job(const job_record_t *job)
{
	const job_details_t *details = job->details;
	slurm_list_iterator_t iterator;
	const gres_state_t *gres;
	job_need_t need = {.need.kinds = 1, .need.each = {1}};

	if (!details->overcommit && details->min_cpus != NO_VAL)
		need.need.sum[NEED_PROCESSORS] = details->min_cpus;
	if (!job->gres_list_req)
		return need;
	iterator = list_iterator_create(job->gres_list_req);
	while (need.need.kinds < TORUS_MAX_KINDS - TORUS_MAX_FEATURES &&
	       (gres = list_next(iterator)))
		add_gres(&need, job, gres);
	list_iterator_destroy(iterator);
	return need;
}

static void add_kind(job_need_t *need, const features_t *features, uint32_t subset)
{
	int kind = need->need.kinds++;

	need->subset[kind] = subset;
	need->need.each[kind] = 0;
	need->need.sum[kind] = features_counted(features, subset);
}

void need_add_features(job_need_t *need, const features_t *features)
{
	int first = features->count < TORUS_MAX_FEATURES ? features->count
							 : TORUS_MAX_FEATURES;
	uint32_t all = (1u << first) - 1;

	need->features = features;
	need->need.first_feature = need->need.kinds;
	need->need.features = first;
	for (int i = 0; i < features->count && need->need.kinds < TORUS_MAX_KINDS; i++)
		add_kind(need, features, 1u << i);
	for (int size = 2; size <= first; size++) {
		for (uint32_t subset = 1; subset <= all; subset++) {
			if (__builtin_popcount(subset) == size &&
			    need->need.kinds < TORUS_MAX_KINDS &&
			    features_overlap(features, subset))
				add_kind(need, features, subset);
		}
	}
}

void need_node_features(const job_need_t *need, int node, uint64_t *has)
{
	if (!need->need.features)
		return;
	for (int kind = need->need.first_feature; kind < need->need.kinds; kind++)
		has[kind] = features_on_node(need->features, need->subset[kind], node);
}

/* Of the type that the job names; of any type if it names none, or the node has none. */
static uint64_t count_of_type(const gres_node_state_t *has,
			      const gres_job_state_t *wanted, bool now)
{
	uint64_t count = 0;

	if (!wanted->type_name || !has->type_cnt)
		return UINT64_MAX;
	for (int i = 0; i < has->type_cnt; i++) {
		uint64_t held = now ? has->type_cnt_alloc[i] : 0;

		if (has->type_id[i] == wanted->type_id && has->type_cnt_avail[i] > held)
			count += has->type_cnt_avail[i] - held;
	}
	return count;
}

static uint64_t count_of_node(const gres_node_state_t *has,
			      const gres_job_state_t *wanted, bool now)
{
	uint64_t count = has->gres_cnt_avail, of_type;
	uint64_t held = now ? has->gres_cnt_alloc : 0;

	now = now && !has->no_consume;
	of_type = count_of_type(has, wanted, now);
	if (now)
		count = count > held ? count - held : 0;
	return count < of_type ? count : of_type;
}

uint64_t need_node_gres(const job_need_t *need, int kind, const node_record_t *node,
			bool now)
{
	slurm_list_iterator_t iterator;
	const gres_state_t *gres;
	uint64_t count = 0;

	if (!node->gres_list)
		return 0;
	iterator = list_iterator_create(node->gres_list);
	while ((gres = list_next(iterator))) {
		if (gres->plugin_id == need->gres[kind]->plugin_id)
			count += count_of_node(gres->gres_data, wanted_of(need, kind),
					       now);
	}
	list_iterator_destroy(iterator);
	return count;
}

uint64_t need_usable_gres(const job_need_t *need, int kind, uint64_t count,
			  uint64_t processors)
{
	uint64_t with_each = wanted_of(need, kind)->cpus_per_gres;

	return with_each && processors / with_each < count ? processors / with_each
							   : count;
}

uint32_t need_most_nodes(const job_record_t *job, uint32_t min, uint32_t max)
{
	uint64_t tasks = need_tasks(job);

	if (tasks && !job->details->ntasks_per_node && max > tasks)
		max = (uint32_t)tasks;
	return max > min ? max : min;
}

uint32_t need_wanted_nodes(const job_record_t *job, uint32_t min, uint32_t wanted,
			   uint32_t max)
{
	if (wanted < min || job_asks_for_gres_of_all(job))
		return min;
	return wanted < max ? wanted : max;
}

bool need_is_named(const job_record_t *job, uint32_t min,
		   void (*has)(void *context, int node, uint64_t *has), void *context)
{
	const job_details_t *details = job->details;
	const bitstr_t *named = details->req_node_bitmap;
	uint64_t free[TORUS_MAX_KINDS], processors = 0;

	if (!named || details->max_nodes ||
	    (uint32_t)bit_set_count((bitstr_t *)named) < min)
		return false;
	for (int i = next_set_bit(named, 0); i >= 0; i = next_set_bit(named, i + 1)) {
		has(context, i, free);
		processors += free[NEED_PROCESSORS];
	}
	return details->overcommit || processors >= details->min_cpus;
}
