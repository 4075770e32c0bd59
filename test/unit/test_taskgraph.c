/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Communication graphs: texts accepted and rejected, edges added up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "random.h"
#include "taskmap/graph.h"
#include "taskmap/grid_blocks.h"
#include "taskmap/search/graph_grid.h"
#include "taskmap/search/pairing.h"

static torus_task_graph_t *parse(const char *text, torus_error_t *err)
{
	return torus_task_graph_parse(text, strlen(text), "edges", 4, err);
}

static double weight_between(const torus_task_graph_t *graph, uint32_t a, uint32_t b)
{
	double weight = 0;

	for (uint64_t i = graph->first[a]; i < graph->first[a + 1]; i++)
		weight += graph->neighbor[i] == b ? graph->weight[i] : 0;
	return weight;
}

static void reads_edges(void **state)
{
	torus_task_graph_t *graph = parse("# halo\n"
					  "0 1 10\n"
					  "\n"
					  "\t1 0 2.5 # and back\n"
					  "2 3 1e3\r\n"
					  "3 3 7\n"
					  "0 2 0\n"
					  "1 2 4",
					  NULL);

	(void)state;
	assert_non_null(graph);
	assert_int_equal(graph->tasks, 4);
	assert_int_equal(graph->first[4], 6);
	assert_true(weight_between(graph, 0, 1) == 12.5);
	assert_true(weight_between(graph, 1, 0) == 12.5);
	assert_true(weight_between(graph, 3, 2) == 1000);
	assert_true(weight_between(graph, 2, 1) == 4);
	assert_true(weight_between(graph, 0, 2) == 0);
	torus_task_graph_destroy(graph);
	torus_task_graph_destroy(NULL);
}

static void rejects_bad_lines(void **state)
{
	static const struct {
		const char *text, *says;
	} table[] = {
		{"0 1\n", "edges:1: expected three fields"},
		{"0 1 2 3\n", "edges:1: expected three fields"},
		{"0 1 2\n0 4 1\n", "edges:2: task 4 is out of range: tasks are 0 to 3"},
		{"99999999999999999999 0 1\n", "out of range"},
		{"-1 0 1\n", "'-1' is not a task number"},
		{"a 0 1\n", "'a' is not a task number"},
		{"0 1x 1\n", "'1x' is not a task number"},
		{"0 1 -2\n", "weight '-2'"},
		{"0 1 nan\n", "weight 'nan'"},
		{"0 1 inf\n", "weight 'inf'"},
		{"0 1 2e15\n", "weight '2e15'"},
		{"0 1 2kB\n", "weight '2kB'"},
		{"", "no edge"},
		{"# nothing\n1 1 5\n0 1 0\n", "no edge"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};

		assert_null(parse(table[i].text, &err));
		assert_non_null(strstr(err.text, table[i].says));
	}
	/* A NUL does not hide the rest of a word. */
	assert_null(torus_task_graph_parse("0 1 2\0003", 7, "edges", 4, NULL));
}

/* Against a matrix of sums. */
static void adds_up_edges(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = random_in(1, 20), edges = random_in(0, 200);
		uint32_t from[200], to[200];
		double weight[200], matrix[20][20] = {{0}};
		torus_task_graph_t *graph;
		uint64_t entries = 0;

		for (uint32_t i = 0; i < edges; i++) {
			from[i] = random_in(0, tasks - 1);
			to[i] = random_in(0, tasks - 1);
			weight[i] = random_in(0, 5);
			if (from[i] != to[i]) {
				matrix[from[i]][to[i]] += weight[i];
				matrix[to[i]][from[i]] += weight[i];
			}
		}
		graph = torus_task_graph_create(tasks, from, to, weight, edges, NULL);
		assert_non_null(graph);
		for (uint32_t a = 0; a < tasks; a++) {
			assert_int_equal(graph->first[a], entries);
			for (uint32_t b = 0; b < tasks; b++) {
				if (matrix[a][b] == 0)
					continue;
				assert_int_equal(graph->neighbor[entries], b);
				assert_true(graph->weight[entries++] == matrix[a][b]);
			}
		}
		assert_int_equal(graph->first[tasks], entries);
		torus_task_graph_destroy(graph);
	}
}

/* A text of thousands of edges is what its edges make. */
static void reads_long_texts(void **state)
{
	enum { EDGES = 20000, TASKS = 500 };
	static uint32_t from[EDGES], to[EDGES];
	static double weight[EDGES];
	static char text[EDGES * 24];
	torus_task_graph_t *read, *made;
	size_t length = 0, entries;

	(void)state;
	for (uint32_t i = 0; i < EDGES; i++) {
		from[i] = random_in(0, TASKS - 1);
		to[i] = random_in(0, TASKS - 1);
		weight[i] = random_in(0, 1000);
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "%u %u %.0f\n", from[i], to[i], weight[i]);
	}
	read = torus_task_graph_parse(text, length, "edges", TASKS, NULL);
	made = torus_task_graph_create(TASKS, from, to, weight, EDGES, NULL);
	assert_non_null(read);
	assert_non_null(made);
	entries = made->first[TASKS];
	assert_memory_equal(read->first, made->first, (TASKS + 1) * sizeof(*made->first));
	assert_memory_equal(read->neighbor, made->neighbor,
			    entries * sizeof(*made->neighbor));
	assert_memory_equal(read->weight, made->weight, entries * sizeof(*made->weight));
	torus_task_graph_destroy(read);
	torus_task_graph_destroy(made);
}

/* The weight along the strides of [grid], and if asked between the [ends] of its axes,
 * looked up edge by edge. */
static double slow_weight(const torus_task_graph_t *graph, const torus_task_grid_t *grid,
			  bool ends)
{
	double along = 0, all = 0;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			uint32_t other = graph->neighbor[i], stride = 1;
			bool is_along = false;

			for (int axis = 0; axis < grid->dims; axis++) {
				uint32_t apart =
					other > task ? other - task : task - other;
				uint32_t length = (uint32_t)grid->length[axis];

				is_along |= apart == stride ||
					    (ends && apart == (length - 1) * stride);
				stride *= length;
			}
			along += is_along ? graph->weight[i] : 0;
			all += graph->weight[i];
		}
	}
	return all > 0 ? along / all : 0;
}

static double slow_share(const torus_task_graph_t *graph, const torus_task_grid_t *grid)
{
	return slow_weight(graph, grid, false);
}

static double slow_closed(const torus_task_graph_t *graph, const torus_task_grid_t *grid)
{
	return slow_weight(graph, grid, true);
}

/* Write out [grid] with a weight of each axis. The caller destroys it. */
static torus_task_graph_t *weighted_grid(const torus_task_grid_t *grid)
{
	enum { MOST = 4096 };
	uint32_t from[MOST], to[MOST], tasks = torus_task_grid_tasks(grid), edges = 0;
	torus_task_graph_t *stencil = torus_task_graph_stencil(grid, NULL), *graph;
	double weight[MOST];

	assert_non_null(stencil);
	for (uint32_t task = 0; task < tasks; task++) {
		for (uint64_t i = stencil->first[task]; i < stencil->first[task + 1];
		     i++) {
			if (stencil->neighbor[i] < task)
				continue;
			assert_true(edges < MOST);
			from[edges] = task;
			to[edges] = stencil->neighbor[i];
			weight[edges++] = stencil->neighbor[i] - task == 1 ? 1.25 : 1;
		}
	}
	graph = torus_task_graph_create(tasks, from, to, weight, edges, NULL);
	assert_non_null(graph);
	torus_task_graph_destroy(stencil);
	return graph;
}

/* Grids of lengths at which closing edges are fewer than those of any axis. */
static void finds_grids_by_their_numbers(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		torus_task_grid_t grid = {.dims = (int)random_in(1, 3),
					  .length = {1, 1, 1, 1, 1, 1}};
		torus_task_grid_t found;
		torus_task_graph_t *graph;
		double share, closed;

		for (int axis = 0; axis < grid.dims; axis++) {
			grid.length[axis] = (int32_t)random_in(4, 9);
			grid.periodic[axis] = random_in(0, 1);
		}
		graph = weighted_grid(&grid);
		assert_int_equal(torus_graph_grid(graph, &found, &share, &closed, NULL),
				 0);
		assert_int_equal(found.dims, grid.dims);
		assert_memory_equal(found.length, grid.length, sizeof(grid.length));
		assert_float_equal(share, slow_share(graph, &grid), 1e-9);
		assert_true(share > 0.7);
		/* All edges are along the axes or close them. */
		assert_float_equal(closed, 1, 1e-9);
		torus_task_graph_destroy(graph);
	}
}

/* Whatever the graph is, the answer is a grid of all its tasks, and its share true. */
static void finds_some_grid(void **state)
{
	enum { EDGES = 300 };

	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = random_in(1, 120), edges = random_in(0, EDGES);
		uint32_t from[EDGES], to[EDGES];
		torus_task_graph_t *graph;
		double weight[EDGES], share, closed;
		torus_task_grid_t found;

		for (uint32_t i = 0; i < edges; i++) {
			from[i] = random_in(0, tasks - 1);
			to[i] = random_in(0, tasks - 1);
			weight[i] = random_in(0, 9);
		}
		graph = torus_task_graph_create(tasks, from, to, weight, edges, NULL);
		assert_non_null(graph);
		assert_int_equal(torus_graph_grid(graph, &found, &share, &closed, NULL),
				 0);
		assert_int_equal(torus_task_grid_tasks(&found), tasks);
		assert_float_equal(share, slow_share(graph, &found), 1e-9);
		assert_float_equal(closed, slow_closed(graph, &found), 1e-9);
		torus_task_graph_destroy(graph);
	}
}

/* ---- blocks of a grid ---- */

static torus_task_grid_t random_task_grid(uint32_t most)
{
	torus_task_grid_t grid = {
		.dims = (int)random_in(1, TORUS_MAX_DIMS),
		.stencil = random_in(0, 1) ? TORUS_STENCIL_FACES : TORUS_STENCIL_CORNERS,
	};

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		grid.length[axis] =
			axis < grid.dims ? (int32_t)random_in(1, most < 9 ? most : 9) : 1;
		grid.periodic[axis] = axis < grid.dims && random_in(0, 1);
		most /= (uint32_t)grid.length[axis];
	}
	return grid;
}

static int longer_axes(const torus_task_grid_t *grid)
{
	int longer = 0;

	for (int axis = 0; axis < grid->dims; axis++)
		longer += grid->length[axis] > 1;
	return longer;
}

/* Of each task the block that it is dealt out to. */
static void deal_tasks(uint32_t tasks, uint32_t blocks, bool in_turns, uint32_t *block_of)
{
	uint32_t share = tasks / blocks, more = tasks % blocks, task = 0;

	for (uint32_t block = 0; !in_turns && block < blocks; block++) {
		for (uint32_t i = 0; i < share + (block < more); i++)
			block_of[task++] = block;
	}
	for (task = 0; in_turns && task < tasks; task++)
		block_of[task] = task % blocks;
}

/* torus_task_grid_blocks() without building the graph of the tasks, against with it. */
static void deals_out_grids(void **state)
{
	(void)state;
	for (int i = 0; i < RANDOM_CASES(4000); i++) {
		torus_task_grid_t grid = random_task_grid(400);
		uint32_t tasks = torus_task_grid_tasks(&grid);
		uint32_t blocks = random_in(1, random_in(1, tasks)), block_of[512];
		bool in_turns = random_in(0, 2) == 0;
		torus_task_graph_t *all, *slow, *fast;
		bool exact = true;

		if (longer_axes(&grid) > 4)
			grid.stencil = TORUS_STENCIL_FACES;
		if ((tasks / blocks + 1) * (longer_axes(&grid) > 3 ? 40 : 13) >
		    TORUS_GRID_BLOCKS_LOOKS)
			exact = false; /* maybe */
		deal_tasks(tasks, blocks, in_turns, block_of);
		all = torus_task_graph_stencil(&grid, NULL);
		slow = torus_task_graph_blocks(all, block_of, blocks, NULL);
		fast = torus_task_grid_blocks(&grid, in_turns, blocks, NULL);
		assert_non_null(slow);
		assert_non_null(fast);
		reached("exact", exact);
		reached("dealt out in turns", exact && in_turns);
		reached("not exact", !exact);
		for (uint32_t block = 0; exact && block < blocks; block++) {
			for (uint64_t j = slow->first[block]; j < slow->first[block + 1];
			     j++)
				assert_true(
					weight_between(fast, block, slow->neighbor[j]) ==
					slow->weight[j]);
			assert_int_equal(slow->first[block + 1] - slow->first[block],
					 fast->first[block + 1] - fast->first[block]);
		}
		torus_task_graph_destroy(all);
		torus_task_graph_destroy(slow);
		torus_task_graph_destroy(fast);
	}
	assert_true(reached_all(100));
}

/* A grid of 2^28 tasks on two nodes: what is looked at is a sample, scaled. */
static void deals_out_huge_grids(void **state)
{
	const torus_task_grid_t grid = {
		.dims = 3,
		.length = {16, 4096, 4096, 1, 1, 1},
		.periodic = {true, true, true},
	};
	torus_task_graph_t *graph = torus_task_grid_blocks(&grid, false, 4096, NULL);

	(void)state;
	assert_non_null(graph);
	assert_int_equal(graph->first[4096], 2 * 4096);
	for (uint32_t i = 0; i < 2 * 4096; i++) /* planes of 65,536 */
		assert_true(graph->weight[i] > 65535.999 && graph->weight[i] < 65536.001);
	torus_task_graph_destroy(graph);
}

/* --- pairs of pairs ------------------------------------------------------- */

#define PAIRED 40

/* What the tasks of two groups send each other. */
static double slow_between(const torus_task_graph_t *graph, const uint32_t *group,
			   uint32_t a, uint32_t b)
{
	double weight = 0;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++)
			weight += group[task] == a && group[graph->neighbor[i]] == b
					  ? graph->weight[i]
					  : 0;
	}
	return weight;
}

/* Twin of torus_pairing(): all pairs of groups are looked at for each join, and the order
 * of the leaves is that of lists that are put behind each other. */
static void slow_pairing(const torus_task_graph_t *graph, uint32_t *position)
{
	uint32_t list[PAIRED][PAIRED], length[PAIRED], group[PAIRED],
		groups = graph->tasks;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		list[task][0] = group[task] = task;
		length[task] = 1;
	}
	while (groups > 1) {
		uint32_t next[PAIRED][PAIRED], next_length[PAIRED], pairs = 0;
		bool joined[PAIRED] = {false};

		for (bool heavy = true;;) {
			uint32_t one = groups, other = groups;
			double most = 0;

			for (uint32_t a = 0; a < groups; a++) {
				for (uint32_t b = a + 1; b < groups; b++) {
					double weight = slow_between(graph, group, a, b);

					if (joined[a] || joined[b] ||
					    (heavy ? weight <= most : one < groups))
						continue;
					most = weight;
					one = a;
					other = b;
				}
			}
			if (one == groups && heavy) {
				heavy = false; /* those without edges, by number */
				continue;
			}
			if (one == groups)
				break;
			joined[one] = joined[other] = true;
			memcpy(next[pairs], list[one], sizeof(next[pairs]));
			memcpy(next[pairs] + length[one], list[other],
			       length[other] * sizeof(uint32_t));
			next_length[pairs++] = length[one] + length[other];
		}
		for (uint32_t a = 0; a < groups; a++) {
			if (joined[a])
				continue;
			memcpy(next[pairs], list[a], sizeof(next[pairs]));
			next_length[pairs++] = length[a];
		}
		groups = pairs;
		memcpy(list, next, sizeof(list));
		memcpy(length, next_length, sizeof(length));
		for (uint32_t a = 0; a < groups; a++) {
			for (uint32_t i = 0; i < length[a]; i++)
				group[list[a][i]] = a;
		}
	}
	for (uint32_t i = 0; i < graph->tasks; i++)
		position[list[0][i]] = i;
}

static void pairs_of_pairs(void **state)
{
	(void)state;
	for (int i = 0; i < 200; i++) {
		uint32_t tasks = random_in(1, PAIRED), edges = random_in(1, 3 * tasks);
		uint32_t from[3 * PAIRED], to[3 * PAIRED], fast[PAIRED], slow[PAIRED];
		double weight[3 * PAIRED];
		torus_task_graph_t *graph;

		for (uint32_t edge = 0; edge < edges; edge++) {
			from[edge] = random_in(0, tasks - 1);
			to[edge] = random_in(0, tasks - 1);
			weight[edge] = random_in(1, i % 2 ? 3 : 1000);
		}
		graph = torus_task_graph_create(tasks, from, to, weight, edges, NULL);
		assert_non_null(graph);
		assert_int_equal(torus_pairing(graph, fast, NULL), 0);
		slow_pairing(graph, slow);
		assert_memory_equal(fast, slow, tasks * sizeof(*fast));
		torus_task_graph_destroy(graph);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_edges),
		cmocka_unit_test(rejects_bad_lines),
		cmocka_unit_test(adds_up_edges),
		cmocka_unit_test(reads_long_texts),
		cmocka_unit_test(deals_out_grids),
		cmocka_unit_test(deals_out_huge_grids),
		cmocka_unit_test(finds_grids_by_their_numbers),
		cmocka_unit_test(finds_some_grid),
		cmocka_unit_test(pairs_of_pairs),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
