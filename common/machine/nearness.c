/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How near the nodes of a job are: see nearness.h. */
#include "machine/nearness.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/thousandths.h"
#include "metrics/metrics.h"
#include "torus/choose.h"
#include "torus/joined.h"

/* The distance where there is no place. */
#define NO_PLACE UINT64_MAX

typedef unsigned __int128 product_t;

typedef struct alone {
	uint32_t nodes;
	uint64_t sum; /* or NO_PLACE */
} alone_t;

struct torus_nearness {
	uint32_t ranks;
	alone_t *alone; /* [count] by nodes, ascending */
	size_t count, room;
};

int torus_near_parse(const char *text, uint32_t *near, torus_error_t *err)
{
	return torus_thousandths_parse(text, TORUS_NEAR_LEAST / 1000,
				       TORUS_NEAR_MOST / 1000, "1.2", near, err);
}

bool torus_is_near(uint64_t sum, uint64_t alone, uint32_t near)
{
	return (product_t)sum * 1000 <= (product_t)alone * near;
}

torus_nearness_t *torus_nearness_create(uint32_t ranks)
{
	torus_nearness_t *nearness = calloc(1, sizeof(*nearness));

	if (nearness)
		nearness->ranks = ranks;
	return nearness;
}

void torus_nearness_destroy(torus_nearness_t *nearness)
{
	if (!nearness)
		return;
	free(nearness->alone);
	free(nearness);
}

/* Where the entry of [nodes] stands or belongs. */
static size_t find(const torus_nearness_t *nearness, uint32_t nodes)
{
	size_t low = 0, high = nearness->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (nearness->alone[middle].nodes < nodes)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Insert an entry at [at]. Returns 0, or -1: out of memory. */
static int insert(torus_nearness_t *nearness, size_t at, alone_t entry)
{
	if (nearness->count == nearness->room) {
		size_t room = nearness->room ? 2 * nearness->room : 16;
		alone_t *more = reallocarray(nearness->alone, room, sizeof(*more));

		if (!more)
			return -1;
		nearness->alone = more;
		nearness->room = room;
	}
	memmove(nearness->alone + at + 1, nearness->alone + at,
		(nearness->count - at) * sizeof(entry));
	nearness->alone[at] = entry;
	nearness->count++;
	return 0;
}

int torus_alone_distance(torus_placer_t *placer, uint32_t ranks,
			 const torus_place_request_t *asked, uint64_t *sum,
			 torus_error_t *err)
{
	torus_place_request_t request = *asked;
	torus_geometry_t geometry = *asked->geometry;
	uint64_t *all = torus_bitmap_create(ranks);
	uint32_t *chosen = malloc(sizeof(*chosen) * (size_t)ranks);
	torus_placement_t placement;
	int placed = -1;

	if (!all || !chosen) {
		torus_fail(err, "out of memory for %u nodes", ranks);
		goto done;
	}
	torus_bitmap_set_range(all, 0, ranks);
	request.contiguous = false;
	request.required = NULL;
	request.seed = 0;
	placed = torus_choose_nodes(placer, all, NULL, ranks, &request, chosen,
				    &placement, err);
	if (placed <= 0)
		goto done;
	for (uint32_t i = 0; i < request.nodes; i++)
		chosen[i] = request.cell_of_rank[chosen[i]];
	if (torus_join_cells(&geometry, chosen, request.nodes, NULL, err) ||
	    torus_summed_distance(&geometry, chosen, request.nodes, sum, err))
		placed = -1;
done:
	free(all);
	free(chosen);
	return placed;
}

int torus_nearness_alone(torus_nearness_t *nearness, torus_placer_t *placer,
			 const torus_place_request_t *request, uint64_t *sum,
			 torus_error_t *err)
{
	size_t at = find(nearness, request->nodes);

	if (at == nearness->count || nearness->alone[at].nodes != request->nodes) {
		alone_t alone = {.nodes = request->nodes, .sum = NO_PLACE};

		if (torus_alone_distance(placer, nearness->ranks, request, &alone.sum,
					 err) < 0)
			return -1;
		if (insert(nearness, at, alone))
			return torus_fail(err, "out of memory for the distances of jobs");
	}
	if (nearness->alone[at].sum == NO_PLACE)
		return 0;
	*sum = nearness->alone[at].sum;
	return 1;
}
