/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of nodes in which a job's segments (sbatch --segment) follow each other. */
#ifndef TORUS_TASKMAP_SEGMENT_ORDER_H
#define TORUS_TASKMAP_SEGMENT_ORDER_H

#include <stdint.h>

#include "base/error.h"
#include "machine/cluster.h"

/*
 * Fill order[nodes] with the numbers, in name[nodes], of a job's nodes, which are on one
 * torus: segments of [size] nodes (torus_cut_segments()), of which [nodes] is a multiple,
 * one after the other, as the curve has them. The one with the first node of the list is
 * the first, from that node on; the others follow, around the end. [cluster] has curves.
 * O(nodes log nodes) besides the cut. Returns 0, or -1 with [err] filled: a node that the
 * cluster does not have, nodes of several tori, memory.
 */
int torus_segment_order(const torus_cluster_t *cluster, char *const *name, uint32_t nodes,
			uint32_t size, uint32_t *order, torus_error_t *err);

#endif
