/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The minimums of boxes for all cells where a box may begin, kept in blocks of cells: a
 * block none of whose boxes can be wanted any more is left out of all further work. A
 * part of box_sweep.h.
 */
#ifndef TORUS_PLACE_BOX_BLOCKS_H
#define TORUS_PLACE_BOX_BLOCKS_H

#include "place/box_rows.h"
#include "place/box_sweep.h"

/* How the cells of a machine are divided: along the first axes blocks are as long as the
 * machine, along the others one cell. */
typedef struct torus_blocks {
	const torus_geometry_t *geometry;
	int axes;	  /* of a block */
	size_t block;	  /* cells in a block */
	uint32_t count;	  /* of blocks */
	int32_t *scratch; /* [cells] */
	uint64_t *before; /* scratch memory, a bit for each block */
} torus_blocks_t;

/* Boxes of some sides. */
typedef struct torus_boxes {
	torus_sweep_values_t values; /* the minimums of a box; no sums */
	uint64_t *live; /* the blocks where a box may be wanted; others hold nothing */
} torus_boxes_t;

/* Divide the cells of [geometry]. The scratch memory is the caller's to fill in. */
void torus_blocks_divide(torus_blocks_t *blocks, const torus_geometry_t *geometry);

/*
 * Lengthen the boxes in [from] along [axis] from [have] cells to [side]: into [to], which
 * may be [from]. A box is live if all of those that it is made of are.
 */
void torus_blocks_grow(const torus_blocks_t *blocks, int axis, int32_t have, int32_t side,
		       const torus_boxes_t *from, torus_boxes_t *to);

#endif
