/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An allocation along one dimension at a time: see projection.h. */
#include "geometry/projection.h"

#include <stdlib.h>

int torus_projection_create(const torus_geometry_t *geometry, const uint32_t *cells,
			    uint32_t n, torus_projection_t *projection,
			    torus_error_t *err)
{
	size_t total = 0;
	uint32_t *block;

	for (int axis = 0; axis < geometry->dims; axis++)
		total += (size_t)geometry->length[axis];
	block = calloc(total, sizeof(*block));
	if (!block)
		return torus_fail(err, "out of memory for %zu coordinates", total);
	*projection = (torus_projection_t){.nodes = n};
	for (int axis = 0; axis < geometry->dims; axis++) {
		projection->count[axis] = block;
		block += geometry->length[axis];
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t cell = cells[i];

		for (int axis = 0; axis < geometry->dims; axis++) {
			uint32_t length = (uint32_t)geometry->length[axis];

			projection->count[axis][cell % length]++;
			cell /= length;
		}
	}
	return 0;
}

void torus_projection_destroy(torus_projection_t *projection)
{
	free(projection->count[0]);
	*projection = (torus_projection_t){0};
}

torus_extent_t torus_projection_extent(const torus_geometry_t *geometry,
				       const torus_projection_t *projection, int axis)
{
	const uint32_t *count = projection->count[axis];
	int32_t length = geometry->length[axis];
	int32_t first = -1, last = -1, gap = -1;
	torus_extent_t extent = {0};

	for (int32_t at = 0; at < length; at++) {
		if (!count[at])
			continue;
		extent.used++;
		if (first < 0)
			first = at;
		else if (at - last - 1 > gap) {
			gap = at - last - 1;
			extent.origin = at;
		}
		last = at;
	}
	/*
	 * The gap around the end. The arc after it begins lowest, so this gap wins ties.
	 */
	if (!geometry->wrap[axis] || first + length - last - 1 >= gap) {
		extent.origin = first;
		extent.side = last - first + 1;
	} else {
		extent.side = length - gap;
	}
	return extent;
}

static void mesh_sums(const uint32_t *count, int32_t length, uint64_t n, uint64_t *sums)
{
	uint64_t sum = 0, passed = 0;

	for (int32_t at = 0; at < length; at++)
		sum += (uint64_t)count[at] * (uint64_t)at;
	/* One step up: farther from those passed, nearer to the others. */
	for (int32_t at = 0; at < length; at++) {
		sums[at] = sum;
		passed += count[at];
		sum += passed;
		sum -= n - passed;
	}
}

static void ring_sums(const uint32_t *count, int32_t length, uint64_t n, uint64_t *sums)
{
	int32_t half = length / 2, rest = length - half;
	uint64_t sum = 0, ahead = 0; /* nodes 1 .. half places ahead */

	for (int32_t at = 0; at < length; at++)
		sum += (uint64_t)count[at] *
		       (uint64_t)(at < length - at ? at : length - at);
	for (int32_t place = 1; place <= half; place++)
		ahead += count[place];
	/*
	 * One step up: nearer to those up to half the ring ahead, farther from the
	 * others, except that on an odd ring those just beyond the half stay as far as
	 * they were.
	 */
	for (int32_t at = 0; at < length; at++) {
		int32_t beyond =
			at + half + 1 < length ? at + half + 1 : at + half + 1 - length;
		uint64_t same = rest > half ? count[beyond] : 0;
		int32_t next = at + 1 < length ? at + 1 : 0;

		sums[at] = sum;
		sum += n - ahead - same;
		sum -= ahead;
		ahead += count[beyond];
		ahead -= count[next];
	}
}

void torus_projection_sums(const torus_geometry_t *geometry,
			   const torus_projection_t *projection, int axis, uint64_t *sums)
{
	const uint32_t *count = projection->count[axis];
	int32_t length = geometry->length[axis];

	if (geometry->wrap[axis])
		ring_sums(count, length, projection->nodes, sums);
	else
		mesh_sums(count, length, projection->nodes, sums);
}
