/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An order for an unknown pattern, against a slow scorer of its own and slow twins of its
 * parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "random_chords.h"
#include "random_job.h"
#include "any_scorer.h"
#include "taskmap/any/any.h"
#include "taskmap/any/moves.h"
#include "taskmap/any/search.h"
#include "taskmap/any/trades.h"
#include "taskmap/hops.h"

#define NODES 64
#define TASKS 4096
#define CASES RANDOM_CASES(3000)

/* --- random jobs --------------------------------------------------------- */

/* A twisted torus of sides k and 2k. */
static void twist_machine(torus_geometry_t *geometry)
{
	int32_t k = (int32_t)random_in(2, 4);

	*geometry = (torus_geometry_t){.dims = (int)random_in(2, 3)};
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		geometry->length[axis] = 1;
	for (int axis = 0; axis < geometry->dims; axis++) {
		bool two = axis && (axis == 1 || random_in(0, 1));

		geometry->length[axis] = two ? 2 * k : k;
		geometry->wrap[axis] = true;
		geometry->twist |= (unsigned)two << axis;
	}
}

static void make_nodes_chips(torus_geometry_t *geometry)
{
	for (int axis = 0; axis < geometry->dims; axis++)
		geometry->chips[axis] = (int32_t)random_in(1, axis < 3 ? 2 : 1);
}

/* Nodes as schedulers leave them: a window of a line through the machine, with holes. */
static void take_window(uint32_t most, uint32_t on_router)
{
	uint32_t cells = torus_geometry_cells(&job.geometry);
	uint32_t start = random_in(0, cells - 1), holes = random_in(0, 3), count = 0;
	bool taken[4096] = {false};

	for (uint32_t i = 0; i < cells && count < most; i++)
		taken[(start + i) % cells] = !holes || random_in(0, holes);
	for (uint32_t at = 0; at < cells; at++) {
		for (uint32_t i = 0; taken[at] && i < on_router && count < most; i++)
			job.cell[count++] = at;
	}
	if (!count)
		job.cell[count++] = start;
	job.any.nodes = count;
}

/* Nodes that were listed in no order of their own. */
static void shuffle(void)
{
	for (uint32_t i = job.any.nodes - 1; i > 0; i--) {
		uint32_t other = random_in(0, i), cell = job.cell[i];

		job.cell[i] = job.cell[other];
		job.cell[other] = cell;
	}
}

/* Tasks: a few on each, as many or not, counted by node or by position. */
static bool has_task_a_chip(void)
{
	uint32_t chips = torus_node_chips(&job.geometry);

	return chips > 1 && job.any.tasks == job.any.nodes * chips;
}

static void give_tasks(void)
{
	uint32_t nodes = job.any.nodes, chips = torus_node_chips(&job.geometry);
	uint32_t most = random_in(0, 1) ? 1 : random_in(1, 6), kind = random_in(0, 4);

	job.any.tasks = 0;
	for (uint32_t node = 0; node < nodes; node++) {
		job.counts[node] = kind < 2    ? most
				   : kind == 2 ? random_in(1, most)
				   : kind == 3 ? most - (node >= nodes / 2 && most > 1)
					       : random_in(node > 0, most);
		if (chips > 1 && kind < 3)
			job.counts[node] = chips;
		job.any.tasks += job.counts[node];
	}
	if (job.any.tasks < nodes) {
		job.counts[0] += nodes - job.any.tasks;
		job.any.tasks = nodes;
	}
	job.any.tasks_on_node = random_in(0, 2) ? job.counts : NULL;
	job.any.deal = random_in(0, 1) ? TORUS_DEAL_BLOCK : TORUS_DEAL_CYCLIC;
	job.on_chips = has_task_a_chip();
	for (uint32_t node = 0; node < nodes && job.any.tasks_on_node; node++)
		job.on_chips &= job.counts[node] == chips;
}

static bool has_shared_routers(void)
{
	for (uint32_t node = 1; node < job.any.nodes; node++) {
		if (job.cell[node] == job.cell[node - 1])
			return true;
	}
	return false;
}

static void note_kinds(void)
{
	reached("a twisted torus", job.geometry.twist);
	reached("links beside the torus's own", job.geometry.chords);
	reached("a task a chip", job.on_chips);
	reached("nodes on one router", has_shared_routers());
	reached("uneven counts by node", job.any.tasks_on_node && !job.on_chips);
	reached("shares by position",
		!job.any.tasks_on_node && job.any.tasks % job.any.nodes);
	reached("cyclic",
		job.any.deal == TORUS_DEAL_CYCLIC && job.any.tasks > job.any.nodes);
	reached("four dimensions and more", job.geometry.dims > 3);
}

/* The job before is gone, with its links. */
static void clear_job(void)
{
	torus_chords_release(job.geometry.chords);
	memset(&job, 0, sizeof(job));
}

static void make_job(uint32_t most)
{
	bool twisted = random_in(0, 9) == 0, chips = random_in(0, 3) == 0;
	uint32_t on_router = random_in(0, 3) ? 1 : random_in(2, 3);

	clear_job();
	if (twisted)
		twist_machine(&job.geometry);
	else
		job.geometry = random_geometry(6, 3 * most < 4096 ? 3 * most : 4096);
	if (chips && !twisted)
		make_nodes_chips(&job.geometry);
	if (!twisted && random_in(0, 4) == 0)
		random_chords(&job.geometry);
	job.any.geometry = &job.geometry;
	job.any.cell = job.cell;
	take_window(random_in(1, most), on_router);
	if (random_in(0, 4) == 0)
		shuffle();
	give_tasks();
	job.any.free_head = random_in(0, 9) == 0;
}

/* --- orders -------------------------------------------------------------- */

/*
 * The rule itself: an order of all nodes, the same when asked again, with task 0 where it
 * is by the order of names, and no more hops than in that in any pattern.
 */
static void test_nobody_is_worse_off(void **state)
{
	double before = 0, after = 0;
	uint32_t better = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		uint32_t order[RANDOM_JOB_NODES], again[RANDOM_JOB_NODES];
		uint32_t given[RANDOM_JOB_NODES];
		uint64_t hops[3], bound[3];

		make_job(i % 10 ? 40 : RANDOM_JOB_NODES);
		note_kinds();
		assert_int_equal(torus_any_order(&job.any, order, NULL), 0);
		assert_int_equal(torus_any_order(&job.any, again, NULL), 0);
		assert_permutation(order, job.any.nodes);
		assert_memory_equal(order, again, job.any.nodes * sizeof(*order));
		if (!job.any.free_head)
			assert_int_equal(order[0], head());
		names(given);
		slow_hops(order, hops);
		slow_hops(given, bound);
		for (int k = 0; k < 3; k++)
			assert_true(hops[k] <= bound[k]);
		before += slow_value(bound);
		after += slow_value(hops);
		better += memcmp(hops, bound, sizeof(hops)) != 0;
	}
	print_message("# hops to those by names: %.3f; shorter in %u of %d jobs\n",
		      after / before, better, CASES);
	assert_true(reached_all(CASES / 60));
	assert_true(better > CASES / 3);
}

/* Numbers that no memory is asked for: as many tasks as there may be. */
static void test_tasks_cost_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++) {
		uint32_t order[RANDOM_JOB_NODES];

		make_job(NODES);
		job.any.tasks_on_node = NULL;
		job.any.tasks = random_in(TORUS_MAX_CELLS - 100000, TORUS_MAX_CELLS);
		assert_int_equal(torus_any_order(&job.any, order, NULL), 0);
		assert_permutation(order, job.any.nodes);
	}
}

/* The least value of all orders that the rule allows, by trying all. */
static void try_all(uint32_t *order, uint32_t from, const uint64_t bound[3],
		    double *least)
{
	uint64_t hops[3];

	if (from == job.any.nodes) {
		slow_hops(order, hops);
		if (hops[0] <= bound[0] && hops[1] <= bound[1] && hops[2] <= bound[2] &&
		    slow_value(hops) < *least)
			*least = slow_value(hops);
		return;
	}
	for (uint32_t i = from; i < job.any.nodes; i++) {
		uint32_t node = order[i];

		order[i] = order[from];
		order[from] = node;
		try_all(order, from + 1, bound, least);
		order[from] = order[i];
		order[i] = node;
	}
}

/* Whether the nodes all differ in one dimension only: a line's order is not the best. */
static bool are_on_a_line(void)
{
	int32_t first[TORUS_MAX_DIMS], coord[TORUS_MAX_DIMS];
	int thick = 0;

	torus_cell_to_coord(&job.geometry, job.cell[0], first);
	for (int axis = 0; axis < job.geometry.dims; axis++) {
		bool differs = false;

		for (uint32_t node = 1; node < job.any.nodes; node++) {
			torus_cell_to_coord(&job.geometry, job.cell[node], coord);
			differs |= coord[axis] != first[axis];
		}
		thick += differs;
	}
	return thick < 2;
}

/* Up to six nodes: the best of all orders. */
static void test_few_nodes_have_the_best(void **state)
{
	int compared = 0;

	(void)state;
	while (compared < RANDOM_CASES(500)) {
		uint32_t order[RANDOM_JOB_NODES], given[RANDOM_JOB_NODES];
		uint64_t hops[3], bound[3];
		double least = 1e9;

		make_job(6);
		if (are_on_a_line())
			continue;
		/* Nodes of other tasks than a position's may have it here. As many on
		 * each may then be a task a chip. */
		if (job.any.tasks_on_node && !job.on_chips) {
			job.any.tasks_on_node = NULL;
			job.on_chips = has_task_a_chip();
		}
		assert_int_equal(torus_any_order(&job.any, order, NULL), 0);
		names(given);
		slow_hops(order, hops);
		slow_hops(given, bound);
		try_all(given, job.any.free_head ? 0 : 1, bound, &least);
		if (slow_value(hops) > least + 1e-5)
			fail_msg("%f, and there is one of %f", slow_value(hops), least);
		compared++;
	}
}

/* Nodes around a ring or along a line, from the first one on; also of chips, of which the
 * line may have several a node, with a task on each. */
static void test_lines_stay_lines(void **state)
{
	(void)state;
	for (int i = 0; i < CASES / 10; i++) {
		uint32_t side = random_in(3, 20), length = random_in(2, side);
		uint32_t start = random_in(0, side - 1), order[NODES], stride = 1;
		bool wrap = random_in(0, 1), back = random_in(0, 1);
		int axis;

		clear_job();
		job.geometry = random_geometry(3, 40);
		axis = (int)random_in(0, (uint32_t)job.geometry.dims - 1);
		job.geometry.length[axis] = (int32_t)side;
		job.geometry.wrap[axis] = wrap;
		for (int j = 0; j < axis; j++)
			stride *= (uint32_t)job.geometry.length[j];
		if (!wrap && start + length > side)
			start = side - length;
		for (uint32_t at = 0; at < length; at++)
			job.cell[back ? length - 1 - at : at] =
				(start + at) % side * stride;
		job.any = (torus_any_job_t){.geometry = &job.geometry,
					    .nodes = length,
					    .cell = job.cell,
					    .tasks = length * random_in(1, 3)};
		if (random_in(0, 1)) {
			make_nodes_chips(&job.geometry);
			job.any.tasks = length * torus_node_chips(&job.geometry);
			job.any.deal =
				random_in(0, 1) ? TORUS_DEAL_BLOCK : TORUS_DEAL_CYCLIC;
		}
		assert_int_equal(torus_any_order(&job.any, order, NULL), 0);
		assert_int_equal(order[0], 0);
		/* Around a ring both ways are as good. */
		for (uint32_t at = 1; at < length; at++)
			assert_true(order[at] == at ||
				    (wrap && length == side && order[at] == length - at));
	}
}

/* Along this line the 2D grid has more hops than by names, which go back and forth. */
static void test_line_that_would_cost_is_not_kept(void **state)
{
	static const uint32_t along[4] = {0, 2, 1, 3};
	uint32_t order[4], given[4];
	uint64_t hops[3], bound[3];

	(void)state;
	clear_job();
	assert_int_equal(torus_geometry_parse("4", "none", &job.geometry, NULL), 0);
	job.any = (torus_any_job_t){.geometry = &job.geometry,
				    .nodes = 4,
				    .cell = job.cell,
				    .tasks = 8,
				    .deal = TORUS_DEAL_CYCLIC};
	memcpy(job.cell, along, sizeof(along));
	names(given);
	slow_hops(given, bound);
	slow_hops(along, hops);
	assert_true(hops[1] > bound[1]);
	assert_int_equal(torus_any_order(&job.any, order, NULL), 0);
	slow_hops(order, hops);
	for (int k = 0; k < 3; k++)
		assert_true(hops[k] <= bound[k]);
}

/* A closed ring of hosts of 4x4 chips, named along it: what pods of accelerators are. */
static void test_ring_of_hosts(void **state)
{
	uint32_t order[4];
	torus_error_t err;

	(void)state;
	for (int per_node = 1; per_node <= 16; per_node += 15) {
		clear_job();
		assert_int_equal(
			torus_geometry_parse("1x1x4", "all", &job.geometry, &err), 0);
		assert_int_equal(torus_node_shape_parse("4x4x1", &job.geometry, &err), 0);
		job.any = (torus_any_job_t){.geometry = &job.geometry,
					    .nodes = 4,
					    .cell = job.cell,
					    .tasks = 4 * (uint32_t)per_node};
		for (uint32_t node = 0; node < 4; node++)
			job.cell[node] = node;
		assert_int_equal(torus_any_order(&job.any, order, NULL), 0);
		for (uint32_t node = 0; node < 4; node++)
			assert_int_equal(order[node], node);
	}
}

/* What the search is worth on compact jobs: pieces of a few planes of 8x8x8. What any
 * node in front is worth is small beside how jobs differ: it takes so many of them. */
static void test_order_is_worth_it(void **state)
{
	double before = 0, after = 0, free_head = 0;

	(void)state;
	for (int i = 0; i < 300; i++) {
		uint32_t order[NODES], given[NODES], count = 0;
		int32_t corner[3];
		uint64_t hops[3];

		clear_job();
		assert_int_equal(torus_geometry_parse("8x8x8", i % 2 ? "all" : "none",
						      &job.geometry, NULL),
				 0);
		for (int axis = 0; axis < 3; axis++)
			corner[axis] = (int32_t)random_in(0, 4);
		for (uint32_t at = 0; at < 64; at++) {
			int32_t coord[TORUS_MAX_DIMS] = {corner[0] + (int32_t)(at % 4),
							 corner[1] +
								 (int32_t)(at / 4 % 4),
							 corner[2] + (int32_t)(at / 16)};

			if (random_in(0, 2))
				job.cell[count++] =
					torus_coord_to_cell(&job.geometry, coord);
		}
		job.any = (torus_any_job_t){.geometry = &job.geometry,
					    .nodes = count,
					    .cell = job.cell,
					    .tasks = count};
		names(given);
		slow_hops(given, hops);
		before += slow_value(hops);
		assert_int_equal(torus_any_order(&job.any, order, NULL), 0);
		slow_hops(order, hops);
		after += slow_value(hops);
		job.any.free_head = true;
		assert_int_equal(torus_any_order(&job.any, order, NULL), 0);
		slow_hops(order, hops);
		free_head += slow_value(hops);
	}
	print_message("# hops to those by names: %.3f, with any node in front %.3f\n",
		      after / before, free_head / before);
	assert_true(after < 0.75 * before);
	assert_true(free_head < after);
}

/* --- the pattern --------------------------------------------------------- */

/* Pairs of tasks between positions, task by task. */
static uint64_t slow_pairs[NODES][NODES][3], slow_all[3];

static void add_pair(uint32_t a, uint32_t b, int k, void *context)
{
	const uint32_t *position = context;

	slow_pairs[position[a]][position[b]][k]++;
	slow_pairs[position[b]][position[a]][k]++;
	slow_all[k]++;
}

static void count_pairs(uint32_t *position)
{
	memset(slow_pairs, 0, sizeof(slow_pairs));
	memset(slow_all, 0, sizeof(slow_all));
	each_pair(add_pair, position);
}

static void test_pattern_is_what_tasks_say(void **state)
{
	static const uint32_t shares[3] = {1, 20, 3};

	(void)state;
	for (int i = 0; i < CASES; i++) {
		uint32_t order[RANDOM_JOB_NODES], position[TASKS], which[TASKS];
		torus_any_pattern_t pattern;
		uint64_t entry = 0;

		make_job(NODES);
		names(order);
		deal(order, position, which);
		count_pairs(position);
		assert_int_equal(torus_any_pattern_init(job.any.tasks, job.any.nodes,
							job.any.tasks_on_node,
							job.any.deal, &pattern, NULL),
				 0);
		for (uint32_t p = 0; p < job.any.nodes; p++) {
			for (uint32_t q = 0; q < job.any.nodes; q++) {
				uint64_t pairs = slow_pairs[p][q][0] +
						 slow_pairs[p][q][1] +
						 slow_pairs[p][q][2];

				if (p == q || !pairs)
					continue;
				assert_true(entry < pattern.graph->first[p + 1]);
				assert_int_equal(pattern.graph->neighbor[entry], q);
				for (int k = 0; k < 3; k++)
					assert_int_equal(pattern.pairs[entry][k],
							 slow_pairs[p][q][k]);
				entry++;
			}
			assert_int_equal(entry, pattern.graph->first[p + 1]);
		}
		for (int k = 0; k < 3; k++)
			assert_int_equal(pattern.all[k], slow_all[k] ? slow_all[k] : 1);
		torus_any_pattern_weigh(&pattern, shares);
		for (uint64_t at = 0; at < entry; at++)
			assert_true(pattern.graph->weight[at] >= 1 &&
				    pattern.graph->weight[at] <= INT16_MAX);
		torus_any_pattern_destroy(&pattern);
	}
}

/* --- moves and trades ---------------------------------------------------- */

/* A job of a task a node, as the parts of the search have it. */
typedef struct space {
	uint32_t ones[RANDOM_JOB_NODES], best[RANDOM_JOB_NODES];
	torus_any_pattern_t pattern;
	torus_hop_table_t table;
	torus_task_job_t job;
	torus_any_search_t search;
} space_t;

static void make_space(uint32_t most, space_t *space)
{
	do {
		make_job(most);
		job.any.tasks_on_node = NULL;
		job.on_chips = false;
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			job.geometry.chips[axis] = 0;
	} while (job.any.nodes < 2);
	memset(space, 0, sizeof(*space));
	assert_int_equal(torus_any_pattern_init(job.any.tasks, job.any.nodes, NULL,
						job.any.deal, &space->pattern, NULL),
			 0);
	for (uint32_t node = 0; node < job.any.nodes; node++)
		space->ones[node] = 1;
	names(space->best);
	space->job = (torus_task_job_t){.graph = space->pattern.graph,
					.geometry = &job.geometry,
					.nodes = job.any.nodes,
					.cell = job.cell,
					.tasks_on_node = space->ones};
	assert_int_equal(torus_hop_table_init(&space->job, &space->table, NULL), 0);
	assert_int_equal(torus_hop_table_expand(&space->job, &space->table, NULL), 0);
	space->search = (torus_any_search_t){.pattern = &space->pattern,
					     .job = &space->job,
					     .table = &space->table,
					     .free_head = job.any.free_head,
					     .best = space->best};
	torus_any_hops(&space->search, space->best, space->search.bound);
	space->search.value = torus_any_value(&space->search, space->search.bound);
}

static void free_space(space_t *space)
{
	torus_hop_table_destroy(&space->table);
	torus_any_pattern_destroy(&space->pattern);
}

/* What [order] costs by the pattern's weights, pair by pair. */
static uint64_t cost_of(const space_t *space, const uint32_t *order)
{
	const torus_task_graph_t *graph = space->pattern.graph;
	uint64_t cost = 0;

	for (uint32_t p = 0; p < graph->tasks; p++) {
		for (uint64_t i = graph->first[p]; i < graph->first[p + 1]; i++)
			cost += (uint64_t)graph->weight[i] *
				torus_hops_cells(&job.geometry, job.cell[order[p]],
						 job.cell[order[graph->neighbor[i]]]);
	}
	return cost;
}

static void test_moves_never_cost_and_stop_in_time(void **state)
{
	uint32_t stopped = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		uint32_t order[RANDOM_JOB_NODES];
		torus_mapper_budget_t budget = {.work = random_in(0, 20000),
						.seconds = 1e9};
		static space_t space;
		torus_effort_t effort;
		uint64_t before;

		make_space(60, &space);
		names(order);
		before = cost_of(&space, order);
		torus_effort_begin(&budget, &effort);
		assert_int_equal(torus_any_moves(&space.search, &effort, order, NULL), 0);
		assert_permutation(order, job.any.nodes);
		assert_true(cost_of(&space, order) <= before);
		assert_true(order[0] == 0 || job.any.free_head);
		stopped += effort.over;
		free_space(&space);
	}
	assert_true(stopped > 0 && stopped < (uint32_t)CASES);
}

/* The best allowed order that swaps of any two nodes come to, each of them allowed and
 * saving something. */
static double descend(uint32_t *order, const uint64_t bound[3])
{
	uint64_t hops[3];
	double value, before;

	slow_hops(order, hops);
	value = slow_value(hops);
	do {
		before = value;
		for (uint32_t a = !job.any.free_head; a < job.any.nodes; a++) {
			for (uint32_t b = !job.any.free_head; b < a; b++) {
				uint32_t node = order[a];

				order[a] = order[b];
				order[b] = node;
				slow_hops(order, hops);
				if (hops[0] <= bound[0] && hops[1] <= bound[1] &&
				    hops[2] <= bound[2] && slow_value(hops) < value) {
					value = slow_value(hops);
					continue;
				}
				order[b] = order[a];
				order[a] = node;
			}
		}
	} while (value < before);
	return value;
}

/* From the nodes as they come: allowed, the same when asked again, and together less than
 * plain descent comes to by trying every swap. */
static void test_trades_are_better_than_descent(void **state)
{
	double traded = 0, descended = 0;
	int listed = 0;

	(void)state;
	for (int i = 0; i < RANDOM_CASES(200); i++) {
		uint32_t order[RANDOM_JOB_NODES], first[RANDOM_JOB_NODES];
		static space_t space;
		uint64_t hops[3], bound[3];

		make_space(i % 20 ? 24 : RANDOM_JOB_NODES, &space);
		if (!space.table.hops) { /* as far apart as no list can say */
			free_space(&space);
			continue;
		}
		listed++;
		names(order);
		slow_hops(order, bound);
		assert_int_equal(torus_any_trades(&space.search, order, NULL), 0);
		memcpy(first, space.best, sizeof(first));
		assert_permutation(first, job.any.nodes);
		slow_hops(first, hops);
		for (int k = 0; k < 3; k++)
			assert_true(hops[k] <= bound[k]);
		assert_int_equal(space.search.value,
				 torus_any_value(&space.search, hops));
		names(space.best);
		space.search.value = torus_any_value(&space.search, bound);
		assert_int_equal(torus_any_trades(&space.search, order, NULL), 0);
		assert_memory_equal(first, space.best, job.any.nodes * sizeof(*first));
		if (job.any.nodes <= 24) {
			traded += slow_value(hops);
			descended += descend(order, bound);
		}
		free_space(&space);
	}
	print_message("# trades to descent: %.4f\n", traded / descended);
	assert_true(listed > RANDOM_CASES(100) && traded < descended);
}

/* --- dealing out --------------------------------------------------------- */

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
		cmocka_unit_test(test_nobody_is_worse_off),
		cmocka_unit_test(test_tasks_cost_nothing),
		cmocka_unit_test(test_few_nodes_have_the_best),
		cmocka_unit_test(test_lines_stay_lines),
		cmocka_unit_test(test_line_that_would_cost_is_not_kept),
		cmocka_unit_test(test_ring_of_hosts),
		cmocka_unit_test(test_order_is_worth_it),
		cmocka_unit_test(test_pattern_is_what_tasks_say),
		cmocka_unit_test(test_moves_never_cost_and_stop_in_time),
		cmocka_unit_test(test_trades_are_better_than_descent),
		cmocka_unit_test(test_deal),
	};
	int failed;

	random_begin();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	clear_job();
	return failed;
}
