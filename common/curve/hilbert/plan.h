/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans of the Hilbert curve: how a path through a box is put together from paths through
 * smaller boxes. Private to this folder; order.c explains the construction.
 */
#ifndef TORUS_CURVE_HILBERT_PLAN_H
#define TORUS_CURVE_HILBERT_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/geometry.h"

/* Axes a path may travel along: the best never travelled along three. */
#define HILBERT_TRAVEL_MAX 2

/*
 * A task: visit every cell of a box once, from the corner at the origin to the corner
 * that lies across in the axes of [travel], in steps of one hop. In standard form the
 * sides descend, equal sides with a travel bit stand before those without, sides of 1 (at
 * the end) have none.
 */
typedef struct hilbert_task {
	int32_t side[TORUS_MAX_DIMS];
	uint32_t travel; /* bit i: start and end lie at opposite ends of axis i */
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
	HILBERT_OPEN,	    /* not tried yet */
	HILBERT_LINE,	    /* at most one side above 1: no parts, straight on */
	HILBERT_PLANNED,    /* parts */
	HILBERT_IMPOSSIBLE, /* no such path, or none found */
} hilbert_status_t;

typedef struct hilbert_plan {
	hilbert_task_t task;
	uint32_t cells;
	hilbert_status_t status;
	double looseness; /* see torus_hilbert_looseness() */
	int part_count;
	hilbert_part_t *parts; /* in the order of the path */
} hilbert_plan_t;

/* All plans made so far, each task once. */
typedef struct hilbert_book {
	int dims;
	hilbert_plan_t *plans;
	uint32_t count, capacity;
	uint32_t *slots; /* hash table: index + 1 into plans, or 0 */
	double effort;	 /* how thoroughly to search, 1 for all a search can do */
	bool no_memory;	 /* sticky: some call failed for lack of memory */
} hilbert_book_t;

/* An empty book for the parts of a box of [dims] sides. */
void torus_hilbert_book_init(hilbert_book_t *book, int dims,
			     const int32_t side[TORUS_MAX_DIMS]);
void torus_hilbert_book_free(hilbert_book_t *book);

/*
 * Index of the plan for the box of [side] and [travel] (not necessarily in standard
 * form), which is entered open if it is new; axis[i] receives the axis that is its i-th
 * in standard form. -1 when memory is short.
 */
int64_t torus_hilbert_book_enter(hilbert_book_t *book, const int32_t side[TORUS_MAX_DIMS],
				 uint32_t travel, uint8_t axis[TORUS_MAX_DIMS]);

/*
 * Make the plan [index] if it is open. Whether it is there then: false when there is no
 * such path, or memory is short (book->no_memory).
 */
bool torus_hilbert_solve(hilbert_book_t *book, uint32_t index);

/*
 * Whether parity allows the path: on the chequerboard it alternates colours, so the
 * colours of its ends follow from the number of cells. Boxes with only odd sides, which
 * have paths between any corners, are only travelled along one axis, which is enough.
 */
bool torus_hilbert_parity_allows(const int32_t side[TORUS_MAX_DIMS], uint32_t travel);

/*
 * Write the path of plan [index] to path[0], path[step], path[2*step] ... : first cell
 * [base], and moving along the plan's axis i adds stride[i] to the cell number.
 */
void torus_hilbert_emit(const hilbert_book_t *book, uint32_t index, int64_t base,
			const int64_t stride[TORUS_MAX_DIMS], uint32_t *path,
			int64_t step);

/*
 * How far from compact a path's pieces are: the mean, over window lengths 2, 4, 8 ..., of
 * the logarithm of the windows' average pairwise distance over that in a cube of as many
 * cells. [path] holds the box's cell numbers, x fastest. NAN when memory is short.
 */
double torus_hilbert_looseness(int dims, const int32_t side[TORUS_MAX_DIMS],
			       const uint32_t *path);

/* The same of a straight line of [length] cells in [dims] dimensions. */
double torus_hilbert_line_looseness(int dims, int32_t length);

/* The work of measuring one path of the box: cells times the sum of sides. */
double torus_hilbert_work(const int32_t side[TORUS_MAX_DIMS]);

/* Whether a search can afford to measure paths of the box; always if no side is above 5.
 */
bool torus_hilbert_can_measure(const int32_t side[TORUS_MAX_DIMS]);

/*
 * Set the looseness of the plan [index] from its parts: measured, or, when the box is too
 * large for that, that of its first part.
 */
void torus_hilbert_measure(hilbert_book_t *book, uint32_t index);

/* Rules for making a plan; each fills the plan of [index] or leaves it without parts. */
void torus_hilbert_plan_cube(hilbert_book_t *book, uint32_t index);
void torus_hilbert_plan_search(hilbert_book_t *book, uint32_t index);
void torus_hilbert_plan_enlarge(hilbert_book_t *book, uint32_t index);

#endif
