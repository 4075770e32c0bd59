/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cost that no order is below: see order/cost.h. */
#include "order/cost.h"

#include <stdlib.h>

/*
 * Half of what a node pays at least that has [left] nodes on one side and [right] on the
 * other, for the weights up to [k]. hops[] are those of the nearest 2k, ascending.
 */
static double least_paid(const torus_order_cost_t *cost, uint32_t k, const uint32_t *hops,
			 uint32_t left, uint32_t right)
{
	double sum = 0;

	for (uint32_t s = 1; s <= k; s++) {
		for (uint32_t sides = (s <= left) + (s <= right); sides > 0; sides--)
			sum += cost->weight[s] * *hops++;
	}
	return sum / 2;
}

/* The two sides of position [p]; on a ring the node half way around is on one side. */
static void sides_of(const torus_order_cost_t *cost, uint32_t p, uint32_t *left,
		     uint32_t *right)
{
	uint32_t nodes = cost->distances->nodes;

	*left = cost->ring ? (nodes - 1) / 2 : p;
	*right = cost->ring ? nodes / 2 : nodes - 1 - p;
}

/*
 * Half of what the node pays at least in the middle of the line. saved[p] becomes the
 * most that it may pay less on position p, one of the [ends] first ones.
 */
static double middle(const torus_order_cost_t *cost, uint32_t k, const uint32_t *hops,
		     uint32_t ends, double *saved)
{
	uint32_t left, right;
	double most;

	sides_of(cost, cost->distances->nodes / 2, &left, &right);
	most = least_paid(cost, k, hops, left, right);
	for (uint32_t p = 0; p < ends; p++) {
		double less;

		sides_of(cost, p, &left, &right);
		less = most - least_paid(cost, k, hops, left, right);
		saved[p] = less > saved[p] ? less : saved[p];
	}
	return most;
}

int torus_order_cost_bound(const torus_order_cost_t *cost, const torus_network_t *network,
			   double *bound, torus_error_t *err)
{
	uint32_t k = cost->k < TORUS_ORDER_BOUND_K ? cost->k : TORUS_ORDER_BOUND_K;
	uint32_t nodes = cost->distances->nodes, ends = k < nodes / 2 ? k : nodes / 2;
	double saved[TORUS_ORDER_BOUND_K] = {0};
	uint32_t *hops = malloc(((size_t)nodes * 2 * k + 1) * sizeof(*hops));

	*bound = 0;
	if (!hops)
		return torus_fail(err, "out of memory for %u nodes", nodes);
	if (torus_network_nearest(network, 2 * k, hops, err)) {
		free(hops);
		return -1;
	}
	if (cost->ring)
		ends = 0;
	for (uint32_t node = 0; node < nodes; node++)
		*bound += middle(cost, k, hops + (size_t)node * 2 * k, ends, saved);
	/* The line's two ends are alike. */
	for (uint32_t p = 0; p < ends; p++)
		*bound -= 2 * saved[p];
	if (*bound < 0)
		*bound = 0;
	free(hops);
	return 0;
}
