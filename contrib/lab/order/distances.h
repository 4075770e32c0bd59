/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hops between any two nodes of a network. */
#ifndef TORUS_ORDER_DISTANCES_H
#define TORUS_ORDER_DISTANCES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "order/network.h"

/* The most nodes of a list of links: the table of their distances takes half a GB. */
#define TORUS_DISTANCES_LINKS_MAX 16384
/* Machines of so many nodes have a table; larger ones compute distances when asked. */
#define TORUS_DISTANCES_TABLE_MAX 6144

typedef struct torus_distances {
	uint32_t nodes;
	uint32_t most; /* no two nodes are farther apart */
	/* private */
	torus_geometry_t geometry;
	int32_t *coord; /* [nodes * TORUS_MAX_DIMS], without a table */
	uint16_t *hops; /* the table, [nodes * nodes], or NULL */
} torus_distances_t;

/*
 * Of nodes on the cells cell[0 .. nodes-1] of [geometry]: torus_hops_cells(). Returns 0,
 * or -1 with [err] filled (memory); torus_distances_clear() follows in either case.
 */
int torus_distances_of_cells(const torus_geometry_t *geometry, const uint32_t *cell,
			     uint32_t nodes, torus_distances_t *distances,
			     torus_error_t *err);

/*
 * By the links of [network], each of which is one hop whatever its weight. Returns 0, or
 * -1 with [err] filled (memory, more than TORUS_DISTANCES_LINKS_MAX nodes, nodes between
 * which no link leads or more than 65,535 hops apart); torus_distances_clear() follows in
 * either case. O(nodes * (links + nodes)).
 */
int torus_distances_of_links(const torus_network_t *network, torus_distances_t *distances,
			     torus_error_t *err);

void torus_distances_clear(torus_distances_t *distances);

static inline uint32_t torus_distance(const torus_distances_t *distances, uint32_t u,
				      uint32_t v)
{
	if (distances->hops)
		return distances->hops[(size_t)u * distances->nodes + v];
	return torus_hops(&distances->geometry,
			  distances->coord + (size_t)u * TORUS_MAX_DIMS,
			  distances->coord + (size_t)v * TORUS_MAX_DIMS);
}

#endif
