/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of every box of a shape: for each rotation of the shape and each cell where such
 * a box may begin, minimums and sums of numbers that the cells of the box have.
 *
 * Sides are given to axes from the shortest to the longest. All axes that have none yet
 * are as long as the next side, so that whatever is known early of a box holds for all
 * the boxes that grow from it: when none of them can be wanted, they are left out.
 * Rotations that begin alike share the work of beginning. Cells are kept in blocks, and
 * where no box of a block can be wanted nothing more is done for it, nor for the boxes
 * that would contain one of it.
 */
#ifndef TORUS_PLACE_BOX_SWEEP_H
#define TORUS_PLACE_BOX_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "place/shape.h"

#define TORUS_SWEEP_MINIMUMS 4
#define TORUS_SWEEP_SUMS 19

/* The minimum where no box may begin, since it would leave a mesh. The numbers of cells
 * are not below it. */
#define TORUS_SWEEP_NO_BOX (-(INT32_C(1) << 30))

/*
 * Numbers of all cells, or of all boxes by the cell where they begin (a box goes upwards
 * from there, around the end of wrapped dimensions). The first [minimums] and [sums]
 * arrays are in use, each of as many numbers as there are cells.
 */
typedef struct torus_sweep_values {
	int minimums; /* 1 .. TORUS_SWEEP_MINIMUMS */
	int sums;     /* 0 .. TORUS_SWEEP_SUMS */
	int32_t *minimum[TORUS_SWEEP_MINIMUMS];
	uint64_t *sum[TORUS_SWEEP_SUMS]; /* modulo 2^64; 0 where no box may begin */
} torus_sweep_values_t;

/* Boxes that begin at the cells first .. first+count-1. */
typedef struct torus_sweep_block {
	const torus_sweep_values_t *values; /* of all cells; read those of these only */
	const int32_t *side;		    /* of each box; 1 beyond the dimensions */
	bool whole; /* they are of the shape; else there are no sums */
	uint32_t first, count;
} torus_sweep_block_t;

/*
 * Look at some boxes. If they are not whole, they are the beginnings of larger boxes:
 * return whether any that begins in this block may be wanted. A box that contains one
 * that is not may not be wanted either. What is returned for whole ones is not looked at.
 * The block is valid until the function returns.
 */
typedef bool torus_sweep_visit_t(const torus_sweep_block_t *block, void *context);

/*
 * Visit the boxes of [shape] on [geometry] in every distinct rotation that fits, block by
 * block, unless left out. Of a closed shape only closed boxes are whole. A shape of fewer
 * dimensions than the machine is 1 in the others; one of more has no box, unless its
 * sides beyond that number are 1. Of one in chips the rotations are those of
 * place/turns.h, each for itself. [cells] are the numbers of the cells, which are not
 * written to.
 *
 * Returns 0, or -1 with [err] filled (memory). Time: at most 1,700 steps of O(cells that
 * have not been left out) for six different sides in six dimensions, 14 for three in
 * three, a step more whenever a side is more than 2, 4, 8 ... times the next shorter one;
 * with sums as many again, of O(cells), for each. Memory: 4 bytes a cell for each minimum
 * and dimension, and 4 more; 8 bytes for each sum and dimension, and 16 more; a bit for
 * each block and dimension.
 */
int torus_box_sweep(const torus_geometry_t *geometry, const torus_shape_t *shape,
		    const torus_sweep_values_t *cells, torus_sweep_visit_t *visit,
		    void *context, torus_error_t *err);

#endif
