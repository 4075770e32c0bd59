/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The three ways to find the farthest pair, each against the hops of all pairs. This file
 * includes the source: which way is taken depends on the size of the set, and the way for
 * large sets is best tested on small ones, for every place of the grid.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "metrics/diameter.c"
#include "random.h"

#define MOST_CELLS 20

/* Random cells on a random machine, its wrapped dimensions closed. */
static torus_geometry_t random_set(boxed_set_t *set, int32_t *coords)
{
	torus_geometry_t geometry = random_geometry(4, 400);

	*set = (boxed_set_t){.dims = geometry.dims,
			     .volume = torus_geometry_cells(&geometry),
			     .count = random_in(1, MOST_CELLS),
			     .coord = coords};
	for (int axis = 0; axis < set->dims; axis++) {
		set->side[axis] = geometry.length[axis];
		set->closed[axis] = geometry.wrap[axis];
		set->any_closed |= geometry.wrap[axis];
	}
	for (uint32_t i = 0; i < set->count; i++) {
		for (int axis = 0; axis < set->dims; axis++)
			*coords++ = (int32_t)random_in(0, (uint32_t)set->side[axis] - 1);
	}
	return geometry;
}

/* Hops to the farthest cell of the set. */
static uint32_t farthest_from(const torus_geometry_t *geometry, const boxed_set_t *set,
			      const int32_t *coord)
{
	uint32_t farthest = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		uint32_t hops =
			torus_hops(geometry, coord, set->coord + i * (size_t)set->dims);

		farthest = hops > farthest ? hops : farthest;
	}
	return farthest;
}

static void each_way_finds_the_farthest_pair(void **state)
{
	int without_rings = 0;

	(void)state;
	for (int round = 0; round < 4000; round++) {
		int32_t coords[MOST_CELLS * TORUS_MAX_DIMS], by_grid = 0;
		uint32_t farthest = 0;
		boxed_set_t set;
		torus_geometry_t geometry = random_set(&set, coords);

		for (uint32_t i = 0; i < set.count; i++) {
			uint32_t hops = farthest_from(&geometry, &set,
						      coords + i * (size_t)set.dims);

			farthest = hops > farthest ? hops : farthest;
		}
		assert_int_equal(farthest_by_pairs(&set), farthest);
		assert_int_equal(farthest_by_grid(&set, &by_grid, NULL), 0);
		assert_int_equal(by_grid, farthest);
		if (set.any_closed)
			continue;
		assert_int_equal(farthest_by_signs(&set), farthest);
		without_rings++;
	}
	assert_true(without_rings > 100);
}

static void the_grid_is_right_everywhere(void **state)
{
	(void)state;
	for (int round = 0; round < 1000; round++) {
		int32_t coords[MOST_CELLS * TORUS_MAX_DIMS], grid[400], line[2 * 400];
		boxed_set_t set;
		torus_geometry_t geometry = random_set(&set, coords);

		for (uint64_t i = 0; i < set.volume; i++)
			grid[i] = NOWHERE;
		for (uint32_t i = 0; i < set.count; i++)
			grid[grid_index(&set, i)] = 0;
		farthest_everywhere(&set, grid, line);
		for (uint32_t cell = 0; cell < set.volume; cell++) {
			int32_t coord[TORUS_MAX_DIMS];

			torus_cell_to_coord(&geometry, cell, coord);
			assert_int_equal(grid[cell],
					 farthest_from(&geometry, &set, coord));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_way_finds_the_farthest_pair),
		cmocka_unit_test(the_grid_is_right_everywhere),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
