/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The peer that common/curve/hilbert is measured against: the Hilbert curve of the
 * smallest 2^k cube that holds the box, cells outside the box skipped. Rules for the
 * entry point and the direction of each sub-cube: "Compact Hilbert Indices" (Hamilton,
 * 2006).
 */
#ifndef TORUS_TRUNCATED_HILBERT_H
#define TORUS_TRUNCATED_HILBERT_H

#include "geometry/geometry.h"

typedef struct truncated_hilbert {
	const torus_geometry_t *geometry;
	uint32_t *order;
	uint32_t rank;
} truncated_hilbert_t;

static inline uint32_t truncated_rotate(uint32_t bits, int by, int width)
{
	return ((bits << by) | (bits >> (width - by))) & ((1u << width) - 1);
}

static inline void truncated_hilbert_cube(truncated_hilbert_t *walk,
					  const int32_t *origin, int32_t side,
					  uint32_t entry, int direction)
{
	int dims = walk->geometry->dims;

	for (int axis = 0; axis < dims; axis++) {
		if (origin[axis] >= walk->geometry->length[axis])
			return;
	}
	if (side == 1) {
		walk->order[walk->rank++] = torus_coord_to_cell(walk->geometry, origin);
		return;
	}
	for (uint32_t i = 0; i < 1u << dims; i++) {
		uint32_t pair = i ? 2 * ((i - 1) / 2) : 0;
		uint32_t odd = i % 2 ? i : i - 1;
		int by = (direction + 1) % dims;
		int along = i ? __builtin_ctz(~odd) : 0; /* trailing ones */
		uint32_t half = truncated_rotate(i ^ (i >> 1), by, dims) ^ entry;
		int32_t corner[TORUS_MAX_DIMS] = {0};

		for (int axis = 0; axis < dims; axis++)
			corner[axis] = origin[axis] + (half >> axis & 1 ? side / 2 : 0);
		truncated_hilbert_cube(walk, corner, side / 2,
				       truncated_rotate(pair ^ (pair >> 1), by, dims) ^
					       entry,
				       (direction + along + 1) % dims);
	}
}

static inline void truncated_hilbert_order(const torus_geometry_t *geometry,
					   uint32_t *order)
{
	truncated_hilbert_t walk = {geometry, order, 0};
	const int32_t origin[TORUS_MAX_DIMS] = {0};
	int32_t side = 1;

	for (int axis = 0; axis < geometry->dims; axis++) {
		while (side < geometry->length[axis])
			side *= 2;
	}
	truncated_hilbert_cube(&walk, origin, side, 0, 0);
}

#endif
