/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features of which a job counts its nodes: see features.h. */
#include "slurm/features.h"

static bool counts_any(slurm_list_t list)
{
	slurm_list_iterator_t iterator;
	const job_feature_t *feature;
	bool any = false;

	if (!list)
		return false;
	iterator = list_iterator_create(list);
	while (!any && (feature = list_next(iterator)))
		any = feature->count;
	list_iterator_destroy(iterator);
	return any;
}

/* The features that the job asks for, or would prefer, as Slurm has read them. */
static slurm_list_t list_of(const job_details_t *details)
{
	if (details->features_use && details->features_use == details->prefer)
		return details->prefer_list;
	return details->feature_list;
}

/* Add those nodes that have a feature, or what stands in parentheses, so many of them. */
static void add(features_t *features, const bitstr_t *nodes, uint32_t number)
{
	features->nodes[features->count] = bit_copy((bitstr_t *)nodes);
	features->number[features->count++] = number;
}

/* Put the next feature in parentheses to those before it. */
static void join(bitstr_t *nodes, const job_feature_t *feature, int operation)
{
	if (operation == FEATURE_OP_AND)
		bit_and(nodes, feature->node_bitmap_avail);
	else
		bit_or(nodes, feature->node_bitmap_avail);
}

/* Read the list as Slurm does (_get_req_features()). False if it is not known which nodes
 * have what. */
static bool read_list(slurm_list_t list, features_t *features)
{
	slurm_list_iterator_t iterator = list_iterator_create(list);
	const job_feature_t *feature;
	bitstr_t *joined = NULL;
	int operation = FEATURE_OP_AND;
	bool known = true;

	while (known && (feature = list_next(iterator))) {
		known = feature->node_bitmap_avail;
		if (!known)
			break;
		features->apart |= feature->op_code == FEATURE_OP_XAND;
		if (joined)
			join(joined, feature, operation);
		else if (feature->paren)
			joined = bit_copy(feature->node_bitmap_avail);
		operation = feature->op_code;
		if (feature->paren)
			continue;
		if (feature->count && features->count == TORUS_COUNTED_MOST)
			features->too_many = true;
		else if (feature->count)
			add(features, joined ? joined : feature->node_bitmap_avail,
			    feature->count);
		FREE_NULL_BITMAP(joined);
	}
	list_iterator_destroy(iterator);
	FREE_NULL_BITMAP(joined);
	return known;
}

/* Whether so many of the nodes offered are asked for because of one of the features. */
static bool is_for_one(const features_t *features, uint32_t min_nodes,
		       const bitstr_t *offered)
{
	for (int i = 0; i < features->count; i++) {
		if (features->number[i] == min_nodes &&
		    bit_super_set((bitstr_t *)offered, features->nodes[i]))
			return true;
	}
	return false;
}

bool features_of_job(const job_record_t *job, features_t *features)
{
	slurm_list_t list = list_of(job->details);

	*features = (features_t){0};
	if (!counts_any(list))
		return false;
	if (read_list(list, features))
		return true;
	features_free(features);
	return false;
}

features_question_t features_read(const job_record_t *job, uint32_t min_nodes,
				  uint32_t req_nodes, const bitstr_t *offered,
				  features_t *features)
{
	const job_details_t *details = job->details;
	const bitstr_t *required = details->req_node_bitmap;
	features_question_t question = FEATURES_TOO_MANY;
	torus_feature_asked_t asked;

	*features = (features_t){0};
	if (details->features_use && details->feature_list_use != list_of(details) &&
	    counts_any(list_of(details)))
		return FEATURES_PLAN_PART; /* backfill hides the others */
	if (!features_of_job(job, features))
		return FEATURES_NONE;
	asked = (torus_feature_asked_t){
		.features = features->count,
		.number = features->number,
		.apart = features->apart,
		.names_nodes = features_names_nodes(job),
		.for_one = is_for_one(features, min_nodes, offered),
		.min_nodes = min_nodes,
		.req_nodes = req_nodes,
		.job_cpus = details->orig_min_cpus,
		.min_cpus = details->min_cpus,
		/* Of a part Slurm hides which nodes the job names. */
		.picked = required ? (uint32_t)bit_set_count((bitstr_t *)required) : 0,
	};
	if (!features->too_many)
		question = (features_question_t)torus_feature_question(&asked);
	if (question == FEATURES_PART || question == FEATURES_TOO_MANY)
		features_free(features);
	return question;
}

int features_part(const job_record_t *job, int expected, int *count)
{
	const job_details_t *details = job->details;
	const job_feature_t *asked, *feature;
	slurm_list_iterator_t iterator;
	bool inside = false;
	int part = -1;

	*count = 0;
	asked = details->feature_list_use ? list_peek(details->feature_list_use) : NULL;
	iterator = list_iterator_create(list_of(details));
	while (asked && (feature = list_next(iterator))) {
		if (!inside && !xstrcmp(feature->name, asked->name) &&
		    (part < 0 || *count == expected))
			part = *count;
		inside = feature->paren;
		*count += !inside;
	}
	list_iterator_destroy(iterator);
	return part;
}

void features_free(features_t *features)
{
	for (int i = 0; i < features->count; i++)
		FREE_NULL_BITMAP(features->nodes[i]);
	features->count = 0;
}

bool features_names_nodes(const job_record_t *job)
{
	return job->details->req_nodes && *job->details->req_nodes;
}

bitstr_t *features_named_nodes(const job_record_t *job)
{
	slurm_hostlist_t names;
	bitstr_t *nodes;
	char *name;

	if (!features_names_nodes(job))
		return NULL;
	names = hostlist_create(job->details->req_nodes);
	nodes = bit_alloc(node_record_count);
	while ((name = hostlist_shift(names))) {
		const node_record_t *node = find_node_record(name);

		if (node)
			bit_set(nodes, node->index);
		free(name);
	}
	hostlist_destroy(names);
	return nodes;
}

bitstr_t *features_named_offered(const job_record_t *job, const bitstr_t *offered,
				 uint32_t most)
{
	bitstr_t *named = features_named_nodes(job);
	uint32_t count = 0;

	if (!named)
		return NULL;
	bit_and(named, (bitstr_t *)offered);
	for (int i = next_set_bit(named, 0); i >= 0; i = next_set_bit(named, i + 1)) {
		if (count++ >= most)
			bit_clear(named, i);
	}
	if (!count)
		FREE_NULL_BITMAP(named);
	return named;
}

uint32_t features_least_nodes(const features_t *features)
{
	return torus_counted_least(features->count, features->number, features->apart);
}

bool features_suffice(const features_t *features, const bitstr_t *nodes)
{
	size_t count = (size_t)bit_set_count((bitstr_t *)nodes), i = 0;
	uint64_t *has = xcalloc(count + 1, sizeof(*has));
	bool suffice;

	for (int node = next_set_bit(nodes, 0); node >= 0;
	     node = next_set_bit(nodes, node + 1), i++) {
		for (int feature = 0; feature < features->count; feature++)
			has[i] |= (uint64_t)bit_test(features->nodes[feature], node)
				  << feature;
	}
	suffice = torus_counted_suffice(features->count, features->number,
					features->apart, has, count);
	xfree(has);
	return suffice;
}

uint64_t features_counted(const features_t *features, uint32_t subset)
{
	return torus_counted_sum(features->count, features->number, subset);
}

/* How many of the features a subset can have. */
static int in_subset(const features_t *features)
{
	return features->count < TORUS_COUNTED_SUBSET ? features->count
						      : TORUS_COUNTED_SUBSET;
}

bool features_on_node(const features_t *features, uint32_t subset, int node)
{
	for (int i = 0; i < in_subset(features); i++) {
		if ((subset >> i & 1) && bit_test(features->nodes[i], node))
			return true;
	}
	return false;
}

bool features_overlap(const features_t *features, uint32_t subset)
{
	uint32_t overlap[TORUS_COUNTED_SUBSET] = {0};

	if (!features->apart)
		return false;
	for (int i = 0; i < in_subset(features); i++) {
		for (int j = 0; (subset >> i & 1) && j < i; j++) {
			if ((subset >> j & 1) &&
			    bit_overlap_any(features->nodes[i], features->nodes[j])) {
				overlap[i] |= 1u << j;
				overlap[j] |= 1u << i;
			}
		}
	}
	return torus_counted_overlap(overlap, subset);
}
