/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connected components of a set of cells, by union-find: see components.h. */
#include "metrics/components.h"

#include <stdlib.h>

#include "geometry/chords.h"

typedef struct forest {
	const uint32_t *cells; /* ascending */
	const int32_t *coord;  /* [count * dims] theirs */
	int dims;
	uint32_t *parent; /* [count] index of the parent, its own for a root */
	uint32_t count;
	uint32_t trees;
} forest_t;

static uint32_t find_root(uint32_t *parent, uint32_t at)
{
	while (parent[at] != at) {
		parent[at] = parent[parent[at]];
		at = parent[at];
	}
	return at;
}

static void unite(forest_t *forest, uint32_t a, uint32_t b)
{
	a = find_root(forest->parent, a);
	b = find_root(forest->parent, b);
	if (a == b)
		return;
	if (a < b)
		forest->parent[b] = a;
	else
		forest->parent[a] = b;
	forest->trees--;
}

/*
 * Unite cells with the cell [offset] above them, for those whose coordinate along [axis]
 * is at most [high]. Both ascend, so one walk through the cells finds all the partners.
 */
static void unite_along(forest_t *forest, int axis, int32_t high, uint32_t offset)
{
	const int32_t *coord = forest->coord + axis;
	uint32_t partner = 0;

	for (uint32_t i = 0; i < forest->count; i++, coord += forest->dims) {
		uint32_t target = forest->cells[i] + offset;

		if (*coord > high)
			continue;
		while (partner < forest->count && forest->cells[partner] < target)
			partner++;
		if (partner == forest->count)
			return;
		if (forest->cells[partner] == target)
			unite(forest, i, partner);
	}
}

int torus_compare_cells(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

/*
 * On a twisted torus: unite cells at the beginning of the short side [axis] with those
 * that are before them around it, shifted by half of every long side.
 */
static void unite_around(forest_t *forest, const torus_geometry_t *geometry, int axis)
{
	for (uint32_t i = 0; i < forest->count; i++) {
		const int32_t *from = forest->coord + (size_t)i * (size_t)forest->dims;
		int32_t coord[TORUS_MAX_DIMS] = {0};
		const uint32_t *partner;
		uint32_t cell;

		if (from[axis])
			continue;
		for (int other = 0; other < forest->dims; other++) {
			int32_t length = geometry->length[other];

			coord[other] = from[other];
			if (geometry->twist >> other & 1)
				coord[other] = (coord[other] + length / 2) % length;
		}
		coord[axis] = geometry->length[axis] - 1;
		cell = torus_coord_to_cell(geometry, coord);
		partner = bsearch(&cell, forest->cells, forest->count, sizeof(cell),
				  torus_compare_cells);
		if (partner)
			unite(forest, i, (uint32_t)(partner - forest->cells));
	}
}

/* Unite the cells at both ends of links beside the torus's own. */
static void unite_chords(forest_t *forest, const torus_chords_t *chords)
{
	for (uint32_t i = 0; i < chords->count; i++) {
		const uint32_t *end[2];

		for (int e = 0; e < 2; e++)
			end[e] = bsearch(&chords->chord[i].cell[e], forest->cells,
					 forest->count, sizeof(*forest->cells),
					 torus_compare_cells);
		if (end[0] && end[1])
			unite(forest, (uint32_t)(end[0] - forest->cells),
			      (uint32_t)(end[1] - forest->cells));
	}
}

uint32_t torus_components(const torus_geometry_t *geometry, const torus_extent_t *extents,
			  const uint32_t *cells, const int32_t *coord, uint32_t count,
			  torus_error_t *err)
{
	forest_t forest = {.cells = cells,
			   .coord = coord,
			   .dims = geometry->dims,
			   .count = count,
			   .trees = count};
	uint32_t stride = 1;

	forest.parent = malloc(count * sizeof(*forest.parent));
	if (!forest.parent) {
		torus_fail(err, "out of memory for the components of %u cells", count);
		return 0;
	}
	for (uint32_t i = 0; i < count; i++)
		forest.parent[i] = i;
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t side = (uint32_t)extents[axis].side;
		uint32_t end = (uint32_t)extents[axis].origin + side;

		if (side > 1)
			unite_along(&forest, axis, (int32_t)length - 2, stride);
		if (geometry->twist && !(geometry->twist >> axis & 1))
			unite_around(&forest, geometry, axis);
		/* Only the whole ring, and what goes around its end, has both ends. */
		else if (length > 2 && geometry->wrap[axis] &&
			 (side == length || end > length))
			unite_along(&forest, axis, 0, (length - 1) * stride);
		stride *= length;
	}
	if (geometry->chords)
		unite_chords(&forest, geometry->chords);
	free(forest.parent);
	return forest.trees;
}
