/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cost of moves by packed coordinates: a byte for each dimension, so that the hops to
 * four neighbours are computed at once. Same results as taskmap/search/move_cost.h, in
 * less time.
 */
#ifndef TORUS_TASKMAP_SEARCH_PACKED_H
#define TORUS_TASKMAP_SEARCH_PACKED_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/graph.h"
#include "taskmap/hops.h"

/* A machine of more dimensions does not fit. */
#define TORUS_PACKED_DIMS 4

/* Nodes' coordinates, packed. Free with torus_packed_destroy(); a zeroed one is accepted.
 */
typedef struct torus_packed {
	uint32_t ring;	/* the length of each dimension where wrapped, else 0 */
	uint32_t *node; /* [nodes], NULL: they do not fit */
} torus_packed_t;

/*
 * Pack the coordinates of [nodes] nodes in [table], if there are at most
 * TORUS_PACKED_DIMS dimensions, wrapped ones of at most 255 and others of coordinates up
 * to 127, and hops add up over them; else packed->node is NULL. 0, or -1 with [err] filled (memory).
 * O(nodes).
 */
int torus_packed_init(const torus_hop_table_t *table, uint32_t nodes,
		      torus_packed_t *packed, torus_error_t *err);
void torus_packed_destroy(torus_packed_t *packed);

/*
 * The hop-bytes that moving [task] to the packed coordinates [to] would add, not counting
 * the edge to [other], as torus_move_cost(). at[] has the packed coordinates of each
 * task's node.
 */
double torus_packed_cost(const torus_task_graph_t *graph, uint32_t ring,
			 const uint32_t *at, uint32_t task, uint32_t to, uint32_t other);

/* The hop-bytes that swapping tasks a and b would add, as torus_move_cost_swap(). */
double torus_packed_cost_swap(const torus_task_graph_t *graph, uint32_t ring,
			      const uint32_t *at, uint32_t a, uint32_t b);

#endif
