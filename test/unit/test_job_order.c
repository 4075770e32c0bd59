/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job's words make of its tasks: assignments, and orders of its nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "geometry/chips.h"
#include "random_job.h"
#include "taskmap/hops.h"
#include "taskmap/job_order.h"
#include "taskmap/taskmap.h"

#define NODES 40
#define TASKS (NODES * 6)
#define CASES RANDOM_CASES(300)
/* Rarely is an order by chips better: of a fifth of so many it may be none. */
#define CHIP_CASES 100

static const torus_mapper_budget_t budget = {.work = 300000, .seconds = 1e9, .seed = 1};

static torus_ordered_job_t ordered(const random_job_t *random)
{
	return (torus_ordered_job_t){
		.geometry = &random->geometry,
		.nodes = random->job.nodes,
		.cell = random->cell,
		.tasks_on_node = random->tasks_on_node,
		.deal = random_in(0, 1) ? TORUS_DEAL_BLOCK : TORUS_DEAL_CYCLIC,
		.budget = &budget,
	};
}

static void say_grid(const random_job_t *random, torus_ordered_job_t *job)
{
	job->words.kind = TORUS_GRID_GIVEN;
	job->words.grid = random->grid;
}

static void is_permutation(const uint32_t *order, uint32_t nodes)
{
	bool seen[NODES] = {false};

	for (uint32_t i = 0; i < nodes; i++) {
		assert_true(order[i] < nodes);
		assert_false(seen[order[i]]);
		seen[order[i]] = true;
	}
}

/* Nothing said: the order for any pattern, and it is one. */
static void says_nothing(void **state)
{
	(void)state;
	for (int round = 0; round < CASES; round++) {
		random_job_t random;
		uint32_t node_of_task[TASKS], expected[TASKS];
		uint32_t order[NODES], given[NODES];
		torus_ordered_job_t job;
		torus_any_job_t any;
		bool is_order = false;

		random_job(&random, 4, NODES, 6);
		job = ordered(&random);
		any = (torus_any_job_t){
			.geometry = job.geometry,
			.nodes = job.nodes,
			.cell = job.cell,
			.tasks = random.tasks,
			.tasks_on_node = job.tasks_on_node,
			.deal = job.deal,
			.free_head = job.words.free_head = random_in(0, 1),
		};
		assert_int_equal(torus_any_order(&any, order, NULL), 0);
		torus_any_deal(order, job.nodes, job.tasks_on_node, job.deal, expected);
		assert_int_equal(
			torus_job_assign(&job, node_of_task, given, &is_order, NULL), 0);
		assert_memory_equal(node_of_task, expected,
				    random.tasks * sizeof(*expected));
		assert_memory_equal(given, order, job.nodes * sizeof(*order));
		assert_true(is_order);
		/* An order alone gives its first nodes what is over. */
		any.tasks_on_node = NULL;
		assert_int_equal(torus_any_order(&any, order, NULL), 0);
		assert_int_equal(torus_job_node_order(&job, given, NULL), 0);
		assert_memory_equal(given, order, job.nodes * sizeof(*order));
	}
}

/* Whether each task gets the node that Slurm deals it to along the order, by counting. */
static bool slow_is_order(const torus_ordered_job_t *job, uint32_t tasks,
			  const uint32_t *node_of_task, const uint32_t *order)
{
	uint32_t left[NODES], at = 0;

	memcpy(left, job->tasks_on_node, job->nodes * sizeof(*left));
	for (uint32_t task = 0; task < tasks; task++) {
		while (!left[order[at]])
			at = (at + 1) % job->nodes;
		if (order[at] != node_of_task[task])
			return false;
		left[order[at]]--;
		if (job->deal == TORUS_DEAL_CYCLIC)
			at = (at + 1) % job->nodes;
	}
	return true;
}

/* A grid: the assignment is that of the mapper best, and its order as far as there is
 * one. */
static void assigns_as_best_maps(void **state)
{
	int orders = 0, others = 0;

	(void)state;
	for (int round = 0; round < CASES; round++) {
		random_job_t random;
		uint32_t node_of_task[TASKS], expected[TASKS], order[NODES];
		torus_ordered_job_t job;
		bool is_order = false;

		random_job(&random, 4, NODES, random_in(1, 6));
		job = ordered(&random);
		say_grid(&random, &job);
		job.words.free_head = true;
		assert_int_equal(torus_taskmap(TORUS_MAPPER_BEST, &random.job, &budget,
					       expected, NULL),
				 0);
		assert_int_equal(
			torus_job_assign(&job, node_of_task, order, &is_order, NULL), 0);
		assert_memory_equal(node_of_task, expected,
				    random.tasks * sizeof(*expected));
		is_permutation(order, job.nodes);
		assert_int_equal(is_order,
				 slow_is_order(&job, random.tasks, node_of_task, order));
		if (random.tasks == job.nodes) {
			assert_true(is_order);
			memcpy(expected, order, job.nodes * sizeof(*order));
			assert_int_equal(torus_job_node_order(&job, order, NULL), 0);
			assert_memory_equal(order, expected, job.nodes * sizeof(*order));
		}
		orders += is_order;
		others += !is_order;
	}
	assert_true(orders > CASES / 20 && others > CASES / 20);
}

/* Hops between neighbours of the grid, task by task. */
static uint64_t hops_of_grid(const random_job_t *random, const uint32_t *node_of_task)
{
	uint64_t hops = 0;

	for (uint32_t a = 0; a < random->tasks; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if (are_neighbors(&random->grid, a, b))
				hops += torus_hops_cells(&random->geometry,
							 random->cell[node_of_task[a]],
							 random->cell[node_of_task[b]]);
		}
	}
	return hops;
}

/* A grid with task 0 on the first node: hardly more hops than without. */
static void keeps_the_head(void **state)
{
	uint64_t kept = 0, left = 0;
	int elsewhere = 0;

	(void)state;
	for (int round = 0; round < CASES; round++) {
		uint32_t node_of_task[TASKS], without[TASKS], order[NODES];
		random_job_t random;
		torus_ordered_job_t job;

		random_job(&random, 4, NODES, random_in(1, 6));
		job = ordered(&random);
		say_grid(&random, &job);
		assert_int_equal(torus_job_assign(&job, node_of_task, order, NULL, NULL),
				 0);
		assert_true(is_mapping(&random.job, node_of_task));
		assert_int_equal(node_of_task[0], 0);
		assert_int_equal(order[0], 0);
		assert_int_equal(torus_job_node_order(&job, order, NULL), 0);
		is_permutation(order, job.nodes);
		assert_int_equal(order[0], 0);
		job.words.free_head = true;
		assert_int_equal(torus_job_assign(&job, without, NULL, NULL, NULL), 0);
		elsewhere += without[0] != 0;
		kept += hops_of_grid(&random, node_of_task);
		left += hops_of_grid(&random, without);
	}
	print_message("# hops with task 0 on the first node to those without: %.4f; "
		      "elsewhere %d of %d\n",
		      (double)kept / (double)left, elsewhere, CASES);
	assert_true(elsewhere > CASES / 2);
	assert_true((double)kept < 1.05 * (double)left);
}

/* Hops of the grid when its tasks are dealt out along [order], task by task. */
static uint64_t slow_hops(const random_job_t *random, const uint32_t *order,
			  torus_deal_t deal)
{
	const torus_task_job_t *job = &random->job;
	uint32_t node_of_task[TASKS], share = random->tasks / job->nodes;

	for (uint32_t task = 0; task < random->tasks; task++)
		node_of_task[task] = order[deal == TORUS_DEAL_BLOCK ? task / share
								    : task % job->nodes];
	return hops_of_grid(random, node_of_task);
}

/* Several tasks a node: no worse than the order of a job that says nothing, and than the
 * nodes as they come; over all jobs clearly better. */
static void orders_for_several_tasks(void **state)
{
	uint64_t all = 0, all_any = 0, all_given = 0;

	(void)state;
	for (int round = 0; round < CASES; round++) {
		uint32_t order[NODES], any[NODES], given[NODES];
		uint64_t hops, hops_any, hops_given;
		random_job_t random;
		torus_ordered_job_t job;

		random_job(&random, 4, NODES, 6);
		for (uint32_t node = 0; node < random.job.nodes; node++) {
			random.tasks_on_node[node] = 1 + (uint32_t)round % 6;
			given[node] = node;
		}
		random.tasks = random.job.nodes * random.tasks_on_node[0];
		random.grid = random_grid(random.tasks, 4);
		job = ordered(&random);
		assert_int_equal(torus_job_node_order(&job, any, NULL), 0);
		say_grid(&random, &job);
		assert_int_equal(torus_job_node_order(&job, order, NULL), 0);
		is_permutation(order, job.nodes);
		hops = slow_hops(&random, order, job.deal);
		hops_any = slow_hops(&random, any, job.deal);
		hops_given = slow_hops(&random, given, job.deal);
		if (random.tasks > job.nodes)
			assert_true(hops <= hops_any);
		assert_true(hops <= hops_given);
		all += hops;
		all_any += hops_any;
		all_given += hops_given;
	}
	print_message("hops %llu, nothing said %llu, as they come %llu\n",
		      (unsigned long long)all, (unsigned long long)all_any,
		      (unsigned long long)all_given);
	assert_true((double)all < 0.97 * (double)all_any);
	assert_true((double)all < 0.8 * (double)all_given);
}

static void refuses(void **state)
{
	static const uint32_t cells[] = {0, 1, 2, 63, 64};
	static const uint32_t counts[] = {2, 2, 2, 2, 2}, none[] = {1, 0, 0, 0, 2};
	torus_ordered_job_t job = {.cell = cells, .tasks_on_node = counts, .nodes = 4};
	uint32_t node_of_task[TASKS], order[NODES];
	torus_geometry_t geometry;
	torus_error_t err = {""};

	(void)state;
	assert_int_equal(torus_geometry_parse("4x4x4", "all", &geometry, NULL), 0);
	job.geometry = &geometry;
	assert_int_equal(
		torus_task_words_parse("4x4", NULL, NULL, "", "=", &job.words, NULL), 0);
	assert_int_equal(torus_job_assign(&job, node_of_task, order, NULL, &err), -1);
	assert_non_null(strstr(err.text, "grid 4x4 is for 16 tasks, and the job has 8"));
	assert_int_equal(torus_job_node_order(&job, order, &err), -1);
	assert_non_null(strstr(err.text, "ask for --ntasks=16"));
	assert_int_equal(
		torus_task_words_parse("auto", NULL, NULL, "", "=", &job.words, NULL), 0);
	job.nodes = 5;
	assert_int_equal(torus_job_assign(&job, node_of_task, order, NULL, &err), -1);
	assert_non_null(strstr(err.text, "cell 64 is not on the machine"));
	assert_int_equal(torus_job_node_order(&job, order, &err), -1);
	job.nodes = 4;
	job.tasks_on_node = none;
	assert_int_equal(torus_job_assign(&job, node_of_task, order, NULL, &err), -1);
	assert_non_null(strstr(err.text, "4 nodes with 1 tasks"));
}

static void is_switched_off(void **state)
{
	static const char *const off[] = {"off", "OFF", "no", "No", "0"};
	static const char *const on[] = {"", "on", "offside", "yes", "1", "00"};

	(void)state;
	assert_false(torus_task_order_is_off(NULL));
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		assert_true(torus_task_order_is_off(off[i]));
	for (size_t i = 0; i < sizeof(on) / sizeof(on[0]); i++)
		assert_false(torus_task_order_is_off(on[i]));
}

/* Hops of the edges of [graph] when task t runs on node_of_task[t]. */
static uint64_t graph_hops(const torus_ordered_job_t *job,
			   const torus_task_graph_t *graph, const uint32_t *node_of_task)
{
	uint64_t hops = 0;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++)
			hops += torus_hops_cells(
				job->geometry, job->cell[node_of_task[task]],
				job->cell[node_of_task[graph->neighbor[i]]]);
	}
	return hops;
}

/* A graph in place of the stencil: pairs of tasks far from each other in the grid. */
static void takes_a_graph(void **state)
{
	uint64_t with = 0, without = 0;

	(void)state;
	for (int round = 0; round < CASES; round++) {
		random_job_t random;
		uint32_t node_of_task[TASKS], order[NODES], from[TASKS], to[TASKS];
		double one[TASKS];
		torus_task_graph_t *graph;
		torus_ordered_job_t job;
		torus_error_t err;

		random_job(&random, 4, NODES, random_in(1, 6));
		job = ordered(&random);
		say_grid(&random, &job);
		for (uint32_t i = 0; i < random.tasks / 2; i++) {
			from[i] = i;
			to[i] = i + random.tasks / 2;
			one[i] = 1;
		}
		graph = torus_task_graph_create(random.tasks, from, to, one,
						random.tasks / 2, NULL);
		assert_int_equal(torus_job_assign(&job, node_of_task, NULL, NULL, NULL),
				 0);
		without += graph_hops(&job, graph, node_of_task);
		job.graph = graph;
		assert_int_equal(torus_job_assign(&job, node_of_task, NULL, NULL, NULL),
				 0);
		with += graph_hops(&job, graph, node_of_task);
		assert_int_equal(torus_job_node_order(&job, order, NULL), 0);
		is_permutation(order, job.nodes);
		torus_any_deal(order, job.nodes, job.tasks_on_node, job.deal,
			       node_of_task);
		with += graph_hops(&job, graph, node_of_task);
		job.graph = NULL;
		assert_int_equal(torus_job_node_order(&job, order, NULL), 0);
		torus_any_deal(order, job.nodes, job.tasks_on_node, job.deal,
			       node_of_task);
		without += graph_hops(&job, graph, node_of_task);
		job.graph = graph;
		graph->tasks++;
		assert_int_equal(torus_job_assign(&job, node_of_task, NULL, NULL, &err),
				 -1);
		assert_non_null(strstr(err.text, "the graph is for"));
		assert_int_equal(torus_job_node_order(&job, order, NULL), -1);
		graph->tasks--;
		torus_task_graph_destroy(graph);
	}
	assert_true(with < without / 2);
}

/* Sum of the hops between neighbours of a grid, when task i of a node is on its chip i.
 */
static uint64_t hops_on_chips(const torus_task_job_t *on_nodes,
			      const torus_task_job_t *on_chips,
			      const uint32_t *node_of_task)
{
	uint32_t chip_of_task[TASKS], taken[NODES] = {0};
	uint32_t of_node = torus_node_chips(on_nodes->geometry);
	torus_hop_stats_t stats;

	for (uint32_t task = 0; task < on_chips->nodes; task++) {
		uint32_t node = node_of_task[task];

		chip_of_task[task] = node * of_node + taken[node]++;
	}
	assert_int_equal(torus_hop_stats(on_chips, chip_of_task, &stats, NULL), 0);
	return stats.hop_bytes;
}

/* A task on each chip, and a grid: the better of mapping chips and mapping nodes. */
/* A job with a task on each chip of some nodes of a small machine. */
typedef struct chip_case {
	torus_geometry_t geometry, machine;
	uint32_t cell[NODES], on_node[NODES], chip_cell[TASKS], one[TASKS];
	uint32_t nodes, of_node;
	torus_task_grid_t grid;
	torus_task_job_t on_nodes, on_chips;
	torus_ordered_job_t job;
} chip_case_t;

/* False: of a single node, or of nodes of one chip. */
static bool make_chip_case(chip_case_t *c)
{
	memset(c, 0, sizeof(*c));
	c->geometry.dims = 3;
	for (int axis = 0; axis < 3; axis++) {
		c->geometry.length[axis] = (int32_t)random_in(1, 4);
		c->geometry.wrap[axis] = random_in(0, 1);
		c->geometry.chips[axis] = (int32_t)random_in(1, axis ? 2 : 1);
	}
	c->of_node = torus_node_chips(&c->geometry);
	for (uint32_t at = 0; at < torus_geometry_cells(&c->geometry); at++) {
		if (c->nodes < NODES && random_in(0, 3))
			c->cell[c->nodes++] = at;
	}
	if (c->nodes < 2 || c->of_node == 1)
		return false;
	c->machine = torus_chip_machine(&c->geometry);
	for (uint32_t chip = 0; chip < c->nodes * c->of_node; chip++) {
		c->chip_cell[chip] = torus_chip_cell(
			&c->geometry, c->cell[chip / c->of_node], chip % c->of_node);
		c->one[chip] = 1;
		c->on_node[chip / c->of_node] = c->of_node;
	}
	torus_task_grid_factor(c->nodes * c->of_node, 3, &c->grid);
	c->on_nodes = (torus_task_job_t){.grid = &c->grid,
					 .geometry = &c->geometry,
					 .nodes = c->nodes,
					 .cell = c->cell,
					 .tasks_on_node = c->on_node};
	c->on_chips = (torus_task_job_t){.grid = &c->grid,
					 .geometry = &c->machine,
					 .nodes = c->nodes * c->of_node,
					 .cell = c->chip_cell,
					 .tasks_on_node = c->one};
	c->job = (torus_ordered_job_t){
		.geometry = &c->geometry,
		.nodes = c->nodes,
		.cell = c->cell,
		.tasks_on_node = c->on_node,
		.budget = &budget,
		.words = {.kind = TORUS_GRID_GIVEN, .grid = c->grid}};
	return true;
}

static void assigns_chips(void **state)
{
	torus_mapper_budget_t half = budget;
	uint64_t kept = 0, left = 0;
	int better = 0;

	(void)state;
	half.work /= 2;
	half.seconds /= 2;
	for (int round = 0; round < CHIP_CASES; round++) {
		static chip_case_t c;
		uint32_t by_chips[TASKS], by_nodes[TASKS], got[TASKS];
		uint64_t hops[2], mine;

		if (!make_chip_case(&c))
			continue;
		assert_int_equal(torus_taskmap(TORUS_MAPPER_BEST, &c.on_chips, &half,
					       by_chips, NULL),
				 0);
		assert_int_equal(torus_taskmap(TORUS_MAPPER_BEST, &c.on_nodes, &half,
					       by_nodes, NULL),
				 0);
		for (uint32_t task = 0; task < c.nodes * c.of_node; task++)
			by_chips[task] /= c.of_node;
		assert_int_equal(torus_job_assign(&c.job, got, NULL, NULL, NULL), 0);
		assert_int_equal(got[0], 0);
		kept += hops_on_chips(&c.on_nodes, &c.on_chips, got);
		c.job.words.free_head = true;
		assert_int_equal(torus_job_assign(&c.job, got, NULL, NULL, NULL), 0);
		hops[0] = hops_on_chips(&c.on_nodes, &c.on_chips, by_chips);
		hops[1] = hops_on_chips(&c.on_nodes, &c.on_chips, by_nodes);
		mine = hops_on_chips(&c.on_nodes, &c.on_chips, got);
		assert_int_equal(mine, hops[0] < hops[1] ? hops[0] : hops[1]);
		better += mine < hops[1];
		left += mine;
	}
	print_message("# hops with task 0 on the first node to those without: %.4f\n",
		      (double)kept / (double)left);
	assert_true(better > CASES / 100);
	assert_true((double)kept < 1.1 * (double)left);
}

/* The hops between chips of the order that the job would have on this machine, with one
 * node on each of these cells. */
static uint64_t hops_of_order(const chip_case_t *c, const torus_ordered_job_t *job)
{
	uint32_t order[NODES], dealt[TASKS];

	assert_int_equal(torus_job_node_order(job, order, NULL), 0);
	is_permutation(order, c->nodes);
	torus_any_deal(order, c->nodes, c->on_node, job->deal, dealt);
	return hops_on_chips(&c->on_nodes, &c->on_chips, dealt);
}

/* An order of nodes for tasks on chips goes by the hops between chips. */
static void orders_on_chips(void **state)
{
	torus_mapper_budget_t half = budget;
	int better = 0;

	(void)state;
	half.work /= 2;
	half.seconds /= 2;
	for (int round = 0; round < CHIP_CASES; round++) {
		static chip_case_t c;
		uint32_t first[NODES];
		torus_geometry_t plain;
		torus_ordered_job_t by_nodes, by_chips;
		uint64_t of_nodes, of_chips, mine;

		if (!make_chip_case(&c))
			continue;
		c.job.deal = random_in(0, 1) ? TORUS_DEAL_BLOCK : TORUS_DEAL_CYCLIC;
		by_nodes = by_chips = c.job;
		by_nodes.budget = by_chips.budget = &half;
		plain = c.geometry;
		memset(plain.chips, 0, sizeof(plain.chips));
		by_nodes.geometry = &plain;
		for (uint32_t node = 0; node < c.nodes; node++)
			first[node] = torus_chip_cell(&c.geometry, c.cell[node], 0);
		by_chips.geometry = &c.machine;
		by_chips.cell = first;
		of_nodes = hops_of_order(&c, &by_nodes);
		of_chips = hops_of_order(&c, &by_chips);
		mine = hops_of_order(&c, &c.job);
		assert_int_equal(mine, of_chips < of_nodes ? of_chips : of_nodes);
		better += mine < of_nodes;
	}
	assert_true(better > CASES / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_nothing),
		cmocka_unit_test(assigns_as_best_maps),
		cmocka_unit_test(keeps_the_head),
		cmocka_unit_test(orders_for_several_tasks),
		cmocka_unit_test(refuses),
		cmocka_unit_test(takes_a_graph),
		cmocka_unit_test(assigns_chips),
		cmocka_unit_test(orders_on_chips),
		cmocka_unit_test(is_switched_off),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
