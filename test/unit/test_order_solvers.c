/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The solvers that are there prove the best of all orders to be the best. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "order_oracle.h"
#include "random.h"
#include "storus/order/solver.h"

enum { SMALL_MAX = 6, ROUNDS = 12 };

static void solves(storus_solve_t *solve)
{
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t nodes = random_in(2, SMALL_MAX);
		uint32_t begin[SMALL_MAX], order[SMALL_MAX];
		torus_order_objective_t objective;
		storus_solution_t solution = {.order = order};
		torus_order_model_t *model;
		torus_error_t err = {""};
		double best;

		objective.near = random_graph(nodes, random_in(1, 2 * nodes));
		random_weights(&objective, random_in(1, 3));
		shuffle(begin, nodes);
		best = exhaustive(&objective, begin, 0);
		model = torus_order_model_create(&objective, NULL);
		assert_non_null(model);
		if (solve(&objective, model, begin, 300, &solution, &err) != 0)
			fail_msg("%s", err.text);
		assert_true(solution.found && solution.optimal);
		assert_true(slow_value(&objective, order) == best);
		assert_true(solution.bound > best - 1e-6 && solution.bound < best + 1e-6);
		torus_order_model_destroy(model);
		torus_task_graph_destroy((torus_task_graph_t *)objective.near);
	}
}

static void glpk_finds_the_best(void **state)
{
	(void)state;
	if (!storus_glpk_is_there())
		skip();
	solves(storus_glpk_solve);
}

static void cbc_finds_the_best(void **state)
{
	(void)state;
	if (!storus_cbc_is_there())
		skip();
	solves(storus_cbc_solve);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(glpk_finds_the_best),
		cmocka_unit_test(cbc_finds_the_best),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
