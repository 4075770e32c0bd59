/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line through the tasks of a graph that has no geometry: its halves, the halves of
 * these and so on are pieces with few edges between them. Mappers that bisect coordinates
 * can then take the position on the line for one.
 *
 * Distances in the graph from a few tasks far from each other serve as coordinates, and
 * so do their differences, which on a grid are its axes. Each piece is cut in the middle
 * of the coordinate that, by a sample of its tasks, cuts the least weight. Our own.
 */
#ifndef TORUS_TASKMAP_GRAPH_ORDER_H
#define TORUS_TASKMAP_GRAPH_ORDER_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/graph.h"

/*
 * Fill order[tasks] with the tasks along the line. Pieces of [leaf] (>= 1) tasks or fewer
 * are not cut. The first piece of an odd number is the smaller one. The same graph gives
 * the same order. Returns 0, or -1 with [err] filled (memory). O(edges + tasks log tasks)
 * time, 24 bytes a task.
 */
int torus_graph_order(const torus_task_graph_t *graph, uint32_t leaf, uint32_t *order,
		      torus_error_t *err);

/*
 * [graph] with its tasks renumbered: task i of the result is task order[i]. NULL with
 * [err] filled: memory.
 */
torus_task_graph_t *torus_graph_renumber(const torus_task_graph_t *graph,
					 const uint32_t *order, torus_error_t *err);

#endif
