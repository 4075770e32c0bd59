/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a move of a task, or a swap of two, changes hop-bytes. */
#ifndef TORUS_TASKMAP_SEARCH_MOVE_COST_H
#define TORUS_TASKMAP_SEARCH_MOVE_COST_H

#include <stdint.h>
#include <stdlib.h>

#include "taskmap/graph.h"
#include "taskmap/hops.h"

/* How many distances the cost of a move of [task] depends on. */
static inline uint64_t torus_move_cost_work(const torus_task_graph_t *graph,
					    uint32_t task)
{
	return graph->first[task + 1] - graph->first[task];
}

/* torus_move_cost() with [dims] as a constant, so that the compiler unrolls its loops. */
static inline double torus_move_cost_in(const torus_task_graph_t *graph,
					const torus_hop_table_t *table,
					const uint32_t *node_of_task, uint32_t task,
					uint32_t node, uint32_t other, int dims)
{
	const int32_t *from = table->coord + (size_t)node_of_task[task] * (size_t)dims;
	const int32_t *to = table->coord + (size_t)node * (size_t)dims;
	double change = 0;

	for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
		uint32_t neighbor = graph->neighbor[i];
		const int32_t *at =
			table->coord + (size_t)node_of_task[neighbor] * (size_t)dims;
		int32_t difference = 0;

		for (int axis = 0; axis < dims; axis++) {
			int32_t before = abs(from[axis] - at[axis]);
			int32_t after = abs(to[axis] - at[axis]);
			int32_t around = table->ring[axis];

			before = before < around - before ? before : around - before;
			after = after < around - after ? after : around - after;
			difference += after - before;
		}
		if (neighbor != other)
			change += graph->weight ? graph->weight[i] * difference
						: difference;
	}
	return change;
}

/* torus_move_cost() where hops do not add up over dimensions. */
static inline double torus_move_cost_other(const torus_task_graph_t *graph,
					     const torus_hop_table_t *table,
					     const uint32_t *node_of_task, uint32_t task,
					     uint32_t node, uint32_t other)
{
	double change = 0;

	for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
		uint32_t neighbor = graph->neighbor[i], at = node_of_task[neighbor];
		int32_t difference =
			(int32_t)torus_hop_table_hops(table, node, at) -
			(int32_t)torus_hop_table_hops(table, node_of_task[task], at);

		if (neighbor != other)
			change += graph->weight ? graph->weight[i] * difference
						: difference;
	}
	return change;
}

/* torus_move_cost() by the table's list of all distances. */
static inline double torus_move_cost_listed(const torus_task_graph_t *graph,
					    const torus_hop_table_t *table,
					    const uint32_t *node_of_task, uint32_t task,
					    uint32_t node, uint32_t other)
{
	const uint8_t *from = table->hops + node_of_task[task] * table->row;
	const uint8_t *to = table->hops + node * table->row;
	double change = 0;

	for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
		uint32_t at = node_of_task[graph->neighbor[i]];
		int32_t difference = graph->neighbor[i] == other ? 0 : to[at] - from[at];

		change += graph->weight ? graph->weight[i] * difference : difference;
	}
	return change;
}

/*
 * The hop-bytes that moving [task] from its node to [node] would add (negative: save),
 * not counting the edge to [other]: when the two are swapped, their distance stays the
 * same.
 */
static inline double torus_move_cost(const torus_task_graph_t *graph,
				     const torus_hop_table_t *table,
				     const uint32_t *node_of_task, uint32_t task,
				     uint32_t node, uint32_t other)
{
	if (table->hops)
		return torus_move_cost_listed(graph, table, node_of_task, task, node,
					      other);
	if (table->other)
		return torus_move_cost_other(graph, table, node_of_task, task, node,
					       other);
	switch (table->dims) {
	case 2:
		return torus_move_cost_in(graph, table, node_of_task, task, node, other,
					  2);
	case 3:
		return torus_move_cost_in(graph, table, node_of_task, task, node, other,
					  3);
	default:
		return torus_move_cost_in(graph, table, node_of_task, task, node, other,
					  table->dims);
	}
}

/*
 * A smaller change of hop-bytes may be a rounding error. Swaps that save less are not
 * made, so that no two of them can undo each other for ever.
 */
static inline double torus_move_cost_least(const torus_task_graph_t *graph)
{
	double heaviest = 1;

	for (uint64_t i = 0; graph->weight && i < graph->first[graph->tasks]; i++) {
		if (!i || graph->weight[i] > heaviest)
			heaviest = graph->weight[i];
	}
	return heaviest * 1e-6;
}

/* The hop-bytes that swapping tasks a and b would add (negative: save). */
static inline double torus_move_cost_swap(const torus_task_graph_t *graph,
					  const torus_hop_table_t *table,
					  const uint32_t *node_of_task, uint32_t a,
					  uint32_t b)
{
	return torus_move_cost(graph, table, node_of_task, a, node_of_task[b], b) +
	       torus_move_cost(graph, table, node_of_task, b, node_of_task[a], a);
}

#endif
