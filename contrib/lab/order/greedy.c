/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Greedy orders: see torus_order_greedy().
 *
 * The candidates are the nodes near one of the last k nodes. What each would earn depends
 * on the positions of these, so it is summed anew at each step, over the neighbours of
 * the last k, which are few.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "order/search.h"

/* Nodes placed between two calls of [stop]. */
#define STOP_EVERY 16

typedef struct greedy {
	const torus_order_objective_t *objective;
	uint32_t *order;
	uint32_t placed;
	bool *is_placed;
	uint32_t *left;	     /* how many neighbours of each node are not placed yet */
	double *earns;	     /* what each candidate would earn */
	uint32_t *candidate; /* the nodes with earns > 0 */
	uint32_t candidates;
	uint32_t *by_degree,
		next; /* all nodes, fewest neighbours first; the next to try */
} greedy_t;

static void collect_candidates(greedy_t *greedy)
{
	const torus_order_objective_t *objective = greedy->objective;
	const torus_task_graph_t *near = objective->near;

	while (greedy->candidates > 0)
		greedy->earns[greedy->candidate[--greedy->candidates]] = 0;
	for (uint32_t s = 1; s <= objective->k && s <= greedy->placed; s++) {
		uint32_t node = greedy->order[greedy->placed - s];

		for (uint64_t i = near->first[node];
		     objective->weight[s] > 0 && i < near->first[node + 1]; i++) {
			uint32_t other = near->neighbor[i];

			if (greedy->is_placed[other])
				continue;
			if (greedy->earns[other] == 0)
				greedy->candidate[greedy->candidates++] = other;
			greedy->earns[other] +=
				objective->weight[s] * torus_order_near(objective, i);
		}
	}
}

static bool better(const greedy_t *greedy, uint32_t a, uint32_t b)
{
	if (greedy->earns[a] != greedy->earns[b])
		return greedy->earns[a] > greedy->earns[b];
	if (greedy->left[a] != greedy->left[b])
		return greedy->left[a] < greedy->left[b];
	return a < b;
}

static uint32_t choose(greedy_t *greedy)
{
	uint32_t best;

	collect_candidates(greedy);
	if (greedy->candidates == 0) {
		while (greedy->is_placed[greedy->by_degree[greedy->next]])
			greedy->next++;
		return greedy->by_degree[greedy->next];
	}
	best = greedy->candidate[0];
	for (uint32_t i = 1; i < greedy->candidates; i++) {
		if (better(greedy, greedy->candidate[i], best))
			best = greedy->candidate[i];
	}
	return best;
}

static void place(greedy_t *greedy, uint32_t node)
{
	const torus_task_graph_t *near = greedy->objective->near;

	greedy->order[greedy->placed++] = node;
	greedy->is_placed[node] = true;
	for (uint64_t i = near->first[node]; i < near->first[node + 1]; i++)
		greedy->left[near->neighbor[i]]--;
}

/* Counting sort of the nodes by their number of neighbours, which is below [nodes]. */
static void sort_by_degree(greedy_t *greedy, uint32_t *start, uint32_t nodes)
{
	for (uint32_t node = 0; node < nodes; node++)
		start[greedy->left[node] + 1]++;
	for (uint32_t degree = 1; degree < nodes; degree++)
		start[degree] += start[degree - 1];
	for (uint32_t node = 0; node < nodes; node++)
		greedy->by_degree[start[greedy->left[node]]++] = node;
}

int torus_order_greedy(const torus_order_objective_t *objective,
		       bool (*stop)(void *argument), void *argument, uint32_t *order,
		       torus_error_t *err)
{
	const torus_task_graph_t *near = objective->near;
	uint32_t nodes = near->tasks;
	greedy_t greedy = {.objective = objective, .order = order};
	uint32_t *start = calloc((size_t)nodes + 1, sizeof(*start));
	int rc = 0;

	greedy.is_placed = calloc(nodes, sizeof(*greedy.is_placed));
	greedy.left = calloc(nodes, sizeof(*greedy.left));
	greedy.earns = calloc(nodes, sizeof(*greedy.earns));
	greedy.candidate = malloc(nodes * sizeof(*greedy.candidate));
	greedy.by_degree = malloc(nodes * sizeof(*greedy.by_degree));
	if (!start || !greedy.is_placed || !greedy.left || !greedy.earns ||
	    !greedy.candidate || !greedy.by_degree) {
		rc = torus_fail(err, "out of memory to order %u nodes", nodes);
		goto done;
	}
	for (uint32_t node = 0; node < nodes; node++)
		greedy.left[node] = (uint32_t)(near->first[node + 1] - near->first[node]);
	sort_by_degree(&greedy, start, nodes);
	while (rc == 0 && greedy.placed < nodes) {
		rc = stop && greedy.placed % STOP_EVERY == 0 && stop(argument);
		if (rc == 0)
			place(&greedy, choose(&greedy));
	}
done:
	free(start);
	free(greedy.is_placed);
	free(greedy.left);
	free(greedy.earns);
	free(greedy.candidate);
	free(greedy.by_degree);
	return rc;
}
