/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The farthest pair of a set of cells: see diameter.h. */
#include "metrics/diameter.h"

#include <stdlib.h>

/*
 * The set in coordinates of its bounding box. A dimension is closed if going around its
 * end may be the shorter way between two of the cells; in the others hops are |a - b|.
 */
typedef struct boxed_set {
	int dims;
	int32_t side[TORUS_MAX_DIMS]; /* of the box; a closed dimension has full length */
	bool closed[TORUS_MAX_DIMS];
	bool any_closed;
	uint64_t volume;
	uint32_t count;
	int32_t *coord; /* [count * dims] */
} boxed_set_t;

static int box_set(const torus_geometry_t *geometry, const torus_extent_t *extents,
		   const int32_t *coord, uint32_t count, boxed_set_t *set,
		   torus_error_t *err)
{
	int32_t origin[TORUS_MAX_DIMS];
	int32_t *out;

	*set = (boxed_set_t){.dims = geometry->dims, .volume = 1, .count = count};
	set->coord = malloc((size_t)count * (size_t)set->dims * sizeof(*set->coord));
	if (!set->coord)
		return torus_fail(err, "out of memory for %u coordinates", count);
	for (int axis = 0; axis < set->dims; axis++) {
		torus_extent_t extent = extents[axis];
		int32_t length = geometry->length[axis];

		set->closed[axis] =
			geometry->wrap[axis] && 2 * (extent.side - 1) > length;
		set->any_closed |= set->closed[axis];
		set->side[axis] = set->closed[axis] ? length : extent.side;
		origin[axis] = set->closed[axis] ? 0 : extent.origin;
		set->volume *= (uint64_t)set->side[axis];
	}
	out = set->coord;
	for (uint32_t i = 0; i < count; i++) {
		for (int axis = 0; axis < set->dims; axis++) {
			int32_t at = *coord++ - origin[axis];

			*out++ = at < 0 ? at + geometry->length[axis] : at;
		}
	}
	return 0;
}

/*
 * Without closed dimensions: the sum of |a_i - b_i| is the largest, over all choices of
 * signs, of the sum of +-(a_i - b_i), so for each choice the highest and the lowest value
 * of a cell make the farthest pair. Turning all signs round changes nothing.
 */
static int32_t farthest_by_signs(const boxed_set_t *set)
{
	int32_t farthest = 0;

	for (int signs = 0; signs < 1 << (set->dims - 1); signs++) {
		const int32_t *coord = set->coord;
		int32_t lowest = INT32_MAX, highest = INT32_MIN;

		for (uint32_t i = 0; i < set->count; i++) {
			int32_t sum = *coord++;

			for (int axis = 1; axis < set->dims; axis++, coord++)
				sum += signs >> (axis - 1) & 1 ? -*coord : *coord;
			if (sum < lowest)
				lowest = sum;
			if (sum > highest)
				highest = sum;
		}
		if (highest - lowest > farthest)
			farthest = highest - lowest;
	}
	return farthest;
}

static int32_t farthest_by_pairs(const boxed_set_t *set)
{
	size_t dims = (size_t)set->dims;
	int32_t farthest = 0;

	for (uint32_t i = 1; i < set->count; i++) {
		const int32_t *a = set->coord + i * dims;

		for (uint32_t j = 0; j < i; j++) {
			const int32_t *b = set->coord + j * dims;
			int32_t hops = 0;

			for (size_t axis = 0; axis < dims; axis++) {
				int32_t distance = abs(a[axis] - b[axis]);

				if (set->closed[axis] &&
				    set->side[axis] - distance < distance)
					distance = set->side[axis] - distance;
				hops += distance;
			}
			if (hops > farthest)
				farthest = hops;
		}
	}
	return farthest;
}

/* No cell here yet: below any distance, even with distances added. */
#define NOWHERE (-(INT32_C(1) << 30))

/* Replace line[x] by the largest line[y] + |x - y|. */
static void farthest_on_line(int32_t *line, int32_t length)
{
	int32_t down = INT32_MIN, up = INT32_MIN;

	for (int32_t y = 0; y < length; y++) {
		if (line[y] - y > down)
			down = line[y] - y;
		if (line[y] + y > up)
			up = line[y] + y;
	}
	for (int32_t x = 0; x < length; x++)
		line[x] = down + x > up - x ? down + x : up - x;
}

/*
 * Replace line[x] by the largest line[y] + hops(x, y) on a ring. The farther y is from x,
 * the nearer it is to the place opposite of x (two places, when the length is odd), so
 * the largest comes from the smallest hops(z, y) - line[y], which two turns each way
 * round the ring compute for all z.
 */
static void farthest_on_ring(int32_t *line, int32_t *nearest, int32_t length)
{
	for (int32_t z = 0; z < length; z++)
		nearest[z] = -line[z];
	for (int32_t step = 1; step < 2 * length; step++) {
		int32_t z = step % length, before = (step - 1) % length;

		if (nearest[before] + 1 < nearest[z])
			nearest[z] = nearest[before] + 1;
	}
	for (int32_t step = 2 * length - 1; step > 0; step--) {
		int32_t z = (step - 1) % length, behind = step % length;

		if (nearest[behind] + 1 < nearest[z])
			nearest[z] = nearest[behind] + 1;
	}
	for (int32_t x = 0; x < length; x++) {
		int32_t one = nearest[(x + length / 2) % length];
		int32_t other = nearest[(x + (length + 1) / 2) % length];

		line[x] = length / 2 - (one < other ? one : other);
	}
}

/*
 * For every place of the box the distance of the farthest cell, one dimension after the
 * other. [grid] holds 0 at the cells and NOWHERE elsewhere; [line] is room for twice the
 * longest side.
 */
static void farthest_everywhere(const boxed_set_t *set, int32_t *grid, int32_t *line)
{
	size_t stride = 1;

	for (int axis = 0; axis < set->dims; axis++) {
		size_t side = (size_t)set->side[axis];

		for (size_t first = 0; first < set->volume; first++) {
			if (first / stride % side) {
				first += stride * (side - 1) - 1;
				continue;
			}
			for (size_t i = 0; i < side; i++)
				line[i] = grid[first + i * stride];
			if (set->closed[axis])
				farthest_on_ring(line, line + side, (int32_t)side);
			else
				farthest_on_line(line, (int32_t)side);
			for (size_t i = 0; i < side; i++)
				grid[first + i * stride] = line[i];
		}
		stride *= side;
	}
}

static size_t grid_index(const boxed_set_t *set, uint32_t member)
{
	const int32_t *coord = set->coord + (size_t)member * (size_t)set->dims;
	size_t index = 0;

	for (int axis = set->dims - 1; axis >= 0; axis--)
		index = index * (size_t)set->side[axis] + (size_t)coord[axis];
	return index;
}

static int farthest_by_grid(const boxed_set_t *set, int32_t *farthest, torus_error_t *err)
{
	int32_t *grid = malloc(set->volume * sizeof(*grid)), *line;
	size_t longest = 1;
	int result = 0;

	for (int axis = 0; axis < set->dims; axis++) {
		if ((size_t)set->side[axis] > longest)
			longest = (size_t)set->side[axis];
	}
	line = malloc(2 * longest * sizeof(*line));
	if (!grid || !line) {
		result = torus_fail(err, "out of memory for a grid of %llu cells",
				    (unsigned long long)set->volume);
		goto out;
	}
	for (uint64_t i = 0; i < set->volume; i++)
		grid[i] = NOWHERE;
	for (uint32_t i = 0; i < set->count; i++)
		grid[grid_index(set, i)] = 0;
	farthest_everywhere(set, grid, line);
	for (uint32_t i = 0; i < set->count; i++) {
		if (grid[grid_index(set, i)] > *farthest)
			*farthest = grid[grid_index(set, i)];
	}
out:
	free(line);
	free(grid);
	return result;
}

int torus_diameter(const torus_geometry_t *geometry, const torus_extent_t *extents,
		   const int32_t *coord, uint32_t count, uint32_t *diameter,
		   torus_error_t *err)
{
	boxed_set_t set;
	int32_t farthest = 0;
	int result = 0;

	if (box_set(geometry, extents, coord, count, &set, err))
		return -1;
	if (!set.any_closed)
		farthest = farthest_by_signs(&set);
	/* A place of the grid costs about as much as eight pairs. */
	else if ((uint64_t)count * count / 16 <= set.volume)
		farthest = farthest_by_pairs(&set);
	else
		result = farthest_by_grid(&set, &farthest, err);
	free(set.coord);
	if (!result)
		*diameter = (uint32_t)farthest;
	return result;
}
