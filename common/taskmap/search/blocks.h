/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moving the tasks of a node as one: see taskmap/search/blocks.c. */
#ifndef TORUS_TASKMAP_SEARCH_BLOCKS_H
#define TORUS_TASKMAP_SEARCH_BLOCKS_H

#include "taskmap/graph.h"

/*
 * The graph of [blocks] blocks of tasks: block_of[task] says which one a task is in, an
 * edge weighs what the edges of [graph] between two blocks weigh together. NULL with
 * [err] filled: memory.
 */
torus_task_graph_t *torus_blocks_graph(const torus_task_graph_t *graph,
				       const uint32_t *block_of, uint32_t blocks,
				       torus_error_t *err);

#endif
