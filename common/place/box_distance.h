/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How compact a full box is, from its sides alone. */
#ifndef TORUS_PLACE_BOX_DISTANCE_H
#define TORUS_PLACE_BOX_DISTANCE_H

#include <stdint.h>

#include "geometry/geometry.h"

/*
 * The sum of hops over all ordered pairs of cells of a box with sides [side], each 1 to
 * the length of its axis, wherever it lies: the summed_distance of the metrics for one
 * node a cell. UINT64_MAX where the sum is larger than 64 bits, which needs more than two
 * million cells. O(dims).
 */
uint64_t torus_box_distance(const torus_geometry_t *geometry, const int32_t *side);

#endif
