/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Improving a mapping step by step: what a swap of two tasks would change, and how much
 * searching is still allowed.
 */
#ifndef TORUS_TASKMAP_SWAP_H
#define TORUS_TASKMAP_SWAP_H

#include <stdbool.h>
#include <stdint.h>

#include "hops.h"
#include "taskmap.h"

/* What is left of a budget. */
typedef struct torus_effort {
	uint64_t work;	   /* distances still to be looked up */
	uint64_t unlooked; /* distances until the clock is looked at again */
	double deadline;   /* on the monotonic clock, seconds */
	bool over;
} torus_effort_t;

/* Begin to spend [budget] now. */
void torus_effort_begin(const torus_mapper_budget_t *budget, torus_effort_t *effort);

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

/* The next number of a reproducible sequence; *state is any seed to begin with. */
static inline uint64_t torus_random_next(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* A number below [limit] (>= 1) of that sequence. */
static inline uint32_t torus_random_below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)((torus_random_next(state) >> 32) * limit >> 32);
}

/* Distances that the cost of a move of [task] takes. */
static inline uint64_t torus_swap_work(const torus_task_graph_t *graph, uint32_t task)
{
	return graph->first[task + 1] - graph->first[task];
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
	uint32_t from = node_of_task[task];
	double change = 0;

	for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
		uint32_t neighbor = graph->neighbor[i], at = node_of_task[neighbor];
		double difference;

		if (neighbor == other)
			continue;
		difference = (double)torus_hop_table_hops(table, node, at) -
			     (double)torus_hop_table_hops(table, from, at);
		change += graph->weight ? graph->weight[i] * difference : difference;
	}
	return change;
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
