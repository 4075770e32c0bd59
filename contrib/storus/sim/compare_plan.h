/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulations of a comparison, its cells: every combination of what a matrix lists.
 * Cells of the same row differ by their seed only; a table shows a row's mean.
 */
#ifndef STORUS_SIM_COMPARE_PLAN_H
#define STORUS_SIM_COMPARE_PLAN_H

#include <stdbool.h>

#include "storus/sim/matrix.h"

/* In the order of the table, the slowest first. */
typedef enum storus_axis {
	STORUS_AXIS_MACHINE,
	STORUS_AXIS_STREAM, /* a trace, or a workload behind the traces */
	STORUS_AXIS_LOAD,   /* of workloads */
	STORUS_AXIS_WORK_MULTIPLE,
	STORUS_AXIS_SCHEDULER,
	STORUS_AXIS_CURVE,
	STORUS_AXIS_ALLOCATOR,
	STORUS_AXIS_WISH,
	STORUS_AXIS_SEGMENT,
	STORUS_AXIS_SEED,
	STORUS_AXES,
} storus_axis_t;

typedef struct storus_cell {
	size_t at[STORUS_AXES]; /* which item of each list; 0 where there is no list */
	/* Everything that the result depends on, as lines of `key value`: the
	 * contents of files by their digests, the build of storus. Results are kept
	 * under it. */
	char *text;
	/* The first cell with the same text. Where nothing is random, all seeds of a
	 * row are one simulation. */
	size_t first;
} storus_cell_t;

typedef struct storus_plan {
	const storus_matrix_t *matrix; /* borrowed */
	storus_cell_t *cell;	       /* [count], row after row */
	size_t count;
	size_t seeds;	  /* cells in a row */
	bool isolation;	  /* whether a measure that is printed needs it measured */
	char **allocator; /* of each item of Allocators=, its name without the curve */
} storus_plan_t;

/*
 * Combine what [matrix] lists, which must outlive the plan. The files that it names are
 * read for their digests. Returns 0, and then the plan is to be freed by the caller; or
 * -1 with [err] filled: a file that cannot be read, more than 1,000,000 cells, memory.
 */
int storus_plan_create(const storus_matrix_t *matrix, storus_plan_t *plan,
		       torus_error_t *err);
void storus_plan_free(storus_plan_t *plan);

/*
 * The item of the matrix that stands for [axis] in this cell; of a machine its key of
 * STORUS_MATRIX_DIMS or STORUS_MATRIX_CONF; of an allocator its name, and the curve that
 * is its own where it has one. NULL when the matrix does not say, and for the load of a
 * trace.
 */
const char *storus_cell_item(const storus_plan_t *plan, const storus_cell_t *cell,
			     storus_axis_t axis);

/* The curve of the cell's allocator's own, or NULL. */
const char *storus_cell_own_curve(const storus_plan_t *plan, const storus_cell_t *cell);

/* Whether the cell's stream is a trace. */
bool storus_cell_has_trace(const storus_plan_t *plan, const storus_cell_t *cell);

/* A machine as the table names it: "8x8x5 Wrap=all". malloc'ed, NULL: out of memory. */
char *storus_plan_machine_name(const storus_plan_t *plan, size_t machine);

/*
 * The row that [row] is compared with: the same but for the schedulers, curves,
 * allocators, wishes and segments that Baseline= names. [row] itself where there is no
 * baseline.
 */
size_t storus_plan_baseline(const storus_plan_t *plan, size_t row);

/* A file that the matrix names, as seen from its own. malloc'ed, NULL: out of memory. */
char *storus_plan_path(const storus_plan_t *plan, const char *name);

/* A curve of the matrix with its file, if it has one, likewise. */
char *storus_plan_curve(const storus_plan_t *plan, const char *name);

/* FNV-1a of text[0 .. length-1], going on from [hash], at first STORUS_HASH_BEGIN. */
#define STORUS_HASH_BEGIN UINT64_C(14695981039346656037)
uint64_t storus_hash(uint64_t hash, const char *text, size_t length);

#endif
