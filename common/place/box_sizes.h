/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sides a box of so many nodes may have. */
#ifndef TORUS_PLACE_BOX_SIZES_H
#define TORUS_PLACE_BOX_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "place/shape.h"

/* How many nodes there are on a router that has any. */
typedef struct torus_router_nodes {
	uint32_t fewest, most;
	/* How many nodes fewer all of these have together than if each had the most, and
	 * how many more than if each had the fewest. */
	uint32_t lacking, extra;
} torus_router_nodes_t;

/* Each router has so many. */
static inline torus_router_nodes_t torus_routers_alike(uint32_t nodes)
{
	return (torus_router_nodes_t){.fewest = nodes, .most = nodes};
}

/* The fewest and the most nodes that a full box of [volume] routers may have. */
static inline uint64_t torus_fewest_in_box(torus_router_nodes_t on_router,
					   uint64_t volume)
{
	uint64_t fewest = volume * on_router.fewest, most = volume * on_router.most;

	return most > fewest + on_router.lacking ? most - on_router.lacking : fewest;
}

static inline uint64_t torus_most_in_box(torus_router_nodes_t on_router, uint64_t volume)
{
	uint64_t fewest = volume * on_router.fewest, most = volume * on_router.most;

	return most > fewest + on_router.extra ? fewest + on_router.extra : most;
}

/*
 * Count the nodes on each router, nodes_on[0 .. cells-1], of a machine whose ranks are
 * cell_of_rank[0 .. ranks-1], ranks >= 1.
 */
torus_router_nodes_t torus_router_nodes(const torus_geometry_t *geometry,
					const uint32_t *cell_of_rank, uint32_t ranks,
					uint32_t *nodes_on);

typedef struct torus_box_size {
	torus_shape_t shape; /* all of the machine's dimensions, ascending */
	/* The least that the summed distance of the nodes in a full box of these sides
	 * can be, over its rotations that fit (and are closed, if that is asked for);
	 * UINT64_MAX: too large for 64 bits. */
	uint64_t distance;
} torus_box_size_t;

typedef struct torus_box_sizes {
	torus_box_size_t *size; /* [count], the smallest distance first; malloc'ed */
	size_t count;
} torus_box_sizes_t;

/*
 * List the sizes of all boxes that may have [nodes] (>= 1) nodes, where routers have
 * [on_router] (fewest >= 1); if [closed] those of closed boxes, as closed shapes. Returns
 * 0, to be freed by torus_box_sizes_free(), or -1 with [err] filled (memory) and nothing
 * to free. There are few of them: as many as the numbers of routers have factorisations
 * with sides that fit.
 */
int torus_box_sizes_list(const torus_geometry_t *geometry, torus_router_nodes_t on_router,
			 uint32_t nodes, bool closed, torus_box_sizes_t *sizes,
			 torus_error_t *err);
void torus_box_sizes_free(torus_box_sizes_t *sizes);

/*
 * Whether the machine with nothing else on it and no hole has a box of [volume] cells, a
 * closed one if [closed]: whether that number is a product of sides that fit (and close).
 */
bool torus_any_box_possible(const torus_geometry_t *geometry, uint32_t volume,
			    bool closed);

/*
 * The least that the summed distance of [nodes] nodes can be that fill a box of the sides
 * side[], as the box's routers have [on_router]; at most UINT64_MAX. Exact where all
 * routers have equally many. O(dims).
 */
uint64_t torus_box_distance_at_least(const torus_geometry_t *geometry,
				     const int32_t *side, torus_router_nodes_t on_router,
				     uint32_t nodes);

/* a * factor^2, or UINT64_MAX where that, or [a], is too large: a summed distance of
 * routers as one of nodes. */
uint64_t torus_distance_of_nodes(uint64_t a, uint64_t factor);

#endif
