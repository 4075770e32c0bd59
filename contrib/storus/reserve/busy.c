/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keeps nodes from being reserved, and until when. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/hostlist.h"
#include "capacity/closures.h"
#include "storus/reserve/busy.h"

uint64_t **storus_bitmaps_create(const torus_cluster_t *cluster)
{
	uint64_t **bitmaps = calloc((size_t)cluster->maps, sizeof(*bitmaps));

	for (int t = 0; bitmaps && t < cluster->maps; t++) {
		bitmaps[t] = torus_bitmap_create(cluster->map[t]->nodes);
		if (!bitmaps[t]) {
			storus_bitmaps_destroy(bitmaps, cluster);
			return NULL;
		}
	}
	return bitmaps;
}

void storus_bitmaps_destroy(uint64_t **bitmaps, const torus_cluster_t *cluster)
{
	for (int t = 0; bitmaps && t < cluster->maps; t++)
		free(bitmaps[t]);
	free(bitmaps);
}

int storus_busy_init(storus_busy_t *busy, const torus_cluster_t *cluster,
		     torus_error_t *err)
{
	*busy = (storus_busy_t){.cluster = cluster};
	busy->fit = storus_bitmaps_create(cluster);
	return busy->fit ? 0 : torus_fail(err, "out of memory");
}

/* Find the node called [name]. */
static bool find(const storus_busy_t *busy, const char *name, storus_used_node_t *node)
{
	uint32_t number;

	if (!torus_cluster_find(busy->cluster, name, &node->map, &number))
		return false;
	node->rank = busy->cluster->map[node->map]->rank_of_node[number];
	return true;
}

void storus_busy_fit(storus_busy_t *busy, const char *name)
{
	storus_used_node_t node;

	if (find(busy, name, &node))
		torus_bit_set(busy->fit[node.map], node.rank);
}

int storus_busy_use(storus_busy_t *busy, const char *hosts, time_t start, time_t end,
		    time_t period, torus_error_t *err)
{
	storus_use_t use = {.start = start, .end = end, .period = period};
	storus_use_t *grown;
	char **name;
	uint32_t count;

	if (torus_hostlist_expand(hosts, &name, &count, err) != 0)
		return -1;
	use.node = malloc(count * sizeof(*use.node));
	for (uint32_t i = 0; use.node && i < count; i++)
		use.nodes += find(busy, name[i], &use.node[use.nodes]);
	free(name);
	grown = realloc(busy->use, (busy->uses + 1) * sizeof(*grown));
	if (grown)
		busy->use = grown;
	if (!use.node || !grown) {
		free(use.node);
		return torus_fail(err, "out of memory");
	}
	busy->use[busy->uses++] = use;
	return 0;
}

/* Whether the use, or a repetition of it, overlaps start .. end. */
static bool overlaps(const storus_use_t *use, time_t start, time_t end)
{
	const torus_closure_t closure = {
		.start = use->start,
		.end = use->end,
		.period = use->period,
	};

	return torus_closure_in_force(&closure, start, end);
}

void storus_busy_free(const storus_busy_t *busy, time_t start, time_t end,
		      uint64_t *const *free)
{
	for (int t = 0; t < busy->cluster->maps; t++)
		memcpy(free[t], busy->fit[t],
		       TORUS_WORDS(busy->cluster->map[t]->nodes) * sizeof(*free[t]));
	for (size_t u = 0; u < busy->uses; u++) {
		const storus_use_t *use = &busy->use[u];

		if (!overlaps(use, start, end))
			continue;
		for (uint32_t i = 0; i < use->nodes; i++)
			torus_bit_clear(free[use->node[i].map], use->node[i].rank);
	}
}

time_t storus_busy_next_end(const storus_busy_t *busy, time_t after)
{
	enum { WEEK = 7 * 24 * 60 * 60 };
	time_t next = 0;

	for (size_t u = 0; u < busy->uses; u++) {
		const storus_use_t *use = &busy->use[u];
		time_t end = use->end;

		if (use->period && end <= after)
			end += ((after - end) / use->period + 1) * use->period;
		if (end > after && (!use->period || end <= after + WEEK) &&
		    (!next || end < next))
			next = end;
	}
	return next;
}

void storus_busy_clear(storus_busy_t *busy)
{
	for (size_t u = 0; u < busy->uses; u++)
		free(busy->use[u].node);
	free(busy->use);
	storus_bitmaps_destroy(busy->fit, busy->cluster);
	*busy = (storus_busy_t){0};
}
