/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who talks to whom in a job that does not say: every task takes part in a closed ring
 * and in halo exchanges on the 2D and the 3D grid nearest to a square and a cube. The
 * ring weighs as much as both grids together; on up to 8 nodes as much as one of them.
 *
 * Slurm deals tasks out to nodes in the nodes' order, so an order decides which node has
 * which *position*, 0 to positions - 1. The pattern is therefore a graph of positions:
 * the weight between two of them is the sum over the tasks that they hold.
 */
#ifndef TORUS_TASKMAP_ANY_PATTERN_H
#define TORUS_TASKMAP_ANY_PATTERN_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/graph.h"

/* How Slurm deals tasks out to nodes. */
typedef enum torus_deal {
	TORUS_DEAL_BLOCK,  /* consecutive tasks on a node, as many on each; the first ones
			    * have one more where that does not come out even */
	TORUS_DEAL_CYCLIC, /* one task a node in turn */
} torus_deal_t;

/*
 * Between 1 <= positions <= tasks <= TORUS_MAX_CELLS. Weights are whole numbers; a
 * pattern without edges (one task) weighs nothing. Dealt out cyclic, several tasks a
 * node, weights are means over the positions: which tasks are at the edge of a grid is
 * left out. O(positions) time and memory. NULL with [err] filled: memory. The caller
 * destroys the graph.
 */
torus_task_graph_t *torus_any_pattern(uint32_t tasks, uint32_t positions,
				      torus_deal_t deal, torus_error_t *err);

#endif
