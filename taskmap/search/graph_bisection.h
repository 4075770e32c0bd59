/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recursive bisection of a graph that has no geometry, together with the places for its
 * tasks. Our own.
 *
 * Distances in the graph from a few tasks far from each other serve as coordinates, and
 * so do their differences, which on a grid are its axes. Places are split along the
 * longest side of the box around them, the smaller half first where their number is odd.
 * Tasks are split in the middle of the coordinate that, by a sample of them, cuts the
 * least weight, and the side that has its neighbours nearer takes the lower places.
 */
#ifndef TORUS_TASKMAP_SEARCH_GRAPH_BISECTION_H
#define TORUS_TASKMAP_SEARCH_GRAPH_BISECTION_H

#include "taskmap/layout.h"

/*
 * Map the tasks of the layout's job, which has a graph, by that graph alone. Fills
 * node_of_task[layout->tasks]; the same job gives the same mapping. Returns 0, or -1 with
 * [err] filled (memory). O(edges + tasks log tasks) time.
 */
int torus_graph_bisection(const torus_layout_t *layout, uint32_t *node_of_task,
			  torus_error_t *err);

#endif
