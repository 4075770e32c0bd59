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
 *
 * One or two trades of a hundred that are tried are made. So what each task would cost on
 * each node is kept in a table: a trial looks up four numbers, and a trade that is made
 * changes the rows of those that the two tasks talk to.
 */
#include "taskmap/any/trades.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* How many trades are tried: at 64 nodes a third of the time that an order takes. */
#define TRIALS_LEAST 2500
#define TRIALS_A_NODE 60
/* The threshold to begin with, in mean weights of an edge. It falls in so many of the
 * steps, and is 0 in the others. */
#define THRESHOLD 2
#define STEPS 50
#define FALLING 40
/* Nodes near a node that are tried. */
#define NEAR 6

typedef struct trades {
	const torus_task_graph_t *graph;
	const torus_hop_table_t *table;
	uint32_t nodes;
	size_t row;	/* of costs, as long as one of the table's */
	uint32_t nears; /* near nodes of each node */
	int32_t *cost;	/* [nodes * row] hop-bytes of a task, in its row, on each node */
	uint32_t *near; /* [nodes * NEAR] the nearest nodes of each, nearest first */
	uint32_t *node_of_task, *task_of_node;
} trades_t;

typedef struct trade {
	uint32_t a, b;	/* tasks */
	int64_t change; /* of hop-bytes */
} trade_t;

static const uint8_t *hops_of(const trades_t *trades, uint32_t node)
{
	return trades->table->hops + node * trades->table->row;
}

static int32_t *costs_of(const trades_t *trades, uint32_t task)
{
	return trades->cost + task * trades->row;
}

/* So many costs are computed at once: a constant, so that compilers use vectors. */
#define AT_ONCE 16

/* Add what it costs a task, on each node, that one it talks to goes from where from[] are
 * the hops to where to[] are, [weight] a hop. */
static void add_costs(int32_t *cost, const uint8_t *from, const uint8_t *to,
		      int16_t weight)
{
	int32_t more[AT_ONCE];

	for (int i = 0; i < AT_ONCE; i++) {
		int16_t hops = (int16_t)(to[i] - from[i]);

		more[i] = weight * hops;
	}
	for (int i = 0; i < AT_ONCE; i++)
		cost[i] += more[i];
}

/* The costs of those that [task] talks to, as it goes from where from[] are the hops to
 * where to[] are. */
static void tell_others(const trades_t *trades, uint32_t task, const uint8_t *from,
			const uint8_t *to)
{
	const torus_task_graph_t *graph = trades->graph;

	for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
		int32_t *cost = costs_of(trades, graph->neighbor[i]);

		for (size_t node = 0; node < trades->row; node += AT_ONCE)
			add_costs(cost + node, from + node, to + node,
				  (int16_t)graph->weight[i]);
	}
}

/* List the nodes near [node], of equally near ones those that come first. */
static void list_near(trades_t *trades, uint32_t node)
{
	const uint8_t *hops = hops_of(trades, node);
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

/* What tasks a and b say to each other. */
static int64_t weight_between(const torus_task_graph_t *graph, uint32_t a, uint32_t b)
{
	for (uint64_t i = graph->first[a]; i < graph->first[a + 1]; i++) {
		if (graph->neighbor[i] == b)
			return (int64_t)graph->weight[i];
	}
	return 0;
}

/* Draw two tasks to trade; false: the one drawn talks to nobody, or the trade costs more
 * than [threshold]. */
static bool draw(const trades_t *trades, int64_t threshold, uint64_t *random,
		 trade_t *trade)
{
	const torus_task_graph_t *graph = trades->graph;
	uint32_t a = torus_random_below(random, trades->nodes), b, from, to, other;
	uint32_t degree = (uint32_t)(graph->first[a + 1] - graph->first[a]);
	const int32_t *cost_a = costs_of(trades, a), *cost_b;
	int64_t change;

	if (!degree)
		return false;
	other = trades->node_of_task[graph->neighbor[graph->first[a] +
						     torus_random_below(random, degree)]];
	from = trades->node_of_task[a];
	to = trades->near[other * NEAR + torus_random_below(random, trades->nears)];
	if (to == from)
		to = other;
	b = trades->task_of_node[to];
	cost_b = costs_of(trades, b);
	change = (int64_t)cost_a[to] - cost_a[from] + cost_b[from] - cost_b[to];
	if (change > threshold)
		return false;
	/* The two rows take the other task to stay, but it moves the opposite way: they
	 * are as far apart as before. */
	change += 2 * weight_between(graph, a, b) * hops_of(trades, from)[to];
	*trade = (trade_t){a, b, change};
	return change <= threshold;
}

static void put(trades_t *trades, uint32_t task, uint32_t node)
{
	trades->node_of_task[task] = node;
	trades->task_of_node[node] = task;
}

static void make(trades_t *trades, const trade_t *trade)
{
	uint32_t a = trades->node_of_task[trade->a], b = trades->node_of_task[trade->b];

	tell_others(trades, trade->a, hops_of(trades, a), hops_of(trades, b));
	tell_others(trades, trade->b, hops_of(trades, b), hops_of(trades, a));
	put(trades, trade->a, b);
	put(trades, trade->b, a);
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

		if (!draw(trades, threshold, random, &trade))
			continue;
		make(trades, &trade);
		*change += trade.change;
		if (*change >= 0)
			continue;
		*change = 0;
		memcpy(best, trades->node_of_task, trades->nodes * sizeof(*best));
	}
}

int torus_any_trades(const torus_task_job_t *job, const torus_hop_table_t *table,
		     uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t nodes = job->nodes;
	trades_t trades = {
		.graph = job->graph,
		.table = table,
		.nodes = nodes,
		.row = table->row,
		.cost = calloc(nodes * table->row, sizeof(*trades.cost)),
		.near = malloc((size_t)nodes * NEAR * sizeof(*trades.near)),
		.node_of_task = malloc(nodes * sizeof(*trades.node_of_task)),
		.task_of_node = malloc(nodes * sizeof(*trades.task_of_node)),
	};
	static const uint8_t nowhere[TORUS_ANY_TRADES_NODES]; /* no hops to any node */
	int64_t first, change = 0;
	uint64_t random = 0;
	int rc = -1;

	if (!trades.cost || !trades.near || !trades.node_of_task ||
	    !trades.task_of_node) {
		torus_fail(err, "out of memory for ordering %u nodes", nodes);
		goto done;
	}
	for (uint32_t node = 0; node < nodes; node++) {
		list_near(&trades, node);
		trades.node_of_task[node] = node_of_task[node];
		trades.task_of_node[node_of_task[node]] = node;
	}
	for (uint32_t task = 0; task < nodes; task++)
		tell_others(&trades, task, nowhere, hops_of(&trades, node_of_task[task]));
	first = first_threshold(job->graph);
	for (int step = 0; step < STEPS; step++)
		try_some(&trades, step < FALLING ? first * (FALLING - step) / FALLING : 0,
			 &random, &change, node_of_task);
	rc = 0;
done:
	free(trades.cost);
	free(trades.near);
	free(trades.node_of_task);
	free(trades.task_of_node);
	return rc;
}
