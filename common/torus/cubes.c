/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines of cubes: see torus/cubes.h. */
#include "torus/cubes.h"

#include <string.h>

#include "geometry/chips.h"

int torus_cubes_parse(const char *text, torus_geometry_t *geometry, torus_error_t *err)
{
	char machine[TORUS_DIMS_TEXT];
	int32_t side[TORUS_MAX_DIMS];
	int dims;

	torus_lengths_format(geometry->dims, geometry->length, machine);
	if (torus_lengths_parse(text, &dims, side, err))
		return -1;
	if (dims != geometry->dims)
		return torus_fail(
			err,
			"'%s' has %d sides, the machine %s has %d: give one for "
			"each dimension",
			text, dims, machine, geometry->dims);
	if (torus_geometry_wraps(geometry))
		return torus_fail(
			err, "a machine of cubes does not wrap: the switches close the "
			     "rings of each job");
	for (int axis = 0; axis < dims; axis++) {
		if (geometry->length[axis] % side[axis])
			return torus_fail(
				err,
				"cubes of %s do not fill the machine %s: each of "
				"its sides has to be a multiple of the cube's",
				text, machine);
	}
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		geometry->cube[axis] = side[axis];
	return 0;
}

torus_geometry_t torus_cubes_one(const torus_geometry_t *geometry)
{
	torus_geometry_t one = {.dims = geometry->dims};

	memcpy(one.length, geometry->cube, sizeof(one.length));
	memcpy(one.chips, geometry->chips, sizeof(one.chips));
	return one;
}

torus_geometry_t torus_cubes_grid(const torus_geometry_t *geometry)
{
	torus_geometry_t grid = {.dims = geometry->dims};

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		grid.length[axis] =
			axis < grid.dims ? geometry->length[axis] / geometry->cube[axis]
					 : 1;
	return grid;
}

uint32_t torus_cube_of(const torus_geometry_t *geometry, uint32_t cell, uint32_t *inner)
{
	uint32_t cube = 0, within = 0, cubes = 1, cells = 1;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t side = (uint32_t)geometry->cube[axis];
		uint32_t at = cell % length;

		cube += at / side * cubes;
		within += at % side * cells;
		cubes *= length / side;
		cells *= side;
		cell /= length;
	}
	if (inner)
		*inner = within;
	return cube;
}

uint32_t torus_cube_cell(const torus_geometry_t *geometry, uint32_t cube, uint32_t inner)
{
	uint32_t cell = 0, cells = 1;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t side = (uint32_t)geometry->cube[axis];

		cell += (cube % (length / side) * side + inner % side) * cells;
		cells *= length;
		cube /= length / side;
		inner /= side;
	}
	return cell;
}

uint32_t torus_cubes_needed(const torus_geometry_t *geometry, const int32_t *side)
{
	uint32_t cubes = 1;

	for (int axis = 0; axis < geometry->dims; axis++)
		cubes *= (uint32_t)(side[axis] / geometry->cube[axis]);
	return cubes;
}

unsigned torus_sides_twist(const torus_geometry_t *geometry, const int32_t *side)
{
	int32_t chips[TORUS_MAX_DIMS], least = INT32_MAX;
	unsigned double_sides = 0;
	bool has_least = false;

	for (int axis = 0; axis < geometry->dims; axis++) {
		chips[axis] = side[axis] * torus_node_side(geometry, axis);
		least = chips[axis] < least ? chips[axis] : least;
	}
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (chips[axis] == least)
			has_least = true;
		else if (chips[axis] == 2 * least)
			double_sides |= 1u << axis;
		else
			return 0;
	}
	return has_least ? double_sides : 0;
}

/* The summed distance of a torus of [cells] cells with these sides. */
static uint64_t summed_distance(int dims, const int32_t *side, uint64_t cells)
{
	uint64_t sum = 0;

	/* From one coordinate of a ring of L to all others it is L^2 / 4 hops. */
	for (int axis = 0; axis < dims; axis++) {
		uint64_t length = (uint64_t)side[axis];

		sum += cells / length * (length * length / 4);
	}
	return sum;
}

/* A search for the most compact torus, dimension by dimension. */
typedef struct compact {
	const torus_geometry_t *geometry;
	uint64_t cells, least;
	int32_t side[TORUS_MAX_DIMS], *best;
} compact_t;

static void try_axis(compact_t *compact, int axis, uint32_t cubes)
{
	const torus_geometry_t *geometry = compact->geometry;
	uint64_t sum;

	if (axis == geometry->dims - 1) {
		compact->side[axis] = geometry->cube[axis] * (int32_t)cubes;
		sum = summed_distance(geometry->dims, compact->side, compact->cells);
		if (sum < compact->least) {
			compact->least = sum;
			memcpy(compact->best, compact->side, sizeof(compact->side));
		}
		return;
	}
	for (uint32_t along = 1; along <= cubes; along++) {
		if (cubes % along)
			continue;
		compact->side[axis] = geometry->cube[axis] * (int32_t)along;
		try_axis(compact, axis + 1, cubes / along);
	}
}

void torus_cubes_compact(const torus_geometry_t *geometry, uint32_t cubes, int32_t *side)
{
	const torus_geometry_t one = torus_cubes_one(geometry);
	compact_t compact = {
		.geometry = geometry,
		.cells = (uint64_t)torus_geometry_cells(&one) * cubes,
		.least = UINT64_MAX,
		.best = side,
	};

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		compact.side[axis] = 1;
	try_axis(&compact, 0, cubes);
}
