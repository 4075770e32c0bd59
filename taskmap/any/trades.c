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
 * Orders on the way need not be allowed. As long as a pattern has too many hops, it
 * weighs more and more; the best order that is allowed is kept. The last trades begin
 * with it, and leave none that is not.
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
/* What each pattern weighs to begin with, and at most. */
#define SHARE 16
#define SHARE_MOST 256
/* Nodes near a node that are tried. */
#define NEAR 6

typedef struct trades {
	torus_any_search_t *search;
	const torus_task_graph_t *graph;
	const torus_hop_table_t *table;
	uint32_t nodes;
	size_t row;	/* of costs, as long as one of the table's */
	uint32_t nears; /* near nodes of each node */
	int32_t *cost;	/* [nodes * row] hop-bytes of a task, in its row, on each node */
	uint32_t *near; /* [nodes * NEAR] the nearest nodes of each, nearest first */
	uint32_t *node_of_task, *task_of_node;
	uint64_t hops[TORUS_ANY_PATTERNS]; /* of that order */
	uint32_t share[TORUS_ANY_PATTERNS];
	bool strict; /* only allowed orders */
} trades_t;

typedef struct trade {
	uint32_t a, b; /* tasks */
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
	if (!torus_any_may_swap(trades->search, a, b))
		return false;
	cost_b = costs_of(trades, b);
	change = (int64_t)cost_a[to] - cost_a[from] + cost_b[from] - cost_b[to];
	if (change > threshold)
		return false;
	/* The two rows take the other task to stay, but it moves the opposite way: they
	 * are as far apart as before. */
	change += 2 * weight_between(graph, a, b) * hops_of(trades, from)[to];
	*trade = (trade_t){a, b};
	return change <= threshold;
}

/* Add to hops[] what moving task a to b's node changes between a and others. */
static void add_move(const trades_t *trades, uint32_t a, uint32_t b,
		     uint64_t hops[TORUS_ANY_PATTERNS])
{
	const torus_task_graph_t *graph = trades->graph;
	uint32_t from = trades->node_of_task[a], to = trades->node_of_task[b];
	uint64_t before[TORUS_ANY_PATTERNS] = {0};

	for (uint64_t i = graph->first[a]; i < graph->first[a + 1]; i++) {
		uint32_t node = trades->node_of_task[graph->neighbor[i]], then = node;

		if (graph->neighbor[i] == b) {
			if (b < a) /* counted from there */
				continue;
			then = from;
		}
		torus_any_add_hops(trades->search, i, from, node, before);
		torus_any_add_hops(trades->search, i, to, then, hops);
	}
	for (int k = 0; k < TORUS_ANY_PATTERNS; k++)
		hops[k] -= before[k];
}

/* Whether the present order, or one of hops[], has no pattern with too many hops that
 * would have fewer without the trade. */
static bool is_strict(const trades_t *trades, const uint64_t hops[TORUS_ANY_PATTERNS])
{
	for (int k = 0; k < TORUS_ANY_PATTERNS; k++) {
		if (hops[k] > trades->search->bound[k] && hops[k] > trades->hops[k])
			return false;
	}
	return true;
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

/* Begin with [order]. */
static void begin(trades_t *trades, const uint32_t *order)
{
	for (uint32_t task = 0; task < trades->nodes; task++)
		put(trades, task, order[task]);
	torus_any_hops(trades->search, order, trades->hops);
	torus_any_offer(trades->search, order, trades->hops);
}

/* Fill in the table of costs. */
static void count_costs(trades_t *trades)
{
	static const uint8_t nowhere[TORUS_ANY_TRADES_NODES]; /* no hops to any node */

	torus_any_pattern_weigh(trades->search->pattern, trades->share);
	memset(trades->cost, 0, trades->nodes * trades->row * sizeof(*trades->cost));
	for (uint32_t task = 0; task < trades->nodes; task++)
		tell_others(trades, task, nowhere,
			    hops_of(trades, trades->node_of_task[task]));
}

/* Have patterns with too many hops weigh more, and the others as before in the end. */
static void change_shares(trades_t *trades)
{
	bool changed = false;

	for (int k = 0; k < TORUS_ANY_PATTERNS; k++) {
		uint32_t *share = &trades->share[k], before = *share;

		if (trades->hops[k] > trades->search->bound[k])
			*share += *share < SHARE_MOST ? *share / 4 : 0;
		else
			*share -= (*share - SHARE) / 4;
		changed |= *share != before;
	}
	if (changed)
		count_costs(trades);
}

static void try_some(trades_t *trades, int64_t threshold, uint64_t *random)
{
	uint32_t trials = (TRIALS_LEAST + TRIALS_A_NODE * trades->nodes) / STEPS;

	for (uint32_t trial = 0; trial < trials; trial++) {
		uint64_t hops[TORUS_ANY_PATTERNS];
		trade_t trade;

		if (!draw(trades, threshold, random, &trade))
			continue;
		memcpy(hops, trades->hops, sizeof(hops));
		add_move(trades, trade.a, trade.b, hops);
		add_move(trades, trade.b, trade.a, hops);
		if (trades->strict && !is_strict(trades, hops))
			continue;
		make(trades, &trade);
		memcpy(trades->hops, hops, sizeof(hops));
		torus_any_offer(trades->search, trades->node_of_task, hops);
	}
}

/* From [order], with a threshold that falls; then from the best one, with none. */
static void try_all(trades_t *trades, const uint32_t *order)
{
	int64_t first;
	uint64_t random = 0;

	for (int k = 0; k < TORUS_ANY_PATTERNS; k++)
		trades->share[k] = SHARE;
	begin(trades, order);
	count_costs(trades);
	first = first_threshold(trades->graph);
	for (int step = 0; step < FALLING; step++) {
		try_some(trades, first * (FALLING - step) / FALLING, &random);
		change_shares(trades);
	}
	for (int k = 0; k < TORUS_ANY_PATTERNS; k++)
		trades->share[k] = SHARE;
	begin(trades, trades->search->best);
	count_costs(trades);
	trades->strict = true;
	for (int step = FALLING; step < STEPS; step++)
		try_some(trades, 0, &random);
}

int torus_any_trades(torus_any_search_t *search, const uint32_t *order,
		     torus_error_t *err)
{
	uint32_t nodes = search->job->nodes;
	trades_t trades = {
		.search = search,
		.graph = search->pattern->graph,
		.table = search->table,
		.nodes = nodes,
		.row = search->table->row,
		.cost = malloc(nodes * search->table->row * sizeof(*trades.cost)),
		.near = malloc((size_t)nodes * NEAR * sizeof(*trades.near)),
		.node_of_task = malloc(nodes * sizeof(*trades.node_of_task)),
		.task_of_node = malloc(nodes * sizeof(*trades.task_of_node)),
	};
	int rc = -1;

	if (!trades.cost || !trades.near || !trades.node_of_task ||
	    !trades.task_of_node) {
		torus_fail(err, "out of memory for ordering %u nodes", nodes);
		goto done;
	}
	for (uint32_t node = 0; node < nodes; node++)
		list_near(&trades, node);
	try_all(&trades, order);
	rc = 0;
done:
	free(trades.cost);
	free(trades.near);
	free(trades.node_of_task);
	free(trades.task_of_node);
	return rc;
}
