/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What takes the place of glpk.c in a build without GLPK. */
#include "torus_config.h"

#include "storus/order/solver.h"

bool storus_glpk_is_there(void)
{
	return false;
}

int storus_glpk_solve(const torus_order_objective_t *objective,
		      const torus_order_model_t *model, const uint32_t *order,
		      double seconds, storus_solution_t *solution, torus_error_t *err)
{
	(void)objective;
	(void)model;
	(void)order;
	(void)seconds;
	(void)solution;
	return torus_fail(err, "this storus was built without GLPK");
}
