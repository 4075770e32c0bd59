/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cost of an order of the nodes of a network, to be minimised:
 *
 *     sum over the pairs of positions p < q of  w(s) * hops(order[p], order[q])
 *
 * where s = q - p, or on a ring the shorter way, min(q - p, n - (q - p)); each pair of
 * nodes counts once. The weights w(1) >= w(2) >= ... >= 0 fall fast, as in w(s) = R^s.
 *
 * This is the objective by which "Processor Allocation on Cplant: Achieving General
 * Processor Locality Using One-Dimensional Allocation Strategies" (Leung et al., 2002)
 * orders the nodes of a machine whose network is no perfect mesh.
 */
#ifndef TORUS_ORDER_COST_H
#define TORUS_ORDER_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "order/distances.h"
#include "order/goal.h"
#include "order/objective.h"

typedef struct torus_order_cost {
	const torus_distances_t *distances; /* borrowed */
	bool ring;
	uint32_t k;	/* w(s) is 0 beyond this */
	double *weight; /* [k + 1]; weight[0] is 0 */
} torus_order_cost_t;

/*
 * Make the cost with w(s) = decay^s, 0 < decay < 1. Weights are left out from where all
 * that follows, at the largest distance, is below 2^-53 of w(1) a node: where a double
 * could not add it to the sum. Returns 0, or -1 with [err] filled (memory);
 * torus_order_cost_clear() follows in either case.
 */
int torus_order_cost_decay(const torus_distances_t *distances, bool ring, double decay,
			   torus_order_cost_t *cost, torus_error_t *err);

/* The same with w(s) = weight[s] for s = 1 .. k, and 0 beyond. */
int torus_order_cost_weights(const torus_distances_t *distances, bool ring, uint32_t k,
			     const double *weight, torus_order_cost_t *cost,
			     torus_error_t *err);
void torus_order_cost_clear(torus_order_cost_t *cost);

/* w(s) for the positions p and q != p. */
static inline double torus_order_cost_weight(const torus_order_cost_t *cost, uint32_t p,
					     uint32_t q)
{
	uint32_t s = p > q ? p - q : q - p;

	if (cost->ring && cost->distances->nodes - s < s)
		s = cost->distances->nodes - s;
	return s <= cost->k ? cost->weight[s] : 0;
}

/*
 * The cost of order[0 .. n-1]. Hops are added up as whole numbers, so the only rounding
 * is that of k products and their sum. O(n k). Returns 0, or -1 with [err] filled
 * (memory).
 */
int torus_order_cost_of(const torus_order_cost_t *cost, const uint32_t *order,
			double *sum, torus_error_t *err);

/*
 * A cost that no order is below: half the sum over the nodes of what each pays at least,
 * its nearest two nodes being next to it, the next two at distance 2 and so on; on a line
 * less what the ends may save. [network] is the one that the distances are from. Only the
 * first TORUS_ORDER_BOUND_K weights are used. Returns 0, or -1 with [err] filled
 * (memory).
 */
#define TORUS_ORDER_BOUND_K 32
int torus_order_cost_bound(const torus_order_cost_t *cost, const torus_network_t *network,
			   double *bound, torus_error_t *err);

/*
 * How much [move] would lower the cost of [line]; [cost] is a torus_order_cost_t. For the
 * member gain of a goal. Looks at O((c - a) (k + c - a)) pairs.
 */
double torus_order_cost_gain(const void *cost, const torus_order_line_t *line,
			     const torus_order_move_t *move, torus_effort_t *effort);

/*
 * The goal of a low cost; its value is the negative cost. Moves bring together the nodes
 * that [near] joins. It ignores weights below 2^-20 of the first one, so two orders are
 * compared by torus_order_cost_of() in the end. [kept] receives what the goal points to;
 * it borrows the weights of [cost].
 */
torus_order_goal_t torus_order_cost_goal(const torus_order_cost_t *cost,
					 const torus_task_graph_t *near,
					 torus_order_cost_t *kept);

/*
 * The same aim for the integer program (order/model.h), which maximises nearness: if two
 * nodes are near by [most] - hops, the value of an order is *constant less its cost, as
 * the weights of all positions together are the same for each order. On a ring the
 * weights are those of the shorter way around, and rise again with the distance.
 * Fills [objective], whose near is to be freed with torus_task_graph_destroy(). Returns
 * 0, or -1 with [err] filled: memory, or more than TORUS_ORDER_K_MAX + 1 nodes.
 */
int torus_order_cost_nearness(const torus_order_cost_t *cost,
			      torus_order_objective_t *objective, double *constant,
			      torus_error_t *err);

#endif
