/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Improving a mapping step by step: what a swap of two tasks would change, and how much
 * searching is still allowed.
 */
#ifndef TORUS_TASKMAP_SEARCH_SWAP_H
#define TORUS_TASKMAP_SEARCH_SWAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"
#include "taskmap/hops.h"
#include "taskmap/taskmap.h"

/* What is left of a budget. */
typedef struct torus_effort {
	uint64_t work;	   /* distances still to be looked up */
	uint64_t unlooked; /* distances until the clock is looked at again */
	double deadline;   /* in processor time of the thread, seconds */
	bool over;
} torus_effort_t;

/* Begin to spend [budget] now. */
void torus_effort_begin(const torus_mapper_budget_t *budget, torus_effort_t *effort);

/*
 * Set [work] of what is left (all of it, if there is not so much) aside as an effort of
 * its own; torus_effort_return() gives back what was not spent of it.
 */
torus_effort_t torus_effort_part(torus_effort_t *effort, uint64_t work);
void torus_effort_return(torus_effort_t *effort, const torus_effort_t *part);

/* Look at the clock: private to torus_effort_spend(). */
void torus_effort_look(torus_effort_t *effort);

/* Spend [work]; returns false when the budget has run out. */
static inline bool torus_effort_spend(torus_effort_t *effort, uint64_t work)
{
	if (work > effort->work) {
		effort->work = 0;
		effort->over = true;
		return false;
	}
	effort->work -= work;
	if (work > effort->unlooked)
		torus_effort_look(effort);
	else
		effort->unlooked -= work;
	return !effort->over;
}

/* Distances that the cost of a move of [task] takes. */
static inline uint64_t torus_swap_work(const torus_task_graph_t *graph, uint32_t task)
{
	return graph->first[task + 1] - graph->first[task];
}

/* torus_swap_move() for a number of dimensions that the compiler knows. */
static inline double torus_swap_move_in(const torus_task_graph_t *graph,
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

/*
 * What hop-bytes would change by if [task] moved from its node to [node] and its
 * neighbour [other] (any task) stayed as far away as it is.
 */
static inline double torus_swap_move(const torus_task_graph_t *graph,
				     const torus_hop_table_t *table,
				     const uint32_t *node_of_task, uint32_t task,
				     uint32_t node, uint32_t other)
{
	switch (table->dims) {
	case 2:
		return torus_swap_move_in(graph, table, node_of_task, task, node, other,
					  2);
	case 3:
		return torus_swap_move_in(graph, table, node_of_task, task, node, other,
					  3);
	default:
		return torus_swap_move_in(graph, table, node_of_task, task, node, other,
					  table->dims);
	}
}

/*
 * A change of hop-bytes smaller than this is rounding: swaps that gain less are not made,
 * so that no two of them can undo each other for ever.
 */
double torus_swap_least(const torus_task_graph_t *graph);

/* What hop-bytes would change by if tasks a and b swapped their nodes. */
static inline double torus_swap_change(const torus_task_graph_t *graph,
				       const torus_hop_table_t *table,
				       const uint32_t *node_of_task, uint32_t a,
				       uint32_t b)
{
	return torus_swap_move(graph, table, node_of_task, a, node_of_task[b], b) +
	       torus_swap_move(graph, table, node_of_task, b, node_of_task[a], a);
}

#endif
