/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks communicate, as a graph: the stencil of a task grid, or any pattern that
 * the user gives as a list of edges.
 */
#ifndef TORUS_TASKMAP_GRAPH_H
#define TORUS_TASKMAP_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "taskgrid/grid.h"

/* Weights in a file go up to here, so that no sum of them times hops overflows. */
#define TORUS_TASK_GRAPH_WEIGHT 1e15

/* So many neighbours more may be read, as if the last task had them: see
 * taskmap/search/packed.c. */
#define TORUS_TASK_GRAPH_MORE 3

/*
 * Each edge stands at both of its ends: the neighbours of task t are neighbor[first[t]]
 * to neighbor[first[t+1] - 1], in ascending order, each once and never t itself.
 */
typedef struct torus_task_graph {
	uint32_t tasks;
	uint64_t *first;    /* [tasks + 1] */
	uint32_t *neighbor; /* [first[tasks] + TORUS_TASK_GRAPH_MORE], the last ones 0 */
	double *weight;	    /* the same, each > 0 (bytes, say); NULL: all are 1 */
} torus_task_graph_t;

/*
 * Memory for a graph of [tasks] tasks with weights, and room for [entries] neighbours of
 * all tasks: every first[] is 0, and the caller fills the rest by the rules above. NULL
 * with [err] filled: memory.
 */
torus_task_graph_t *torus_task_graph_alloc(uint32_t tasks, uint64_t entries,
					   torus_error_t *err);

/* Write out the stencil of [grid], all weights 1. NULL with [err] filled: memory. */
torus_task_graph_t *torus_task_graph_stencil(const torus_task_grid_t *grid,
					     torus_error_t *err);

/*
 * Make a graph of [tasks] tasks from [edges] edges from[i] -- to[i] of weight[i] >= 0, in
 * any order and direction, fewer than 2^32. Edges given several times (in either
 * direction) add up; edges from a task to itself and edges of weight 0 carry nothing
 * between tasks and are left out. The arrays stay the caller's. NULL with [err] filled:
 * memory.
 */
torus_task_graph_t *torus_task_graph_create(uint32_t tasks, const uint32_t *from,
					    const uint32_t *to, const double *weight,
					    uint64_t edges, torus_error_t *err);

/*
 * The graph of [blocks] blocks of tasks, such as what each node holds: block_of[task] is
 * the block of a task, and an edge weighs what the edges of [graph] between two blocks
 * weigh together. NULL with [err] filled: memory.
 */
torus_task_graph_t *torus_task_graph_blocks(const torus_task_graph_t *graph,
					    const uint32_t *block_of, uint32_t blocks,
					    torus_error_t *err);

/*
 * Read edges from text[0 .. length-1], a line `task task weight` each: task numbers below
 * [tasks], a weight from 0 to TORUS_TASK_GRAPH_WEIGHT; in the manner of lines.h. [path]
 * is for messages. The rules of torus_task_graph_create(). NULL with [err] as
 * "[path]:LINE: reason" (wrong fields, a task out of range, a bad weight, more than 2^31
 * edges), or without a line when there is no edge between two tasks or memory is short.
 */
torus_task_graph_t *torus_task_graph_parse(const char *text, size_t length,
					   const char *path, uint32_t tasks,
					   torus_error_t *err);

/* Free a graph. NULL is accepted. */
void torus_task_graph_destroy(torus_task_graph_t *graph);

#endif
