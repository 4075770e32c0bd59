/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The value of an order of the nodes of an irregular network.
 *
 * An order puts node order[p] on position p of a line, p = 0 .. n-1. Let a(u,v) >= 0 be
 * how near two nodes are in the network (torus_network_near(): the weight of the link
 * that joins them). The value of an order is
 *
 *     sum over the pairs {u,v} that stand s <= k positions apart of  w(s) * a(u,v)
 *
 * with w(1) >= w(2) >= ... >= w(k) >= 0. The line does not go around its end.
 *
 * This is our own. The objective of "Processor Allocation on Cplant" (Leung et al., 2002)
 * is that of order/cost.h, which looks at all pairs of nodes near on the line, not only
 * at neighbours in the network.
 *
 * The weights w(s) = (k + 1 - s) / k, where none are given, count, but for the ends of
 * the line, the links inside a window of k + 1 consecutive positions, summed over all
 * windows, divided by k: two nodes that stand s apart are together in k + 1 - s of them.
 */
#ifndef TORUS_ORDER_OBJECTIVE_H
#define TORUS_ORDER_OBJECTIVE_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/graph.h"

/* The largest k. */
#define TORUS_ORDER_K_MAX 256

typedef struct torus_order_objective {
	const torus_task_graph_t *near;	      /* a(u,v); NULL weights are 1. Borrowed */
	uint32_t k;			      /* 1 .. TORUS_ORDER_K_MAX */
	double weight[TORUS_ORDER_K_MAX + 1]; /* w(s) at s = 1 .. k; weight[0] is 0 */
} torus_order_objective_t;

/* Fill k and weight[] with (k + 1 - s) / k. */
void torus_order_weights(torus_order_objective_t *objective, uint32_t k);

/*
 * Read w(1),w(2),... from "4,2,1", as many as there are: that is k. Returns 0, or -1 with
 * [err] filled: not such a list, a number that is negative, above
 * TORUS_TASK_GRAPH_WEIGHT or larger than the one before, the first one 0, more than
 * TORUS_ORDER_K_MAX.
 */
int torus_order_weights_parse(const char *text, torus_order_objective_t *objective,
			      torus_error_t *err);

/* a(u,v) of entry [i] of near->neighbor[]. */
static inline double torus_order_near(const torus_order_objective_t *objective,
				      uint64_t i)
{
	return objective->near->weight ? objective->near->weight[i] : 1;
}

/* w(s) for positions p and q, 0 where they are more than k apart. */
static inline double torus_order_weight(const torus_order_objective_t *objective,
					uint32_t p, uint32_t q)
{
	uint32_t s = p > q ? p - q : q - p;

	return s <= objective->k ? objective->weight[s] : 0;
}

/* The value of position[0 .. n-1], the position of each node. O(pairs). */
double torus_order_value(const torus_order_objective_t *objective,
			 const uint32_t *position);

/*
 * A value that no order exceeds: the smaller of
 * - half the sum over the nodes of what each could earn if its dearest neighbours stood
 *   next to it: w(1) for two, w(2) for the next two and so on;
 * - all pairs, dearest first, on the n-1 places next to each other, then the n-2 two
 *   apart, and so on.
 * Both hold by the rearrangement inequality. Returns 0, or -1 with [err] filled (memory).
 * O(pairs log pairs).
 */
int torus_order_bound(const torus_order_objective_t *objective, double *bound,
		      torus_error_t *err);

#endif
