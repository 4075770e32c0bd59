/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a job's segments: see cli_filter/segments.h. */
#include "cli_filter/segments.h"

#include <stdlib.h>

#include "torus/segments.h"

/* A node of the job: its rank on the curve, and where it is in the job's list. */
typedef struct ranked {
	uint32_t rank, number;
} ranked_t;

uint32_t torus_step_segment(const torus_step_job_t *job)
{
	uint32_t size = JOB_SEGMENT_SIZE(job->info);

	return size > 1 && size < job->nodes && job->nodes % size == 0 ? size : 0;
}

static int compare(const void *a, const void *b)
{
	const ranked_t *one = a, *other = b;

	return one->rank < other->rank ? -1 : one->rank > other->rank;
}

/* Fill node[], ascending by rank. Returns the torus that has all nodes, or NULL. */
static const torus_map_t *rank_nodes(const torus_cluster_t *cluster,
				     const torus_step_job_t *job, ranked_t *node,
				     torus_error_t *err)
{
	const torus_map_t *map = NULL;

	for (uint32_t i = 0; i < job->nodes; i++) {
		uint32_t number;
		int torus;

		if (!torus_cluster_find(cluster, job->name[i], &torus, &number)) {
			torus_fail(err, "torus.conf: no torus has node %s", job->name[i]);
			return NULL;
		}
		if (map && map != cluster->map[torus]) {
			torus_fail(err, "the nodes are on several tori");
			return NULL;
		}
		map = cluster->map[torus];
		node[i] = (ranked_t){map->rank_of_node[number], i};
	}
	qsort(node, job->nodes, sizeof(*node), compare);
	return map;
}

/* Cut the ranks into segments, and put down their nodes' numbers in the job's list. */
static int cut(const torus_map_t *map, const ranked_t *node, uint32_t nodes,
	       uint32_t size, uint32_t *order, torus_error_t *err)
{
	const torus_segments_site_t site = {.geometry = &map->geometry,
					    .cell_of_rank = map->cell_of_rank,
					    .ranks = map->nodes,
					    .span = map->span};
	uint32_t *set = xcalloc(nodes, sizeof(*set));
	torus_segments_hops_t hops;
	bool pieces;
	int rc;

	for (uint32_t i = 0; i < nodes; i++)
		set[i] = node[i].rank;
	rc = torus_cut_segments(&site, set, size, nodes / size, order, &pieces, &hops,
				err);
	for (uint32_t i = 0; !rc && i < nodes; i++) {
		const ranked_t key = {.rank = order[i]};
		const ranked_t *found =
			bsearch(&key, node, nodes, sizeof(*node), compare);

		order[i] = found->number;
	}
	xfree(set);
	return rc;
}

/* Begin list[count] with its member number [first], around the end. */
static void begin_at(uint32_t *list, uint32_t count, uint32_t first)
{
	uint32_t *turned = xcalloc(count, sizeof(*turned));

	for (uint32_t i = 0; i < count; i++)
		turned[i] = list[(first + i) % count];
	memcpy(list, turned, count * sizeof(*list));
	xfree(turned);
}

int torus_step_order_segments(const torus_cluster_t *cluster, const torus_step_job_t *job,
			      uint32_t size, uint32_t *order, torus_error_t *err)
{
	ranked_t *node = xcalloc(job->nodes, sizeof(*node));
	const torus_map_t *map = rank_nodes(cluster, job, node, err);
	uint32_t first = 0;
	int rc = map ? cut(map, node, job->nodes, size, order, err) : -1;

	if (rc == 0) {
		while (order[first] != 0)
			first++;
		begin_at(order, job->nodes, first - first % size);
		begin_at(order, size, first % size);
	}
	xfree(node);
	return rc;
}
