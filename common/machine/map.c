/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map of one torus: see map.h. */
#include "machine/map.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/chords.h"
#include "place/box_sizes.h"

void torus_map_destroy(torus_map_t *map)
{
	if (!map)
		return;
	free(map->name);
	free(map->cell_of_rank);
	free(map->node_of_rank);
	free(map->rank_of_node);
	free(map->node_name);
	free(map->place_name);
	torus_chords_release(map->geometry.chords);
	free(map);
}

/* A map whose three arrays are still to be filled. */
static torus_map_t *allocate(const char *name, const torus_geometry_t *geometry,
			     torus_curve_t curve, uint32_t nodes, torus_error_t *err)
{
	torus_map_t *map = calloc(1, sizeof(*map));

	if (!map)
		goto fail;
	map->geometry = *geometry;
	torus_chords_hold(geometry->chords);
	map->curve = curve;
	map->allocator = TORUS_DEFAULT_ALLOCATOR;
	map->span = torus_geometry_wraps(geometry) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
	map->nodes = nodes;
	map->name = strdup(name);
	map->cell_of_rank = malloc(sizeof(uint32_t) * (size_t)nodes);
	map->node_of_rank = malloc(sizeof(uint32_t) * (size_t)nodes);
	map->rank_of_node = malloc(sizeof(uint32_t) * (size_t)nodes);
	if (map->name && map->cell_of_rank && map->node_of_rank && map->rank_of_node)
		return map;
fail:
	torus_map_destroy(map);
	torus_fail(err, "torus '%s': out of memory for %u nodes", name, nodes);
	return NULL;
}

static void set_rank(torus_map_t *map, uint32_t rank, uint32_t node, uint32_t cell)
{
	map->cell_of_rank[rank] = cell;
	map->node_of_rank[rank] = node;
	map->rank_of_node[node] = rank;
}

/* The cells along the curve, malloc'ed; NULL with [err] filled. */
static uint32_t *curve_cells(const torus_geometry_t *geometry, torus_curve_t curve,
			     torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(geometry);
	uint32_t *order = malloc(sizeof(uint32_t) * (size_t)cells);

	if (!order) {
		torus_fail(err, "out of memory for %u cells", cells);
		return NULL;
	}
	if (!torus_curve_order(geometry, curve, order, err))
		return order;
	free(order);
	return NULL;
}

torus_map_t *torus_map_create(const char *name, const torus_geometry_t *geometry,
			      torus_curve_t curve, uint32_t nodes_per_router,
			      torus_error_t *err)
{
	uint64_t nodes = (uint64_t)torus_geometry_cells(geometry) * nodes_per_router;
	uint32_t *order;
	torus_map_t *map;

	if (nodes < 1 || nodes > TORUS_MAX_NODES) {
		torus_fail(err, "torus '%s' has %llu nodes, which is not in 1 .. %u",
			   name, (unsigned long long)nodes, TORUS_MAX_NODES);
		return NULL;
	}
	order = curve_cells(geometry, curve, err);
	if (!order)
		return NULL;
	map = allocate(name, geometry, curve, (uint32_t)nodes, err);
	for (uint32_t rank = 0; map && rank < map->nodes; rank++) {
		uint32_t cell = order[rank / nodes_per_router];

		set_rank(map, rank, cell * nodes_per_router + rank % nodes_per_router,
			 cell);
	}
	free(order);
	return map;
}

/* Rank the nodes by the rank of their cell, a counting sort. */
static int rank_along_curve(torus_map_t *map, const uint32_t *cell_of_node,
			    torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(&map->geometry);
	uint32_t *order = curve_cells(&map->geometry, map->curve, err);
	uint32_t *next, rank = 0; /* next free rank on each cell */

	if (!order)
		return -1;
	next = calloc(cells, sizeof(*next));
	if (!next) {
		free(order);
		return torus_fail(err, "out of memory for %u cells", cells);
	}
	for (uint32_t node = 0; node < map->nodes; node++)
		next[cell_of_node[node]]++;
	for (uint32_t i = 0; i < cells; i++) {
		uint32_t here = next[order[i]];

		next[order[i]] = rank;
		rank += here;
	}
	for (uint32_t node = 0; node < map->nodes; node++) {
		uint32_t cell = cell_of_node[node];

		set_rank(map, next[cell]++, node, cell);
	}
	free(next);
	free(order);
	return 0;
}

/* Rank the nodes by the site's own order. */
static int rank_as_ordered(torus_map_t *map, const uint32_t *cell_of_node,
			   const uint32_t *order, torus_error_t *err)
{
	memset(map->rank_of_node, 0xff, sizeof(uint32_t) * (size_t)map->nodes);
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint32_t node = order[rank];

		if (node >= map->nodes || map->rank_of_node[node] != UINT32_MAX)
			return torus_fail(err,
					  "the node order does not name each of the %u "
					  "nodes once: node number %u at rank %u",
					  map->nodes, node, rank);
		set_rank(map, rank, node, cell_of_node[node]);
	}
	return 0;
}

torus_map_t *torus_map_create_nodes(const char *name, const torus_geometry_t *geometry,
				    torus_curve_t curve, const uint32_t *cell_of_node,
				    uint32_t nodes, char **node_name,
				    const uint32_t *order, torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(geometry);
	torus_map_t *map = NULL;

	if (nodes < 1 || nodes > TORUS_MAX_NODES) {
		torus_fail(err, "torus '%s' has %u nodes, which is not in 1 .. %u", name,
			   nodes, TORUS_MAX_NODES);
		goto fail;
	}
	for (uint32_t node = 0; node < nodes; node++) {
		if (cell_of_node[node] < cells)
			continue;
		torus_fail(err, "torus '%s': node number %u is on cell %u of %u", name,
			   node, cell_of_node[node], cells);
		goto fail;
	}
	map = allocate(name, geometry, curve, nodes, err);
	if (!map)
		goto fail;
	if (order ? rank_as_ordered(map, cell_of_node, order, err)
		  : rank_along_curve(map, cell_of_node, err))
		goto fail;
	map->node_name = node_name;
	return map;
fail:
	torus_map_destroy(map);
	free(node_name);
	return NULL;
}

uint32_t torus_map_nodes_per_router(const torus_map_t *map)
{
	uint32_t *nodes_on =
		malloc(torus_geometry_cells(&map->geometry) * sizeof(*nodes_on));
	torus_router_nodes_t on_router = {.most = 1};

	if (nodes_on)
		on_router = torus_router_nodes(&map->geometry, map->cell_of_rank,
					       map->nodes, nodes_on);
	free(nodes_on);
	return on_router.fewest == on_router.most ? on_router.most : 0;
}
