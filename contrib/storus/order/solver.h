/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The solvers of the integer program (order/model.h). */
#ifndef STORUS_ORDER_SOLVER_H
#define STORUS_ORDER_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "order/model.h"

typedef struct storus_solution {
	uint32_t *order; /* [n], the caller's: the node on each position, if [found] */
	bool found;
	bool optimal; /* that order is proven to be the best */
	double bound; /* no order is worth more; INFINITY: nothing known */
} storus_solution_t;

/*
 * Solve [model], of [objective], within [seconds] > 0 of time, [order] being one to begin
 * with. Fills [solution]; running out of time is no error. Returns 0, or -1 with [err]
 * filled.
 */
typedef int storus_solve_t(const torus_order_objective_t *objective,
			   const torus_order_model_t *model, const uint32_t *order,
			   double seconds, storus_solution_t *solution,
			   torus_error_t *err);

typedef struct storus_solver {
	const char *name;
	bool (*is_there)(void);
	storus_solve_t *solve;
	const char *cure; /* what to do if it is not there */
} storus_solver_t;

/*
 * Read the value of --solver: *solver is the one named, NULL for auto and none; *none
 * whether it is none. Returns 0, or -1 with [err] filled: unknown.
 */
int storus_solver_parse(const char *text, const storus_solver_t **solver, bool *none,
			torus_error_t *err);

/* The first solver that is there, or NULL. */
const storus_solver_t *storus_solver_any(void);

/* GLPK: a library that storus is or is not linked with. */
bool storus_glpk_is_there(void);
storus_solve_t storus_glpk_solve;

/*
 * CBC: the program cbc, found by PATH. It works in a private directory below TMPDIR or
 * /tmp, which is removed at the end, also if SIGINT, SIGTERM or SIGHUP ends storus
 * meanwhile.
 */
bool storus_cbc_is_there(void);
storus_solve_t storus_cbc_solve;

#endif
