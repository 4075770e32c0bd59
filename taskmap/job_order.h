/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which node of a job gets which of its tasks, by what the job says of its tasks: what
 * storus map and the plugins for Slurm have in common.
 *
 * Slurm has two ways to be told. A host list with a name a task can express any
 * assignment. An order of nodes, to which Slurm deals the tasks out in blocks or cyclic,
 * can express those of jobs that say nothing, and of a grid with a task on each node. For
 * a grid with several tasks a node the best assignment usually is none of these: a node
 * gets a small box of the grid, not a row of it. There is a best order then, but it is
 * worse than the assignment.
 */
#ifndef TORUS_TASKMAP_JOB_ORDER_H
#define TORUS_TASKMAP_JOB_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "taskmap/any/any.h"
#include "taskmap/budget.h"
#include "taskmap/graph.h"
#include "taskgrid/words.h"

/* A view: it owns nothing. */
typedef struct torus_ordered_job {
	const torus_geometry_t *geometry; /* of the torus that has all of the nodes */
	uint32_t nodes;			  /* >= 1, in allocation order */
	const uint32_t *cell;		  /* [nodes] several may share one */
	const uint32_t *tasks_on_node;	  /* [nodes] each >= 0, at least as many tasks as
					   * nodes together */
	torus_deal_t deal;	  /* how Slurm deals tasks out to an order of nodes */
	torus_task_words_t words; /* zeroed: nothing said */
	/* Who talks to whom instead of neighbours in the stencil of the grid that [words]
	 * give; NULL: these do. */
	const torus_task_graph_t *graph;
	/* NULL: that of storus map without --budget. A job that says nothing of a grid
	 * spends none of it. */
	const torus_mapper_budget_t *budget;
} torus_ordered_job_t;

/*
 * Fill node_of_task[tasks] as storus map does with these words: for a grid by the mapper
 * `best`, with a task on each chip on chips (taskmap/chips.h), else by torus_any_order()
 * and [deal]. Task 0 is on the first node that has tasks, unless the words leave that
 * free (taskmap/head.h). Unless [order] is NULL, fill order[nodes]
 * with the nodes as their first tasks come, those without tasks last; *is_order, which
 * may be NULL, then says whether [deal] along this order gives each task the same node.
 * The result is the same on every host, as far as the clock allows (taskmap/budget.h).
 *
 * Returns 0, or -1 with [err] filled: a grid or graph of another number of tasks, a
 * cell that is not on the machine, memory.
 */
int torus_job_assign(const torus_ordered_job_t *job, uint32_t *node_of_task,
		     uint32_t *order, bool *is_order, torus_error_t *err);

/*
 * Fill order[nodes] with the nodes' numbers, so that order[0] is to have the first tasks:
 * the best order found where Slurm is to be told no more than that; order[0] is the first
 * node, unless the words leave that free. With a task on each node it is the assignment
 * of torus_job_assign(). For a grid with several tasks a node it is the one with the
 * fewest hops of the grid when the tasks are dealt out along it; never more than along
 * torus_any_order(). With a task on each chip the hops are those between chips: of that
 * order and the one that is found on the torus of chips, each with half the budget, the
 * one with fewer. Which nodes have more tasks than others does not count: Slurm has the
 * first ones of the order take more. Errors as above.
 */
int torus_job_node_order(const torus_ordered_job_t *job, uint32_t *order,
			 torus_error_t *err);

#endif
