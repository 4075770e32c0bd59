/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the search for orders (order/search.h) is told of an objective. */
#ifndef TORUS_ORDER_GOAL_H
#define TORUS_ORDER_GOAL_H

#include <stdbool.h>
#include <stdint.h>

#include "order/moves.h"
#include "taskmap/graph.h"
#include "taskmap/search/effort.h"

typedef struct torus_order_goal {
	const torus_task_graph_t *near; /* nodes that moves bring together; borrowed */
	uint32_t radius; /* after a move, nodes so near to what it changed are tried */
	bool ring;	 /* the last position is next to the first */
	const void *objective; /* for the functions; borrowed */
	/* The value of an order, to be maximised. */
	double (*value)(const void *objective, const torus_order_line_t *line);
	/*
	 * How much [move] would change it. Spends what it looks up from [effort]; the
	 * result is meaningless once that is used up.
	 */
	double (*gain)(const void *objective, const torus_order_line_t *line,
		       const torus_order_move_t *move, torus_effort_t *effort);
} torus_order_goal_t;

/* The goal of a high value of [objective], by torus_order_value(). */
torus_order_goal_t torus_order_nearness_goal(const torus_order_objective_t *objective);

#endif
