/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The token in a job's SystemComment: see comment.h. */
#include "slurm/comment.h"

#include <stdlib.h>

#include "slurm/chips.h"
#include "slurm/choose.h"
#include "machine/network_option.h"
#include "slurm/patience.h"
#include "slurm/record.h"
#include "machine/token.h"

void comment_set(tori_t *tori, job_record_t *job)
{
	const torus_map_t *maps[tori->count];
	const uint32_t *ranks[tori->count];
	uint32_t counts[tori->count];
	torus_error_t err;
	torus_network_request_t network;
	uint32_t elsewhere;
	char *token;

	if (!job->node_bitmap)
		return;
	patience_forget(job);
	elsewhere = choose_ranks_of(tori, job->node_bitmap, counts);
	if (elsewhere == (uint32_t)bit_set_count(job->node_bitmap)) {
		comment_remove(job);
		return;
	}
	for (int t = 0; t < tori->count; t++) {
		maps[t] = tori->torus[t].map;
		ranks[t] = tori->torus[t].chosen;
	}
	if (torus_network_parse(job->network, &network, &err))
		network = (torus_network_request_t){0};
	token = torus_token_format_parts(maps, ranks, counts, tori->count,
					 &network.shapes, &err);
	if (!token) {
		error("%s: JobId=%u: %s", plugin_type, job->job_id, err.text);
		return;
	}
	token = chips_add(token, tori, counts, job, &network.shapes);
	if (token)
		record_replace_token(job, TORUS_TOKEN_KEY, token);
	free(token);
}

void comment_remove(job_record_t *job)
{
	if (comment_present(job))
		record_replace_token(job, TORUS_TOKEN_KEY, NULL);
}

bool comment_present(const job_record_t *job)
{
	size_t length;

	return torus_token_find(job->system_comment, &length) != NULL;
}

bool comment_counts_right(tori_t *tori, const job_record_t *job)
{
	static const char key[] = ",nodes=";
	uint32_t counts[tori->count], elsewhere, nodes;
	size_t length;
	const char *token = torus_token_find(job->system_comment, &length);
	const char *number = token ? strstr(token, key) : NULL;

	if (!number || number >= token + length)
		return false;
	elsewhere = choose_ranks_of(tori, job->node_bitmap, counts);
	nodes = (uint32_t)bit_set_count(job->node_bitmap) - elsewhere;
	return strtoul(number + strlen(key), NULL, 10) == nodes;
}
