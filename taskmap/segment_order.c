/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a job's segments: see taskmap/segment_order.h. */
#include "taskmap/segment_order.h"

#include <stdlib.h>
#include <string.h>

#include "torus/segments.h"

/* A node of the job: its rank on the curve, and where it is in the job's list. */
typedef struct ranked {
	uint32_t rank, number;
} ranked_t;

static int compare(const void *a, const void *b)
{
	const ranked_t *one = a, *other = b;

	return one->rank < other->rank ? -1 : one->rank > other->rank;
}

/* Fill node[], ascending by rank. Returns the torus that has all nodes, or NULL. */
static const torus_map_t *rank_nodes(const torus_cluster_t *cluster, char *const *name,
				     uint32_t nodes, ranked_t *node, torus_error_t *err)
{
	const torus_map_t *map = NULL;

	for (uint32_t i = 0; i < nodes; i++) {
		uint32_t number;
		int torus;

		if (!torus_cluster_find(cluster, name[i], &torus, &number)) {
			torus_fail(err, "torus.conf: no torus has node %s", name[i]);
			return NULL;
		}
		if (map && map != cluster->map[torus]) {
			torus_fail(err, "the nodes are on several tori");
			return NULL;
		}
		map = cluster->map[torus];
		node[i] = (ranked_t){map->rank_of_node[number], i};
	}
	qsort(node, nodes, sizeof(*node), compare);
	return map;
}

/* Cut the ranks into segments, and put down their nodes' numbers in the job's list; set[]
 * has room for them. */
static int cut(const torus_map_t *map, const ranked_t *node, uint32_t nodes,
	       uint32_t size, uint32_t *set, uint32_t *order, torus_error_t *err)
{
	const torus_segments_site_t site = {.geometry = &map->geometry,
					    .cell_of_rank = map->cell_of_rank,
					    .ranks = map->nodes,
					    .span = map->span};
	torus_segments_hops_t hops;
	bool pieces;

	for (uint32_t i = 0; i < nodes; i++)
		set[i] = node[i].rank;
	if (torus_cut_segments(&site, set, size, nodes / size, order, &pieces, &hops,
			       err))
		return -1;
	for (uint32_t i = 0; i < nodes; i++) {
		const ranked_t key = {.rank = order[i]};
		const ranked_t *found =
			bsearch(&key, node, nodes, sizeof(*node), compare);

		order[i] = found->number;
	}
	return 0;
}

/* Begin list[count] with its member number [first], around the end; turned[] has room
 * for them. */
static void begin_at(uint32_t *list, uint32_t count, uint32_t first, uint32_t *turned)
{
	for (uint32_t i = 0; i < count; i++)
		turned[i] = list[(first + i) % count];
	memcpy(list, turned, count * sizeof(*list));
}

int torus_segment_order(const torus_cluster_t *cluster, char *const *name, uint32_t nodes,
			uint32_t size, uint32_t *order, torus_error_t *err)
{
	ranked_t *node = malloc(nodes * sizeof(*node));
	uint32_t *room = malloc(nodes * sizeof(*room));
	const torus_map_t *map;
	uint32_t first = 0;
	int rc = -1;

	if (!node || !room) {
		torus_fail(err, "out of memory for %u nodes", nodes);
		goto done;
	}
	map = rank_nodes(cluster, name, nodes, node, err);
	if (!map || cut(map, node, nodes, size, room, order, err))
		goto done;
	while (order[first] != 0)
		first++;
	begin_at(order, nodes, first - first % size, room);
	begin_at(order, size, first % size, room);
	rc = 0;
done:
	free(node);
	free(room);
	return rc;
}
