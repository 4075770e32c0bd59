/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Good orders for networks too large for the integer program. */
#ifndef TORUS_ORDER_SEARCH_H
#define TORUS_ORDER_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "order/objective.h"
#include "taskmap/budget.h"

/*
 * An order made from nothing: positions are filled from the first on, each with the node
 * that earns most with the k before it; ties take the node with fewest neighbours still
 * to be placed, then the lowest. Where none earns anything, or at the beginning, the node
 * with the fewest neighbours in all. Fills order[0 .. n-1]. [stop], which may be NULL, is
 * asked from time to time with [argument] whether to give up. Returns 0; 1 when it has
 * given up; or -1 with [err] filled (memory). O(k times pairs).
 */
int torus_order_greedy(const torus_order_objective_t *objective,
		       bool (*stop)(void *argument), void *argument, uint32_t *order,
		       torus_error_t *err);

/*
 * An order made by cutting in two: the node farthest from where the part is entered and
 * the half of the part that a breadth-first walk from there comes to first are its second
 * half, the others its first half, and so on within each; the second half is entered near
 * where the first ends. What is near on the line is near in the network then on all
 * scales, as along the Hilbert curve. Fills order[0 .. n-1]. Returns 0, or -1 with [err]
 * filled (memory). O(pairs * log n).
 */
int torus_order_halves(const torus_task_graph_t *near, uint32_t *order,
		       torus_error_t *err);

/*
 * Improve order[0 .. n-1] (a permutation of the nodes) under [objective]: local search
 * over reversals of segments, nodes and short segments taken elsewhere, and swaps, each
 * time from a node to one that it is near to and within 128 positions; when no move is
 * left that gains, the order is disturbed in a random place, improved again there, and
 * put back if that has gained nothing.
 * Never returns an order worse than the one given. It stops at the end of [budget], in
 * pairs looked at; if it is the work and not the clock that ends it, the result depends
 * on the order given and the seed alone. [progress], which may be NULL, is told from time
 * to time with [argument] how much of the work is done. *value receives the value.
 * Returns 0, or -1 with [err] filled (memory).
 */
int torus_order_improve(const torus_order_objective_t *objective,
			const torus_mapper_budget_t *budget,
			void (*progress)(uint64_t done, uint64_t total, void *argument),
			void *argument, uint32_t *order, double *value,
			torus_error_t *err);

#endif
