/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who talks to whom when the tasks of a grid are dealt out to nodes. */
#ifndef TORUS_TASKMAP_GRID_BLOCKS_H
#define TORUS_TASKMAP_GRID_BLOCKS_H

#include <stdbool.h>

#include "base/error.h"
#include "taskmap/graph.h"
#include "taskgrid/grid.h"

/* How many runs of tasks are looked at for each block, times the neighbours of a task. */
#define TORUS_GRID_BLOCKS_LOOKS 256

/*
 * The graph of [blocks] blocks that the tasks of [grid], at least as many, are dealt out
 * to evenly, in blocks of tasks that follow each other or [in_turns], one to each, the
 * first blocks getting one more where that does not come out even: an edge weighs as many
 * edges of the grid as there are between two blocks.
 *
 * Time and memory follow from the number of blocks, whatever the grid, as users name
 * grids of any size. The tasks of a block are looked at in runs, tasks that follow each
 * other along the first axis; dealt out in turns, each is one. Of a block with more than
 * TORUS_GRID_BLOCKS_LOOKS runs times neighbours (of those, one of each two opposite ones)
 * so many are looked at, evenly spread, and weights are scaled: more than 85 runs of a 3D
 * grid with 7 points, and 19 of one with 27. A stencil with corners counts as one without
 * on a grid with more than four axes longer than 1.
 *
 * To be destroyed; NULL with [err] filled: memory.
 */
torus_task_graph_t *torus_task_grid_blocks(const torus_task_grid_t *grid, bool in_turns,
					   uint32_t blocks, torus_error_t *err);

#endif
