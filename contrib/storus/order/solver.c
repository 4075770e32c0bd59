/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of solvers. */
#include "torus_config.h"

#include <string.h>

#include "storus/order/solver.h"

/* The first that is there is taken where none is named. */
static const storus_solver_t solvers[] = {
	{"glpk", storus_glpk_is_there, storus_glpk_solve,
	 "this storus was built without GLPK; install its development files (Debian: "
	 "libglpk-dev) and build again, or take another solver or none"},
	{"cbc", storus_cbc_is_there, storus_cbc_solve,
	 "there is no program cbc in PATH; install it (Debian: coinor-cbc), or take "
	 "another solver or none"},
};
#define SOLVERS (sizeof(solvers) / sizeof(solvers[0]))

int storus_solver_parse(const char *text, const storus_solver_t **solver, bool *none,
			torus_error_t *err)
{
	*solver = NULL;
	*none = strcmp(text, "none") == 0;
	if (*none || strcmp(text, "auto") == 0)
		return 0;
	for (size_t i = 0; i < SOLVERS; i++) {
		if (strcmp(text, solvers[i].name) != 0)
			continue;
		*solver = &solvers[i];
		return 0;
	}
	return torus_fail(err, "unknown solver '%s'; known are glpk, cbc, none, auto",
			  text);
}

const storus_solver_t *storus_solver_any(void)
{
	for (size_t i = 0; i < SOLVERS; i++) {
		if (solvers[i].is_there())
			return &solvers[i];
	}
	return NULL;
}
