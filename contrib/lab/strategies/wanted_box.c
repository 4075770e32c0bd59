/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The box that a job wants: see wanted_box.h. */
#include "strategies/wanted_box.h"

#include <string.h>

typedef struct search {
	int dims;
	int32_t length[TORUS_MAX_DIMS]; /* of the machine, ascending */
	int32_t side[TORUS_MAX_DIMS];	/* being tried, ascending */
	bool found;
	uint64_t best_sum;
	uint64_t best_cells;
	int32_t best[TORUS_MAX_DIMS];
} search_t;

/* The smallest side of which [dims] make a cube of at least [cells] cells. */
static int32_t cube_side(uint64_t cells, int dims)
{
	int32_t low = 1, high = (int32_t)cells; /* at most 2^28 */

	if (dims == 1)
		return high;
	if (high > 1 << 14) /* whose square is 2^28 */
		high = 1 << 14;
	while (low < high) {
		int32_t middle = low + (high - low) / 2;
		uint64_t have = 1;

		for (int i = 0; i < dims && have < cells; i++)
			have *= (uint64_t)middle;
		if (have >= cells)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * Try all sides of the axes from [axis] on. Those before it are given: [sum] is their sum
 * and [volume] their product, and the others must have [left] cells together. As sides
 * ascend, the next one is at most that of a cube of [left] cells; and the remaining sum
 * is more than that of a cube with sides one shorter.
 */
static void try_sides(search_t *search, int axis, uint64_t sum, uint64_t volume,
		      uint64_t left)
{
	int rest = search->dims - axis;
	int32_t longest = cube_side(left, rest);
	int32_t shortest = axis ? search->side[axis - 1] : 1;

	if (search->found &&
	    sum + (uint64_t)rest * (uint64_t)(longest - 1) >= search->best_sum)
		return;
	if (rest == 1) {
		sum += (uint64_t)longest;
		volume *= (uint64_t)longest;
		if (longest < shortest || longest > search->length[axis] ||
		    (search->found && sum == search->best_sum &&
		     volume >= search->best_cells) ||
		    (search->found && sum > search->best_sum))
			return;
		search->side[axis] = longest;
		search->found = true;
		search->best_sum = sum;
		search->best_cells = volume;
		memcpy(search->best, search->side, sizeof(search->best));
		return;
	}
	if (longest > search->length[axis])
		longest = search->length[axis];
	for (int32_t side = longest; side >= shortest; side--) {
		search->side[axis] = side;
		try_sides(search, axis + 1, sum + (uint64_t)side, volume * (uint64_t)side,
			  (left + (uint64_t)side - 1) / (uint64_t)side);
	}
}

bool torus_cube_like(const torus_geometry_t *geometry, uint32_t cells,
		     int32_t side[TORUS_MAX_DIMS])
{
	search_t search = {.dims = geometry->dims};
	int axes[TORUS_MAX_DIMS];

	for (int axis = 0; axis < geometry->dims; axis++) {
		int at = axis;

		for (; at > 0 && search.length[at - 1] > geometry->length[axis]; at--) {
			search.length[at] = search.length[at - 1];
			axes[at] = axes[at - 1];
		}
		search.length[at] = geometry->length[axis];
		axes[at] = axis;
	}
	try_sides(&search, 0, 0, 1, cells);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = 1;
	for (int axis = 0; axis < geometry->dims && search.found; axis++)
		side[axes[axis]] = search.best[axis];
	return search.found;
}

int torus_wanted_box_begin(torus_free_boxes_t *boxes, const torus_ask_t *ask,
			   torus_error_t *err)
{
	torus_site_t *site = ask->site;
	uint32_t routers = ask->nodes / site->most + (ask->nodes % site->most > 0);
	int32_t side[TORUS_MAX_DIMS];

	if (ask->shape)
		return torus_free_boxes_begin(boxes, site, ask->shape, err);
	*boxes = (torus_free_boxes_t){.site = site};
	if (!torus_cube_like(&site->geometry, routers, side))
		return 0;
	return torus_free_boxes_begin_sides(boxes, site, side, ask->nodes, err);
}
