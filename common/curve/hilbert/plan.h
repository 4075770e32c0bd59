/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans of the Hilbert curve: how a path through a box is put together from paths through
 * smaller boxes; and the book in which they are kept. Private to this folder; order.c
 * explains the construction.
 */
#ifndef TORUS_CURVE_HILBERT_PLAN_H
#define TORUS_CURVE_HILBERT_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/geometry.h"

/* The most axes that a path may travel along: the best path never needed three. */
#define HILBERT_TRAVEL_MAX 2

/*
 * Planning is bounded by counted work. A unit of work is about a nanosecond: one cell's
 * coordinate taken into the sum of one window (looseness.h). Other steps are counted as
 * the number of units that take as long.
 */
#define HILBERT_WORK_CUTTING 20 /* weighing one cutting of a box */
#define HILBERT_WORK_STEP 40	/* trying one path through one part of a cutting */

#define HILBERT_WORK_HOPS 16 /* one cell into one window, where the box has a ring */

/*
 * The budget of all searches together; each plan may spend a small share of what is left.
 */
#define HILBERT_WORK_BUDGET UINT64_C(250000000)
/*
 * The most that planning takes. Each plan takes a little even when the budget is spent.
 */
#define HILBERT_WORK_MAX UINT64_C(300000000)
/* The additional budget for measuring whole orders of a machine with wraps. */
#define HILBERT_WORK_MEASURE UINT64_C(200000000)
/* The most that planning takes on a machine with wraps. */
#define HILBERT_WORK_MAX_RINGS (HILBERT_WORK_MAX + HILBERT_WORK_MEASURE)
/* Larger machines get the order of a mesh, whatever their wraps. */
#define HILBERT_RINGS_CELLS (UINT32_C(1) << 17)

/*
 * A task: visit every cell of a box once, from the corner at the origin to the corner
 * that lies across in the axes of [travel], in steps of one hop. In standard form the
 * sides descend, equal sides with a travel bit stand before those without, of these those
 * with a wrap bit first, sides of 1 (at the end) have no travel, sides up to 2 no wrap.
 */
typedef struct hilbert_task {
	int32_t side[TORUS_MAX_DIMS];
	uint32_t travel; /* bit i: start and end lie at opposite ends of axis i */
	uint32_t wrap;	 /* bit i: axis i closes to a ring */
} hilbert_task_t;

/* One box of a plan, and how its own plan is laid into it. */
typedef struct hilbert_part {
	int32_t entry[TORUS_MAX_DIMS]; /* its first cell, in the whole box */
	int8_t sign[TORUS_MAX_DIMS];   /* along each axis, which way from there */
	uint8_t axis[TORUS_MAX_DIMS];  /* the axis of the whole that is its i-th */
	bool reversed;		       /* walk its plan from the end to the start */
	uint32_t plan;		       /* index into the book */
} hilbert_part_t;

typedef enum hilbert_status {
	HILBERT_OPEN,	 /* not tried yet */
	HILBERT_LINE,	 /* at most one side above 1: a straight line, no parts */
	HILBERT_PLANNED, /* parts */
	HILBERT_NONE,	 /* no such path, or none found */
} hilbert_status_t;

typedef struct hilbert_plan {
	hilbert_task_t task;
	uint32_t cells;
	hilbert_status_t status;
	int32_t looseness; /* see looseness.h */
	int part_count;
	hilbert_part_t *parts; /* in the order of the path */
} hilbert_plan_t;

/* All plans made so far, each task once. */
typedef struct hilbert_book hilbert_book_t;
struct hilbert_book {
	int dims;
	hilbert_plan_t *plans;
	uint32_t count, capacity;
	uint32_t *slots; /* hash table: index + 1 into plans, or 0 */
	/* Gives the open plan [index] its parts and looseness, or leaves it without. */
	void (*make)(hilbert_book_t *book, uint32_t index);
	bool models;	/* the machine is so large that some plans use models (scale.c) */
	uint64_t work;	/* spent so far */
	bool no_memory; /* sticky: some call failed for lack of memory */
};

/* The task of the whole [box], with travel 0. */
hilbert_task_t torus_hilbert_task(const torus_geometry_t *box);

/* An empty book for boxes of [dims] sides, whose plans [make] makes. */
void torus_hilbert_book_init(hilbert_book_t *book, int dims,
			     void (*make)(hilbert_book_t *book, uint32_t index));
void torus_hilbert_book_free(hilbert_book_t *book);

/*
 * Index of the plan for [task] (not necessarily in standard form), which is made if it is
 * new; axis[i] receives the axis that is its i-th in standard form. -1 when parity
 * forbids the path, none is found, or memory is short (book->no_memory).
 */
int64_t torus_hilbert_book_find(hilbert_book_t *book, const hilbert_task_t *task,
				uint8_t axis[TORUS_MAX_DIMS]);

/* Write the path of plan [index] into [box], whose axis axis[i] is the plan's i-th. */
void torus_hilbert_write_whole(const hilbert_book_t *book, uint32_t index,
			       const uint8_t axis[TORUS_MAX_DIMS],
			       const torus_geometry_t *box, uint32_t *path);

/* The same as cell numbers of the plan's own box, x fastest; the caller frees them. NULL
 * when memory is short (book->no_memory).
 */
uint32_t *torus_hilbert_lay_out(hilbert_book_t *book, uint32_t index);

#endif
