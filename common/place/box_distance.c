/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How compact a full box is: see box_distance.h. */
#include "place/box_distance.h"

#include <stdbool.h>

/* Whether [side] cells along an axis of [length] have the sum below in 64 bits. */
static bool too_long(uint64_t side)
{
	return side > UINT64_C(2000000);
}

/*
 * The sum over ordered pairs of [side] successive positions: a(a^2-1)/3 on a line. On a
 * ring of k, distances d beyond its half are k-d instead, which is 2d-k less.
 */
static uint64_t along_axis(uint64_t side, uint64_t length, bool wrap)
{
	uint64_t sum, beyond, less;

	sum = side * (side * side - 1) / 3;
	if (!wrap || side - 1 <= length / 2)
		return sum;
	beyond = side - 1 - length / 2; /* such distances */
	less = beyond * (beyond + 1) / 2 * (2 * side) -
	       beyond * (beyond + 1) * (2 * beyond + 1) / 3 -
	       beyond * (beyond + 1) / 2 * length;
	return sum - 2 * less;
}

uint64_t torus_box_distance(const torus_geometry_t *geometry, const int32_t *side)
{
	uint64_t volume = 1, sum = 0;

	for (int axis = 0; axis < geometry->dims; axis++)
		volume *= (uint64_t)side[axis];
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint64_t length = (uint64_t)geometry->length[axis];
		uint64_t here = (uint64_t)side[axis], across = volume / here, part;

		if (too_long(here))
			return UINT64_MAX;
		part = along_axis(here, length, geometry->wrap[axis]);
		if (__builtin_mul_overflow(part, across, &part) ||
		    __builtin_mul_overflow(part, across, &part) ||
		    __builtin_add_overflow(sum, part, &sum))
			return UINT64_MAX;
	}
	return sum;
}
