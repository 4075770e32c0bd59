/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the searching mappers are made of: costs, near nodes, blocks, effort, annealing.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "random_chords.h"
#include "random_job.h"
#include "taskmap/hops.h"
#include "taskmap/layout.h"
#include "taskmap/mappers/search.h"
#include "taskmap/search/annealing.h"
#include "taskmap/search/move_cost.h"
#include "taskmap/search/packed.h"
#include "taskmap/search/nearlist.h"
#include "taskmap/search/starts.h"
#include "taskmap/taskmap.h"

#define TASKS 4800

static random_job_t random_;
static const torus_task_job_t *const job = &random_.job;

/* A random graph of weighted edges, or, one time in two, the stencil's. */
static torus_task_graph_t *make_graph(void)
{
	uint32_t from[TASKS], to[TASKS], edges = random_in(1, TASKS);
	double weight[TASKS];

	if (random_in(0, 1))
		return torus_task_graph_stencil(&random_.grid, NULL);
	for (uint32_t i = 0; i < edges; i++) {
		from[i] = random_in(0, random_.tasks - 1);
		to[i] = random_in(0, random_.tasks - 1);
		weight[i] = random_in(1, 100);
	}
	return torus_task_graph_create(random_.tasks, from, to, weight, edges, NULL);
}

/* Any mapping: places in random order. */
static void shuffle_tasks(uint32_t *node_of_task)
{
	uint32_t task = 0;

	for (uint32_t node = 0; node < job->nodes; node++) {
		for (uint32_t i = 0; i < random_.tasks_on_node[node]; i++)
			node_of_task[task++] = node;
	}
	for (uint32_t i = 0; i < random_.tasks; i++) {
		uint32_t other = random_in(0, i), swap = node_of_task[i];

		node_of_task[i] = node_of_task[other];
		node_of_task[other] = swap;
	}
}

static uint32_t hops_between(uint32_t a, uint32_t b)
{
	int32_t from[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS];

	torus_cell_to_coord(job->geometry, job->cell[a], from);
	torus_cell_to_coord(job->geometry, job->cell[b], to);
	return torus_hops(job->geometry, from, to);
}

static double hop_bytes(const torus_task_graph_t *graph, const uint32_t *node_of_task)
{
	double sum = 0;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++)
			sum += (graph->weight ? graph->weight[i] : 1) *
			       hops_between(node_of_task[task],
					    node_of_task[graph->neighbor[i]]);
	}
	return sum / 2;
}

static bool about(double a, double b)
{
	return a - b < 1e-6 * (1 + b) && b - a < 1e-6 * (1 + b);
}

static void a_swap_costs_what_it_adds(void **state)
{
	uint32_t node_of_task[TASKS];

	(void)state;
	for (int round = 0; round < 3000; round++) {
		torus_task_graph_t *graph;
		torus_hop_table_t table;
		uint32_t a, b, node;
		double before, cost;

		random_job(&random_, TORUS_MAX_DIMS, random_in(1, 40), 4);
		if (!random_in(0, 3))
			random_chords(&random_.geometry);
		graph = make_graph();
		shuffle_tasks(node_of_task);
		assert_int_equal(torus_hop_table_init(job, &table, NULL), 0);
		if (random_in(0, 1))
			assert_int_equal(torus_hop_table_expand(job, &table, NULL), 0);
		a = random_in(0, random_.tasks - 1);
		b = random_in(0, random_.tasks - 1);
		assert_int_equal(torus_move_cost_work(graph, a),
				 graph->first[a + 1] - graph->first[a]);
		before = hop_bytes(graph, node_of_task);
		if (a != b) {
			cost = torus_move_cost_swap(graph, &table, node_of_task, a, b);
			node = node_of_task[a];
			node_of_task[a] = node_of_task[b];
			node_of_task[b] = node;
			if (!about(before + cost, hop_bytes(graph, node_of_task)))
				fail_msg("round %d: %f + %f is not %f", round, before,
					 cost, hop_bytes(graph, node_of_task));
		}
		torus_hop_table_destroy(&table);
		torus_task_graph_destroy(graph);
		torus_chords_release(random_.geometry.chords);
	}
}

/* Packed coordinates give the same costs, with many neighbours and without any, too. */
static void packed_moves_cost_the_same(void **state)
{
	uint32_t node_of_task[TASKS], at[TASKS];
	int packed_jobs = 0;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		torus_task_graph_t *graph;
		torus_hop_table_t table;
		torus_packed_t packed;
		uint32_t task, node, other;

		random_job(&random_, TORUS_MAX_DIMS, random_in(1, 40), 4);
		if (!random_in(0, 3))
			random_chords(&random_.geometry);
		graph = make_graph();
		shuffle_tasks(node_of_task);
		assert_int_equal(torus_hop_table_init(job, &table, NULL), 0);
		assert_int_equal(torus_packed_init(&table, job->nodes, &packed, NULL), 0);
		assert_true(!packed.node == (table.dims > TORUS_PACKED_DIMS ||
					     random_.geometry.chords));
		task = random_in(0, random_.tasks - 1);
		other = random_in(0, random_.tasks - 1);
		node = random_in(0, job->nodes - 1);
		for (uint32_t i = 0; packed.node && i < random_.tasks; i++)
			at[i] = packed.node[node_of_task[i]];
		if (packed.node) {
			packed_jobs++;
			assert_true(torus_packed_cost(graph, packed.ring, at, task,
						      packed.node[node], other) ==
				    torus_move_cost(graph, &table, node_of_task, task,
						    node, other));
		}
		torus_packed_destroy(&packed);
		torus_hop_table_destroy(&table);
		torus_task_graph_destroy(graph);
		torus_chords_release(random_.geometry.chords);
	}
	assert_true(packed_jobs > 1000);
}

/* Sides up to the longest that fit into a byte, and those that do not. */
static void packed_coordinates_fit_into_bytes(void **state)
{
	static const struct {
		const char *dims, *wrap;
		uint32_t far;
		bool fits;
	} machines[] = {{"255", "all", 127, true},	 {"255", "all", 128, true},
			{"256", "all", 128, false},	 {"129", "none", 127, true},
			{"200", "none", 127, true},	 {"200", "none", 128, false},
			{"2x3x255", "z", 6 * 200, true}, {"2x2x2x2", "all", 15, true},
			{"1x1x1x1x3", "all", 2, false}};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		torus_task_grid_t grid = {.dims = 1, .length = {2, 1, 1, 1, 1, 1}};
		uint32_t cells[2] = {0, machines[i].far}, counts[2] = {1, 1};
		uint32_t at[2], node_of_task[2] = {0, 0};
		torus_geometry_t geometry;
		torus_task_job_t pair = {.grid = &grid,
					 .geometry = &geometry,
					 .nodes = 2,
					 .cell = cells,
					 .tasks_on_node = counts};
		torus_task_graph_t *graph = torus_task_graph_stencil(&grid, NULL);
		torus_hop_table_t table;
		torus_packed_t packed;

		assert_int_equal(torus_geometry_parse(machines[i].dims, machines[i].wrap,
						      &geometry, NULL),
				 0);
		assert_int_equal(torus_hop_table_init(&pair, &table, NULL), 0);
		assert_int_equal(torus_packed_init(&table, 2, &packed, NULL), 0);
		assert_int_equal(packed.node != NULL, machines[i].fits);
		if (packed.node) {
			at[0] = at[1] = packed.node[0];
			assert_true(torus_packed_cost(graph, packed.ring, at, 0,
						      packed.node[1], UINT32_MAX) ==
				    torus_move_cost(graph, &table, node_of_task, 0, 1,
						    UINT32_MAX));
			assert_true(torus_packed_cost(graph, packed.ring, at, 0,
						      packed.node[1], 1) == 0);
		}
		torus_packed_destroy(&packed);
		torus_hop_table_destroy(&table);
		torus_task_graph_destroy(graph);
	}
}

/* The hops of a twisted torus are no sum over its dimensions. */
static void a_twisted_torus_is_not_packed(void **state)
{
	uint32_t cells[2] = {0, 100}, counts[2] = {1, 1};
	torus_geometry_t geometry;
	torus_task_job_t pair = {.geometry = &geometry,
				 .nodes = 2,
				 .cell = cells,
				 .tasks_on_node = counts};
	torus_hop_table_t table;
	torus_packed_t packed;

	(void)state;
	assert_int_equal(torus_geometry_parse("4x4x8", "all", &geometry, NULL), 0);
	for (unsigned twist = 0; twist < 2; twist++) {
		geometry.twist = twist << 2;
		assert_int_equal(torus_hop_table_init(&pair, &table, NULL), 0);
		assert_int_equal(torus_packed_init(&table, 2, &packed, NULL), 0);
		assert_int_equal(packed.node != NULL, !twist);
		torus_packed_destroy(&packed);
		torus_hop_table_destroy(&table);
	}
}

/* All distances, also where sides are as long as a list can have them. */
static void lists_hold_all_distances(void **state)
{
	int listed = 0;

	(void)state;
	for (int round = 0; round < 500; round++) {
		torus_geometry_t geometry = {.dims = (int)random_in(1, 3)};
		uint32_t cell[60], nodes = random_in(1, 60);
		torus_task_job_t of = {
			.geometry = &geometry, .nodes = nodes, .cell = cell};
		torus_hop_table_t table;

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			geometry.length[axis] =
				axis < geometry.dims ? (int32_t)random_in(1, 260) : 1;
			geometry.wrap[axis] = random_in(0, 1);
		}
		for (uint32_t node = 0; node < nodes; node++)
			cell[node] = random_in(0, torus_geometry_cells(&geometry) - 1);
		if (random_in(0, 1))
			random_chords(&geometry);
		assert_int_equal(torus_hop_table_init(&of, &table, NULL), 0);
		assert_int_equal(torus_hop_table_expand(&of, &table, NULL), 0);
		for (uint32_t a = 0; a < nodes; a++) {
			for (uint32_t b = 0; b < nodes; b++) {
				uint32_t hops =
					torus_hops_cells(&geometry, cell[a], cell[b]);

				assert_int_equal(torus_hop_table_hops(&table, a, b),
						 hops);
				if (table.hops)
					assert_int_equal(table.hops[a * table.row + b],
							 hops);
			}
		}
		listed += table.hops != NULL;
		torus_hop_table_destroy(&table);
		torus_chords_release(geometry.chords);
	}
	assert_in_range(listed, 50, 450);
}

/* What is too small to be a gain: a millionth of the heaviest edge. */
static void the_least_gain_goes_by_the_heaviest_edge(void **state)
{
	static const uint32_t from[] = {0, 1, 2}, to[] = {1, 2, 3};
	static const double weight[] = {2, 7e9, 5};
	torus_task_graph_t *graph = torus_task_graph_create(4, from, to, weight, 3, NULL);

	(void)state;
	assert_true(about(torus_move_cost_least(graph), 7e3));
	torus_task_graph_destroy(graph);
	graph = torus_task_graph_create(4, from, to, (double[]){1e-9, 1e-9, 2e-9}, 3,
					NULL);
	assert_true(torus_move_cost_least(graph) < 3e-15);
	assert_true(torus_move_cost_least(graph) > 1e-15);
	torus_task_graph_destroy(graph);
}

/* The first of a list are the nearest there are, at non-falling distances. */
static void near_lists_name_the_nearest(void **state)
{
	(void)state;
	for (int round = 0; round < 1500; round++) {
		uint32_t *list;

		/* Few enough dimensions that all cells are within the search's reach. */
		random_job(&random_, 4, random_in(1, 60), 2);
		list = torus_nearlist_create(job, NULL);
		assert_non_null(list);
		for (uint32_t node = 0; node < job->nodes; node++) {
			const uint32_t *near = list + node * TORUS_NEARLIST_NODES;
			bool listed[RANDOM_JOB_NODES] = {false};
			uint32_t hops[TORUS_NEARLIST_NODES], filled;

			assert_int_equal(near[0], node);
			filled = job->nodes < TORUS_NEARLIST_NODES ? job->nodes
								   : TORUS_NEARLIST_NODES;
			for (uint32_t i = 0; i < filled; i++) {
				assert_true(near[i] < job->nodes);
				assert_false(listed[near[i]]);
				listed[near[i]] = true;
				hops[i] = hops_between(node, near[i]);
				assert_true(i < 2 || hops[i] >= hops[i - 1]);
			}
			for (uint32_t i = filled; i < TORUS_NEARLIST_NODES; i++)
				assert_true(near[i] < job->nodes);
			for (uint32_t other = 0; other < job->nodes; other++)
				assert_true(listed[other] || hops_between(node, other) >=
								     hops[filled - 1]);
		}
		free(list);
	}
}

static void blocks_add_up_their_tasks_edges(void **state)
{
	uint32_t block_of[TASKS];

	(void)state;
	for (int round = 0; round < 1000; round++) {
		static double between[40][40];
		uint32_t blocks = random_in(1, 40);
		torus_task_graph_t *graph, *coarse;

		random_job(&random_, 3, random_in(1, 40), 4);
		graph = make_graph();
		memset(between, 0, sizeof(between));
		for (uint32_t task = 0; task < random_.tasks; task++)
			block_of[task] = random_in(0, blocks - 1);
		for (uint32_t task = 0; task < random_.tasks; task++) {
			for (uint64_t i = graph->first[task]; i < graph->first[task + 1];
			     i++)
				between[block_of[task]][block_of[graph->neighbor[i]]] +=
					graph->weight ? graph->weight[i] : 1;
		}
		coarse = torus_task_graph_blocks(graph, block_of, blocks, NULL);
		assert_int_equal(coarse->tasks, blocks);
		for (uint32_t block = 0; block < blocks; block++) {
			between[block][block] = 0;
			for (uint64_t i = coarse->first[block];
			     i < coarse->first[block + 1]; i++) {
				double *sum = &between[block][coarse->neighbor[i]];

				assert_true(about(coarse->weight ? coarse->weight[i] : 1,
						  *sum));
				*sum = 0;
			}
			for (uint32_t other = 0; other < blocks; other++)
				assert_true(between[block][other] == 0);
		}
		torus_task_graph_destroy(coarse);
		torus_task_graph_destroy(graph);
	}
}

static void effort_is_spent_once(void **state)
{
	torus_mapper_budget_t budget = {.work = 1000, .seconds = 1e9};
	torus_effort_t effort, part;

	(void)state;
	torus_effort_begin(&budget, &effort);
	assert_true(torus_effort_spend(&effort, 100));
	part = torus_effort_part(&effort, 300);
	assert_int_equal(effort.work, 600);
	assert_int_equal(part.work, 300);
	assert_true(torus_effort_spend(&part, 300));
	assert_false(torus_effort_spend(&part, 1));
	torus_effort_return(&effort, &part);
	assert_false(effort.over);
	assert_int_equal(effort.work, 600);
	part = torus_effort_part(&effort, 10000);
	assert_int_equal(part.work, 600);
	assert_true(torus_effort_spend(&part, 200));
	torus_effort_return(&effort, &part);
	assert_int_equal(effort.work, 400);
	assert_false(effort.over);
	part = torus_effort_part(&effort, 0);
	assert_true(part.over);
	torus_effort_return(&effort, &part);
	assert_true(torus_effort_spend(&effort, 400));
	assert_false(torus_effort_spend(&effort, 1));
	assert_true(effort.over);

	torus_effort_begin(&budget, &effort);
	part = torus_effort_part(&effort, 1000);
	assert_true(torus_effort_spend(&part, 1000));
	torus_effort_return(&effort, &part);
	assert_true(effort.over);
	budget.seconds = 0;
	torus_effort_begin(&budget, &effort);
	assert_true(effort.over);
	/* The clock counts too: it is looked at long before this much work is done. */
	budget = (torus_mapper_budget_t){.work = UINT64_C(1) << 60, .seconds = 1e-9};
	torus_effort_begin(&budget, &effort);
	assert_false(effort.over);
	assert_false(torus_effort_spend(&effort, 10000000));
}

/* A job that threads are used for. */
static void large_job(void)
{
	do {
		random_job(&random_, 3, RANDOM_JOB_NODES - 1, 1);
	} while (job->nodes < 384);
}

/* A job whose tasks are annealed in turn, not at random. */
static void many_tasks(void)
{
	do {
		random_job(&random_, 3, 120, TASKS / 120);
	} while (random_.tasks < 2048);
}

/* What it says to have gained is gained; only items of a size swap. */
static void annealing_says_what_it_gained(void **state)
{
	double before = 0, after = 0;

	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t first[TASKS], node_of_task[TASKS], size[TASKS];
		torus_mapper_budget_t budget = {.work = 4000000, .seconds = 1e9};
		uint64_t seed = random_next();
		torus_annealing_t annealing = {.nodes = 0};
		torus_effort_t effort;
		torus_packed_t packed = {0};
		torus_hop_table_t table;
		torus_task_graph_t *graph;
		uint32_t *near;
		double gain;
		bool sized = random_in(0, 1);

		random_job(&random_, 3, random_in(2, 60), 3);
		if (round % 10 == 0)
			large_job();
		else if (round % 10 == 5)
			many_tasks();
		graph = make_graph();
		shuffle_tasks(node_of_task);
		memcpy(first, node_of_task, sizeof(first));
		for (uint32_t task = 0; task < random_.tasks; task++)
			size[task] = random_in(1, 2);
		near = torus_nearlist_create(job, NULL);
		assert_int_equal(torus_hop_table_init(job, &table, NULL), 0);
		if (random_in(0, 1))
			assert_int_equal(
				torus_packed_init(&table, job->nodes, &packed, NULL), 0);
		torus_effort_begin(&budget, &effort);
		annealing = (torus_annealing_t){.graph = graph,
						.table = &table,
						.packed = &packed,
						.near = near,
						.nodes = job->nodes,
						.size = sized ? size : NULL,
						.threads = random_in(0, 3)};
		reached("threads", torus_annealing_threads(&annealing) > 1);
		gain = torus_annealing_run(&annealing, random_in(0, 1) ? 1.6 : 0,
					   random_.tasks < 1000 ? 20000 : 100000, &seed,
					   &effort, node_of_task, NULL);
		assert_true(gain >= 0);
		assert_true(is_mapping(job, node_of_task));
		if (!about(hop_bytes(graph, first) - gain,
			   hop_bytes(graph, node_of_task)))
			fail_msg("round %d: %f less %f is not %f", round,
				 hop_bytes(graph, first), gain,
				 hop_bytes(graph, node_of_task));
		for (uint32_t node = 0; sized && node < job->nodes; node++) {
			uint32_t total = 0;

			for (uint32_t task = 0; task < random_.tasks; task++)
				total += (first[task] == node ? size[task] : 0) -
					 (node_of_task[task] == node ? size[task] : 0);
			assert_int_equal(total, 0);
		}
		if (!sized) {
			before += hop_bytes(graph, first);
			after += hop_bytes(graph, node_of_task);
		}
		free(near);
		torus_packed_destroy(&packed);
		torus_hop_table_destroy(&table);
		torus_task_graph_destroy(graph);
	}
	/* From random mappings there is much to gain. */
	assert_true(after < 0.8 * before);
	assert_true(reached_all(5));
}

/* The linker gives this one to what is tested. */
static bool refuse_threads;
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *argument)
{
	return refuse_threads ? EAGAIN
			      : __real_pthread_create(thread, attr, run, argument);
}

/* However fast each thread is, and whether it is one at all: by their number the mapping
 * is the same, and more of them find a better one. */
static void threads_are_deterministic(void **state)
{
	enum { JOBS = 36 };
	double ratio = 0; /* of hops an edge, and 1 as there may be none */

	(void)state;
	for (int round = 0; round < JOBS; round++) {
		torus_hop_stats_t by_one, by_two;
		uint32_t node_of_task[4][TASKS];
		torus_task_graph_t *graph;

		large_job();
		graph = make_graph();
		random_.job.graph = graph;
		for (uint32_t run = 0; run < 4; run++) {
			torus_mapper_budget_t budget = {.work = 2000000,
							.seconds = 1e9,
							.seed = 7,
							.threads = run < 2 ? run : 2};

			refuse_threads = run == 3;
			assert_int_equal(torus_taskmap(TORUS_MAPPER_ANNEAL, job, &budget,
						       node_of_task[run], NULL),
					 0);
			assert_true(is_mapping(job, node_of_task[run]));
		}
		refuse_threads = false;
		assert_memory_equal(node_of_task[0], node_of_task[1],
				    job->nodes * sizeof(uint32_t));
		assert_memory_equal(node_of_task[2], node_of_task[3],
				    job->nodes * sizeof(uint32_t));
		assert_int_equal(torus_hop_stats(job, node_of_task[1], &by_one, NULL), 0);
		assert_int_equal(torus_hop_stats(job, node_of_task[2], &by_two, NULL), 0);
		ratio += (1 + by_two.average) / (1 + by_one.average);
		torus_task_graph_destroy(graph);
	}
	printf("# hops by two threads over those by one: %.4f\n", ratio / JOBS);
	assert_true(ratio / JOBS < 1.02);
}

/* Ended by itself, inc_improve leaves no pair whose swap would gain. */
static void improving_ends_at_a_local_optimum(void **state)
{
	uint32_t node_of_task[TASKS];

	(void)state;
	for (int round = 0; round < 200; round++) {
		torus_mapper_budget_t budget = {
			.work = UINT64_C(1) << 60, .seconds = 1e9, .seed = random_next()};
		torus_task_graph_t *graph;
		torus_hop_table_t table;

		random_job(&random_, 3, random_in(1, 40), 2);
		graph = make_graph();
		random_.job.graph = graph;
		assert_int_equal(torus_taskmap(TORUS_MAPPER_INC_IMPROVE, job, &budget,
					       node_of_task, NULL),
				 0);
		assert_int_equal(torus_hop_table_init(job, &table, NULL), 0);
		for (uint32_t a = 0; a < random_.tasks; a++) {
			for (uint32_t b = 0; b < a; b++)
				assert_true(torus_move_cost_swap(graph, &table,
								 node_of_task, a,
								 b) > -1e-3);
		}
		torus_hop_table_destroy(&table);
		torus_task_graph_destroy(graph);
	}
}

/* Searching is worth it: over many jobs each step finds less than the one before
 * it. */
static void searches_find_better_mappings(void **state)
{
	double rcb = 0, turns = 0, anneal = 0;
	uint32_t node_of_task[TASKS];

	(void)state;
	for (int round = 0; round < 80; round++) {
		torus_mapper_budget_t budget = {
			.work = 2000000, .seconds = 1e9, .seed = random_next()};
		torus_hop_stats_t stats;

		do
			random_job(&random_, 3, 60, round % 2 ? 1 : 3);
		while (random_.tasks < 30);
		torus_taskmap(TORUS_MAPPER_RCB, job, &budget, node_of_task, NULL);
		assert_int_equal(torus_hop_stats(job, node_of_task, &stats, NULL), 0);
		rcb += stats.average;
		torus_taskmap(TORUS_MAPPER_RCB_TURNS, job, &budget, node_of_task, NULL);
		assert_int_equal(torus_hop_stats(job, node_of_task, &stats, NULL), 0);
		turns += stats.average;
		torus_taskmap(TORUS_MAPPER_ANNEAL, job, &budget, node_of_task, NULL);
		assert_int_equal(torus_hop_stats(job, node_of_task, &stats, NULL), 0);
		anneal += stats.average;
	}
	assert_true(turns < rcb);
	assert_true(anneal < 0.99 * turns);
}

/* Those of fewest hop-bytes are kept, in order; of equal ones the one that came first. */
static void the_best_starts_are_kept(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		uint32_t added = random_in(0, 20), count = 0;
		uint32_t first[41]; /* which one had so many hop-bytes first; 0: none */
		torus_starts_t starts = {0};

		memset(first, 0, sizeof(first));
		for (uint32_t number = 1; number <= added; number++) {
			uint32_t mapping[3] = {number, 2, 3},
				 hop_bytes = random_in(0, 40);

			if (!first[hop_bytes])
				first[hop_bytes] = number;
			assert_int_equal(
				torus_starts_add(&starts, hop_bytes, mapping, 3, NULL),
				0);
		}
		for (uint32_t hop_bytes = 0; hop_bytes <= 40; hop_bytes++) {
			if (!first[hop_bytes] || count == TORUS_STARTS_MOST)
				continue;
			assert_in_range(count, 0, starts.count - 1);
			assert_true(starts.start[count].hop_bytes == hop_bytes);
			assert_int_equal(starts.start[count].node_of_task[0],
					 first[hop_bytes]);
			count++;
		}
		assert_int_equal(starts.count, count);
		torus_starts_keep(&starts, 2);
		assert_int_equal(starts.count, count < 2 ? count : 2);
		torus_starts_keep(&starts, 0);
	}
}

/*
 * On a square mesh, one half of it the wrong way round is fewer hops than many small
 * faults, but annealing can mend only the faults.
 */
static void annealing_begins_with_what_it_can_mend(void **state)
{
	enum { SIDE = 32, ALL = SIDE * SIDE, FAULTS = 60 };
	torus_mapper_budget_t budget = {.work = 60000000, .seconds = 1e9};
	torus_task_grid_t grid = {.dims = 2,
				  .length = {SIDE, SIDE, 1, 1, 1, 1},
				  .stencil = TORUS_STENCIL_FACES};
	uint32_t cell[ALL], one[ALL], mapping[ALL];
	torus_geometry_t geometry;
	torus_task_job_t square = {.grid = &grid,
				   .geometry = &geometry,
				   .nodes = ALL,
				   .cell = cell,
				   .tasks_on_node = one};
	torus_layout_t layout = {0};
	torus_search_t search = {0};
	torus_hop_stats_t stats;

	(void)state;
	assert_int_equal(torus_geometry_parse("32x32", "none", &geometry, NULL), 0);
	for (uint32_t i = 0; i < ALL; i++) {
		cell[i] = i;
		one[i] = 1;
	}
	assert_int_equal(torus_layout_init(&square, &layout, NULL), 0);
	assert_int_equal(torus_search_begin(&layout, &budget, mapping, &search, NULL), 0);
	for (uint32_t i = 0; i < ALL; i++)
		search.trial[i] =
			i % SIDE < SIDE / 2 ? i - i % SIDE + SIDE / 2 - 1 - i % SIDE : i;
	assert_int_equal(torus_search_start(&search, NULL), 0);
	for (uint32_t i = 0; i < ALL; i++)
		search.trial[i] = i;
	for (uint32_t i = 0; i < FAULTS; i++) {
		uint32_t a = random_in(0, ALL - SIDE - 3), b = a + SIDE + 2;
		uint32_t node = search.trial[a];

		search.trial[a] = search.trial[b];
		search.trial[b] = node;
	}
	assert_int_equal(torus_search_start(&search, NULL), 0);
	assert_int_equal(search.starts.count, 2);
	assert_int_equal(search.starts.start[0].node_of_task[0], SIDE / 2 - 1);
	assert_int_equal(torus_search_anneal(&search, random_next(), NULL), 0);
	assert_int_equal(torus_hop_stats(&square, mapping, &stats, NULL), 0);
	if (stats.average > 1.1)
		fail_msg("%f hops an edge", stats.average);
	torus_search_end(&search);
	torus_layout_destroy(&layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_swap_costs_what_it_adds),
		cmocka_unit_test(packed_moves_cost_the_same),
		cmocka_unit_test(packed_coordinates_fit_into_bytes),
		cmocka_unit_test(a_twisted_torus_is_not_packed),
		cmocka_unit_test(lists_hold_all_distances),
		cmocka_unit_test(the_least_gain_goes_by_the_heaviest_edge),
		cmocka_unit_test(near_lists_name_the_nearest),
		cmocka_unit_test(blocks_add_up_their_tasks_edges),
		cmocka_unit_test(effort_is_spent_once),
		cmocka_unit_test(annealing_says_what_it_gained),
		cmocka_unit_test(threads_are_deterministic),
		cmocka_unit_test(improving_ends_at_a_local_optimum),
		cmocka_unit_test(searches_find_better_mappings),
		cmocka_unit_test(the_best_starts_are_kept),
		cmocka_unit_test(annealing_begins_with_what_it_can_mend),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
