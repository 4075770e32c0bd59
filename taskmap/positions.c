/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that are dealt out to nodes evenly: see taskmap/positions.h. */
#include "taskmap/positions.h"

/* The grid that remains when [task grid]'s first [share] tasks, and so on, become one;
 * false: they are not a box of it. */
static bool divide_blocks(const torus_task_grid_t *tasks, uint32_t share,
			  torus_task_grid_t *grid)
{
	*grid = *tasks;
	for (int axis = 0; axis < tasks->dims && share > 1; axis++) {
		uint32_t length = (uint32_t)tasks->length[axis];
		uint32_t layers = share % length == 0 ? length : share;

		if (length % layers)
			return false;
		grid->length[axis] = (int32_t)(length / layers);
		share /= layers;
	}
	return share == 1;
}

/* The grid of the first [nodes] tasks; false: they are not a box of it. */
static bool divide_turns(const torus_task_grid_t *tasks, uint32_t nodes,
			 torus_task_grid_t *grid)
{
	*grid = *tasks;
	for (int axis = 0; axis < tasks->dims; axis++) {
		uint32_t length = (uint32_t)tasks->length[axis];
		uint32_t kept = nodes % length == 0 ? length : nodes;

		if (length % kept)
			return false;
		grid->length[axis] = (int32_t)kept;
		nodes /= kept;
	}
	return nodes == 1;
}

bool torus_positions_grid(const torus_task_grid_t *tasks, uint32_t positions,
			  torus_deal_t deal, torus_task_grid_t *grid)
{
	uint32_t count = torus_task_grid_tasks(tasks);

	*grid = *tasks;
	if (count % positions)
		return false;
	return deal == TORUS_DEAL_BLOCK ? divide_blocks(tasks, count / positions, grid)
					: divide_turns(tasks, positions, grid);
}
