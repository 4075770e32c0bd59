/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes of a given shape: against trying every rotation at every corner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "random.h"
#include "place/box.h"

#define MOST_RANKS 1500

/* A machine with its free ranks, and the box that was found. */
typedef struct machine {
	torus_geometry_t geometry;
	uint32_t ranks;
	uint32_t cell_of_rank[MOST_RANKS];
	uint64_t usable[TORUS_WORDS(MOST_RANKS)];
} machine_t;

typedef struct found_box {
	bool found;
	uint32_t count;
	uint32_t ranks[MOST_RANKS];
} found_box_t;

/* No, one or two nodes a router; ranks in order or shuffled; most nodes free. */
static void random_machine(machine_t *machine)
{
	uint32_t cells, taken = random_in(0, 6);
	bool shuffled = random_in(0, 1), full = random_in(0, 1);

	memset(machine, 0, sizeof(*machine));
	machine->geometry = random_geometry(random_in(0, 1) ? 3 : TORUS_MAX_DIMS, 600);
	cells = torus_geometry_cells(&machine->geometry);
	for (uint32_t cell = 0; cell < cells; cell++) {
		uint32_t nodes = full ? 1 : random_in(0, 20) ? random_in(1, 2) : 0;

		while (nodes--)
			machine->cell_of_rank[machine->ranks++] = cell;
	}
	if (!machine->ranks)
		machine->cell_of_rank[machine->ranks++] = 0;
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		uint32_t other = random_in(rank, machine->ranks - 1);
		uint32_t cell = machine->cell_of_rank[rank];

		if (shuffled) {
			machine->cell_of_rank[rank] = machine->cell_of_rank[other];
			machine->cell_of_rank[other] = cell;
		}
		if (random_in(1, 40) > taken)
			torus_bit_set(machine->usable, rank);
	}
}

/* The ranks of the box, if each of its cells has nodes and all of them are free. */
static bool box_ranks(const machine_t *machine, const int32_t *corner,
		      const int32_t *side, found_box_t *box)
{
	bool covered[MOST_RANKS] = {false};
	uint32_t volume = 1, cells = 0;

	*box = (found_box_t){.found = true};
	for (int axis = 0; axis < machine->geometry.dims; axis++)
		volume *= (uint32_t)side[axis];
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		int32_t coord[TORUS_MAX_DIMS];
		bool inside = true;

		torus_cell_to_coord(&machine->geometry, machine->cell_of_rank[rank],
				    coord);
		for (int axis = 0; axis < machine->geometry.dims; axis++) {
			int32_t length = machine->geometry.length[axis];

			inside &= (coord[axis] - corner[axis] + length) % length <
				  side[axis];
		}
		if (!inside)
			continue;
		if (!torus_bit_test(machine->usable, rank))
			return false;
		box->ranks[box->count++] = rank;
		cells += !covered[machine->cell_of_rank[rank]];
		covered[machine->cell_of_rank[rank]] = true;
	}
	return cells == volume;
}

static void try_corners(const machine_t *machine, const int32_t *side, found_box_t *best)
{
	for (uint32_t cell = 0; cell < torus_geometry_cells(&machine->geometry); cell++) {
		int32_t corner[TORUS_MAX_DIMS];
		found_box_t box;
		bool fits = true;

		torus_cell_to_coord(&machine->geometry, cell, corner);
		for (int axis = 0; axis < machine->geometry.dims; axis++) {
			int32_t length = machine->geometry.length[axis];

			fits &= side[axis] <= length;
			if (!machine->geometry.wrap[axis])
				fits &= corner[axis] + side[axis] <= length;
		}
		if (!fits || !box_ranks(machine, corner, side, &box))
			continue;
		if (best->found) {
			uint32_t width = box.ranks[box.count - 1] - box.ranks[0];
			uint32_t least = best->ranks[best->count - 1] - best->ranks[0];

			if (width > least ||
			    (width == least && box.ranks[0] >= best->ranks[0]))
				continue;
		}
		*best = box;
	}
}

/* All arrangements of the ascending [sides], ascending themselves. */
static void try_rotations(const machine_t *machine, const int32_t *sides, uint32_t placed,
			  int32_t *rotation, int axis, found_box_t *best)
{
	if (axis == machine->geometry.dims) {
		try_corners(machine, rotation, best);
		return;
	}
	rotation[axis] = 0;
	for (int i = 0; i < machine->geometry.dims; i++) {
		if (placed >> i & 1 || sides[i] == rotation[axis])
			continue;
		rotation[axis] = sides[i];
		try_rotations(machine, sides, placed | 1u << i, rotation, axis + 1, best);
	}
}

static int compare_sides(const void *a, const void *b)
{
	return *(const int32_t *)a - *(const int32_t *)b;
}

static void compare(const machine_t *machine, const torus_shape_t *shape)
{
	int32_t sides[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1}, rotation[TORUS_MAX_DIMS];
	uint32_t chosen[MOST_RANKS], count = 0;
	int dims = machine->geometry.dims, long_sides = 0, found;
	found_box_t best = {.found = false};
	torus_error_t err;

	for (int axis = 0; axis < shape->dims; axis++) {
		if (shape->side[axis] > 1 && long_sides++ < dims)
			sides[long_sides - 1] = shape->side[axis];
	}
	qsort(sides, (size_t)dims, sizeof(*sides), compare_sides);
	if (long_sides <= dims)
		try_rotations(machine, sides, 0, rotation, 0, &best);
	found = torus_shape_place(&machine->geometry, machine->cell_of_rank,
				  machine->ranks, machine->usable, shape, chosen, &count,
				  &err);
	assert_int_equal(found, best.found);
	assert_int_equal(count, best.count);
	assert_memory_equal(chosen, best.ranks, count * sizeof(*chosen));
}

static void every_rotation_at_every_corner(void **state)
{
	static machine_t machine;

	(void)state;
	for (int round = 0; round < 600; round++) {
		torus_shape_t shape = {.dims = (int)random_in(1, 4)};

		random_machine(&machine);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			shape.side[axis] =
				axis < shape.dims ? (int32_t)random_in(1, 4) : 1;
		if (!random_in(0, 5)) /* as long as the machine somewhere */
			shape.side[0] = machine.geometry.length[0];
		compare(&machine, &shape);
	}
	/* And machines that are free, where it depends on the size alone. */
	for (int round = 0; round < 150; round++) {
		torus_shape_t shape = {.dims = 3, .side = {1, 1, 1, 1, 1, 1}};

		random_machine(&machine);
		for (int axis = 0; axis < 3; axis++)
			shape.side[axis] = (int32_t)random_in(1, 5);
		torus_bitmap_set_range(machine.usable, 0, machine.ranks);
		compare(&machine, &shape);
	}
}

static void known_boxes(void **state)
{
	static const struct {
		const char *dims, *wrap, *shape;
		const char *line; /* one character a cell, x fastest; f: free */
		int found;
		uint32_t first; /* rank of the box */
	} table[] = {
		{"4x3", "none", "2x2", "ff..ff......", 1, 0},
		{"4x3", "none", "2x2", "ff...ff.....", 0, 0},
		{"4x3", "none", "2x2", "f..ff..f....", 0, 0}, /* around x */
		{"4x3", "x", "2x2", "f..ff..f....", 1, 0},
		{"4x3", "none", "3x1", "f...f...f...", 1, 0}, /* turned */
		{"4x3", "none", "1x3x1x1x1", ".f...f...f..", 1, 1},
		{"4x3", "none", "2x2x2", "ffffffffffff", 0, 0},
		{"4x3", "all", "5", "ffffffffffff", 0, 0},
		{"4x3", "all", "4x3", "ffffffffffff", 1, 0},
		{"4x3", "all", "4x4", "ffffffffffff", 0, 0},
		{"4x3", "none", "1", "...........f", 1, 11},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t cell_of_rank[12], chosen[12], count;
		torus_geometry_t geometry;
		torus_shape_t shape;
		uint64_t usable = 0;

		assert_int_equal(torus_geometry_parse(table[i].dims, table[i].wrap,
						      &geometry, NULL),
				 0);
		assert_int_equal(torus_shape_parse(table[i].shape, &shape, NULL), 0);
		for (uint32_t rank = 0; rank < 12; rank++) {
			cell_of_rank[rank] = rank;
			usable |= (uint64_t)(table[i].line[rank] == 'f') << rank;
		}
		assert_int_equal(torus_shape_place(&geometry, cell_of_rank, 12, &usable,
						   &shape, chosen, &count, NULL),
				 table[i].found);
		if (table[i].found)
			assert_int_equal(chosen[0], table[i].first);
	}
}

static void reads_shapes(void **state)
{
	torus_error_t err = {""};
	torus_shape_t shape;

	(void)state;
	assert_int_equal(torus_shape_parse("4x4x2", &shape, &err), 0);
	assert_int_equal(shape.dims, 3);
	assert_int_equal(shape.side[0], 4);
	assert_int_equal(shape.side[2], 2);
	assert_int_equal(shape.side[3], 1);
	assert_int_equal(torus_shape_parse("4x", &shape, &err), -1);
	assert_non_null(strstr(err.text, "'4x'"));
	assert_int_equal(torus_shape_parse("0x4", &shape, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_boxes),
		cmocka_unit_test(reads_shapes),
		cmocka_unit_test(every_rotation_at_every_corner),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
