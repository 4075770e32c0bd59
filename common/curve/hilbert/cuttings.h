/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuttings: how a box may be cut in the middle into parts that a path visits in turn. */
#ifndef TORUS_CURVE_HILBERT_CUTTINGS_H
#define TORUS_CURVE_HILBERT_CUTTINGS_H

#include "curve/hilbert/plan.h"

#define HILBERT_PARTS_MAX 4

/*
 * Either one axis is cut, and the path goes from the lower half to the upper one; or two
 * are, and it goes through the quarters in a U: up along axis[0], up along axis[1], and
 * down along axis[0]. (Cutting three axes at once, or leaving two quarters in one piece,
 * was tried and is not better.)
 */
typedef struct hilbert_cutting {
	int64_t cost; /* how far from cubes its parts are */
	int number;   /* in the order of listing; breaks ties */
	int parts;    /* 2 or 4 */
	int axis[2];
	int32_t at[2]; /* length of the lower part */
} hilbert_cutting_t;

typedef struct hilbert_extent {
	int32_t low[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS];
	uint32_t wrap; /* as in hilbert_task_t; an axis that is cut is no ring any more */
} hilbert_extent_t;

/* Where in the box of [task] the [part]-th part lies. */
hilbert_extent_t torus_hilbert_extent(int dims, const hilbert_task_t *task,
				      const hilbert_cutting_t *cutting, int part);

/*
 * List the cuttings of the box whose path can end where it must, the most promising
 * first; the caller frees them. NULL when memory is short (book->no_memory).
 */
hilbert_cutting_t *torus_hilbert_cuttings(hilbert_book_t *book,
					  const hilbert_task_t *task, int *count);

#endif
