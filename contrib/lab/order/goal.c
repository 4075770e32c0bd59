/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The goal of near neighbours: see order/goal.h. */
#include "order/goal.h"

static double value(const void *objective, const torus_order_line_t *line)
{
	return torus_order_value(objective, line->position);
}

static double gain(const void *objective, const torus_order_line_t *line,
		   const torus_order_move_t *move, torus_effort_t *effort)
{
	return torus_order_gain(objective, line, move, effort);
}

torus_order_goal_t torus_order_nearness_goal(const torus_order_objective_t *objective)
{
	return (torus_order_goal_t){
		.near = objective->near,
		.radius = objective->k,
		.objective = objective,
		.value = value,
		.gain = gain,
	};
}
