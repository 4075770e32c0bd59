/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random trades of nodes between two tasks, by threshold accepting (Dueck and Scheuer,
 * "Threshold Accepting: A General Purpose Optimization Algorithm Appearing Superior to
 * Simulated Annealing", 1990): a trade is made if it costs no more than a threshold,
 * which falls to nothing. Unlike annealing that takes no exponentials, so all hosts
 * agree.
 *
 * A trade moves a task to a node near one of those that it talks to. Pairs of tasks drawn
 * at random, or near each other in the pattern, save half as much (1,219 jobs on 8x8x8).
 */
#include "taskmap/any/trades.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* How many trades are tried: at 64 nodes half of the time that an order takes. */
#define TRIALS_LEAST 2500
#define TRIALS_A_NODE 60
/* The threshold to begin with, in mean weights of an edge. It falls in so many of the
 * steps, and is 0 in the others. */
#define THRESHOLD 2
#define STEPS 50
#define FALLING 40
/* Nodes near a node that are tried. */
#define NEAR 6

/* Whom a task talks to. */
typedef struct talk {
	uint32_t task;
	int32_t weight;
} talk_t;

typedef struct trades {
	const torus_task_graph_t *graph;
	uint32_t nodes;
	uint32_t width; /* the most that a task talks to */
	uint32_t nears; /* near nodes of each node */
	talk_t *talk;	/* [nodes * width] filled up with weights of 0, so that all rows
			 * take the processor the same steps */
	int32_t *hops;	/* [nodes * nodes] */
	uint32_t *near; /* [nodes * NEAR] the nearest nodes of each, nearest first */
	uint32_t *node_of_task, *task_of_node;
} trades_t;

typedef struct trade {
	uint32_t a, b;	/* tasks */
	int64_t change; /* of hop-bytes */
} trade_t;

static uint32_t talks(const torus_task_graph_t *graph, uint32_t task)
{
	return (uint32_t)(graph->first[task + 1] - graph->first[task]);
}

static void fill_talk(trades_t *trades)
{
	const torus_task_graph_t *graph = trades->graph;

	for (uint32_t task = 0; task < trades->nodes; task++) {
		talk_t *talk = trades->talk + task * trades->width;
		uint64_t first = graph->first[task];

		for (uint32_t i = 0; i < talks(graph, task); i++)
			talk[i] = (talk_t){graph->neighbor[first + i],
					   (int32_t)graph->weight[first + i]};
	}
}

static void fill_hops(trades_t *trades, const torus_hop_table_t *table)
{
	uint32_t nodes = trades->nodes;

	for (uint32_t a = 0; a < nodes; a++) {
		trades->hops[a * nodes + a] = 0;
		for (uint32_t b = 0; b < a; b++) {
			int32_t hops = (int32_t)torus_hop_table_hops(table, a, b);

			trades->hops[a * nodes + b] = hops;
			trades->hops[b * nodes + a] = hops;
		}
	}
}

/* List the nodes near [node], of equally near ones those that come first. */
static void list_near(trades_t *trades, uint32_t node)
{
	const int32_t *hops = trades->hops + node * trades->nodes;
	uint32_t *near = trades->near + node * NEAR, count = 0;

	for (uint32_t other = 0; other < trades->nodes; other++) {
		uint32_t at = count;

		if (other == node || (at == NEAR && hops[near[at - 1]] <= hops[other]))
			continue;
		if (count < NEAR)
			count++;
		else
			at--;
		for (; at > 0 && hops[near[at - 1]] > hops[other]; at--)
			near[at] = near[at - 1];
		near[at] = other;
	}
	trades->nears = count;
}

/* The hop-bytes that [task] would add with node [to], whose task takes [from]. */
static int64_t cost_of_moving(const trades_t *trades, uint32_t task, uint32_t from,
			      uint32_t to)
{
	const talk_t *talk = trades->talk + task * trades->width;
	const int32_t *before = trades->hops + from * trades->nodes;
	const int32_t *after = trades->hops + to * trades->nodes;
	int64_t cost = 0;

	for (uint32_t i = 0; i < trades->width; i++) {
		uint32_t node = trades->node_of_task[talk[i].task];
		int32_t more = node == to ? 0 : after[node] - before[node];

		cost += (int64_t)talk[i].weight * more;
	}
	return cost;
}

/* Draw two tasks to trade; false: the one drawn talks to nobody. */
static bool draw(const trades_t *trades, uint64_t *random, trade_t *trade)
{
	uint32_t task = torus_random_below(random, trades->nodes), other, from, to;
	uint32_t degree = talks(trades->graph, task);

	if (!degree)
		return false;
	other = trades->talk[task * trades->width + torus_random_below(random, degree)]
			.task;
	from = trades->node_of_task[task];
	to = trades->near[trades->node_of_task[other] * NEAR +
			  torus_random_below(random, trades->nears)];
	if (to == from)
		to = trades->node_of_task[other];
	trade->a = task;
	trade->b = trades->task_of_node[to];
	trade->change = cost_of_moving(trades, trade->a, from, to) +
			cost_of_moving(trades, trade->b, to, from);
	return true;
}

static void make(trades_t *trades, const trade_t *trade)
{
	uint32_t node = trades->node_of_task[trade->a];

	trades->node_of_task[trade->a] = trades->node_of_task[trade->b];
	trades->node_of_task[trade->b] = node;
	trades->task_of_node[trades->node_of_task[trade->a]] = trade->a;
	trades->task_of_node[node] = trade->b;
}

static int64_t first_threshold(const torus_task_graph_t *graph)
{
	uint64_t entries = graph->first[graph->tasks];
	int64_t sum = 0;

	for (uint64_t i = 0; i < entries; i++)
		sum += (int64_t)graph->weight[i];
	return entries ? THRESHOLD * sum / (int64_t)entries : 0;
}

/* Try some trades. The best mapping so far is best[]; *change: of hop-bytes, from it to
 * the present one. */
static void try_some(trades_t *trades, int64_t threshold, uint64_t *random,
		     int64_t *change, uint32_t *best)
{
	uint32_t trials = (TRIALS_LEAST + TRIALS_A_NODE * trades->nodes) / STEPS;

	for (uint32_t trial = 0; trial < trials; trial++) {
		trade_t trade;

		if (!draw(trades, random, &trade) || trade.change > threshold)
			continue;
		make(trades, &trade);
		*change += trade.change;
		if (*change >= 0)
			continue;
		*change = 0;
		memcpy(best, trades->node_of_task, trades->nodes * sizeof(*best));
	}
}

static uint32_t most_talks(const torus_task_graph_t *graph)
{
	uint32_t most = 0;

	for (uint32_t task = 0; task < graph->tasks; task++)
		most = talks(graph, task) > most ? talks(graph, task) : most;
	return most;
}

int torus_any_trades(const torus_task_job_t *job, const torus_hop_table_t *table,
		     uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t nodes = job->nodes;
	trades_t trades = {
		.graph = job->graph,
		.nodes = nodes,
		.width = most_talks(job->graph),
		.hops = malloc((size_t)nodes * nodes * sizeof(*trades.hops)),
		.near = malloc((size_t)nodes * NEAR * sizeof(*trades.near)),
		.node_of_task = malloc(nodes * sizeof(*trades.node_of_task)),
		.task_of_node = malloc(nodes * sizeof(*trades.task_of_node)),
	};
	int64_t first, change = 0;
	uint64_t random = 0;
	int rc = -1;

	trades.talk = calloc((size_t)nodes * trades.width + 1, sizeof(*trades.talk));
	if (!trades.talk || !trades.hops || !trades.near || !trades.node_of_task ||
	    !trades.task_of_node) {
		torus_fail(err, "out of memory for ordering %u nodes", nodes);
		goto done;
	}
	fill_talk(&trades);
	fill_hops(&trades, table);
	for (uint32_t node = 0; node < nodes; node++) {
		list_near(&trades, node);
		trades.node_of_task[node] = node_of_task[node];
		trades.task_of_node[node_of_task[node]] = node;
	}
	first = first_threshold(job->graph);
	for (int step = 0; step < STEPS; step++)
		try_some(&trades, step < FALLING ? first * (FALLING - step) / FALLING : 0,
			 &random, &change, node_of_task);
	rc = 0;
done:
	free(trades.talk);
	free(trades.hops);
	free(trades.near);
	free(trades.node_of_task);
	free(trades.task_of_node);
	return rc;
}
