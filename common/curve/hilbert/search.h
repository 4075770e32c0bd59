/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the search for a plan passes between its steps: cuttings of a box, and ways
 * through the sub-boxes. Private to curve/hilbert/search.c, curve/hilbert/cuttings.c and
 * curve/hilbert/ways.c.
 */
#ifndef TORUS_CURVE_HILBERT_SEARCH_H
#define TORUS_CURVE_HILBERT_SEARCH_H

#include "curve/hilbert/plan.h"

/* Axes cut at a time, each in two; more would have too many ways to list. */
#define HILBERT_AXES_CUT 3
#define HILBERT_PARTS_MAX (1 << HILBERT_AXES_CUT)
/* In place of a cut axis: not joined. */
#define HILBERT_ALONE HILBERT_AXES_CUT

typedef struct hilbert_cutting {
	double cost; /* how far from cubes its sub-boxes are */
	int number;  /* in the order of listing; breaks ties */
	int count;   /* of axes cut */
	int axis[HILBERT_AXES_CUT];
	int32_t at[HILBERT_AXES_CUT]; /* length of the lower sub-box */
} hilbert_cutting_t;

/* One part of a way through the box: a sub-box, or two joined. */
typedef struct hilbert_stage {
	uint8_t sub;	/* bit k: the upper sub-box along the k-th cut axis */
	uint8_t join;	/* k: with its neighbour along the k-th cut axis; HILBERT_ALONE */
	uint8_t travel; /* axes along which it is travelled */
	uint8_t high;	/* axes at whose high end it is entered */
} hilbert_stage_t;

typedef struct hilbert_way {
	double cost; /* the sum of its parts' */
	int stages;
	hilbert_stage_t stage[HILBERT_PARTS_MAX];
	hilbert_cutting_t cutting;
} hilbert_way_t;

typedef struct hilbert_extent {
	int32_t low[TORUS_MAX_DIMS], high[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS];
} hilbert_extent_t;

/* Where in the box of [task] the sub-box [sub] lies, joined along the cut axis [join]. */
hilbert_extent_t torus_hilbert_extent(int dims, const hilbert_task_t *task,
				      const hilbert_cutting_t *cutting, int sub,
				      int join);

/* The cells of a box times the logarithm of how much longer it is than a cube of them. */
double torus_hilbert_shape_cost(int dims, const int32_t side[TORUS_MAX_DIMS]);

/*
 * Every cutting of the box worth a thought, the likeliest first; the caller frees it.
 * NULL when memory is short.
 */
hilbert_cutting_t *torus_hilbert_cuttings(int dims, const hilbert_task_t *task,
					  int *count);

/*
 * List the ways through the box of [task] that the first [most] cuttings have that have
 * any. best[0 .. keep-1] receives the cheapest, cheapest first; returns how many. Plans
 * of parts are made on the way; sets book->no_memory when memory is short.
 */
int torus_hilbert_ways(hilbert_book_t *book, const hilbert_task_t *task, int most,
		       hilbert_way_t *best, int keep);

#endif
