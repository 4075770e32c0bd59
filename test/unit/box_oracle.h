/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow twin of torus_box_place(): every rotation at every corner, by the rules of
 * place/box.h. For the tests of placement only.
 */
#ifndef TORUS_TEST_BOX_ORACLE_H
#define TORUS_TEST_BOX_ORACLE_H

#include <stdlib.h>

#include "base/bitmap.h"
#include "place/box.h"

#define ORACLE_BOX_RANKS 1500

/* A machine and what is free of it; weights NULL: all the same. */
typedef struct oracle_machine {
	torus_geometry_t geometry;
	uint32_t ranks;
	const uint32_t *cell_of_rank;
	const uint64_t *free;
	const uint64_t *weights;
} oracle_machine_t;

typedef struct oracle_box {
	bool found;
	uint64_t weight;
	uint32_t count;
	uint32_t ranks[ORACLE_BOX_RANKS];
} oracle_box_t;

/* Whether the cell, of which the first axis counts fastest, is in the box. */
static inline bool oracle_is_inside(const torus_geometry_t *geometry, uint32_t cell,
				    const int32_t *corner, const int32_t *side)
{
	int32_t rest = (int32_t)cell;

	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];

		if ((rest % length - corner[axis] + length) % length >= side[axis])
			return false;
		rest /= length;
	}
	return true;
}

/* The ranks of the box, if each of its cells has nodes and all of them are free. */
static inline bool oracle_box_ranks(const oracle_machine_t *machine,
				    const int32_t *corner, const int32_t *side,
				    oracle_box_t *box)
{
	bool covered[ORACLE_BOX_RANKS] = {false};
	uint32_t volume = 1, cells = 0;

	box->found = true;
	box->weight = 0;
	box->count = 0;
	for (int axis = 0; axis < machine->geometry.dims; axis++)
		volume *= (uint32_t)side[axis];
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		if (!oracle_is_inside(&machine->geometry, machine->cell_of_rank[rank],
				      corner, side))
			continue;
		if (!torus_bit_test(machine->free, rank))
			return false;
		box->ranks[box->count++] = rank;
		box->weight += machine->weights ? machine->weights[rank] : 0;
		cells += !covered[machine->cell_of_rank[rank]];
		covered[machine->cell_of_rank[rank]] = true;
	}
	return cells == volume;
}

/* Lowest weight, then smallest difference of ranks, then lowest rank. */
static inline bool oracle_box_better(const oracle_box_t *box, const oracle_box_t *best)
{
	uint32_t width, least;

	if (!best->found || box->weight != best->weight)
		return !best->found || box->weight < best->weight;
	width = box->ranks[box->count - 1] - box->ranks[0];
	least = best->ranks[best->count - 1] - best->ranks[0];
	return width < least || (width == least && box->ranks[0] < best->ranks[0]);
}

static inline void oracle_try_corners(const oracle_machine_t *machine,
				      const int32_t *side, oracle_box_t *best)
{
	for (uint32_t cell = 0; cell < torus_geometry_cells(&machine->geometry); cell++) {
		int32_t corner[TORUS_MAX_DIMS];
		oracle_box_t box;
		bool fits = true;

		torus_cell_to_coord(&machine->geometry, cell, corner);
		for (int axis = 0; axis < machine->geometry.dims; axis++) {
			int32_t length = machine->geometry.length[axis];

			fits &= side[axis] <= length;
			if (!machine->geometry.wrap[axis])
				fits &= corner[axis] + side[axis] <= length;
		}
		if (fits && oracle_box_ranks(machine, corner, side, &box) &&
		    oracle_box_better(&box, best))
			*best = box;
	}
}

/* Whether the hops in the box are those of a torus of its own, pair by pair. */
static inline bool oracle_is_closed(const torus_geometry_t *geometry, const int32_t *side)
{
	torus_geometry_t own = {.dims = geometry->dims};
	uint32_t cells;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		own.length[axis] = axis < own.dims ? side[axis] : 1;
		own.wrap[axis] = axis < own.dims;
	}
	cells = torus_geometry_cells(&own);
	for (uint32_t a = 0; a < cells; a++) {
		for (uint32_t b = 0; b < a; b++) {
			int32_t from[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS];

			torus_cell_to_coord(&own, a, from);
			torus_cell_to_coord(&own, b, to);
			if (torus_hops(geometry, from, to) != torus_hops(&own, from, to))
				return false;
		}
	}
	return true;
}

/* All arrangements of the ascending [sides], ascending themselves. */
static inline void oracle_try_rotations(const oracle_machine_t *machine,
					const int32_t *sides, bool closed,
					uint32_t placed, int32_t *rotation, int axis,
					oracle_box_t *best)
{
	if (axis == machine->geometry.dims) {
		if (!closed || (torus_sides_fit(&machine->geometry, rotation) &&
				oracle_is_closed(&machine->geometry, rotation)))
			oracle_try_corners(machine, rotation, best);
		return;
	}
	rotation[axis] = 0;
	for (int i = 0; i < machine->geometry.dims; i++) {
		if (placed >> i & 1 || sides[i] == rotation[axis])
			continue;
		rotation[axis] = sides[i];
		oracle_try_rotations(machine, sides, closed, placed | 1u << i, rotation,
				     axis + 1, best);
	}
}

static inline int oracle_compare_sides(const void *a, const void *b)
{
	return *(const int32_t *)a - *(const int32_t *)b;
}

static inline void oracle_box_place(const oracle_machine_t *machine,
				    const torus_shape_t *shape, oracle_box_t *best)
{
	int32_t sides[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1}, rotation[TORUS_MAX_DIMS];
	int dims = machine->geometry.dims, long_sides = 0;

	*best = (oracle_box_t){.found = false};
	for (int axis = 0; axis < shape->dims; axis++) {
		if (shape->side[axis] > 1 && long_sides++ < dims)
			sides[long_sides - 1] = shape->side[axis];
	}
	qsort(sides, (size_t)dims, sizeof(*sides), oracle_compare_sides);
	if (long_sides <= dims)
		oracle_try_rotations(machine, sides, shape->closed, 0, rotation, 0, best);
}

#endif
