/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Swaps of pairs of tasks while hop-bytes fall: every task in a random order against
 * every other, again and again until a whole round finds nothing or the budget is spent.
 */
#include "taskmap/mappers/improve.h"

#include <stdlib.h>

#include "base/random.h"
#include "taskmap/search/move_cost.h"

static uint32_t *random_order(uint32_t count, uint64_t *random, torus_error_t *err)
{
	uint32_t *order = malloc(count * sizeof(*order));

	if (!order) {
		torus_fail(err, "out of memory for improving a mapping of %u tasks",
			   count);
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t other = torus_random_below(random, i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	return order;
}

/* Swap [task] with every task where that saves hop-bytes. Returns whether any did. */
static bool improve_task(const torus_task_graph_t *graph, const torus_hop_table_t *table,
			 uint32_t *node_of_task, uint32_t task, double least,
			 torus_effort_t *effort)
{
	bool improved = false;

	for (uint32_t other = 0; other < graph->tasks; other++) {
		uint32_t here = node_of_task[task], there = node_of_task[other];

		if (here == there)
			continue;
		if (!torus_effort_spend(effort, 2 * (torus_move_cost_work(graph, task) +
						     torus_move_cost_work(graph, other))))
			break;
		if (torus_move_cost_swap(graph, table, node_of_task, task, other) >=
		    -least)
			continue;
		node_of_task[task] = there;
		node_of_task[other] = here;
		improved = true;
	}
	return improved;
}

int torus_improve_pairs(const torus_task_graph_t *graph, const torus_hop_table_t *table,
			uint64_t seed, torus_effort_t *effort, uint32_t *node_of_task,
			torus_error_t *err)
{
	double least = torus_move_cost_least(graph);
	uint32_t *order = random_order(graph->tasks, &seed, err);
	bool improved = true;

	if (!order)
		return -1;
	while (improved && !effort->over) {
		improved = false;
		for (uint32_t i = 0; i < graph->tasks && !effort->over; i++)
			improved |= improve_task(graph, table, node_of_task, order[i],
						 least, effort);
	}
	free(order);
	return 0;
}
