/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All tori of a cluster, and which of them has a node: see cluster.h. */
#include "machine/cluster.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "torus/joined.h"

int torus_sources_add(torus_sources_t *sources, char *path, char *text, size_t length,
		      torus_error_t *err)
{
	size_t count = (size_t)sources->count;
	torus_source_t *more =
		realloc(sources->source, (count + 1) * sizeof(*sources->source));

	if (!more || !path || !text) {
		sources->source = more ? more : sources->source;
		free(path);
		free(text);
		return torus_fail(err, "out of memory");
	}
	more[sources->count++] = (torus_source_t){path, text, length};
	sources->source = more;
	return 0;
}

void torus_sources_clear(torus_sources_t *sources)
{
	for (int i = 0; i < sources->count; i++) {
		free(sources->source[i].path);
		free(sources->source[i].text);
	}
	free(sources->source);
	*sources = (torus_sources_t){0};
}

void torus_cluster_destroy(torus_cluster_t *cluster)
{
	if (!cluster)
		return;
	for (int i = 0; i < cluster->maps; i++)
		torus_map_destroy(cluster->map[i]);
	free(cluster->map);
	free(cluster->node_base);
	torus_name_index_destroy(cluster->index);
	torus_sources_clear(&cluster->sources);
	torus_order_scope_clear(&cluster->task_order);
	free(cluster);
}

/* The torus of the node that has [number] in the whole cluster. */
static int map_of(const torus_cluster_t *cluster, uint32_t number)
{
	int low = 0, high = cluster->maps;

	while (high - low > 1) {
		int middle = low + (high - low) / 2;

		if (cluster->node_base[middle] <= number)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static const char *name_of(const void *owner, uint32_t number)
{
	const torus_cluster_t *cluster = owner;
	int map = map_of(cluster, number);

	return cluster->map[map]->node_name[number - cluster->node_base[map]];
}

/* Index the names of one torus. */
static int index_map(const torus_cluster_t *cluster, int which, torus_name_index_t *index,
		     torus_error_t *err)
{
	const torus_map_t *map = cluster->map[which];

	for (uint32_t node = 0; map->node_name && node < map->nodes; node++) {
		uint32_t there = torus_name_index_add(index, cluster->node_base[which] + node);
		int other;

		if (there == TORUS_NO_NAME)
			continue;
		other = map_of(cluster, there);
		if (other == which)
			return torus_fail(err, "node '%s' is twice in torus '%s'",
					  map->node_name[node], map->name);
		return torus_fail(err, "node '%s' is in torus '%s' and in torus '%s'",
				  map->node_name[node], cluster->map[other]->name,
				  map->name);
	}
	return 0;
}

int torus_cluster_index(torus_cluster_t *cluster, int *offender, torus_error_t *err)
{
	uint32_t nodes = torus_cluster_nodes(cluster);
	torus_name_index_t *index = torus_name_index_create(nodes, name_of, cluster);
	int at = 0;

	if (!index) {
		torus_fail(err, "out of memory for an index of %" PRIu32 " names", nodes);
		goto fail;
	}
	for (; at < cluster->maps; at++) {
		if (index_map(cluster, at, index, err))
			goto fail;
	}
	torus_name_index_destroy(cluster->index);
	cluster->index = index;
	return 0;
fail:
	torus_name_index_destroy(index);
	if (offender)
		*offender = at;
	return -1;
}

torus_cluster_t *torus_cluster_create(torus_map_t **map, int maps, int *offender,
				      torus_error_t *err)
{
	torus_cluster_t *cluster = calloc(1, sizeof(*cluster));
	uint64_t nodes = 0;
	int at = 0;

	if (!cluster) {
		for (int i = 0; i < maps; i++)
			torus_map_destroy(map[i]);
		free(map);
		torus_fail(err, "out of memory");
		goto fail;
	}
	cluster->map = map;
	cluster->maps = maps;
	cluster->node_base = malloc(sizeof(uint32_t) * ((size_t)maps + 1));
	if (!cluster->node_base) {
		torus_fail(err, "out of memory");
		goto fail;
	}
	for (int i = 0; i < maps; i++) {
		cluster->node_base[i] = (uint32_t)nodes;
		nodes += map[i]->nodes;
		if (nodes > UINT32_C(1) << 31) {
			torus_fail(err, "the tori have more than 2^31 nodes");
			at = i;
			goto fail;
		}
	}
	cluster->node_base[maps] = (uint32_t)nodes;
	if (!torus_cluster_index(cluster, &at, err))
		return cluster;
fail:
	torus_cluster_destroy(cluster);
	if (offender)
		*offender = at;
	return NULL;
}

bool torus_cluster_find(const torus_cluster_t *cluster, const char *name, int *map,
			uint32_t *node)
{
	uint32_t number = torus_name_index_find(cluster->index, name);

	if (number == TORUS_NO_NAME)
		return false;
	torus_cluster_at(cluster, number, map, node);
	return true;
}

bool torus_cluster_has_cubes(const torus_cluster_t *cluster)
{
	for (int t = 0; t < cluster->maps; t++) {
		if (torus_has_cubes(&cluster->map[t]->geometry))
			return true;
	}
	return false;
}

uint32_t torus_cluster_nodes(const torus_cluster_t *cluster)
{
	return cluster->node_base[cluster->maps];
}

void torus_cluster_at(const torus_cluster_t *cluster, uint32_t number, int *map,
		      uint32_t *node)
{
	*map = map_of(cluster, number);
	*node = number - cluster->node_base[*map];
}

uint32_t torus_cluster_number(const torus_cluster_t *cluster, int map, uint32_t node)
{
	return cluster->node_base[map] + node;
}

torus_patience_site_t torus_cluster_patience(const torus_cluster_t *cluster,
					     const bool *may_use)
{
	torus_patience_site_t least = {0};
	bool any = false;

	for (int t = 0; t < cluster->maps; t++) {
		if (may_use && !may_use[t])
			continue;
		least = any ? torus_patience_least(least, cluster->map[t]->patience)
			    : cluster->map[t]->patience;
		any = true;
	}
	return least;
}

int torus_cluster_numbers(const torus_cluster_t *cluster, char *const *name,
			  uint32_t count, uint32_t *number, torus_error_t *err)
{
	for (uint32_t i = 0; i < count; i++) {
		number[i] = torus_name_index_find(cluster->index, name[i]);
		if (number[i] == TORUS_NO_NAME)
			return torus_fail(err,
					  "node '%s' has no coordinates: no torus has it",
					  name[i]);
	}
	return 0;
}

/* What to call a node in a message. */
static const char *call_node(const torus_map_t *map, uint32_t node, uint32_t number,
			     char room[32])
{
	if (map->node_name)
		return map->node_name[node];
	snprintf(room, 32, "number %" PRIu32, number);
	return room;
}

int torus_cluster_cells(const torus_cluster_t *cluster, const uint32_t *number,
			uint32_t count, const torus_shapes_t *shapes,
			torus_geometry_t *geometry, uint32_t *cell, torus_error_t *err)
{
	const torus_map_t *torus = NULL;
	uint32_t first = 0;

	for (uint32_t i = 0; i < count; i++) {
		const torus_map_t *other;
		char room[2][32];
		uint32_t node;
		int map;

		if (number[i] >= torus_cluster_nodes(cluster))
			return torus_fail(
				err, "node number %" PRIu32 " is not in 0 .. %" PRIu32,
				number[i], torus_cluster_nodes(cluster) - 1);
		torus_cluster_at(cluster, number[i], &map, &node);
		other = cluster->map[map];
		if (!torus) {
			torus = other;
			first = node;
		}
		if (other != torus)
			return torus_fail(
				err,
				"nodes of different tori: '%s' is on '%s', '%s' on '%s'",
				call_node(torus, first, number[0], room[0]), torus->name,
				call_node(other, node, number[i], room[1]), other->name);
		cell[i] = torus_map_cell(torus, node);
	}
	*geometry = torus->geometry;
	return torus_join_cells(geometry, cell, count, shapes, err);
}
