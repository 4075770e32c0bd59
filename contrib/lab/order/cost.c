/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cost of an order: see order/cost.h. */
#include "order/cost.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the search ignores, as a part of w(1). */
#define LEAST_SEARCHED 0x1p-20
/* The search tries again the nodes so near to what a move has changed. */
enum { RADIUS_MAX = 8 };

/* The largest s that two positions have. */
static uint32_t widest(uint32_t nodes, bool ring)
{
	return ring ? nodes / 2 : nodes - 1;
}

static int cost_begin(const torus_distances_t *distances, bool ring, uint32_t k,
		      torus_order_cost_t *cost, torus_error_t *err)
{
	uint32_t most = widest(distances->nodes, ring);

	*cost = (torus_order_cost_t){.distances = distances, .ring = ring};
	cost->k = k < most ? k : most;
	cost->weight = calloc((size_t)cost->k + 1, sizeof(*cost->weight));
	return cost->weight ? 0 : torus_fail(err, "out of memory for weights");
}

int torus_order_cost_decay(const torus_distances_t *distances, bool ring, double decay,
			   torus_order_cost_t *cost, torus_error_t *err)
{
	double most = distances->most > 1 ? distances->most : 1;
	/* most * (decay^(k+1) + decay^(k+2) + ...) <= 2^-53 * decay */
	double last = log(DBL_EPSILON / 2 * (1 - decay) / most) / log(decay);

	if (cost_begin(distances, ring,
		       last < UINT32_MAX ? (uint32_t)ceil(last) : UINT32_MAX, cost, err))
		return -1;
	for (uint32_t s = 1; s <= cost->k; s++)
		cost->weight[s] = pow(decay, s);
	return 0;
}

int torus_order_cost_weights(const torus_distances_t *distances, bool ring, uint32_t k,
			     const double *weight, torus_order_cost_t *cost,
			     torus_error_t *err)
{
	if (cost_begin(distances, ring, k, cost, err))
		return -1;
	memcpy(cost->weight + 1, weight + 1, cost->k * sizeof(*weight));
	return 0;
}

void torus_order_cost_clear(torus_order_cost_t *cost)
{
	free(cost->weight);
}

/* The hops of the pairs that are [s] positions apart. */
static uint64_t hops_apart(const torus_order_cost_t *cost, const uint32_t *order,
			   uint32_t s)
{
	uint32_t nodes = cost->distances->nodes, pairs = nodes - s;
	uint64_t hops = 0;

	for (uint32_t p = 0; p < pairs; p++)
		hops += torus_distance(cost->distances, order[p], order[p + s]);
	/* Half way around, both ways are one pair, which is counted already. */
	for (uint32_t p = pairs; cost->ring && 2 * s != nodes && p < nodes; p++)
		hops += torus_distance(cost->distances, order[p], order[p - pairs]);
	return hops;
}

static double sum_of(const torus_order_cost_t *cost, const uint32_t *order)
{
	double sum = 0;

	/* The smallest terms first, as that rounds least. */
	for (uint32_t s = cost->k; s > 0; s--) {
		if (cost->weight[s] > 0)
			sum += cost->weight[s] * (double)hops_apart(cost, order, s);
	}
	return sum;
}

int torus_order_cost_of(const torus_order_cost_t *cost, const uint32_t *order,
			double *sum, torus_error_t *err)
{
	torus_distances_t along = *cost->distances;
	torus_order_cost_t straight = *cost;
	uint32_t *identity;

	if (along.hops) {
		*sum = sum_of(cost, order);
		return 0;
	}
	/* Coordinates in the order of the line are read one after the other. */
	straight.distances = &along;
	identity = malloc(along.nodes * sizeof(*identity));
	along.coord = malloc((size_t)along.nodes * TORUS_MAX_DIMS * sizeof(*along.coord));
	if (!identity || !along.coord) {
		free(identity);
		free(along.coord);
		return torus_fail(err, "out of memory for an order of %u nodes",
				  along.nodes);
	}
	for (uint32_t p = 0; p < along.nodes; p++) {
		identity[p] = p;
		memcpy(along.coord + (size_t)p * TORUS_MAX_DIMS,
		       cost->distances->coord + (size_t)order[p] * TORUS_MAX_DIMS,
		       TORUS_MAX_DIMS * sizeof(*along.coord));
	}
	*sum = sum_of(&straight, identity);
	free(identity);
	free(along.coord);
	return 0;
}

static double goal_value(const void *objective, const torus_order_line_t *line)
{
	return -sum_of(objective, line->node);
}

torus_order_goal_t torus_order_cost_goal(const torus_order_cost_t *cost,
					 const torus_task_graph_t *near,
					 torus_order_cost_t *kept)
{
	*kept = *cost;
	while (kept->k > 1 && kept->weight[kept->k] < LEAST_SEARCHED * kept->weight[1])
		kept->k--;
	return (torus_order_goal_t){
		.near = near,
		.radius = kept->k < RADIUS_MAX ? kept->k : RADIUS_MAX,
		.ring = kept->ring,
		.objective = kept,
		.value = goal_value,
		.gain = torus_order_cost_gain,
	};
}

/* The graph of most - hops between all nodes. */
static torus_task_graph_t *nearness(const torus_distances_t *distances,
				    torus_error_t *err)
{
	uint32_t nodes = distances->nodes;
	torus_task_graph_t *near =
		torus_task_graph_alloc(nodes, (uint64_t)nodes * nodes, err);
	uint64_t at = 0;

	if (!near)
		return NULL;
	for (uint32_t u = 0; u < nodes; u++) {
		for (uint32_t v = 0; v < nodes; v++) {
			uint32_t hops = torus_distance(distances, u, v);

			if (u == v || hops >= distances->most)
				continue;
			near->neighbor[at] = v;
			near->weight[at++] = distances->most - hops;
		}
		near->first[u + 1] = at;
	}
	return near;
}

int torus_order_cost_nearness(const torus_order_cost_t *cost,
			      torus_order_objective_t *objective, double *constant,
			      torus_error_t *err)
{
	uint32_t nodes = cost->distances->nodes;

	if (nodes > TORUS_ORDER_K_MAX + 1)
		return torus_fail(err,
				  "the integer program for %u nodes is too large for a "
				  "solver; use --solver none",
				  nodes);
	*objective = (torus_order_objective_t){.k = cost->k ? cost->k : 1};
	*constant = 0;
	/* Positions s apart on a line are n - s apart the other way around a ring. */
	if (cost->ring && nodes > 1)
		objective->k = nodes - 1;
	for (uint32_t s = 1; s <= objective->k && s < nodes; s++) {
		double weight = torus_order_cost_weight(cost, 0, s);

		objective->weight[s] = weight;
		*constant += weight * (nodes - s) * cost->distances->most;
	}
	objective->near = nearness(cost->distances, err);
	return objective->near ? 0 : -1;
}
