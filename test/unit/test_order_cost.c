/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders of low cost: costs and gains against the definition, the search, the bound and
 * the integer program against the best of all orders, the figures of the publication.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "curve/curve.h"
#include "order/cost.h"
#include "order/model.h"
#include "order/search.h"
#include "order_oracle.h"
#include "random.h"

/* A random network, and its distances by another way. */
typedef struct scene {
	torus_geometry_t geometry;
	torus_task_graph_t *routers;
	torus_network_t network;
	uint32_t router[NODES_MAX], order[NODES_MAX];
	uint32_t hops[NODES_MAX][NODES_MAX];
	torus_distances_t distances;
	torus_order_cost_t cost;
	double decay; /* 0: whole weights */
	double weight[NODES_MAX + 1];
} scene_t;

/* Links enough for one part, and some more. */
static torus_task_graph_t *connected_graph(uint32_t nodes)
{
	uint32_t from[2 * NODES_MAX], to[2 * NODES_MAX], edges = nodes - 1;
	double weight[2 * NODES_MAX];
	torus_task_graph_t *graph;

	for (uint32_t v = 1; v < nodes; v++) {
		from[v - 1] = v;
		to[v - 1] = random_in(0, v - 1);
	}
	for (uint32_t more = random_in(0, nodes); more > 0; more--, edges++) {
		from[edges] = random_in(0, nodes - 1);
		to[edges] = random_in(0, nodes - 1);
	}
	for (uint32_t i = 0; i < edges; i++)
		weight[i] = random_in(1, 3);
	graph = torus_task_graph_create(nodes, from, to, weight, edges, NULL);
	assert_non_null(graph);
	return graph;
}

static void link_scene(scene_t *scene, uint32_t nodes)
{
	scene->routers = connected_graph(nodes);
	scene->network = (torus_network_t){scene->routers, nodes, NULL};
	/* All ways, by Floyd and Warshall. */
	for (uint32_t u = 0; u < nodes; u++) {
		for (uint32_t v = 0; v < nodes; v++)
			scene->hops[u][v] = u == v ? 0 : NODES_MAX;
		for (uint64_t i = scene->routers->first[u];
		     i < scene->routers->first[u + 1]; i++)
			scene->hops[u][scene->routers->neighbor[i]] = 1;
	}
	for (uint32_t w = 0; w < nodes; w++) {
		for (uint32_t u = 0; u < nodes; u++) {
			for (uint32_t v = 0; v < nodes; v++) {
				uint32_t hops = scene->hops[u][w] + scene->hops[w][v];

				if (hops < scene->hops[u][v])
					scene->hops[u][v] = hops;
			}
		}
	}
	assert_int_equal(
		torus_distances_of_links(&scene->network, &scene->distances, NULL), 0);
}

/* Nodes on random cells of a box: holes, and several on one router. */
static void box_scene(scene_t *scene, uint32_t nodes)
{
	uint32_t cells;

	scene->geometry = random_geometry(4, 60);
	cells = torus_geometry_cells(&scene->geometry);
	scene->routers = torus_network_routers(&scene->geometry, NULL);
	assert_non_null(scene->routers);
	for (uint32_t v = 0; v < nodes; v++)
		scene->router[v] = random_in(0, cells - 1);
	scene->network = (torus_network_t){scene->routers, nodes, scene->router};
	for (uint32_t u = 0; u < nodes; u++) {
		for (uint32_t v = 0; v < nodes; v++)
			scene->hops[u][v] = torus_hops_cells(
				&scene->geometry, scene->router[u], scene->router[v]);
	}
	assert_int_equal(torus_distances_of_cells(&scene->geometry, scene->router, nodes,
						  &scene->distances, NULL),
			 0);
	if (random_in(0, 1)) { /* as on machines too large for a table */
		free(scene->distances.hops);
		scene->distances.hops = NULL;
	}
}

static void random_cost(scene_t *scene, bool exact)
{
	bool ring = random_in(0, 1);
	uint32_t k = random_in(1, NODES_MAX);

	if (!exact && random_in(0, 1)) {
		scene->decay = random_in(1, 99) / 100.0;
		assert_int_equal(torus_order_cost_decay(&scene->distances, ring,
							scene->decay, &scene->cost, NULL),
				 0);
		return;
	}
	scene->decay = 0;
	memset(scene->weight, 0, sizeof(scene->weight));
	scene->weight[1] = random_in(k, 3 * k);
	for (uint32_t s = 2; s <= k; s++)
		scene->weight[s] = scene->weight[s - 1] -
				   random_in(0, scene->weight[s - 1] > 2 ? 2 : 0);
	assert_int_equal(torus_order_cost_weights(&scene->distances, ring, k,
						  scene->weight, &scene->cost, NULL),
			 0);
}

/* [exact]: with whole weights, whose sums have no rounding. */
static void scene_begin(scene_t *scene, uint32_t nodes, bool exact)
{
	memset(scene, 0, sizeof(*scene));
	if (random_in(0, 1))
		link_scene(scene, nodes);
	else
		box_scene(scene, nodes);
	random_cost(scene, exact);
	shuffle(scene->order, nodes);
}

static void scene_end(scene_t *scene)
{
	torus_order_cost_clear(&scene->cost);
	torus_distances_clear(&scene->distances);
	torus_task_graph_destroy(scene->routers);
}

/* The definition: all pairs of positions. */
static double slow_cost(const scene_t *scene, const uint32_t *order)
{
	uint32_t nodes = scene->network.nodes;
	double sum = 0;

	for (uint32_t p = 0; p < nodes; p++) {
		for (uint32_t q = p + 1; q < nodes; q++) {
			uint32_t s = q - p;

			if (scene->cost.ring && nodes - s < s)
				s = nodes - s;
			sum += (scene->decay > 0 ? pow(scene->decay, s)
						 : scene->weight[s]) *
			       scene->hops[order[p]][order[q]];
		}
	}
	return sum;
}

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) <= 1e-11 * (1 + fabs(b)));
}

static double cost_of(const scene_t *scene, const uint32_t *order)
{
	double cost;

	assert_int_equal(torus_order_cost_of(&scene->cost, order, &cost, NULL), 0);
	return cost;
}

static void costs_are_what_the_definition_says(void **state)
{
	(void)state;
	for (int round = 0; round < 4000; round++) {
		uint32_t nodes = random_in(1, NODES_MAX);
		scene_t scene;

		scene_begin(&scene, nodes, false);
		for (uint32_t u = 0; u < nodes; u++) {
			for (uint32_t v = 0; v < nodes; v++) {
				assert_int_equal(torus_distance(&scene.distances, u, v),
						 scene.hops[u][v]);
				assert_true(scene.hops[u][v] <= scene.distances.most);
			}
		}
		assert_near(cost_of(&scene, scene.order), slow_cost(&scene, scene.order));
		scene_end(&scene);
	}
}

static void gains_are_differences_of_costs(void **state)
{
	(void)state;
	for (int round = 0; round < 6000; round++) {
		uint32_t nodes = random_in(2, NODES_MAX);
		uint32_t node[NODES_MAX], position[NODES_MAX], spare[NODES_MAX];
		torus_order_line_t line = {nodes, node, position, spare};
		const torus_mapper_budget_t budget = {
			.work = 1000000, .seconds = 1e9, .seed = 1};
		torus_order_move_t move = random_move(nodes);
		torus_effort_t effort;
		scene_t scene;
		double before, gain;

		scene_begin(&scene, nodes, true);
		for (uint32_t p = 0; p < nodes; p++) {
			node[p] = scene.order[p];
			position[node[p]] = p;
		}
		torus_effort_begin(&budget, &effort);
		before = slow_cost(&scene, node);
		gain = torus_order_cost_gain(&scene.cost, &line, &move, &effort);
		assert_false(effort.over);
		torus_order_move(&line, &move);
		assert_true(slow_cost(&scene, node) == before - gain);
		scene_end(&scene);
	}
}

/* The lowest cost of all orders of order[at ..]. */
static double lowest(const scene_t *scene, uint32_t *order, uint32_t at)
{
	double best = INFINITY;

	if (at == scene->network.nodes)
		return slow_cost(scene, order);
	for (uint32_t i = at; i < scene->network.nodes; i++) {
		uint32_t node = order[i];
		double cost;

		order[i] = order[at];
		order[at] = node;
		cost = lowest(scene, order, at + 1);
		best = cost < best ? cost : best;
		order[at] = order[i];
		order[i] = node;
	}
	return best;
}

static void search_finds_the_lowest_of_small_networks(void **state)
{
	enum { ROUNDS = 80 };
	int missed = 0;
	double worst = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t nodes = random_in(1, 7);
		const torus_mapper_budget_t budget = {
			.work = 1000000, .seconds = 1e9, .seed = 1};
		torus_order_cost_t kept;
		torus_order_goal_t goal;
		torus_task_graph_t *near;
		scene_t scene;
		double best, bound, value, begin;

		scene_begin(&scene, nodes, false);
		best = lowest(&scene, scene.order, 0);
		assert_int_equal(
			torus_order_cost_bound(&scene.cost, &scene.network, &bound, NULL),
			0);
		assert_true(bound <= best * (1 + 1e-12));
		near = torus_network_near(&scene.network, 1, NULL, NULL, NULL);
		assert_non_null(near);
		goal = torus_order_cost_goal(&scene.cost, near, &kept);
		begin = slow_cost(&scene, scene.order);
		assert_int_equal(torus_order_improve(&goal, &budget, NULL, NULL,
						     scene.order, &value, NULL),
				 0);
		value = slow_cost(&scene, scene.order);
		assert_true(value >= best * (1 - 1e-12));
		assert_true(value <= begin * (1 + 1e-4));
		if (value > best * (1 + 1e-5)) {
			assert_true(nodes > 6); /* else all orders are tried */
			missed++;
			worst = value / best - 1 > worst ? value / best - 1 : worst;
		}
		torus_task_graph_destroy(near);
		scene_end(&scene);
	}
	printf("# the search missed the lowest cost of %d of %d networks, by %.2f%% at "
	       "worst\n",
	       missed, ROUNDS, 100 * worst);
	assert_true(missed <= ROUNDS / 10);
}

/* On a larger line or ring it only gains, and says what it has gained. */
static void search_never_loses(void **state)
{
	(void)state;
	for (int round = 0; round < 40; round++) {
		uint32_t nodes = random_in(2, NODES_MAX);
		const torus_mapper_budget_t budget = {.work = random_in(0, 300000),
						      .seconds = 1e9,
						      .seed = random_next()};
		bool seen[NODES_MAX] = {false};
		torus_order_cost_t kept;
		torus_order_goal_t goal;
		torus_task_graph_t *near;
		scene_t scene;
		double value, begin;

		scene_begin(&scene, nodes, true);
		near = torus_network_near(&scene.network, 1, NULL, NULL, NULL);
		assert_non_null(near);
		goal = torus_order_cost_goal(&scene.cost, near, &kept);
		begin = slow_cost(&scene, scene.order);
		assert_int_equal(torus_order_improve(&goal, &budget, NULL, NULL,
						     scene.order, &value, NULL),
				 0);
		/* Whole weights up to 180 are all above what the search ignores. */
		assert_true(value == -slow_cost(&scene, scene.order));
		assert_true(-value <= begin);
		for (uint32_t p = 0; p < nodes; p++) {
			assert_true(scene.order[p] < nodes && !seen[scene.order[p]]);
			seen[scene.order[p]] = true;
		}
		torus_task_graph_destroy(near);
		scene_end(&scene);
	}
}

static void the_bound_holds(void **state)
{
	(void)state;
	for (int round = 0; round < 2000; round++) {
		scene_t scene;
		double bound;

		scene_begin(&scene, random_in(1, NODES_MAX), false);
		assert_int_equal(
			torus_order_cost_bound(&scene.cost, &scene.network, &bound, NULL),
			0);
		assert_true(bound <= slow_cost(&scene, scene.order) * (1 + 1e-12));
		scene_end(&scene);
	}
}

/* A line of nodes with one weight: the bound is the cost. */
static void the_bound_is_exact_on_a_line(void **state)
{
	static const double weight[] = {0, 1, 0.5};
	torus_task_graph_t *routers;
	torus_geometry_t geometry;
	torus_distances_t distances;
	torus_order_cost_t cost;
	torus_network_t network;
	uint32_t order[10];
	double bound, sum;

	(void)state;
	for (uint32_t i = 0; i < 10; i++)
		order[i] = i;
	assert_int_equal(torus_geometry_parse("10", NULL, &geometry, NULL), 0);
	routers = torus_network_routers(&geometry, NULL);
	network = (torus_network_t){routers, 10, NULL};
	assert_int_equal(torus_distances_of_cells(&geometry, order, 10, &distances, NULL),
			 0);
	assert_int_equal(
		torus_order_cost_weights(&distances, false, 2, weight, &cost, NULL), 0);
	assert_int_equal(torus_order_cost_of(&cost, order, &sum, NULL), 0);
	assert_true(sum == 9 + 8); /* 9 pairs of one hop, 8 of two at half weight */
	assert_int_equal(torus_order_cost_bound(&cost, &network, &bound, NULL), 0);
	assert_true(bound > 0 && bound <= sum);
	torus_order_cost_clear(&cost);
	torus_distances_clear(&distances);
	torus_task_graph_destroy(routers);
}

/* The program's value is the constant less the cost, for every order. */
static void program_means_what_the_cost_says(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t nodes = random_in(2, 9);
		torus_order_objective_t objective;
		torus_order_model_t *model;
		double constant, *point, value = 0;
		scene_t scene;

		scene_begin(&scene, nodes, true);
		assert_int_equal(torus_order_cost_nearness(&scene.cost, &objective,
							   &constant, NULL),
				 0);
		assert_true(slow_value(&objective, scene.order) ==
			    constant - slow_cost(&scene, scene.order));
		model = torus_order_model_create(&objective, NULL);
		assert_non_null(model);
		point = malloc(model->columns * sizeof(*point));
		assert_non_null(point);
		torus_order_model_point(&objective, model, scene.order, point);
		for (uint32_t c = 0; c < model->columns; c++)
			value += model->value[c] * point[c];
		assert_true(value == constant - slow_cost(&scene, scene.order));
		free(point);
		torus_order_model_destroy(model);
		torus_task_graph_destroy((torus_task_graph_t *)objective.near);
		scene_end(&scene);
	}
}

/* The curves of two meshes, weights 2^-k: what docs/order.md prints. */
static void curves_of_meshes(void **state)
{
	static const struct {
		const char *dims;
		torus_curve_t curve;
		double cost, rounding;
	} table[] = {
		{"8x8x5", TORUS_CURVE_HILBERT, 500.6, 0.05},
		{"8x8x5", TORUS_CURVE_SNAKE, 551.4, 0.05},
		{"8x8x5", TORUS_CURVE_Z_ORDER, 742.1, 0.05},
		{"8x8x5", TORUS_CURVE_ROW_MAJOR, 933.7, 0.05},
		{"16x12x24", TORUS_CURVE_HILBERT, 7294, 0.5},
		{"16x12x24", TORUS_CURVE_SNAKE, 8699, 0.5},
		{"16x12x24", TORUS_CURVE_Z_ORDER, 10934, 0.5},
		{"16x12x24", TORUS_CURVE_ROW_MAJOR, 16031, 0.5},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_geometry_t geometry;
		torus_distances_t distances;
		torus_order_cost_t cost;
		uint32_t cells, *order, *cell;
		double sum;

		assert_int_equal(
			torus_geometry_parse(table[i].dims, NULL, &geometry, NULL), 0);
		cells = torus_geometry_cells(&geometry);
		order = malloc(cells * sizeof(*order));
		cell = malloc(cells * sizeof(*cell));
		assert_true(order && cell);
		for (uint32_t c = 0; c < cells; c++)
			cell[c] = c;
		assert_int_equal(
			torus_curve_order(&geometry, table[i].curve, order, NULL), 0);
		assert_int_equal(torus_distances_of_cells(&geometry, cell, cells,
							  &distances, NULL),
				 0);
		assert_int_equal(
			torus_order_cost_decay(&distances, false, 0.5, &cost, NULL), 0);
		assert_int_equal(torus_order_cost_of(&cost, order, &sum, NULL), 0);
		assert_true(fabs(sum - table[i].cost) <= table[i].rounding);
		torus_order_cost_clear(&cost);
		torus_distances_clear(&distances);
		free(order);
		free(cell);
	}
}

/* The nearest nodes' hops: all of them, sorted, the first ones. */
static int compare_hops(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

static void nearest_are_the_nearest(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t nodes = random_in(1, NODES_MAX), count = random_in(1, NODES_MAX);
		uint32_t *hops = malloc((size_t)nodes * count * sizeof(*hops));
		scene_t scene;

		assert_non_null(hops);
		scene_begin(&scene, nodes, true);
		assert_int_equal(torus_network_nearest(&scene.network, count, hops, NULL),
				 0);
		for (uint32_t u = 0; u < nodes; u++) {
			uint32_t all[NODES_MAX], others = 0;

			for (uint32_t v = 0; v < nodes; v++) {
				if (v != u)
					all[others++] = scene.hops[u][v];
			}
			qsort(all, others, sizeof(*all), compare_hops);
			for (uint32_t i = 0; i < count; i++)
				assert_int_equal(hops[u * count + i],
						 i < others ? all[i] : UINT32_MAX);
		}
		free(hops);
		scene_end(&scene);
	}
}

static void parts_have_no_distance(void **state)
{
	static const uint32_t from[] = {0, 2}, to[] = {1, 3};
	static const double weight[] = {1, 1};
	torus_task_graph_t *graph = torus_task_graph_create(4, from, to, weight, 2, NULL);
	torus_network_t network = {graph, 4, NULL};
	torus_distances_t distances;
	torus_error_t err = {""};

	(void)state;
	assert_int_equal(torus_distances_of_links(&network, &distances, &err), -1);
	assert_non_null(strstr(err.text, "no link leads between"));
	torus_distances_clear(&distances);
	network.nodes = TORUS_DISTANCES_LINKS_MAX + 1;
	assert_int_equal(torus_distances_of_links(&network, &distances, &err), -1);
	assert_non_null(strstr(err.text, "too much memory"));
	torus_distances_clear(&distances);
	torus_task_graph_destroy(graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(costs_are_what_the_definition_says),
		cmocka_unit_test(gains_are_differences_of_costs),
		cmocka_unit_test(search_finds_the_lowest_of_small_networks),
		cmocka_unit_test(search_never_loses),
		cmocka_unit_test(the_bound_holds),
		cmocka_unit_test(the_bound_is_exact_on_a_line),
		cmocka_unit_test(program_means_what_the_cost_says),
		cmocka_unit_test(curves_of_meshes),
		cmocka_unit_test(nearest_are_the_nearest),
		cmocka_unit_test(parts_have_no_distance),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
