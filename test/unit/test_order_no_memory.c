/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every allocation of order/ fails once: an error each time, no leak, no crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "no_memory.h"
#include "order/linklist.h"
#include "order/model.h"
#include "order/network.h"
#include "order/search.h"

static const char text[] = "a b\nb c\nc d\nd a 2\na c\ne e\n";
enum { NODES = 5 };

static int improve(const torus_order_objective_t *objective, torus_error_t *err)
{
	const torus_mapper_budget_t budget = {20000, 1e9, 1};
	uint32_t order[NODES];
	double value, bound;

	if (torus_order_greedy(objective, NULL, NULL, order, err) ||
	    torus_order_bound(objective, &bound, err))
		return -1;
	return torus_order_improve(objective, &budget, NULL, NULL, order, &value, err);
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
		rc = improve(&objective, err) || model(&objective, file, err) ? -1 : 0;
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
