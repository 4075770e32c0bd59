/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contrib/mpi/reorder.h: random communicators and topologies on random machines. Ranks
 * are a permutation, hops are what a slow sum finds, and never more than before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "mpi/choose.h"
#include "mpi/machine.h"
#include "mpi/reorder.h"
#include "random.h"

enum { MOST = 96, EDGES = 400 };

typedef struct world {
	torus_geometry_t geometry;
	uint32_t processes, node[MOST], cell[MOST];
} world_t;

/* Nodes of several processes, several nodes on a router, in any order. */
static void draw_world(world_t *world)
{
	uint32_t nodes = random_in(1, 40), cells, cell_of_node[40];

	world->geometry = random_geometry(4, 200);
	cells = torus_geometry_cells(&world->geometry);
	for (uint32_t node = 0; node < nodes; node++)
		cell_of_node[node] = random_in(0, cells - 1);
	world->processes = random_in(1, MOST);
	for (uint32_t i = 0; i < world->processes; i++) {
		uint32_t node = random_in(0, nodes - 1);

		world->node[i] = 1000 * node + 7;
		world->cell[i] = cell_of_node[node];
	}
}

/* Hops of an edge between two ranks, whose processes are looked for. */
static uint32_t slow_hops(const world_t *world, const int32_t *rank, uint32_t a,
			  uint32_t b)
{
	uint32_t of_a = 0, of_b = 0;

	for (uint32_t i = 0; i < world->processes; i++) {
		of_a = rank[i] == (int32_t)a ? i : of_a;
		of_b = rank[i] == (int32_t)b ? i : of_b;
	}
	return torus_hops_cells(&world->geometry, world->cell[of_a], world->cell[of_b]);
}

static double slow_average(const world_t *world, const int32_t *rank,
			   const torus_task_graph_t *graph)
{
	double sum = 0, weight = 0;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t e = graph->first[task]; e < graph->first[task + 1]; e++) {
			double one = graph->weight ? graph->weight[e] : 1;

			sum += one * slow_hops(world, rank, task, graph->neighbor[e]);
			weight += one;
		}
	}
	return weight > 0 ? sum / weight : 0;
}

static void check_ranks(const world_t *world, const int32_t *rank, uint32_t tasks)
{
	uint32_t seen[MOST] = {0}, members = 0;

	for (uint32_t i = 0; i < world->processes; i++) {
		if (rank[i] == -1)
			continue;
		assert_in_range(rank[i], 0, tasks - 1);
		assert_int_equal(seen[rank[i]]++, 0);
		members++;
	}
	assert_int_equal(members, tasks);
}

static void check_request(const world_t *world, const torus_task_grid_t *grid,
			  const torus_task_graph_t *graph)
{
	torus_mapper_budget_t budget = storus_mpi_budget(world->processes);
	storus_mpi_request_t request = {.geometry = &world->geometry,
					.processes = world->processes,
					.node = world->node,
					.cell = world->cell,
					.grid = grid,
					.graph = graph,
					.budget = &budget};
	torus_task_graph_t *stencil = grid ? torus_task_graph_stencil(grid, NULL) : NULL;
	const torus_task_graph_t *edges = grid ? stencil : graph;
	int32_t rank[MOST], again[MOST], kept[MOST];
	storus_mpi_gain_t gain, same;
	bool changed;

	assert_int_equal(storus_mpi_reorder(&request, rank, &changed, &gain, NULL), 0);
	check_ranks(world, rank, edges->tasks);
	assert_int_equal(rank[0], 0);
	for (uint32_t i = 0; i < world->processes; i++)
		kept[i] = i < edges->tasks ? (int32_t)i : -1;
	assert_float_equal(gain.before, slow_average(world, kept, edges), 1e-9);
	assert_float_equal(gain.after, slow_average(world, rank, edges), 1e-9);
	assert_true(changed ? gain.after < gain.before : gain.after == gain.before);
	if (!changed)
		assert_memory_equal(rank, kept, world->processes * sizeof(*rank));
	assert_int_equal(storus_mpi_reorder(&request, again, &changed, &same, NULL), 0);
	assert_memory_equal(rank, again, world->processes * sizeof(*rank));
	torus_task_graph_destroy(stencil);
}

static void test_grids(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_task_grid_t grid = {
			.periodic = {random_in(0, 1), random_in(0, 1), random_in(0, 1)}};
		world_t world;

		draw_world(&world);
		torus_task_grid_factor(random_in(1, world.processes),
				       (int)random_in(1, 3), &grid);
		check_request(&world, &grid, NULL);
	}
}

static void test_graphs(void **state)
{
	uint32_t from[EDGES], to[EDGES];
	double weight[EDGES];

	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t tasks, edges = random_in(0, EDGES);
		torus_task_graph_t *graph;
		world_t world;

		draw_world(&world);
		tasks = random_in(1, world.processes);
		for (uint32_t i = 0; i < edges; i++) {
			from[i] = random_in(0, tasks - 1);
			to[i] = random_in(0, tasks - 1);
			weight[i] = random_in(0, 9);
		}
		graph = torus_task_graph_create(tasks, from, to, weight, edges, NULL);
		assert_non_null(graph);
		check_request(&world, NULL, graph);
		torus_task_graph_destroy(graph);
	}
}

/* A ring of processes that were started in a random order on a ring of nodes. */
static void test_ring(void **state)
{
	torus_geometry_t geometry;
	torus_task_grid_t grid = {.dims = 1, .periodic = {true}};
	world_t world = {.processes = 32};
	torus_mapper_budget_t budget = storus_mpi_budget(32);
	storus_mpi_request_t request = {.geometry = &geometry,
					.processes = 32,
					.node = world.node,
					.cell = world.cell,
					.grid = &grid,
					.budget = &budget};
	storus_mpi_gain_t gain;
	torus_task_graph_t *graph;
	int32_t rank[32];
	bool changed;

	(void)state;
	assert_int_equal(torus_geometry_parse("32", "x", &geometry, NULL), 0);
	for (uint32_t i = 0; i < 32; i++)
		world.node[i] = world.cell[i] = i * 11 % 32;
	torus_task_grid_factor(32, 1, &grid);
	assert_int_equal(storus_mpi_reorder(&request, rank, &changed, &gain, NULL), 0);
	assert_true(changed);
	assert_float_equal(gain.before, 11, 1e-9);
	assert_true(gain.after < 2);
	/* The same as a graph. */
	graph = torus_task_graph_stencil(&grid, NULL);
	request.grid = NULL;
	request.graph = graph;
	assert_int_equal(storus_mpi_reorder(&request, rank, &changed, &gain, NULL), 0);
	assert_true(gain.after < 3);
	torus_task_graph_destroy(graph);
}

/* A grid written out as a graph has no more hops than the grid itself. */
static void test_graph_of_grid(void **state)
{
	torus_task_grid_t grid = {.dims = 3, .length = {6, 4, 4, 1, 1, 1}};
	torus_geometry_t geometry;
	world_t world = {.processes = MOST};
	torus_mapper_budget_t budget = storus_mpi_budget(MOST);
	storus_mpi_request_t request = {.geometry = &geometry,
					.processes = MOST,
					.node = world.node,
					.cell = world.cell,
					.grid = &grid,
					.budget = &budget};
	storus_mpi_gain_t of_grid, of_graph;
	torus_task_graph_t *graph = torus_task_graph_stencil(&grid, NULL);
	int32_t rank[MOST];
	bool changed;

	(void)state;
	assert_non_null(graph);
	assert_int_equal(torus_geometry_parse("4x4x6", NULL, &geometry, NULL), 0);
	for (uint32_t i = 0; i < MOST; i++)
		world.node[i] = world.cell[i] = i * 37 % MOST;
	assert_int_equal(storus_mpi_reorder(&request, rank, &changed, &of_grid, NULL), 0);
	request.grid = NULL;
	request.graph = graph;
	assert_int_equal(storus_mpi_reorder(&request, rank, &changed, &of_graph, NULL),
			 0);
	assert_float_equal(of_grid.after, 1, 1e-9);
	assert_float_equal(of_graph.after, 1, 1e-9);
	torus_task_graph_destroy(graph);
}

/* Of scattered places a topology that is smaller takes those of the densest part, and the
 * one of the [first] node. */
static void check_choice(uint32_t first)
{
	uint32_t cell[40], capacity[40], take[40], taken = 0;
	torus_geometry_t geometry;

	assert_int_equal(torus_geometry_parse("100", NULL, &geometry, NULL), 0);
	for (uint32_t i = 0; i < 40; i++) {
		cell[i] = i < 20 ? 4 * i : 80 + (i - 20) % 5;
		capacity[i] = 1 + i % 2;
	}
	assert_int_equal(
		storus_mpi_choose(&geometry, cell, capacity, 40, first, 25, take, NULL),
		0);
	for (uint32_t i = 0; i < 40; i++) {
		assert_in_range(take[i], i == first, capacity[i]);
		assert_true(i >= 20 || take[i] == (i == first));
		taken += take[i];
	}
	assert_int_equal(taken, 25);
}

static void test_choose(void **state)
{
	(void)state;
	check_choice(30);
	check_choice(39);
	check_choice(0);
	check_choice(7);
}

static void test_too_large(void **state)
{
	torus_task_grid_t grid = {0};
	torus_mapper_budget_t budget = storus_mpi_budget(4);
	torus_geometry_t geometry;
	uint32_t zero[4] = {0};
	storus_mpi_request_t request = {.geometry = &geometry,
					.processes = 4,
					.node = zero,
					.cell = zero,
					.grid = &grid,
					.budget = &budget};
	storus_mpi_gain_t gain;
	int32_t rank[4];
	bool changed;

	(void)state;
	assert_int_equal(torus_geometry_parse("4", NULL, &geometry, NULL), 0);
	torus_task_grid_factor(5, 1, &grid);
	assert_int_equal(storus_mpi_reorder(&request, rank, &changed, &gain, NULL), -1);
}

/*
 * On a machine of cubes, processes are on the torus of the whole job, also those of a
 * communicator that has only some of its nodes.
 */
static void test_cubes(void **state)
{
	static const char conf[] =
		"TorusName=main Dims=4x4x4 Cube=2x2x2 Nodes=n[00-63]\n";
	static const char *const names[] = {"n00", "n42", "n63"};
	char path[] = "/tmp/test_mpi_cubes.XXXXXX";
	storus_mpi_whereabouts_t where[3];
	uint32_t node[3], cell[3];
	torus_geometry_t geometry;
	torus_error_t err = {""};
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, conf, sizeof(conf) - 1), sizeof(conf) - 1);
	close(fd);
	setenv("STORUS_CONF", path, 1);
	unsetenv("TORUS_DIMS");
	setenv("SLURM_JOB_NODELIST", "n[00-01,04-05,16-17,20-21,42-43,46-47,58-59,62-63]",
	       1);
	setenv("SLURM_NETWORK", "torus:shape=2x2x4,twist", 1);
	memset(where, 0, sizeof(where));
	for (int i = 0; i < 3; i++) {
		strcpy(where[i].node, names[i]);
		where[i].local = -1;
	}
	assert_int_equal(storus_mpi_machine_open(&err), 0);
	unlink(path);
	assert_int_equal(storus_mpi_machine_find(where, sizeof(*where), 3, &geometry,
						 node, cell, &err),
			 0);
	assert_int_equal(geometry.length[2], 4);
	assert_int_equal(geometry.twist, 4);
	assert_int_equal(cell[0], 0);
	assert_int_equal(cell[1], 8);
	assert_int_equal(cell[2], 15);
	assert_int_equal(node[2], 63);

	/* By themselves they are on the machine's grid. */
	unsetenv("SLURM_JOB_NODELIST");
	assert_int_equal(storus_mpi_machine_find(where, sizeof(*where), 3, &geometry,
						 node, cell, &err),
			 0);
	assert_int_equal(geometry.twist, 0);
	assert_int_equal(cell[2], 63);

	/* The environment can say the same. */
	setenv("TORUS_DIMS", "2x2x4", 1);
	setenv("TORUS_WRAP", "all", 1);
	setenv("TORUS_TWIST", "z", 1);
	for (int i = 0; i < 3; i++)
		strcpy(where[i].coord, "1,1,3");
	assert_int_equal(storus_mpi_machine_find(where, sizeof(*where), 3, &geometry,
						 node, cell, &err),
			 0);
	assert_int_equal(geometry.twist, 4);
	setenv("TORUS_TWIST", "xyz", 1);
	assert_int_equal(storus_mpi_machine_find(where, sizeof(*where), 3, &geometry,
						 node, cell, &err),
			 -1);
	assert_non_null(strstr(err.text, "short side"));
	setenv("TORUS_WRAP", "z", 1);
	setenv("TORUS_TWIST", "z", 1);
	assert_int_equal(storus_mpi_machine_find(where, sizeof(*where), 3, &geometry,
						 node, cell, &err),
			 -1);
	assert_non_null(strstr(err.text, "wrap"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grids),  cmocka_unit_test(test_graphs),
		cmocka_unit_test(test_ring),   cmocka_unit_test(test_graph_of_grid),
		cmocka_unit_test(test_choose), cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_cubes),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
