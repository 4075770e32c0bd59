/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The torus that a job has for itself: see torus/joined.h. */
#include "torus/joined.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "torus/cubes.h"
#include "torus/fit.h"

void torus_joined_clear(torus_joined_t *joined)
{
	free(joined->cell);
	free(joined->cube);
	*joined = (torus_joined_t){0};
}

static int no_memory(torus_joined_t *joined, torus_error_t *err)
{
	uint32_t nodes = joined->nodes;

	torus_joined_clear(joined);
	return torus_fail(err, "out of memory for the cubes of %u nodes", nodes);
}

/* Find the job's cubes, ascending. 0, or -1 if memory is short. */
static int list_cubes(const torus_geometry_t *geometry, const uint32_t *cells,
		      torus_joined_t *joined)
{
	const torus_geometry_t grid = torus_cubes_grid(geometry);
	uint32_t cubes = torus_geometry_cells(&grid);
	uint64_t *used = torus_bitmap_create(cubes);

	if (!used)
		return -1;
	for (uint32_t i = 0; i < joined->nodes; i++)
		torus_bit_set(used, torus_cube_of(geometry, cells[i], NULL));
	joined->cube = malloc(torus_bitmap_count(used, cubes) * sizeof(*joined->cube));
	for (uint32_t cube = 0; joined->cube && cube < cubes; cube++) {
		if (torus_bit_test(used, cube))
			joined->cube[joined->cubes++] = cube;
	}
	free(used);
	return joined->cube ? 0 : -1;
}

/* The place of [cube] in the list. */
static uint32_t place_of(const torus_joined_t *joined, uint32_t cube)
{
	uint32_t low = 0, high = joined->cubes;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (joined->cube[middle] <= cube)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Whether there are nodes on all routers of the cubes: 1, 0, or -1 (memory). */
static int are_whole(const torus_geometry_t *geometry, const uint32_t *cells,
		     const torus_joined_t *joined)
{
	const torus_geometry_t one = torus_cubes_one(geometry);
	uint32_t each = torus_geometry_cells(&one), covered = 0;
	uint64_t *on;

	if (joined->nodes / each < joined->cubes)
		return 0;
	on = torus_bitmap_create(each * joined->cubes);
	if (!on)
		return -1;
	for (uint32_t i = 0; i < joined->nodes; i++) {
		uint32_t inner, cube = torus_cube_of(geometry, cells[i], &inner);
		uint32_t bit = place_of(joined, cube) * each + inner;

		covered += !torus_bit_test(on, bit);
		torus_bit_set(on, bit);
	}
	free(on);
	return covered == each * joined->cubes;
}

/* Give the nodes of whole cubes their cells on the torus with these sides. */
static void join_cubes(const torus_geometry_t *geometry, const uint32_t *cells,
		       const int32_t *side, torus_joined_t *joined)
{
	torus_geometry_t torus = {.dims = geometry->dims,
				  .twist = joined->geometry.twist};

	memcpy(torus.chips, geometry->chips, sizeof(torus.chips));
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		torus.length[axis] = axis < torus.dims ? side[axis] : 1;
		torus.cube[axis] = geometry->cube[axis];
	}
	for (uint32_t i = 0; i < joined->nodes; i++) {
		uint32_t inner, cube = torus_cube_of(geometry, cells[i], &inner);

		joined->cell[i] = torus_cube_cell(&torus, place_of(joined, cube), inner);
	}
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		torus.wrap[axis] = axis < torus.dims;
		torus.cube[axis] = 0;
	}
	joined->geometry = torus;
}

/* The sides of the torus of whole cubes. */
static void find_sides(const torus_geometry_t *geometry, const torus_shape_t *shape,
		       torus_joined_t *joined, int32_t *side)
{
	if (shape && torus_shape_fit(geometry, shape, side) == TORUS_FIT_JOINED &&
	    torus_cubes_needed(geometry, side) == joined->cubes) {
		if (shape->twist)
			joined->geometry.twist = torus_sides_twist(geometry, side);
		return;
	}
	torus_cubes_compact(geometry, joined->cubes, side);
}

int torus_join(const torus_geometry_t *geometry, const uint32_t *cells, uint32_t n,
	       const torus_shape_t *shape, torus_joined_t *joined, torus_error_t *err)
{
	int32_t side[TORUS_MAX_DIMS];
	int whole;

	*joined = (torus_joined_t){.geometry = *geometry, .nodes = n};
	joined->cell = malloc(n * sizeof(*joined->cell));
	if (!joined->cell)
		return no_memory(joined, err);
	memcpy(joined->cell, cells, n * sizeof(*cells));
	memset(joined->geometry.cube, 0, sizeof(joined->geometry.cube));
	if (!torus_has_cubes(geometry))
		return 0;
	if (list_cubes(geometry, cells, joined))
		return no_memory(joined, err);
	whole = are_whole(geometry, cells, joined);
	if (whole < 0)
		return no_memory(joined, err);
	if (whole) {
		joined->kind = TORUS_WHOLE_CUBES;
		find_sides(geometry, shape, joined, side);
		join_cubes(geometry, cells, side, joined);
	} else if (joined->cubes == 1) {
		joined->kind = TORUS_IN_ONE_CUBE;
		joined->geometry = torus_cubes_one(geometry);
		for (uint32_t i = 0; i < n; i++)
			torus_cube_of(geometry, cells[i], &joined->cell[i]);
	} else {
		joined->cubes = 0;
	}
	return 0;
}

/* The first shape that is made of so many whole cubes, with as many routers. */
static const torus_shape_t *shape_of(const torus_geometry_t *geometry, uint32_t nodes,
				     const torus_shapes_t *shapes)
{
	const torus_geometry_t one = torus_cubes_one(geometry);
	int32_t side[TORUS_MAX_DIMS];

	for (int i = 0; i < shapes->count; i++) {
		if (torus_shape_fit(geometry, &shapes->shape[i], side) !=
		    TORUS_FIT_JOINED)
			continue;
		if (torus_cubes_needed(geometry, side) * torus_geometry_cells(&one) ==
		    nodes)
			return &shapes->shape[i];
	}
	return NULL;
}

int torus_join_shapes(const torus_geometry_t *geometry, const uint32_t *cells, uint32_t n,
		      const torus_shapes_t *shapes, torus_joined_t *joined,
		      torus_error_t *err)
{
	const torus_shape_t *shape = NULL;

	if (!shapes || !torus_has_cubes(geometry))
		return torus_join(geometry, cells, n, NULL, joined, err);
	if (torus_join(geometry, cells, n, NULL, joined, err))
		return -1;
	if (joined->kind == TORUS_WHOLE_CUBES)
		shape = shape_of(geometry, torus_geometry_cells(&joined->geometry),
				 shapes);
	if (!shape)
		return 0;
	torus_joined_clear(joined);
	return torus_join(geometry, cells, n, shape, joined, err);
}

int torus_join_cells(torus_geometry_t *geometry, uint32_t *cells, uint32_t n,
		     const torus_shapes_t *shapes, torus_error_t *err)
{
	torus_joined_t joined;

	if (!torus_has_cubes(geometry))
		return 0;
	if (torus_join_shapes(geometry, cells, n, shapes, &joined, err))
		return -1;
	*geometry = joined.geometry;
	memcpy(cells, joined.cell, n * sizeof(*cells));
	torus_joined_clear(&joined);
	return 0;
}

int torus_join_metrics(const torus_geometry_t *geometry, const uint32_t *cells,
		       const uint32_t *ranks, uint32_t n, const torus_shapes_t *shapes,
		       uint32_t total_ranks, bool ring, torus_metrics_t *metrics,
		       torus_error_t *err)
{
	torus_joined_t joined;
	int result;

	if (!torus_has_cubes(geometry))
		return torus_metrics(geometry, cells, ranks, n, total_ranks, ring,
				     metrics, err);
	if (torus_join_shapes(geometry, cells, n, shapes, &joined, err))
		return -1;
	result = torus_metrics(&joined.geometry, joined.cell, ranks, n, total_ranks, ring,
			       metrics, err);
	torus_joined_clear(&joined);
	return result;
}
