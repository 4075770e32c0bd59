/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs with a task on each chip of their nodes (geometry/chips.h): mappers then place
 * tasks on chips. Launchers know nodes only, and number the tasks of a node in the order
 * of their ranks: task i of a node is on its chip i.
 *
 * Chip i of node n is number n * (chips of a node) + i.
 */
#ifndef TORUS_TASKMAP_CHIPS_H
#define TORUS_TASKMAP_CHIPS_H

#include <stdbool.h>

#include "base/error.h"
#include "taskmap/taskmap.h"

/* Whether each node is a box of several chips, and has a task for each of them. */
bool torus_tasks_on_chips(const torus_geometry_t *geometry, uint32_t nodes,
			  const uint32_t *tasks_on_node);

/*
 * Fill chip_cell[], for each chip of the [nodes] nodes on cell[], with its cell on the
 * machine of the chips.
 */
void torus_chip_cells(const torus_geometry_t *geometry, uint32_t nodes,
		      const uint32_t *cell, uint32_t *chip_cell);

/*
 * Give each node's tasks, as chip_of_task[tasks] has them, its chips in ascending order,
 * [of_node] chips a node. Returns 0, or -1 with [err] filled (memory).
 */
int torus_chips_in_order(uint32_t *chip_of_task, uint32_t tasks, uint32_t of_node,
			 torus_error_t *err);

/*
 * Map a job, which [on_chips] has with a task on each chip as a node, and [on_nodes] on
 * its nodes, and put the tasks in order. TORUS_MAPPER_BEST also maps the nodes as a
 * whole, each mapping with half the budget, and takes the one with fewer hops between
 * chips; TORUS_MAPPER_GROUPING, whose sub-boxes are those of a node, maps nodes only.
 * Returns as torus_taskmap().
 */
int torus_taskmap_chips(torus_mapper_t mapper, const torus_task_job_t *on_chips,
			const torus_task_job_t *on_nodes,
			const torus_mapper_budget_t *budget, uint32_t *chip_of_task,
			torus_error_t *err);

#endif
