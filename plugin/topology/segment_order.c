/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a job's segments: see topology/segment_order.h. */
#include "topology/segment_order.h"

#include <stdlib.h>

#include "cubes/cube_segments.h"

/* A node: its rank, and where it is in the list. */
typedef struct numbered {
	uint32_t rank, number;
} numbered_t;

static int compare(const void *a, const void *b)
{
	const numbered_t *one = a, *other = b;

	return one->rank < other->rank ? -1 : one->rank > other->rank;
}

int topology_segment_order(const torus_map_t *map, const uint32_t *rank, uint32_t count,
			   uint32_t size, uint32_t *order, torus_error_t *err)
{
	const torus_segments_site_t site = {&map->geometry, map->cell_of_rank, map->nodes,
					    map->span};
	numbered_t *node = xcalloc(count, sizeof(*node));
	uint32_t *set = xcalloc(count, sizeof(*set));
	torus_segments_hops_t hops;
	bool pieces;
	int result;

	for (uint32_t i = 0; i < count; i++)
		node[i] = (numbered_t){rank[i], i};
	qsort(node, count, sizeof(*node), compare);
	for (uint32_t i = 0; i < count; i++)
		set[i] = node[i].rank;
	result = torus_cubes_cut_segments(&site, set, size, count / size, order, &pieces,
					  &hops, err);
	for (uint32_t i = 0; !result && i < count; i++) {
		const numbered_t key = {.rank = order[i]};
		const numbered_t *found =
			bsearch(&key, node, count, sizeof(*node), compare);

		order[i] = found->number;
	}
	xfree(node);
	xfree(set);
	return result;
}
