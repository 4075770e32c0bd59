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

char *comment_token(tori_t *tori, const job_record_t *job, const uint32_t *counts, int t)
{
	const torus_map_t *maps[tori->count];
	const uint32_t *ranks[tori->count];
	torus_network_request_t network;
	const torus_shapes_t *shapes = torus_network_shapes(job->network, &network);
	int first = t < 0 ? 0 : t, parts = t < 0 ? tori->count : 1;
	torus_error_t err;
	char *token;

	for (int i = 0; i < parts; i++) {
		maps[i] = tori->torus[first + i].map;
		ranks[i] = tori->torus[first + i].chosen;
	}
	token = torus_token_format_parts(maps, ranks, counts + first, parts, shapes,
					 &err);
	if (!token)
		error("%s: JobId=%u: %s", plugin_type, job->job_id, err.text);
	return chips_add(token, tori, counts, job, shapes);
}

void comment_set(tori_t *tori, job_record_t *job)
{
	uint32_t counts[tori->count];
	char *token;

	if (!job->node_bitmap)
		return;
	patience_forget(job);
	if (choose_ranks_of(tori, job->node_bitmap, counts) ==
	    (uint32_t)bit_set_count(job->node_bitmap)) {
		comment_remove(job);
		return;
	}
	token = comment_token(tori, job, counts, -1);
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
	uint32_t counts[tori->count], elsewhere;
	size_t length;
	const char *token = torus_token_find(job->system_comment, &length);

	if (!token)
		return false;
	elsewhere = choose_ranks_of(tori, job->node_bitmap, counts);
	return torus_token_nodes(token, length) ==
	       (uint32_t)bit_set_count(job->node_bitmap) - elsewhere;
}
