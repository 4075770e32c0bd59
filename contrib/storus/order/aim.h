/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What storus order aims at: low distances (order/cost.h) or high nearness
 * (order/objective.h). Values here are to be maximised; of distances they are negative.
 */
#ifndef STORUS_ORDER_AIM_H
#define STORUS_ORDER_AIM_H

#include "order/cost.h"
#include "storus/order/subject.h"

typedef struct storus_order_aim {
	bool distance;
	torus_task_graph_t *near;
	torus_order_objective_t nearness; /* also for the orders to begin with */
	/* private: of distances */
	const torus_network_t *network;
	torus_distances_t distances;
	torus_order_cost_t cost, searched;
	torus_order_objective_t program;
	double constant; /* value of the program less ours */
	char text[96];
} storus_order_aim_t;

/*
 * Open the aim of [options] for [subject]. [stop] with [argument] says whether to give
 * up. Returns 0, or -1 (message printed). storus_order_aim_clear() follows in either
 * case.
 */
int storus_order_aim_open(const storus_order_options_t *options,
			  const storus_order_subject_t *subject,
			  bool (*stop)(void *argument), void *argument,
			  storus_order_aim_t *aim);
void storus_order_aim_clear(storus_order_aim_t *aim);

/* What was asked for, for people: "decay 0.5". */
const char *storus_order_aim_text(const storus_order_aim_t *aim);

/* The value of order[]. Returns 0, or -1 (message printed). */
int storus_order_aim_value(const storus_order_aim_t *aim, const uint32_t *order,
			   double *value);

/* A value that no order exceeds. Returns 0, or -1 (message printed). */
int storus_order_aim_bound(const storus_order_aim_t *aim, double *bound);

/* For the search; it borrows from [aim]. */
torus_order_goal_t storus_order_aim_goal(storus_order_aim_t *aim);

/*
 * The objective of the integer program, whose value is *more above ours; NULL: there is
 * none.
 */
const torus_order_objective_t *storus_order_aim_program(const storus_order_aim_t *aim,
							double *more);

/* The value as it is printed. */
static inline double storus_order_aim_print(const storus_order_aim_t *aim, double value)
{
	return aim->distance ? 0 - value : value;
}

#endif
