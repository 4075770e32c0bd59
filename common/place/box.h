/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boxes: a job that asks for a shape, e.g. 4x4x2, gets a free sub-box of the machine of
 * these side lengths in any rotation, which may go around wrapped dimensions. A shape in
 * chips has the rotations of place/turns.h.
 */
#ifndef TORUS_PLACE_BOX_H
#define TORUS_PLACE_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "place/shape.h"

/*
 * Find a box of [shape] on a machine whose ranks are cell_of_rank[0 .. ranks-1], all of
 * whose nodes are free: every cell of the box holds at least one rank and every rank on
 * it is set in [free]. A shape of fewer dimensions than the machine is 1 in the others;
 * one of more has no box, unless its sides beyond that number are 1. A closed shape has
 * only boxes that are closed (torus_box_is_closed()).
 *
 * Of all free boxes the one with the lowest sum of weights is chosen (weights[rank], read
 * for free ranks only, small enough for 64-bit sums; NULL: all the same), then the one
 * with the smallest difference between highest and lowest rank, then with the lowest
 * rank; on a further tie the first rotation (rotations in ascending order of their sides,
 * x first), then the lowest cell at its corner.
 * chosen[] (room for [ranks]) receives the ranks in the box, ascending, *count their
 * number.
 *
 * Returns 1 when found; 0, with [chosen] and [count] untouched, when there is no free
 * box; -1 with [err] filled (memory). Time and memory as torus_box_sweep() (box_sweep.h)
 * with two minimums and, with weights, a sum. Rotations none of whose boxes can be the
 * best are left out early; with weights only where the best has the lowest weight that
 * there may be.
 */
int torus_box_place(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
		    uint32_t ranks, const uint64_t *free, const uint64_t *weights,
		    const torus_shape_t *shape, uint32_t *chosen, uint32_t *count,
		    torus_error_t *err);

#endif
