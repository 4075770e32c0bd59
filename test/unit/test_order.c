/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders for irregular networks: values and gains against their definitions, the search
 * and the bounds against the best of all orders.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "curve/curve.h"
#include "measures/score.h"
#include "order/model.h"
#include "order/moves.h"
#include "order/network.h"
#include "order/search.h"
#include "order_oracle.h"
#include "random.h"

/* What a move does, written down as a list. */
static void slow_move(uint32_t *order, const torus_order_move_t *move)
{
	uint32_t first[NODES_MAX], second[NODES_MAX], n = 0, m = 0, at = move->a;

	if (move->kind == TORUS_ORDER_SWAP) {
		uint32_t node = order[move->a];

		order[move->a] = order[move->b];
		order[move->b] = node;
		return;
	}
	for (uint32_t p = move->a; p < move->b; p++)
		first[n++] = order[move->turn_first ? move->a + move->b - 1 - p : p];
	for (uint32_t p = move->b; p < move->c; p++)
		second[m++] = order[move->turn_second ? move->b + move->c - 1 - p : p];
	for (uint32_t i = 0; move->exchange && i < m; i++)
		order[at++] = second[i];
	for (uint32_t i = 0; i < n; i++)
		order[at++] = first[i];
	for (uint32_t i = 0; !move->exchange && i < m; i++)
		order[at++] = second[i];
}

static void gains_are_differences_of_values(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		uint32_t nodes = random_in(2, NODES_MAX), order[NODES_MAX];
		uint32_t node[NODES_MAX], position[NODES_MAX], spare[NODES_MAX];
		torus_order_line_t line = {nodes, node, position, spare};
		torus_order_objective_t objective;
		torus_order_move_t move, back;
		const torus_mapper_budget_t budget = {
			.work = 1000000, .seconds = 1e9, .seed = 1};
		torus_effort_t effort;
		double before, gain;

		objective.near = random_graph(nodes, random_in(0, EDGES_MAX));
		random_weights(&objective, random_in(1, 8));
		shuffle(order, nodes);
		for (uint32_t p = 0; p < nodes; p++) {
			node[p] = order[p];
			position[order[p]] = p;
		}
		torus_effort_begin(&budget, &effort);
		before = slow_value(&objective, order);
		assert_true(before == torus_order_value(&objective, position));
		move = random_move(nodes);
		gain = torus_order_gain(&objective, &line, &move, &effort);
		torus_order_move(&line, &move);
		slow_move(order, &move);
		assert_memory_equal(node, order, nodes * sizeof(*order));
		for (uint32_t p = 0; p < nodes; p++)
			assert_int_equal(position[node[p]], p);
		/* Whole weights: sums are exact. */
		assert_true(slow_value(&objective, order) == before + gain);
		back = torus_order_undoing(&move);
		torus_order_move(&line, &back);
		assert_true(torus_order_value(&objective, position) == before);
		torus_task_graph_destroy((torus_task_graph_t *)objective.near);
	}
}

/* On small networks the search finds the best order; no bound is below it. */
static void search_finds_the_best_of_small_networks(void **state)
{
	double worst = 0, sum = 0;
	int missed = 0;
	enum { ROUNDS = 60 };

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t nodes = random_in(2, 8), order[8];
		const torus_mapper_budget_t budget = {
			.work = 2000000, .seconds = 1e9, .seed = 1};
		torus_order_objective_t objective;
		torus_order_goal_t goal;
		double best, greedy, value, bound;
		uint32_t position[8];

		objective.near = random_graph(nodes, random_in(1, 3 * nodes));
		random_weights(&objective, random_in(1, 4));
		shuffle(order, nodes);
		best = exhaustive(&objective, order, 0);
		assert_int_equal(torus_order_bound(&objective, &bound, NULL), 0);
		assert_true(bound >= best);
		assert_int_equal(torus_order_greedy(&objective, NULL, NULL, order, NULL),
				 0);
		for (uint32_t p = 0; p < nodes; p++)
			position[p] = UINT32_MAX;
		for (uint32_t p = 0; p < nodes; p++) {
			assert_true(order[p] < nodes);
			assert_int_equal(position[order[p]], UINT32_MAX);
			position[order[p]] = p;
		}
		greedy = slow_value(&objective, order);
		assert_true(greedy <= best);
		goal = torus_order_nearness_goal(&objective);
		assert_int_equal(torus_order_improve(&goal, &budget, NULL, NULL, order,
						     &value, NULL),
				 0);
		assert_true(value == slow_value(&objective, order));
		assert_true(value >= greedy && value <= best);
		if (value < best) {
			assert_true(nodes > 6); /* else all orders are tried */
			missed++;
			sum += 1 - value / best;
			worst = 1 - value / best > worst ? 1 - value / best : worst;
		}
		torus_task_graph_destroy((torus_task_graph_t *)objective.near);
	}
	printf("# the search missed the best order of %d of %d networks, by %.2f%% on "
	       "average and %.2f%% at worst\n",
	       missed, ROUNDS, missed ? 100 * sum / missed : 0, 100 * worst);
	assert_true(missed <= ROUNDS / 10);
	assert_true(worst < 0.1);
}

/* Every node once, whatever the parts of the network; a line of nodes stays a line. */
static void bisection_orders_all(void **state)
{
	uint32_t from[NODES_MAX], to[NODES_MAX], order[NODES_MAX];
	double weight[NODES_MAX];
	torus_task_graph_t *graph;

	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t nodes = random_in(1, NODES_MAX);
		bool seen[NODES_MAX] = {false};

		graph = random_graph(nodes, random_in(0, EDGES_MAX));
		assert_int_equal(torus_order_halves(graph, order, NULL), 0);
		for (uint32_t p = 0; p < nodes; p++) {
			assert_true(order[p] < nodes && !seen[order[p]]);
			seen[order[p]] = true;
		}
		torus_task_graph_destroy(graph);
	}
	/* 0-1-2-...-15, named in any order */
	shuffle(order, 16);
	for (uint32_t i = 0; i < 15; i++) {
		from[i] = order[i];
		to[i] = order[i + 1];
		weight[i] = 1;
	}
	graph = torus_task_graph_create(16, from, to, weight, 15, NULL);
	assert_int_equal(torus_order_halves(graph, order, NULL), 0);
	for (uint32_t i = 0; i < 15; i++) {
		uint32_t p = 0, q = 0;

		while (order[p] != from[i])
			p++;
		while (order[q] != to[i])
			q++;
		assert_true(p + 1 == q || q + 1 == p);
	}
	torus_task_graph_destroy(graph);
}

/* The same seed, the same order; another budget never makes it worse. */
static void search_is_repeatable_and_never_loses(void **state)
{
	(void)state;
	for (int round = 0; round < 20; round++) {
		uint32_t nodes = random_in(1, NODES_MAX), begin[NODES_MAX];
		uint32_t once[NODES_MAX], again[NODES_MAX], position[NODES_MAX];
		torus_mapper_budget_t budget = {.work = random_in(0, 300000),
						.seconds = 1e9,
						.seed = random_next()};
		torus_order_objective_t objective;
		torus_order_goal_t goal;
		double value, same;

		objective.near = random_graph(nodes, random_in(0, EDGES_MAX));
		torus_order_weights(&objective, random_in(1, 10));
		shuffle(begin, nodes);
		for (uint32_t p = 0; p < nodes; p++)
			position[begin[p]] = p;
		memcpy(once, begin, sizeof(once));
		memcpy(again, begin, sizeof(again));
		goal = torus_order_nearness_goal(&objective);
		assert_int_equal(torus_order_improve(&goal, &budget, NULL, NULL, once,
						     &value, NULL),
				 0);
		assert_true(value >= torus_order_value(&objective, position));
		assert_int_equal(torus_order_improve(&goal, &budget, NULL, NULL, again,
						     &same, NULL),
				 0);
		assert_memory_equal(once, again, nodes * sizeof(*once));
		assert_true(value == same);
		torus_task_graph_destroy((torus_task_graph_t *)objective.near);
	}
}

/* An order, put into the program, keeps every row, and is worth there what it is. */
static void model_means_what_the_objective_says(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		uint32_t nodes = random_in(2, 9), order[9], back[9], reversed[9];
		torus_order_objective_t objective;
		torus_order_model_t *model;
		double *point, value = 0;

		objective.near = random_graph(nodes, random_in(0, 3 * nodes));
		random_weights(&objective, random_in(1, 5));
		shuffle(order, nodes);
		model = torus_order_model_create(&objective, NULL);
		assert_non_null(model);
		point = malloc(model->columns * sizeof(*point));
		assert_non_null(point);
		torus_order_model_point(&objective, model, order, point);
		for (uint32_t c = 0; c < model->columns; c++)
			value += model->value[c] * point[c];
		assert_true(value == slow_value(&objective, order));
		for (uint32_t r = 0; r < model->rows; r++) {
			double sum = 0;

			for (uint64_t i = model->first[r]; i < model->first[r + 1]; i++)
				sum += model->coefficient[i] * point[model->column[i]];
			assert_true(model->equal[r] ? sum == model->limit[r]
						    : sum <= model->limit[r]);
		}
		assert_int_equal(torus_order_model_order(model, point, back), 0);
		for (uint32_t p = 0; p < nodes; p++)
			reversed[p] = order[nodes - 1 - p];
		assert_true(!memcmp(back, order, nodes * sizeof(*order)) ||
			    !memcmp(back, reversed, nodes * sizeof(*order)));
		point[back[0] * nodes] = 0;
		assert_int_equal(torus_order_model_order(model, point, back), -1);
		free(point);
		torus_order_model_destroy(model);
		torus_task_graph_destroy((torus_task_graph_t *)objective.near);
	}
}

static void model_too_large_is_refused(void **state)
{
	torus_geometry_t geometry;
	torus_order_objective_t objective;
	torus_task_graph_t *routers;
	torus_error_t err = {""};

	(void)state;
	assert_int_equal(torus_geometry_parse("20x20x20", NULL, &geometry, NULL), 0);
	routers = torus_network_routers(&geometry, NULL);
	assert_non_null(routers);
	objective.near = routers;
	torus_order_weights(&objective, 4);
	assert_null(torus_order_model_create(&objective, &err));
	assert_non_null(strstr(err.text, "--solver none"));
	torus_task_graph_destroy(routers);
}

/* Nearness on machines with several nodes a router, or none, from the coordinates. */
static void nearness_follows_the_hops(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		torus_geometry_t geometry = random_geometry(4, 60);
		uint32_t cells = torus_geometry_cells(&geometry);
		uint32_t nodes = random_in(1, NODES_MAX), router[NODES_MAX];
		uint32_t reach = random_in(1, 4);
		torus_task_graph_t *routers = torus_network_routers(&geometry, NULL);
		torus_network_t network = {routers, nodes, router};
		torus_task_graph_t *near;

		for (uint32_t v = 0; v < nodes; v++)
			router[v] = random_in(0, cells - 1);
		near = torus_network_near(&network, reach, NULL, NULL, NULL);
		assert_non_null(near);
		for (uint32_t v = 0; v < nodes; v++) {
			uint64_t at = near->first[v];

			for (uint32_t u = 0; u < nodes; u++) {
				uint32_t hops =
					torus_hops_cells(&geometry, router[v], router[u]);

				if (u == v || hops > reach)
					continue;
				assert_true(at < near->first[v + 1]);
				assert_int_equal(near->neighbor[at], u);
				assert_true(near->weight[at++] ==
					    (hops ? 1.0 / hops : 2));
			}
			assert_int_equal(at, near->first[v + 1]);
		}
		torus_task_graph_destroy(near);
		torus_task_graph_destroy(routers);
	}
}

/* By links the mean distance is what the score of curves has by coordinates. */
static void mean_distance_is_that_of_scores(void **state)
{
	(void)state;
	for (int round = 0; round < 100; round++) {
		torus_geometry_t geometry = random_geometry(3, NODES_MAX);
		uint32_t cells = torus_geometry_cells(&geometry), order[NODES_MAX];
		torus_task_graph_t *routers = torus_network_routers(&geometry, NULL);
		torus_network_t network = {routers, cells, NULL};
		torus_curve_score_t score;
		double mean, expected = 0;

		shuffle(order, cells);
		assert_int_equal(torus_curve_score(&geometry, order, cells, NULL, NULL,
						   &score, NULL),
				 0);
		for (int i = 0; i < score.windows; i++)
			expected += score.window[i].average_distance / score.windows;
		assert_int_equal(torus_network_mean_distance(&network, order, NULL, NULL,
							     &mean, NULL),
				 0);
		assert_true(mean > expected - 1e-9 && mean < expected + 1e-9);
		assert_int_equal(torus_network_parts(&network, NULL), 1);
		torus_task_graph_destroy(routers);
	}
}

static void parts_are_walked_one_after_the_other(void **state)
{
	/* 0-2-4, 1-3, 5 alone */
	static const uint32_t from[] = {0, 4, 1}, to[] = {2, 2, 3};
	static const uint32_t expected[] = {4, 2, 0, 3, 1, 5};
	static const double weight[] = {1, 1, 1};
	torus_task_graph_t *graph = torus_task_graph_create(6, from, to, weight, 3, NULL);
	torus_network_t network = {graph, 6, NULL};
	uint32_t order[6];
	double mean;

	(void)state;
	assert_int_equal(torus_network_parts(&network, NULL), 3);
	assert_int_equal(torus_network_breadth(&network, order, NULL), 0);
	assert_memory_equal(order, expected, sizeof(expected));
	assert_int_equal(
		torus_network_mean_distance(&network, order, NULL, NULL, &mean, NULL), 0);
	assert_true(mean < 0);
	torus_task_graph_destroy(graph);
}

static void weights_are_read(void **state)
{
	static const struct {
		const char *text, *says;
	} table[] = {
		{"", "is not a list"},	   {"x", "is not a list"},
		{"4,2,", "is missing"},	   {"4 2", "is not a list"},
		{"-1", "is not a list"},   {"0,0", "first weight"},
		{"1,2", "must not grow"},  {"nan", "is not a list"},
		{"2e15", "is not a list"}, {"4,,2", "is not a list"},
	};
	torus_order_objective_t objective;
	char many[4 * TORUS_ORDER_K_MAX] = "";

	(void)state;
	assert_int_equal(torus_order_weights_parse("4,2.5,2.5,0", &objective, NULL), 0);
	assert_int_equal(objective.k, 4);
	assert_true(objective.weight[2] == 2.5 && objective.weight[4] == 0);
	assert_true(torus_order_weight(&objective, 7, 5) == 2.5);
	assert_true(torus_order_weight(&objective, 5, 10) == 0);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};

		assert_int_equal(
			torus_order_weights_parse(table[i].text, &objective, &err), -1);
		assert_non_null(strstr(err.text, table[i].says));
	}
	for (int i = 0; i < TORUS_ORDER_K_MAX; i++)
		strcat(many, "1,");
	strcat(many, "1");
	assert_int_equal(torus_order_weights_parse(many, &objective, NULL), -1);
	torus_order_weights(&objective, 4);
	assert_true(objective.weight[1] == 1 && objective.weight[4] == 0.25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gains_are_differences_of_values),
		cmocka_unit_test(search_finds_the_best_of_small_networks),
		cmocka_unit_test(bisection_orders_all),
		cmocka_unit_test(search_is_repeatable_and_never_loses),
		cmocka_unit_test(model_means_what_the_objective_says),
		cmocka_unit_test(model_too_large_is_refused),
		cmocka_unit_test(nearness_follows_the_hops),
		cmocka_unit_test(mean_distance_is_that_of_scores),
		cmocka_unit_test(parts_are_walked_one_after_the_other),
		cmocka_unit_test(weights_are_read),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
