/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The integer program, solved by the library GLPK. */
#include "torus_config.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <glpk.h>

#include "storus/order/solver.h"

bool storus_glpk_is_there(void)
{
	return true;
}

/* What the branch-and-cut search calls back with. */
typedef struct solving {
	const double
		*begin; /* the solution to begin with, from [1]; NULL: given already */
	double bound;
} solving_t;

static void called_back(glp_tree *tree, void *argument)
{
	solving_t *solving = argument;
	int best = glp_ios_best_node(tree);

	if (best)
		solving->bound = glp_ios_node_bound(tree, best);
	if (glp_ios_reason(tree) == GLP_IHEUR && solving->begin) {
		glp_ios_heur_sol(tree, solving->begin);
		solving->begin = NULL;
	}
}

/* Returns 0, or -1: out of memory. */
static int load_rows(glp_prob *problem, const torus_order_model_t *model)
{
	uint64_t longest = 0;
	double *coefficient;
	int *column;

	for (uint32_t r = 0; r < model->rows; r++) {
		if (model->first[r + 1] - model->first[r] > longest)
			longest = model->first[r + 1] - model->first[r];
	}
	column = malloc((longest + 1) * sizeof(*column));
	coefficient = malloc((longest + 1) * sizeof(*coefficient));
	for (uint32_t r = 0; column && coefficient && r < model->rows; r++) {
		int length = 0;

		for (uint64_t i = model->first[r]; i < model->first[r + 1]; i++) {
			column[++length] = (int)model->column[i] + 1;
			coefficient[length] = model->coefficient[i];
		}
		glp_set_mat_row(problem, (int)r + 1, length, column, coefficient);
		glp_set_row_bnds(problem, (int)r + 1, model->equal[r] ? GLP_FX : GLP_UP,
				 model->limit[r], model->limit[r]);
	}
	int rc = column && coefficient ? 0 : -1;

	free(column);
	free(coefficient);
	return rc;
}

static void load_columns(glp_prob *problem, const torus_order_model_t *model)
{
	for (uint32_t c = 0; c < model->columns; c++) {
		glp_set_obj_coef(problem, (int)c + 1, model->value[c]);
		if (c < model->nodes * model->nodes)
			glp_set_col_kind(problem, (int)c + 1, GLP_BV);
		else
			glp_set_col_bnds(problem, (int)c + 1, GLP_LO, 0, 0);
	}
}

static int milliseconds(double seconds)
{
	return seconds > INT_MAX / 1000 ? INT_MAX : (int)(seconds * 1000) + 1;
}

/*
 * Solve the relaxation, whose value bounds that of every order. Returns whether it was
 * solved in time.
 */
static bool relax(glp_prob *problem, double seconds, storus_solution_t *solution)
{
	glp_smcp parameters;

	glp_init_smcp(&parameters);
	parameters.msg_lev = GLP_MSG_OFF;
	parameters.meth = GLP_DUALP;
	parameters.tm_lim = milliseconds(seconds);
	if (glp_simplex(problem, &parameters) != 0 || glp_get_status(problem) != GLP_OPT)
		return false;
	solution->bound = glp_get_obj_val(problem);
	return true;
}

static void read_solution(glp_prob *problem, const torus_order_model_t *model,
			  int outcome, double *value, storus_solution_t *solution)
{
	int status = glp_mip_status(problem);

	if (status != GLP_OPT && status != GLP_FEAS)
		return;
	for (uint32_t c = 0; c < model->nodes * model->nodes; c++)
		value[c] = glp_mip_col_val(problem, (int)c + 1);
	solution->found = torus_order_model_order(model, value, solution->order) == 0;
	solution->optimal = solution->found && outcome == 0 && status == GLP_OPT;
	if (solution->optimal)
		solution->bound = glp_mip_obj_val(problem);
}

static void search(glp_prob *problem, const torus_order_model_t *model, double seconds,
		   double *value, storus_solution_t *solution)
{
	solving_t solving = {.begin = value, .bound = solution->bound};
	glp_iocp parameters;
	int outcome;

	glp_init_iocp(&parameters);
	parameters.msg_lev = GLP_MSG_OFF;
	parameters.tm_lim = milliseconds(seconds);
	parameters.cb_func = called_back;
	parameters.cb_info = &solving;
	outcome = glp_intopt(problem, &parameters);
	if (solving.bound < solution->bound)
		solution->bound = solving.bound;
	read_solution(problem, model, outcome, value, solution);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int storus_glpk_solve(const torus_order_objective_t *objective,
		      const torus_order_model_t *model, const uint32_t *order,
		      double seconds, storus_solution_t *solution, torus_error_t *err)
{
	/* From [1], as GLPK numbers columns. */
	double *value = malloc(((size_t)model->columns + 1) * sizeof(*value));
	double end = now() + seconds;
	glp_prob *problem;
	int rc = -1;

	solution->found = solution->optimal = false;
	solution->bound = INFINITY;
	if (!value)
		return torus_fail(err, "out of memory for the integer program");
	glp_term_out(GLP_OFF);
	problem = glp_create_prob();
	glp_set_obj_dir(problem, GLP_MAX);
	glp_add_rows(problem, (int)model->rows);
	glp_add_cols(problem, (int)model->columns);
	load_columns(problem, model);
	if (load_rows(problem, model) != 0) {
		torus_fail(err, "out of memory for the integer program");
		goto done;
	}
	torus_order_model_point(objective, model, order, value + 1);
	if (relax(problem, seconds, solution) && now() < end)
		search(problem, model, end - now(), value, solution);
	rc = 0;
done:
	glp_delete_prob(problem);
	glp_free_env();
	free(value);
	return rc;
}
