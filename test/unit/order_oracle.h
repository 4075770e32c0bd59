/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random networks and moves, the value of an order by its definition, and the best of all
 * orders.
 */
#ifndef TORUS_TEST_ORDER_ORACLE_H
#define TORUS_TEST_ORDER_ORACLE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "order/moves.h"
#include "order/objective.h"
#include "random.h"

enum { NODES_MAX = 60, EDGES_MAX = 200 };

/* A graph of [nodes] nodes with about [edges] edges of weight 1 to 3. */
static inline torus_task_graph_t *random_graph(uint32_t nodes, uint32_t edges)
{
	uint32_t from[EDGES_MAX], to[EDGES_MAX];
	double weight[EDGES_MAX];
	torus_task_graph_t *graph;

	for (uint32_t i = 0; i < edges; i++) {
		from[i] = random_in(0, nodes - 1);
		to[i] = random_in(0, nodes - 1);
		weight[i] = random_in(1, 3);
	}
	graph = torus_task_graph_create(nodes, from, to, weight, edges, NULL);
	assert_non_null(graph);
	return graph;
}

static inline void random_weights(torus_order_objective_t *objective, uint32_t k)
{
	double weight = random_in(k, 3 * k);

	objective->k = k;
	objective->weight[0] = 0;
	for (uint32_t s = 1; s <= k; s++) {
		objective->weight[s] = weight;
		weight -= random_in(0, weight > 2 ? 2 : (uint32_t)weight);
	}
}

static inline void shuffle(uint32_t *order, uint32_t nodes)
{
	for (uint32_t i = 0; i < nodes; i++)
		order[i] = i;
	for (uint32_t i = nodes - 1; i > 0; i--) {
		uint32_t j = random_in(0, i), node = order[i];

		order[i] = order[j];
		order[j] = node;
	}
}

/* A swap, or two blocks that may change places and be turned round. */
static inline torus_order_move_t random_move(uint32_t nodes)
{
	torus_order_move_t move = {.kind = random_in(0, 3) ? TORUS_ORDER_BLOCKS
							   : TORUS_ORDER_SWAP};

	move.a = random_in(0, nodes - 2);
	move.b = random_in(move.a + 1, nodes - 1);
	if (move.kind == TORUS_ORDER_BLOCKS) {
		move.c = random_in(move.b, nodes);
		move.exchange = random_in(0, 1) && move.c > move.b;
		move.turn_first = random_in(0, 1);
		move.turn_second = random_in(0, 1);
	}
	return move;
}

/* The definition: all pairs of positions at most k apart, and all edges for each. */
static inline double slow_value(const torus_order_objective_t *objective,
				const uint32_t *order)
{
	const torus_task_graph_t *near = objective->near;
	double value = 0;

	for (uint32_t p = 0; p < near->tasks; p++) {
		for (uint32_t q = p + 1; q < near->tasks && q - p <= objective->k; q++) {
			for (uint64_t i = near->first[order[p]];
			     i < near->first[order[p] + 1]; i++) {
				if (near->neighbor[i] == order[q])
					value += near->weight[i] *
						 objective->weight[q - p];
			}
		}
	}
	return value;
}

/* The best of all orders of order[at ..]. */
static inline double exhaustive(const torus_order_objective_t *objective, uint32_t *order,
				uint32_t at)
{
	uint32_t nodes = objective->near->tasks;
	double best = 0;

	if (at == nodes)
		return slow_value(objective, order);
	for (uint32_t i = at; i < nodes; i++) {
		uint32_t node = order[i];
		double value;

		order[i] = order[at];
		order[at] = node;
		value = exhaustive(objective, order, at + 1);
		best = value > best ? value : best;
		order[at] = order[i];
		order[i] = node;
	}
	return best;
}

#endif
