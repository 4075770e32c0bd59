/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job would have had alone. */
#include "torus_config.h"

#include <stdlib.h>

#include "machine/nearness.h"
#include "storus/cli/alone.h"

/* One torus. */
typedef struct place {
	const torus_map_t *map;
	const torus_allocator_t *allocator;
	torus_placer_t *placer;
	double *hops; /* [nodes + 1] below 0: not known yet */
} place_t;

struct storus_alone {
	int tori;
	place_t *place;
};

static bool make_place(place_t *place, const torus_map_t *map)
{
	size_t nodes = map->nodes;

	place->map = map;
	place->allocator = map->allocator;
	place->placer = torus_placer_create(map->nodes);
	place->hops = malloc((nodes + 1) * sizeof(*place->hops));
	if (!place->placer || !place->hops)
		return false;
	for (size_t i = 0; i <= nodes; i++)
		place->hops[i] = -1;
	return true;
}

storus_alone_t *storus_alone_create(const torus_cluster_t *cluster)
{
	storus_alone_t *alone = calloc(1, sizeof(*alone));

	if (!alone)
		return NULL;
	alone->tori = cluster->maps;
	alone->place = calloc((size_t)cluster->maps, sizeof(*alone->place));
	for (int t = 0; t < cluster->maps; t++) {
		if (alone->place && make_place(&alone->place[t], cluster->map[t]))
			continue;
		storus_alone_destroy(alone);
		return NULL;
	}
	return alone;
}

void storus_alone_destroy(storus_alone_t *alone)
{
	if (!alone)
		return;
	for (int t = 0; alone->place && t < alone->tori; t++) {
		place_t *place = &alone->place[t];

		torus_placer_destroy(place->placer);
		free(place->hops);
	}
	free(alone->place);
	free(alone);
}

/* Place [nodes] nodes on the empty torus and measure them. */
static int measure(place_t *place, uint32_t nodes, torus_error_t *err)
{
	const torus_map_t *map = place->map;
	const torus_place_request_t request = {
		.nodes = nodes,
		.allocator = place->allocator,
		.span = map->span,
		.geometry = &map->geometry,
		.cell_of_rank = map->cell_of_rank,
		.isolation = map->isolation,
	};
	uint64_t sum;
	int placed = torus_alone_distance(place->placer, map->nodes, &request, &sum, err);

	if (placed <= 0)
		return placed < 0 ? -1
				  : torus_fail(err, "no place for %u nodes alone", nodes);
	place->hops[nodes] =
		nodes > 1 ? (double)sum / ((double)nodes * (nodes - 1.0)) : 0;
	return 0;
}

int storus_alone_hops(storus_alone_t *alone, int torus, uint32_t nodes, double *hops,
		      torus_error_t *err)
{
	place_t *place = &alone->place[torus];

	if (place->hops[nodes] < 0 && measure(place, nodes, err) != 0)
		return -1;
	*hops = place->hops[nodes];
	return 0;
}
