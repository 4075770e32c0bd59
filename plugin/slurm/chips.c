/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which chips of its nodes a job has: see slurm/chips.h. */
#include "slurm/chips.h"

#include "geometry/chips.h"
#include "machine/token.h"

bool chips_may_be_known(const tori_t *tori, const job_record_t *job)
{
	for (int t = 0; job->gres_list_alloc && t < tori->count; t++) {
		if (torus_has_chips(&tori->torus[t].map->geometry))
			return true;
	}
	return false;
}

/* Whether these GRES have a number for each of the [chips] of all nodes of the job. */
static bool is_chips(const gres_job_state_t *gres, const job_record_t *job,
		     uint32_t chips)
{
	if (!gres->gres_bit_alloc ||
	    gres->node_cnt != (uint32_t)bit_set_count(job->node_bitmap))
		return false;
	for (uint32_t i = 0; i < gres->node_cnt; i++) {
		if (!gres->gres_bit_alloc[i] ||
		    bit_size(gres->gres_bit_alloc[i]) != (int64_t)chips)
			return false;
	}
	return true;
}

/* The only GRES of the job that are chips; NULL: none or several. */
static const gres_job_state_t *chips_of(const job_record_t *job, uint32_t chips)
{
	const gres_job_state_t *found = NULL;
	slurm_list_iterator_t iterator = list_iterator_create(job->gres_list_alloc);
	const gres_state_t *state;
	int kinds = 0;

	while ((state = list_next(iterator))) {
		if (is_chips(state->gres_data, job, chips)) {
			found = state->gres_data;
			kinds++;
		}
	}
	list_iterator_destroy(iterator);
	return kinds == 1 ? found : NULL;
}

static uint64_t bits_of(const bitstr_t *bits)
{
	uint64_t word = 0;

	for (int i = next_set_bit(bits, 0); i >= 0; i = next_set_bit(bits, i + 1))
		word |= UINT64_C(1) << i;
	return word;
}

/* The chips of each node of the job, by its place in Slurm's node table. */
static uint64_t *chips_of_nodes(const job_record_t *job, const gres_job_state_t *gres)
{
	uint64_t *chips = xcalloc((size_t)node_record_count, sizeof(*chips));
	uint32_t place = 0;

	for (int i = next_set_bit(job->node_bitmap, 0); i >= 0;
	     i = next_set_bit(job->node_bitmap, i + 1))
		chips[i] = bits_of(gres->gres_bit_alloc[place++]);
	return chips;
}

/* The torus that has all nodes of the job that are on one; -1: several have. */
static int only_torus(const tori_t *tori, const uint32_t *counts)
{
	int only = -1;

	for (int t = 0; t < tori->count; t++) {
		if (counts[t] && only >= 0)
			return -1;
		if (counts[t])
			only = t;
	}
	return only;
}

char *chips_add(char *token, const tori_t *tori, const uint32_t *counts,
		const job_record_t *job, const torus_shapes_t *shapes)
{
	int t = only_torus(tori, counts);
	const joined_torus_t *torus = &tori->torus[t < 0 ? 0 : t];
	uint32_t each = torus_node_chips(&torus->map->geometry);
	const gres_job_state_t *gres = NULL;
	uint64_t *of_node, *chips, all = 0;
	torus_error_t err;

	if (token && t >= 0 && chips_may_be_known(tori, job) &&
	    torus_has_chips(&torus->map->geometry) && each <= TORUS_TOKEN_CHIPS)
		gres = chips_of(job, each);
	if (!gres)
		return token;
	of_node = chips_of_nodes(job, gres);
	chips = xcalloc(counts[t], sizeof(*chips));
	for (uint32_t i = 0; i < counts[t]; i++) {
		chips[i] = of_node[torus->node_of_rank[torus->chosen[i]]];
		all += (uint64_t)__builtin_popcountll(chips[i]);
	}
	if (all && all < (uint64_t)each * counts[t]) {
		token = torus_token_add_chips(token, torus->map, torus->chosen, counts[t],
					      shapes, chips, &err);
		if (!token)
			error("%s: JobId=%u: %s", plugin_type, job->job_id, err.text);
	}
	xfree(chips);
	xfree(of_node);
	return token;
}
