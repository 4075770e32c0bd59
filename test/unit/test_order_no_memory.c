/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every allocation of order/ fails once: an error each time, no leak, no crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "no_memory.h"
#include "order/cost.h"
#include "order/linklist.h"
#include "order/model.h"
#include "order/network.h"
#include "order/search.h"

static const char text[] = "a b\nb c\nc d\nd a 2\na c\ne e\n";
enum { NODES = 5 };

static int improve(const torus_order_objective_t *objective, torus_error_t *err)
{
	const torus_mapper_budget_t budget = {.work = 20000, .seconds = 1e9, .seed = 1};
	uint32_t order[NODES];
	const torus_order_goal_t goal = torus_order_nearness_goal(objective);
	double value, bound;

	if (torus_order_greedy(objective, NULL, NULL, order, err) ||
	    torus_order_bound(objective, &bound, err))
		return -1;
	return torus_order_improve(&goal, &budget, NULL, NULL, order, &value, err);
}

/* The cost of an order, by cells and by links. */
static int cost(torus_error_t *err)
{
	static const double weight[] = {0, 2, 1};
	static const uint32_t cell[] = {0, 1, 3}, order[] = {2, 0, 1};
	torus_geometry_t geometry;
	torus_task_graph_t *routers;
	torus_network_t network = {.nodes = 3, .router = cell};
	torus_distances_t of_cells = {0}, of_links = {0};
	torus_order_cost_t by_decay = {0}, by_weights = {0};
	torus_order_objective_t program = {0};
	double value;
	int rc = -1;

	torus_geometry_parse("2x2", NULL, &geometry, NULL);
	routers = torus_network_routers(&geometry, err);
	network.routers = routers;
	if (routers && !torus_distances_of_cells(&geometry, cell, 3, &of_cells, err) &&
	    !torus_distances_of_links(&network, &of_links, err) &&
	    !torus_order_cost_decay(&of_cells, true, 0.5, &by_decay, err) &&
	    !torus_order_cost_weights(&of_links, false, 2, weight, &by_weights, err) &&
	    !torus_order_cost_bound(&by_weights, &network, &value, err) &&
	    !torus_order_cost_nearness(&by_weights, &program, &value, err)) {
		free(of_cells.hops);
		of_cells.hops = NULL;
		rc = torus_order_cost_of(&by_decay, order, &value, err);
	}
	torus_task_graph_destroy((torus_task_graph_t *)program.near);
	torus_order_cost_clear(&by_decay);
	torus_order_cost_clear(&by_weights);
	torus_distances_clear(&of_cells);
	torus_distances_clear(&of_links);
	torus_task_graph_destroy(routers);
	return rc;
}

static int model(const torus_order_objective_t *objective, FILE *file, torus_error_t *err)
{
	torus_order_model_t *model = torus_order_model_create(objective, err);
	int rc = model ? torus_order_model_write(model, file, err) : -1;

	torus_order_model_destroy(model);
	return rc;
}

static int all(FILE *file, torus_error_t *err)
{
	torus_order_objective_t objective = {0};
	torus_task_graph_t *near = NULL;
	torus_linklist_t links;
	uint32_t order[NODES];
	double mean;
	int rc = torus_linklist_parse(text, strlen(text), "links", &links, err);

	if (!rc) {
		torus_network_t network = {links.graph, links.nodes, NULL};

		near = torus_network_near(&network, 2, NULL, NULL, err);
		rc = near && torus_network_parts(&network, err) == 2 &&
				     !torus_network_breadth(&network, order, err) &&
				     !torus_order_halves(near, order, err) &&
				     !torus_network_mean_distance(&network, order, NULL,
								  NULL, &mean, err)
			     ? 0
			     : -1;
	}
	if (!rc) {
		objective.near = near;
		torus_order_weights(&objective, 3);
		rc = improve(&objective, err) || model(&objective, file, err) || cost(err)
			     ? -1
			     : 0;
	}
	torus_task_graph_destroy(near);
	torus_linklist_clear(&links);
	return rc;
}

static void each_allocation_fails_once(void **state)
{
	FILE *file = fopen("/dev/null", "w");

	(void)state;
	assert_non_null(file);
	fputs("its buffer is there\n", file);
	for (long count = 0;; count++) {
		torus_error_t err = {""};
		int result;

		allow(count);
		result = all(file, &err);
		if (!allow_all()) {
			assert_int_equal(result, 0);
			assert_true(count > 40);
			break;
		}
		assert_int_equal(result, -1);
		assert_non_null(strstr(err.text, "out of memory"));
	}
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
