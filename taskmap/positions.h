/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that are dealt out to nodes evenly: the *position* of a node is its place in the
 * order, and stands for the tasks that are dealt out to it.
 */
#ifndef TORUS_TASKMAP_POSITIONS_H
#define TORUS_TASKMAP_POSITIONS_H

#include <stdbool.h>

#include "taskgrid/grid.h"

/* How Slurm deals tasks out to nodes. */
typedef enum torus_deal {
	TORUS_DEAL_BLOCK,  /* consecutive tasks on a node */
	TORUS_DEAL_CYCLIC, /* one task a node in turn, passing over those that are full */
} torus_deal_t;

/*
 * Fill [grid] with how [positions] positions lie to each other that the tasks of [tasks]
 * are dealt out to. False, and [grid] is not what one would like it to be: the tasks of a
 * position (or in turn, the first task of each) are not a box of the tasks' grid.
 */
bool torus_positions_grid(const torus_task_grid_t *tasks, uint32_t positions,
			  torus_deal_t deal, torus_task_grid_t *grid);

#endif
