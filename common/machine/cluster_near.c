/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How near a job's nodes are in a cluster: see cluster_near.h. */
#include "machine/cluster_near.h"

#include <stdlib.h>

#include "metrics/metrics.h"
#include "torus/joined.h"

/* The summed distance of [part], on torus [map]. Returns 0, or -1 with [err] filled. */
static int measure(const torus_map_t *map, const torus_part_t *part, uint64_t *sum,
		   torus_error_t *err)
{
	uint32_t *cell = malloc(sizeof(*cell) * (size_t)part->count);
	torus_geometry_t geometry = map->geometry;
	int result;

	if (!cell)
		return torus_fail(err, "out of memory for %u nodes", part->count);
	for (uint32_t i = 0; i < part->count; i++)
		cell[i] = map->cell_of_rank[part->rank[i]];
	result = torus_join_cells(&geometry, cell, part->count, NULL, err) ||
				 torus_summed_distance(&geometry, cell, part->count, sum,
						       err)
			 ? -1
			 : 0;
	free(cell);
	return result;
}

/* Whether every torus has fewer nodes than [nodes]. */
static bool larger_than_all(const torus_cluster_placer_t *placer, uint32_t nodes)
{
	for (int t = 0; t < placer->tori; t++) {
		if (placer->map[t]->nodes >= nodes)
			return false;
	}
	return true;
}

int torus_cluster_distances(torus_cluster_placer_t *placer,
			    const torus_cluster_placement_t *placement, uint64_t *sum,
			    uint64_t *alone, torus_error_t *err)
{
	const torus_map_t *map;
	torus_place_request_t request;
	torus_nearness_t **nearness;
	int found;

	if (placement->torus < 0 || placement->elsewhere)
		return 0;
	map = placer->map[placement->torus];
	nearness = &placer->nearness[placement->torus];
	request = (torus_place_request_t){
		.nodes = placer->part[placement->torus].count,
		.allocator = map->allocator,
		.span = map->span,
		.geometry = &map->geometry,
		.cell_of_rank = map->cell_of_rank,
		.isolation = map->isolation,
	};
	if (!*nearness)
		*nearness = torus_nearness_create(map->nodes);
	if (!*nearness)
		return torus_fail(err, "out of memory for the distances of jobs");
	found = torus_nearness_alone(*nearness, placer->placer[placement->torus],
				     &request, alone, err);
	if (found <= 0)
		return found;
	return measure(map, &placer->part[placement->torus], sum, err) ? -1 : 1;
}

int torus_cluster_is_near(torus_cluster_placer_t *placer,
			  const torus_cluster_placement_t *placement, uint32_t near,
			  torus_error_t *err)
{
	uint64_t sum, alone;
	int found;

	if (placement->torus < 0 || placement->elsewhere)
		return placement->torus == TORUS_SPREAD &&
		       larger_than_all(placer, placement->nodes);
	found = torus_cluster_distances(placer, placement, &sum, &alone, err);
	return found <= 0 ? found : torus_is_near(sum, alone, near);
}
