/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The network that nodes are ordered for: routers joined by links, nodes on routers. A
 * machine of torus.conf and a list of links both become one of these.
 */
#ifndef TORUS_ORDER_NETWORK_H
#define TORUS_ORDER_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "taskmap/graph.h"

/* The largest reach: nodes farther apart than this earn nothing. */
#define TORUS_ORDER_REACH_MAX 64
/*
 * The most pairs of nodes that earn something: as many as 5,792 nodes have that are all
 * near each other, or 30,000 nodes with 1,100 neighbours each. They take 0.4 GB, and one
 * pass over them takes about a second.
 */
#define TORUS_ORDER_PAIRS_MAX (UINT32_C(1) << 24)

typedef struct torus_network {
	const torus_task_graph_t *routers; /* the links; borrowed */
	uint32_t nodes;
	const uint32_t *router; /* [nodes], of each node; NULL: node i is router i */
} torus_network_t;

/*
 * The routers of [geometry], one on each cell, joined along its dimensions and their
 * wraps, and by links beside these. The hops between two of them are torus_hops_cells().
 * NULL with [err] filled: memory.
 */
torus_task_graph_t *torus_network_routers(const torus_geometry_t *geometry,
					  torus_error_t *err);

/*
 * The graph of what two nodes of [network] earn if they are near on the line (see
 * order/objective.h): 2 on the same router; the link's weight (1 on a machine of
 * torus.conf) if a link joins their routers; 1/d at d hops for 2 <= d <= [reach]; nothing
 * if they are farther apart or not connected. [reach] is 1 .. TORUS_ORDER_REACH_MAX.
 * [stop], which may be NULL, is asked from time to time with [argument] whether to give
 * up. A graph of the nodes, to be freed with torus_task_graph_destroy(); NULL with [err]
 * filled (memory, more than TORUS_ORDER_PAIRS_MAX pairs, given up). O(nodes times routers
 * and links within reach), but ends soon where there are too many pairs; 24 bytes a pair.
 */
torus_task_graph_t *torus_network_near(const torus_network_t *network, uint32_t reach,
				       bool (*stop)(void *argument), void *argument,
				       torus_error_t *err);

/*
 * The number of connected parts of the network that hold nodes. 0: out of memory, [err]
 * filled.
 */
uint32_t torus_network_parts(const torus_network_t *network, torus_error_t *err);

/*
 * The nodes in the order of a breadth-first walk, which starts at the last node that such
 * a walk from node 0 reaches; one connected part after the other. Fills order[0 ..
 * nodes-1]. Returns 0, or -1 with [err] filled (memory). O(nodes + links).
 */
int torus_network_breadth(const torus_network_t *network, uint32_t *order,
			  torus_error_t *err);

/*
 * The mean over windows of the average pairwise distance, as torus_curve_score() has it
 * for coordinates (average_distance there; the mean of those of windows of 2, 4, 8 ...
 * nodes, each length counting alike), for the order order[0 .. nodes-1] of the network's
 * nodes, by hops over its links. *mean is negative if some node cannot be reached, 0 for
 * one node. Returns 0, or -1 with [err] filled (memory). O(nodes * (links + nodes * log
 * nodes)). [progress], which may be NULL, is told from time to time with [argument] how
 * many of the nodes are done.
 */
int torus_network_mean_distance(const torus_network_t *network, const uint32_t *order,
				void (*progress)(uint64_t done, uint64_t total,
						 void *argument),
				void *argument, double *mean, torus_error_t *err);

/*
 * Fill hops[u * nodes + v] with the hops over links between all nodes, and *most with the
 * largest. Returns 0, or -1 with [err] filled: memory, no link leads between some nodes,
 * or more than 65,535 hops. O(nodes * (links + nodes)).
 */
int torus_network_hops(const torus_network_t *network, uint16_t *hops, uint32_t *most,
		       torus_error_t *err);

/*
 * The hops from each node to its nearest others, [count] of them: hops[node * count + i],
 * ascending. Entries beyond the nodes that can be reached are UINT32_MAX. Returns 0, or
 * -1 with [err] filled (memory). O(nodes * routers and links that near).
 */
int torus_network_nearest(const torus_network_t *network, uint32_t count, uint32_t *hops,
			  torus_error_t *err);

#endif
