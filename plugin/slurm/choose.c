/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's choice among Slurm's nodes: see choose.h. */
#include "slurm/choose.h"

#include <inttypes.h>

static int node_from(const void *nodes, int from)
{
	return next_set_bit(nodes, from);
}

static uint32_t count_nodes(const void *nodes)
{
	return (uint32_t)bit_set_count((bitstr_t *)nodes);
}

static void clear_nodes(void *nodes)
{
	bit_clear_all(nodes);
}

static void add_node(void *nodes, int node)
{
	bit_set(nodes, node);
}

static uint64_t weight_of(int node, bool planned)
{
	return node_weight(node_record_table_ptr[node], planned);
}

static const torus_node_sets_t bitmaps = {
	.next = node_from,
	.count = count_nodes,
	.clear = clear_nodes,
	.add = add_node,
	.weight = weight_of,
};

static int compare_weights(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

uint64_t choose_lightest(const bitstr_t *nodes, uint32_t count, bool planned)
{
	uint64_t *weights = xcalloc((size_t)count_nodes(nodes) + 1, sizeof(*weights));
	uint64_t sum = 0;
	uint32_t there = 0;

	for (int i = node_from(nodes, 0); i >= 0; i = node_from(nodes, i + 1))
		weights[there++] = weight_of(i, planned);
	qsort(weights, there, sizeof(*weights), compare_weights);
	for (uint32_t i = 0; i < count && i < there; i++)
		sum += weights[i];
	xfree(weights);
	return there < count ? UINT64_MAX : sum;
}

bool choose_some_are_heavier(const bitstr_t *nodes, const bitstr_t *others, bool planned)
{
	uint64_t heaviest = 0, lightest = UINT64_MAX, weight;

	for (int i = node_from(nodes, 0); i >= 0; i = node_from(nodes, i + 1)) {
		weight = weight_of(i, planned);
		heaviest = weight > heaviest ? weight : heaviest;
	}
	for (int i = node_from(others, 0); i >= 0; i = node_from(others, i + 1)) {
		weight = weight_of(i, planned);
		lightest = weight < lightest ? weight : lightest;
	}
	return heaviest > lightest;
}

choice_request_t choose_request(const job_record_t *job, const torus_job_t *asks,
				uint32_t nodes, bool planned)
{
	return (choice_request_t){
		.min_nodes = nodes,
		.nodes = nodes,
		.max_nodes = nodes,
		.contiguous = asks->contiguous && !asks->gave_up,
		.segment = asks->segment,
		.segments = job_segments_where(job),
		.shapes = asks->network.has_shape && !asks->gave_up
				  ? &asks->network.shapes
				  : NULL,
		.isolated = asks->network.isolated,
		.loose = asks->network.loose,
		.required = job->details->req_node_bitmap,
		.planned = planned,
	};
}

torus_outcome_t choose_nodes(chooser_t *chooser, const choice_request_t *request,
			     bitstr_t *candidates, bitstr_t *chosen, choice_t *choice)
{
	bitstr_t *place = chosen ? chosen : bit_alloc(bit_size(candidates));
	torus_outcome_t outcome;
	torus_error_t err;

	chooser->sets = &bitmaps;
	outcome = torus_choose(chooser, request, candidates, place, choice, &err);
	if (!chosen)
		bit_free(place);
	if (outcome == TORUS_OUTCOME_ERROR)
		error("%s: %s", plugin_type, err.text);
	return outcome;
}

bool choose_is_possible(chooser_t *chooser, choice_request_t request, bitstr_t *nodes,
			choice_t *choice)
{
	request.need = NULL;
	return choose_nodes(chooser, &request, nodes, NULL, choice) != TORUS_NO_PLACE;
}

void choose_log(const job_record_t *job, const char *question, const choice_t *choice,
		const bitstr_t *nodes, torus_tally_by_t by)
{
	const torus_map_t *map = choice->map;
	char *names;

	if (get_log_level() < LOG_LEVEL_DEBUG)
		return;
	names = bitmap2node_name((bitstr_t *)nodes);
	debug("%s: JobId=%u %storus=%s free=%u strategy=%s nodes=%s count=%u span=%u score=%" PRId64
	      " by=%s",
	      plugin_type, job->job_id, question, map ? map->name : "-",
	      choice->candidates, map ? torus_allocator_name(choice->allocator) : "-",
	      names, bit_set_count((bitstr_t *)nodes), choice->span, choice->score,
	      torus_tally_by_name(by));
	xfree(names);
}

uint32_t choose_ranks_of(tori_t *tori, const bitstr_t *nodes, uint32_t *counts)
{
	return torus_choice_ranks(tori, &bitmaps, nodes, counts);
}

bool choose_is_near(tori_t *tori, const bitstr_t *nodes, uint32_t near)
{
	torus_error_t err;
	int is_near = torus_choice_is_near(tori, &bitmaps, nodes, near, &err);

	if (is_near < 0)
		error("%s: %s", plugin_type, err.text);
	return is_near != 0;
}
