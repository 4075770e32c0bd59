/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An order of nodes for an unknown pattern, against slow twins of its parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "random_job.h"
#include "taskmap/any/any.h"
#include "taskmap/any/moves.h"
#include "taskmap/any/trades.h"
#include "taskmap/hops.h"

#define NODES 64
#define TASKS 512
#define CASES RANDOM_CASES(3000)

/* --- the pattern -------------------------------------------------------- */

/* Weights between positions, task by task. */
typedef struct twin {
	uint32_t tasks, positions;
	uint32_t position[TASKS];
	uint64_t weight[NODES][NODES];
} twin_t;

/* Slurm's block distribution, task by task: the first nodes take what is over. */
static void deal_blocks(twin_t *twin)
{
	uint32_t task = 0;

	for (uint32_t p = 0; p < twin->positions; p++) {
		uint32_t share = twin->tasks / twin->positions +
				 (p < twin->tasks % twin->positions);

		for (uint32_t i = 0; i < share; i++)
			twin->position[task++] = p;
	}
	assert_int_equal(task, twin->tasks);
}

/* Add the pairs of a grid, each axis of its own, as whole weights of [mean] a position.
 */
static void add_grid(twin_t *twin, const torus_task_grid_t *grid, uint32_t mean)
{
	uint32_t stride = 1, all = (uint32_t)torus_task_grid_edges(grid);

	for (int axis = 0; axis < grid->dims; axis++) {
		uint32_t length = (uint32_t)grid->length[axis];
		static uint32_t pairs[NODES][NODES];

		memset(pairs, 0, sizeof(pairs));
		for (uint32_t task = 0; task < twin->tasks; task++) {
			if (task / stride % length < length - 1)
				pairs[twin->position[task]]
				     [twin->position[task + stride]]++;
		}
		for (uint32_t p = 0; p < twin->positions; p++) {
			for (uint32_t q = 0; q < twin->positions; q++) {
				if (!pairs[p][q] || p == q)
					continue;
				twin->weight[p][q] += (uint64_t)pairs[p][q] *
						      twin->positions * mean / all;
			}
		}
		stride *= length;
	}
}

static void fill_twin(twin_t *twin, uint32_t tasks, uint32_t positions)
{
	torus_task_grid_t grid = {0};
	/* The ring counts twice, but on few nodes. */
	uint32_t ring = positions > 8 ? 7200 : 3600;

	memset(twin, 0, sizeof(*twin));
	twin->tasks = tasks;
	twin->positions = positions;
	deal_blocks(twin);
	for (int dims = 1; dims <= 3; dims++) {
		torus_task_grid_factor(tasks, dims, &grid);
		add_grid(twin, &grid, dims == 1 ? ring : 3600);
	}
	if (tasks > 2 && positions > 1)
		twin->weight[positions - 1][0] += (uint64_t)positions * ring / tasks;
}

static uint64_t weight_between(const torus_task_graph_t *graph, uint32_t p, uint32_t q)
{
	uint64_t weight = 0;

	for (uint64_t i = graph->first[p]; i < graph->first[p + 1]; i++) {
		assert_true(i == graph->first[p] ||
			    graph->neighbor[i - 1] < graph->neighbor[i]);
		assert_true(graph->weight[i] > 0 && graph->weight[i] <= INT16_MAX);
		if (graph->neighbor[i] == q)
			weight += (uint64_t)graph->weight[i];
	}
	return weight;
}

static void test_pattern_is_what_tasks_say(void **state)
{
	static twin_t twin;
	uint32_t uneven = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		uint32_t positions = random_in(1, NODES);
		uint32_t tasks =
			random_in(positions, random_in(0, 1) ? positions : TASKS);
		torus_task_graph_t *graph =
			torus_any_pattern(tasks, positions, TORUS_DEAL_BLOCK, NULL);

		assert_non_null(graph);
		assert_int_equal(graph->tasks, positions);
		fill_twin(&twin, tasks, positions);
		uneven += tasks % positions != 0;
		for (uint32_t p = 0; p < positions; p++) {
			for (uint32_t q = 0; q < positions; q++)
				assert_int_equal(weight_between(graph, p, q),
						 twin.weight[p][q] + twin.weight[q][p]);
		}
		torus_task_graph_destroy(graph);
	}
	assert_true(uneven > CASES / 4);
}

/* Cyclic: each position talks alike, a task a node as in blocks. */
static void test_pattern_in_turn(void **state)
{
	(void)state;
	for (int i = 0; i < CASES; i++) {
		uint32_t positions = random_in(1, NODES);
		uint32_t tasks = positions * random_in(1, 8);
		torus_task_graph_t *graph =
			torus_any_pattern(tasks, positions, TORUS_DEAL_CYCLIC, NULL);

		assert_non_null(graph);
		for (uint32_t p = 0; tasks > positions && p < positions; p++) {
			for (uint32_t q = 0; q < positions; q++)
				assert_int_equal(weight_between(graph, p, q),
						 weight_between(graph,
								(p + 1) % positions,
								(q + 1) % positions));
		}
		if (tasks == positions && tasks > 2) {
			torus_task_graph_t *blocks = torus_any_pattern(
				tasks, positions, TORUS_DEAL_BLOCK, NULL);

			assert_memory_equal(graph->weight, blocks->weight,
					    graph->first[positions] *
						    sizeof(*graph->weight));
			torus_task_graph_destroy(blocks);
		}
		torus_task_graph_destroy(graph);
	}
}

/* --- orders ------------------------------------------------------------- */

static random_job_t random_;

/* What [order] costs, pair by pair; not defined in terms of what is tested. */
static uint64_t cost_of(const torus_task_graph_t *pattern, const uint32_t *order)
{
	uint64_t cost = 0;

	for (uint32_t p = 0; p < pattern->tasks; p++) {
		for (uint64_t i = pattern->first[p]; i < pattern->first[p + 1]; i++)
			cost += (uint64_t)pattern->weight[i] *
				torus_hops_cells(
					&random_.geometry, random_.cell[order[p]],
					random_.cell[order[pattern->neighbor[i]]]);
	}
	return cost;
}

static void assert_permutation(const uint32_t *order, uint32_t nodes)
{
	bool seen[RANDOM_JOB_NODES] = {false};

	for (uint32_t i = 0; i < nodes; i++) {
		assert_true(order[i] < nodes && !seen[order[i]]);
		seen[order[i]] = true;
	}
}

/* Random nodes of random machines, of up to six dimensions, several on a router: an order
 * of all of them, no worse than the one given, and the same when asked again. */
static void test_order_is_never_worse(void **state)
{
	uint32_t better = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		uint32_t order[RANDOM_JOB_NODES], again[RANDOM_JOB_NODES];
		uint32_t given[RANDOM_JOB_NODES];
		torus_any_job_t job = {.geometry = &random_.geometry};
		torus_task_graph_t *pattern;
		uint64_t before, after;

		random_job(&random_, 6, i % 10 ? 40 : RANDOM_JOB_NODES, 3);
		job.nodes = random_.job.nodes;
		job.cell = random_.cell;
		job.tasks = random_.tasks;
		job.deal = random_in(0, 1) ? TORUS_DEAL_BLOCK : TORUS_DEAL_CYCLIC;
		for (uint32_t node = 0; node < job.nodes; node++)
			given[node] = node;
		assert_int_equal(torus_any_order(&job, order, NULL), 0);
		assert_int_equal(torus_any_order(&job, again, NULL), 0);
		assert_permutation(order, job.nodes);
		assert_memory_equal(order, again, job.nodes * sizeof(*order));
		pattern = torus_any_pattern(job.tasks, job.nodes, job.deal, NULL);
		before = cost_of(pattern, given);
		after = cost_of(pattern, order);
		assert_true(after <= before);
		better += after < before;
		torus_task_graph_destroy(pattern);
	}
	assert_true(better > CASES / 2);
}

/* The best order of a few nodes, by trying all. */
static uint64_t best_cost(const torus_task_graph_t *pattern, uint32_t *order,
			  uint32_t from)
{
	uint64_t best = UINT64_MAX;

	if (from == pattern->tasks)
		return cost_of(pattern, order);
	for (uint32_t i = from; i < pattern->tasks; i++) {
		uint32_t node = order[i];
		uint64_t cost;

		order[i] = order[from];
		order[from] = node;
		cost = best_cost(pattern, order, from + 1);
		best = cost < best ? cost : best;
		order[from] = order[i];
		order[i] = node;
	}
	return best;
}

/* Six scattered nodes: hardly ever other than the best of all orders. */
static void test_few_nodes_have_the_best(void **state)
{
	uint32_t missed = 0;

	(void)state;
	for (int i = 0; i < 300; i++) {
		uint32_t order[RANDOM_JOB_NODES];
		torus_any_job_t job = {.geometry = &random_.geometry};
		torus_task_graph_t *pattern;

		do
			random_job(&random_, 3, 6, 1);
		while (random_.job.nodes < 6);
		job.nodes = job.tasks = random_.job.nodes;
		job.cell = random_.cell;
		pattern = torus_any_pattern(job.tasks, job.nodes, job.deal, NULL);
		assert_int_equal(torus_any_order(&job, order, NULL), 0);
		missed += cost_of(pattern, order) != best_cost(pattern, order, 0);
		torus_task_graph_destroy(pattern);
	}
	print_message("# not the best of all orders: %u of 300\n", missed);
	assert_true(missed <= 6);
}

/* Hops of all pairs of a grid of the nodes in [order], or of a ring. */
static uint64_t hops_on(const torus_geometry_t *geometry, torus_task_grid_t grid,
			const uint32_t *cell, const uint32_t *order)
{
	uint32_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
	torus_task_job_t job = {
		.grid = &grid,
		.geometry = geometry,
		.nodes = 8,
		.cell = cell,
		.tasks_on_node = ones,
	};
	torus_hop_stats_t stats;

	assert_int_equal(torus_hop_stats(&job, order, &stats, NULL), 0);
	return (uint64_t)stats.hop_bytes;
}

/* Eight nodes of a small box in the order of their names, which suits a grid of 2x2x2: in
 * ours it has 4% fewer hops at least, and a ring has fewer, too. With the ring counted
 * twice the grid would have as many (docs/peers.md). */
static void test_eight_nodes_are_better_in_both(void **state)
{
	const uint32_t given[] = {0, 1, 2, 3, 4, 5, 6, 7};
	const torus_task_grid_t ring = {
		.dims = 1, .length = {8, 1, 1, 1, 1, 1}, .periodic = {true}};
	const torus_task_grid_t cube = {.dims = 3, .length = {2, 2, 2, 1, 1, 1}};
	uint64_t rings = 0, cubes = 0, given_rings = 0, given_cubes = 0;
	torus_geometry_t geometry;

	(void)state;
	assert_int_equal(torus_geometry_parse("2x2x4", "none", &geometry, NULL), 0);
	for (int i = 0; i < 300; i++) {
		uint32_t cell[8], order[8], left = 8;
		torus_any_job_t job = {&geometry, 8, cell, 8, TORUS_DEAL_BLOCK};

		for (uint32_t at = 0; left; at++) {
			if (random_in(1, torus_geometry_cells(&geometry) - at) <= left)
				cell[8 - left--] = at;
		}
		assert_int_equal(torus_any_order(&job, order, NULL), 0);
		rings += hops_on(&geometry, ring, cell, order);
		cubes += hops_on(&geometry, cube, cell, order);
		given_rings += hops_on(&geometry, ring, cell, given);
		given_cubes += hops_on(&geometry, cube, cell, given);
	}
	print_message("# to the order of names: ring %.3f, grid %.3f\n",
		      (double)rings / (double)given_rings,
		      (double)cubes / (double)given_cubes);
	assert_true(rings < given_rings && 25 * cubes < 24 * given_cubes);
}

/* --- moves -------------------------------------------------------------- */

static void test_moves_never_cost_and_stop_in_time(void **state)
{
	uint32_t stopped = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		uint32_t order[RANDOM_JOB_NODES];
		torus_mapper_budget_t budget = {.work = random_in(0, 20000),
						.seconds = 1e9};
		torus_task_job_t job;
		torus_hop_table_t table;
		torus_effort_t effort;
		uint64_t before;
		uint32_t ones[RANDOM_JOB_NODES];
		torus_task_graph_t *pattern;

		random_job(&random_, 4, 60, 1);
		job = random_.job;
		pattern = torus_any_pattern(job.nodes, job.nodes, TORUS_DEAL_BLOCK, NULL);
		job.graph = pattern;
		job.tasks_on_node = ones;
		for (uint32_t node = 0; node < job.nodes; node++) {
			ones[node] = 1;
			order[node] = node;
		}
		before = cost_of(pattern, order);
		assert_int_equal(torus_hop_table_init(&job, &table, NULL), 0);
		torus_effort_begin(&budget, &effort);
		assert_int_equal(torus_any_moves(&job, &table, &effort, order, NULL), 0);
		assert_permutation(order, job.nodes);
		assert_true(cost_of(pattern, order) <= before);
		stopped += effort.over;
		torus_hop_table_destroy(&table);
		torus_task_graph_destroy(pattern);
	}
	assert_true(stopped > 0 && stopped < CASES);
}

/* --- trades ------------------------------------------------------------- */

/* The best order that swaps of any two nodes come to, each of them saving something. */
static void descend(const torus_task_graph_t *pattern, uint32_t *order)
{
	uint64_t cost = cost_of(pattern, order), before;

	do {
		before = cost;
		for (uint32_t a = 0; a < pattern->tasks; a++) {
			for (uint32_t b = 0; b < a; b++) {
				uint32_t node = order[a];
				uint64_t swapped;

				order[a] = order[b];
				order[b] = node;
				swapped = cost_of(pattern, order);
				if (swapped < cost) {
					cost = swapped;
					continue;
				}
				order[b] = order[a];
				order[a] = node;
			}
		}
	} while (cost < before);
}

/* From the nodes as they come: never worse, the same when asked again, and together less
 * than plain descent comes to by trying every swap. */
static void test_trades_are_better_than_descent(void **state)
{
	uint64_t traded = 0, descended = 0;
	int listed = 0;

	(void)state;
	for (int i = 0; i < 200; i++) {
		uint32_t order[RANDOM_JOB_NODES], again[RANDOM_JOB_NODES];
		uint32_t slow[RANDOM_JOB_NODES], ones[RANDOM_JOB_NODES];
		torus_task_graph_t *pattern;
		torus_hop_table_t table;
		torus_task_job_t job;

		do
			random_job(&random_, 4, i % 20 ? 30 : TORUS_ANY_TRADES_NODES, 3);
		while (random_.job.nodes < 2);
		job = random_.job;
		job.tasks_on_node = ones;
		pattern = torus_any_pattern(
			random_.tasks, job.nodes,
			random_in(0, 1) ? TORUS_DEAL_BLOCK : TORUS_DEAL_CYCLIC, NULL);
		job.graph = pattern;
		for (uint32_t node = 0; node < job.nodes; node++) {
			ones[node] = 1;
			order[node] = again[node] = slow[node] = node;
		}
		assert_int_equal(torus_hop_table_init(&job, &table, NULL), 0);
		assert_int_equal(torus_hop_table_expand(&job, &table, NULL), 0);
		if (!table.hops) { /* as far apart as no list can say */
			torus_hop_table_destroy(&table);
			torus_task_graph_destroy(pattern);
			continue;
		}
		listed++;
		assert_int_equal(torus_any_trades(&job, &table, order, NULL), 0);
		assert_int_equal(torus_any_trades(&job, &table, again, NULL), 0);
		assert_permutation(order, job.nodes);
		assert_memory_equal(order, again, job.nodes * sizeof(*order));
		assert_true(cost_of(pattern, order) <= cost_of(pattern, slow));
		if (job.nodes <= 30) {
			descend(pattern, slow);
			traded += cost_of(pattern, order);
			descended += cost_of(pattern, slow);
		}
		torus_hop_table_destroy(&table);
		torus_task_graph_destroy(pattern);
	}
	print_message("# trades to descent: %.4f\n", (double)traded / (double)descended);
	assert_true(listed > 100 && traded < descended);
}

/* --- dealing out -------------------------------------------------------- */

static void test_deal(void **state)
{
	const uint32_t order[] = {2, 0, 1}, counts[] = {2, 1, 3};
	const uint32_t block[] = {2, 2, 2, 0, 0, 1}, cyclic[] = {2, 0, 1, 2, 0, 2};
	uint32_t node_of_task[6];

	(void)state;
	torus_any_deal(order, 3, counts, TORUS_DEAL_BLOCK, node_of_task);
	assert_memory_equal(node_of_task, block, sizeof(block));
	torus_any_deal(order, 3, counts, TORUS_DEAL_CYCLIC, node_of_task);
	assert_memory_equal(node_of_task, cyclic, sizeof(cyclic));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pattern_is_what_tasks_say),
		cmocka_unit_test(test_pattern_in_turn),
		cmocka_unit_test(test_order_is_never_worse),
		cmocka_unit_test(test_few_nodes_have_the_best),
		cmocka_unit_test(test_eight_nodes_are_better_in_both),
		cmocka_unit_test(test_moves_never_cost_and_stop_in_time),
		cmocka_unit_test(test_trades_are_better_than_descent),
		cmocka_unit_test(test_deal),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
