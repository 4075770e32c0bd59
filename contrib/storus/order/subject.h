/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The network that storus order works on, and the orders that its search can begin
 * with.
 */
#ifndef STORUS_ORDER_SUBJECT_H
#define STORUS_ORDER_SUBJECT_H

#include "machine/map.h"
#include "order/linklist.h"
#include "order/network.h"
#include "storus/order/options.h"

typedef struct storus_order_subject {
	torus_network_t network;
	char **name;	    /* [network.nodes] */
	const char *source; /* what it was read from, for people */
	/* private: what the above points into */
	torus_map_t *map; /* NULL: a list of links */
	uint32_t *cell_of_node;
	torus_task_graph_t *routers;
	char **names_made; /* of --dims */
	torus_linklist_t links;
} storus_order_subject_t;

/*
 * Open the network of the options. Possible mistakes in a list of links are reported on
 * standard error. Returns 0, or -1 (message printed). storus_order_subject_clear()
 * follows in either case.
 */
int storus_order_subject_open(const storus_order_options_t *options,
			      storus_order_subject_t *subject);
void storus_order_subject_clear(storus_order_subject_t *subject);

/* The orders to begin with. */
#define STORUS_ORDER_STARTS 8

typedef struct storus_order_start {
	const char *name; /* constant */
	uint32_t *order;  /* [nodes], malloc'ed */
} storus_order_start_t;

/*
 * Make them: the curves of a machine, and the order it has if that is from a file; or
 * bisection, breadth-first and greedy orders of links. With --start only the one of that
 * name or, if there is none, the order in that file. The greedy order, which may take
 * long, is left out if [stop] with [argument] says so meanwhile; never if it is the only
 * one. Fills start[0 .. *count-1] and returns 0, or -1 (message printed); in either case
 * the caller frees the orders.
 */
int storus_order_starts(const storus_order_options_t *options,
			const storus_order_subject_t *subject,
			const torus_order_objective_t *objective,
			bool (*stop)(void *argument), void *argument,
			storus_order_start_t start[STORUS_ORDER_STARTS], int *count);

/*
 * The mean over windows of the average pairwise distance of an order, as storus curve
 * --score has it, by coordinates where there are some. Negative if the network has parts
 * between which no link leads. Returns 0, or -1 (message printed).
 */
int storus_order_mean_distance(const storus_order_subject_t *subject,
			       const uint32_t *order, double *mean);

#endif
