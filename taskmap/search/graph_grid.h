/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grid that a graph's tasks are numbered by. Programs number the tasks of a grid
 * axis by axis, so a neighbour along an axis is always as many numbers further on: its
 * stride. Strides of a grid divide each other, and the number of tasks. Our own.
 */
#ifndef TORUS_TASKMAP_SEARCH_GRAPH_GRID_H
#define TORUS_TASKMAP_SEARCH_GRAPH_GRID_H

#include "taskmap/graph.h"

/*
 * Fill [grid] with the grid of all tasks whose strides carry the most weight, not
 * periodic and with the faces as stencil; a line where there is no such grid. *share is
 * the part of the graph's weight along the strides, *closed that along these and between
 * the ends of each axis, as periodic ones have it, both 0 to 1. 0, or -1 with [err]
 * filled (memory). O(edges + tasks).
 */
int torus_graph_grid(const torus_task_graph_t *graph, torus_task_grid_t *grid,
		     double *share, double *closed, torus_error_t *err);

#endif
