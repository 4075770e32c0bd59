/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Good orders for networks too large for the integer program. */
#ifndef TORUS_ORDER_SEARCH_H
#define TORUS_ORDER_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "order/goal.h"
#include "order/objective.h"
#include "taskmap/budget.h"

/*
 * A greedy order: each position in turn gets the node that earns most with the k nodes
 * before it; ties: fewest neighbours not placed yet, then the lowest node. Where no node
 * earns anything, as at the beginning, it gets the node with the fewest neighbours in
 * all. Fills order[0 .. n-1]. [stop], which may be NULL, is asked from time to time with
 * [argument] whether to give up. Returns 0; 1 when it has given up; or -1 with [err]
 * filled (memory). O(k times pairs).
 */
int torus_order_greedy(const torus_order_objective_t *objective,
		       bool (*stop)(void *argument), void *argument, uint32_t *order,
		       torus_error_t *err);

/*
 * An order by recursive halving. Find the node of a part that is farthest from where the
 * part is entered; the half of the part that a breadth-first walk from there reaches
 * first becomes the second half, the rest the first half; the second half is entered near
 * the end of the first. So nodes near on the line are near in the network on all scales,
 * as along the Hilbert curve. Fills order[0 .. n-1]. Returns 0, or -1 with [err] filled
 * (memory). O(pairs * log n).
 */
int torus_order_halves(const torus_task_graph_t *near, uint32_t *order,
		       torus_error_t *err);

/*
 * Improve order[0 .. n-1] (a permutation of the nodes) towards [goal] by iterated
 * local search. A move reverses a segment, takes a node or a short segment elsewhere, or
 * swaps two nodes; it brings a node next to a neighbour and changes at most 128
 * positions. When no move gains any more, the order is disturbed in a random place and
 * improved again there; both are undone if they gain nothing. The result is never worse
 * than the order given.
 *
 * Of 6 nodes and fewer all orders are tried, whatever the budget, unless that is nothing.
 * Otherwise the search stops at the end of [budget], counted in pairs looked at. If it is
 * ended by the work and not by the clock, the result depends only on the order given and
 * the seed. [progress], which may be NULL, is called from time to time with [argument]
 * and how much of the work is done. *value receives the value. Returns 0, or -1 with
 * [err] filled (memory).
 */
int torus_order_improve(const torus_order_goal_t *goal,
			const torus_mapper_budget_t *budget,
			void (*progress)(uint64_t done, uint64_t total, void *argument),
			void *argument, uint32_t *order, double *value,
			torus_error_t *err);

#endif
