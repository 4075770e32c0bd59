/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Task mappers: which task of a job runs on which of its nodes, so that tasks that
 * communicate are few hops apart.
 *
 * The rules are those of "Task Mapping Stencil Computations for Non-Contiguous
 * Allocations" (Bunde, Ebbers, Feer, Leung, Price, Rhodes, Swank) where no other
 * source is named.
 *
 * Geometric steps see the machine *unrolled*: in a wrapped dimension coordinates count
 * from the first one after the allocation's largest gap, in the others from its lowest.
 * Hops always use the wrap.
 *
 * They see the task grid *folded and rotated* onto the machine's dimensions (all mappers
 * but TORUS_MAPPER_BASELINE and TORUS_MAPPER_GROUPING): taskmap/layout.h has the rule.
 * The places for tasks are each node's coordinate as often as it takes tasks; places that
 * tie in a sorting order stay in allocation order.
 */
#ifndef TORUS_TASKMAP_H
#define TORUS_TASKMAP_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/budget.h"
#include "taskmap/job.h"

typedef enum torus_mapper {
	/* Tasks in row-major order onto nodes in allocation order. */
	TORUS_MAPPER_BASELINE,
	/* Sub-boxes of the grid the size of one node, in row-major order, onto nodes in
	 * allocation order: see taskmap/mappers/grouping.c. */
	TORUS_MAPPER_GROUPING,
	/* Tasks and places sorted y fastest, then x, then the others. */
	TORUS_MAPPER_COL_MAJOR,
	/* Tasks and places sorted x fastest, then y, then the others. */
	TORUS_MAPPER_ROW_MAJOR,
	/* The best of row- and column-major over all flips of the places' axes; ties:
	 * row-major, then none of the last axis flipped, of the last but one, ... */
	TORUS_MAPPER_ORDERED,
	/* Both sorted by distance from the lowest corner; ties by z, then y, then x. */
	TORUS_MAPPER_CORNER,
	/* The same from all corners of the box, which take turns, one task each: in a
	 * plane the lowest, then that at the far end of y, of both, of x. */
	TORUS_MAPPER_ALL_CORNERS,
	/* In column-major order each task takes the free place nearest to the one it
	 * would have if the grid lay at the lowest corner; ties: lowest x, then y, then
	 * z. */
	TORUS_MAPPER_OVERLAY,
	/* The same from both ends in turn, the far end laid at the highest corner. */
	TORUS_MAPPER_TWO_WAY_OVERLAY,
	/*
	 * Recursive bisection of tasks and places along the same dimension, the longest
	 * of the tasks' or the places' box: see taskmap/search/bisection.c.
	 */
	TORUS_MAPPER_RCB,
	/* The same along the longest dimension of the tasks' box, as the paper's text
	 * has it. */
	TORUS_MAPPER_RCB_LONGEST,
	/* From rcb, swaps of pairs of tasks while the average falls. */
	TORUS_MAPPER_INC_IMPROVE,
	/* Not from the paper: bisection by another rule, in all turns of the grid: see
	 * taskmap/mappers/rcb.c. */
	TORUS_MAPPER_RCB_TURNS,
	/* Not from the paper: from rcb_turns, annealing: see taskmap/mappers/anneal.c. A
	 * job with a graph is mapped by that alone: see taskmap/mappers/graph.h. */
	TORUS_MAPPER_ANNEAL,
	/* All of the above that fit the budget: never worse than any of them. */
	TORUS_MAPPER_BEST,
	TORUS_MAPPERS /* how many there are */
} torus_mapper_t;

/*
 * The mapper called [text], "baseline" to "best" as in the list above. Returns 0, or -1
 * with [err] listing the names.
 */
int torus_mapper_parse(const char *text, torus_mapper_t *mapper, torus_error_t *err);
const char *torus_mapper_name(torus_mapper_t mapper);

/*
 * Map [job] by [mapper] into node_of_task[tasks]. Mappers from inc_improve on spend
 * [budget]; best may spend half as much again. For the others it may be NULL. A job too
 * large for its budget gets the mapping of bisection. Returns 0, or -1 with [err] filled:
 * torus_task_job_check() refuses the job, or memory is short. Time O(n log n) for n tasks
 * (on average, for the overlays; O(n * 2^dimensions) for ordered), plus the budget.
 */
int torus_taskmap(torus_mapper_t mapper, const torus_task_job_t *job,
		  const torus_mapper_budget_t *budget, uint32_t *node_of_task,
		  torus_error_t *err);

#endif
