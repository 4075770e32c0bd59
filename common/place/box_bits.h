/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where boxes of given sides are free, a bit a cell: bit c says whether the box that
 * begins at cell c (and goes upwards from there, around the end of wrapped dimensions) is
 * free. 64 cells are worked on at once, so that many shapes can be tried.
 */
#ifndef TORUS_PLACE_BOX_BITS_H
#define TORUS_PLACE_BOX_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bitmap.h"
#include "geometry/geometry.h"

/*
 * [boxes] is a bitmap of all cells for boxes that are [from] cells long along [axis];
 * make it that for boxes of [to] cells, from <= to <= the axis's length. A box that would
 * leave a mesh is not free. [scratch] has as many words. O(cells / 64 * log(to / from)).
 */
void torus_box_bits_grow(const torus_geometry_t *geometry, int axis, int32_t from,
			 int32_t to, uint64_t *boxes, uint64_t *scratch);

/*
 * Whether a box with the sides side[0 .. dims-1] is free in some rotation. maps[] are
 * dims + 2 bitmaps: the first has the usable cells and is kept, the others are scratch
 * memory. Rotations that begin alike share the work.
 */
bool torus_box_bits_fit(const torus_geometry_t *geometry, const int32_t *side,
			uint64_t *maps);

/* Whether a bit of [cells] is set. */
bool torus_box_bits_any(const uint64_t *boxes, uint32_t cells);

/*
 * Set the bits of the cells that may be in a box: those with ranks all of which are set
 * in [free_ranks]. [usable] has room for all cells.
 */
void torus_box_bits_usable(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
			   uint32_t ranks, const uint64_t *free_ranks, uint64_t *usable);

#endif
