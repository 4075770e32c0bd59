/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The map of one torus: the cell of each node and its rank along the curve. Built from
 * torus.conf by conf/torus_conf.h, or directly from dimensions. Read-only once built.
 */
#ifndef TORUS_MACHINE_MAP_H
#define TORUS_MACHINE_MAP_H

#include <stdint.h>

#include "curve/curve.h"
#include "base/error.h"
#include "geometry/geometry.h"
#include "machine/patience.h"
#include "place/place.h"

/* The most nodes of a map: as many as a placer takes. */
#define TORUS_MAX_NODES (UINT32_C(1) << 28)

/*
 * Nodes are numbered 0 .. nodes-1 in the order in which the configuration names them.
 * Ranks go 0 .. nodes-1 along the curve, the nodes of one router consecutively in node
 * order; under TORUS_CURVE_FILE they follow the site's own order.
 */
typedef struct torus_map {
	char *name; /* TorusName */
	torus_geometry_t geometry; /* the map holds its chords */
	torus_curve_t curve;
	const torus_allocator_t *allocator;
	torus_span_t span;
	uint32_t isolation; /* of compact, as in torus_place_request_t; 0: none */
	torus_patience_site_t patience; /* of jobs that could run there */
	uint32_t nodes;			/* P, 1 .. TORUS_MAX_NODES */
	uint32_t *cell_of_rank;		/* [P] */
	uint32_t *node_of_rank;		/* [P] */
	uint32_t *rank_of_node;		/* [P] */
	char **node_name; /* [P] by node number, or NULL when built from dimensions;
			   * one malloc'ed block */
	char **place_name; /* [P] of a torus by registration (machine/registration.h), what
			    * its places are called when they are vacant; otherwise NULL */
} torus_map_t;

/*
 * Build the map of a full machine with [nodes_per_router] (>= 1) nodes on each cell,
 * unnamed: node cell*nodes_per_router + i is the i-th on its cell. Allocator
 * TORUS_DEFAULT_ALLOCATOR, span ring if some dimension wraps. [name] is copied. NULL with
 * [err] filled on error:
 * more than TORUS_MAX_NODES nodes, TORUS_CURVE_FILE, memory. O(cells) time besides the
 * curve's.
 */
torus_map_t *torus_map_create(const char *name, const torus_geometry_t *geometry,
			      torus_curve_t curve, uint32_t nodes_per_router,
			      torus_error_t *err);

/*
 * Build a map from nodes on cells: cell_of_node[0 .. nodes-1]; cells that appear in none
 * stay empty. [node_name] as in torus_map_t; the map takes it over, also on error.
 * [order] for TORUS_CURVE_FILE is node numbers in rank order, [nodes] of them, each once;
 * it is NULL for every other curve. Allocator and span as above; the caller may change
 * them. NULL with [err] filled on error: no node or too many, a cell outside, an order
 * that is not one, memory. O(cells + nodes) time besides the curve's.
 */
torus_map_t *torus_map_create_nodes(const char *name, const torus_geometry_t *geometry,
				    torus_curve_t curve, const uint32_t *cell_of_node,
				    uint32_t nodes, char **node_name,
				    const uint32_t *order, torus_error_t *err);

/* Free a map. NULL is accepted. */
void torus_map_destroy(torus_map_t *map);

/* How many nodes each router has that has any; 0 where routers differ, or memory is
 * short.
 */
uint32_t torus_map_nodes_per_router(const torus_map_t *map);

/* The cell of node number [node], which is below map->nodes. */
static inline uint32_t torus_map_cell(const torus_map_t *map, uint32_t node)
{
	return map->cell_of_rank[map->rank_of_node[node]];
}

#endif
