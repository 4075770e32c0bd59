/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that hold a piece of the torus: see geometry/chips.h. */
#include "geometry/chips.h"

#include <string.h>

#include "geometry/chords.h"

bool torus_has_chips(const torus_geometry_t *geometry)
{
	return geometry->chips[0];
}

uint32_t torus_node_chips(const torus_geometry_t *geometry)
{
	uint32_t chips = 1;

	for (int axis = 0; axis < geometry->dims; axis++)
		chips *= (uint32_t)torus_node_side(geometry, axis);
	return chips;
}

int torus_node_shape_parse(const char *text, torus_geometry_t *geometry,
			   torus_error_t *err)
{
	uint64_t cells = torus_geometry_cells(geometry), chips = 1;
	int32_t side[TORUS_MAX_DIMS];
	int dims;

	if (torus_lengths_parse(text, &dims, side, err))
		return -1;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		chips *= (uint64_t)side[axis];
		if (axis >= geometry->dims && side[axis] > 1)
			return torus_fail(
				err, "'%s' has %d dimensions, and the machine has %d",
				text, dims, geometry->dims);
	}
	if (cells * chips > TORUS_MAX_CELLS)
		return torus_fail(err, "'%s' makes %llu chips in all, more than %u", text,
				  (unsigned long long)(cells * chips), TORUS_MAX_CELLS);
	memset(geometry->chips, 0, sizeof(geometry->chips));
	memcpy(geometry->chips, side, (size_t)geometry->dims * sizeof(*side));
	return 0;
}

torus_geometry_t torus_chip_machine(const torus_geometry_t *geometry)
{
	torus_geometry_t machine = *geometry;

	for (int axis = 0; axis < geometry->dims; axis++)
		machine.length[axis] *= torus_node_side(geometry, axis);
	memset(machine.chips, 0, sizeof(machine.chips));
	if (geometry->chords && torus_has_chips(geometry))
		machine.chords = geometry->chords->of_chips;
	return machine;
}

uint32_t torus_chip_cell(const torus_geometry_t *geometry, uint32_t cell, uint32_t chip)
{
	uint32_t chip_cell = 0, row = 1;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t side = (uint32_t)torus_node_side(geometry, axis);

		chip_cell += (cell % length * side + chip % side) * row;
		row *= length * side;
		cell /= length;
		chip /= side;
	}
	return chip_cell;
}
