/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is free on a machine of cubes: see capacity/largest_in_cube.h. */
#include "capacity/largest_in_cube.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/bitmap.h"
#include "torus/joined.h"

/* Set the bits of the usable cells of [cube], by their numbers within it, in the cleared
 * [within]. Returns how many they are. */
static uint32_t look_at(const torus_geometry_t *geometry, const uint64_t *usable,
			uint32_t cube, uint32_t cells, uint64_t *within)
{
	uint32_t count = 0;

	for (uint32_t inner = 0; inner < cells; inner++) {
		if (!torus_bit_test(usable, torus_cube_cell(geometry, cube, inner)))
			continue;
		if (within)
			torus_bit_set(within, inner);
		count++;
	}
	return count;
}

int torus_largest_in_cube(const torus_geometry_t *geometry, const uint64_t *usable,
			  int long_sides, torus_largest_t *largest, torus_error_t *err)
{
	const torus_geometry_t one = torus_cubes_one(geometry);
	const torus_geometry_t grid = torus_cubes_grid(geometry);
	uint32_t cells = torus_geometry_cells(&one);
	bool found = false;

	for (uint32_t cube = 0; cube < torus_geometry_cells(&grid); cube++) {
		uint64_t *within = torus_bitmap_create(cells);
		torus_largest_t box;
		int rc;

		if (!within)
			return torus_fail(err, "out of memory for %u cells", cells);
		look_at(geometry, usable, cube, cells, within);
		rc = long_sides ? torus_largest_box(&one, within, long_sides, &box, err)
				: torus_largest_cube(&one, within, &box, err);
		free(within);
		if (rc)
			return -1;
		if (found && box.volume <= largest->volume)
			continue;
		*largest = box;
		largest->corner = torus_cube_cell(geometry, cube, box.corner);
		found = true;
	}
	return 0;
}

int torus_largest_room(const torus_geometry_t *geometry, const uint64_t *usable,
		       int long_sides, torus_largest_t *largest, torus_error_t *err)
{
	if (torus_has_cubes(geometry))
		return torus_largest_in_cube(geometry, usable, long_sides, largest, err);
	return long_sides ? torus_largest_box(geometry, usable, long_sides, largest, err)
			  : torus_largest_cube(geometry, usable, largest, err);
}

uint32_t torus_whole_cubes(const torus_geometry_t *geometry, const uint64_t *usable)
{
	const torus_geometry_t one = torus_cubes_one(geometry);
	const torus_geometry_t grid = torus_cubes_grid(geometry);
	uint32_t cells = torus_geometry_cells(&one), whole = 0;

	for (uint32_t cube = 0; cube < torus_geometry_cells(&grid); cube++)
		whole += look_at(geometry, usable, cube, cells, NULL) == cells;
	return whole;
}
