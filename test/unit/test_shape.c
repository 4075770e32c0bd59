/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes of a given shape: against trying every rotation at every corner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "box_oracle.h"
#include "place/box_sweep.h"
#include "random.h"

#define MOST_RANKS ORACLE_BOX_RANKS

/* A machine with its free ranks. */
typedef struct machine {
	torus_geometry_t geometry;
	uint32_t ranks;
	uint32_t cell_of_rank[MOST_RANKS];
	uint64_t usable[TORUS_WORDS(MOST_RANKS)];
} machine_t;

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

/* What has been compared: a box may lie around an end, and fit in another rotation only.
 */
static void count_case(const machine_t *machine, const torus_shape_t *shape, bool found,
		       const uint32_t *chosen, uint32_t count)
{
	const torus_geometry_t *geometry = &machine->geometry;
	bool around = false, turned = false, several = count > 1;

	for (int axis = 0; found && axis < geometry->dims; axis++) {
		bool used[600] = {false};
		int32_t coord[TORUS_MAX_DIMS], length = geometry->length[axis];

		turned |= axis < shape->dims && shape->side[axis] > length;
		for (uint32_t i = 0; i < count; i++) {
			torus_cell_to_coord(geometry, machine->cell_of_rank[chosen[i]],
					    coord);
			used[coord[axis]] = true;
		}
		for (int32_t at = 1; used[0] && used[length - 1] && at < length; at++)
			around |= !used[at];
	}
	reached("a box of several nodes", found && several);
	reached("no box", !found);
	reached("a box around an end", around);
	reached("a box that fits in another rotation only", turned);
}

static void compare(const machine_t *machine, const torus_shape_t *shape,
		    const uint64_t *weights)
{
	oracle_machine_t slow = {machine->geometry, machine->ranks, machine->cell_of_rank,
				 machine->usable, weights};
	uint32_t chosen[MOST_RANKS], count = 0;
	oracle_box_t best;
	torus_error_t err;
	int found;

	oracle_box_place(&slow, shape, &best);
	found = torus_box_place(&machine->geometry, machine->cell_of_rank, machine->ranks,
				machine->usable, weights, shape, chosen, &count, &err);
	assert_int_equal(found, best.found);
	assert_int_equal(count, best.count);
	assert_memory_equal(chosen, best.ranks, count * sizeof(*chosen));
	count_case(machine, shape, found > 0, chosen, count);
}

static void every_rotation_at_every_corner(void **state)
{
	static machine_t machine;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(1500); round++) {
		torus_shape_t shape = {.dims = (int)random_in(1, TORUS_MAX_DIMS)};
		uint32_t longest = shape.dims > 3 ? 3 : 5;

		random_machine(&machine);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			shape.side[axis] =
				axis < shape.dims ? (int32_t)random_in(1, longest) : 1;
		if (!random_in(0, 5)) /* as long as the machine somewhere */
			shape.side[0] = machine.geometry.length[0];
		compare(&machine, &shape, NULL);
	}
	/* And machines that are free, where it depends on the size alone. */
	for (int round = 0; round < RANDOM_CASES(150); round++) {
		torus_shape_t shape = {.dims = 3, .side = {1, 1, 1, 1, 1, 1}};

		random_machine(&machine);
		for (int axis = 0; axis < 3; axis++)
			shape.side[axis] = (int32_t)random_in(1, 5);
		torus_bitmap_set_range(machine.usable, 0, machine.ranks);
		compare(&machine, &shape, NULL);
	}
	assert_true(reached_all(RANDOM_CASES(10)));
}

/* Weights of every node for itself, of slabs as racks are, and all the same. */
static void lowest_weights_first(void **state)
{
	static machine_t machine;
	static uint64_t weights[MOST_RANKS];

	(void)state;
	for (int round = 0; round < RANDOM_CASES(400); round++) {
		torus_shape_t shape = {.dims = 3, .side = {1, 1, 1, 1, 1, 1}};
		uint32_t heaviest = random_in(0, 4), slab;

		random_machine(&machine);
		slab = random_in(1, machine.ranks);
		for (int axis = 0; axis < 3; axis++)
			shape.side[axis] = (int32_t)random_in(1, 4);
		for (uint32_t rank = 0; rank < machine.ranks; rank++) {
			bool same = round % 2 && rank % slab;

			/* About as large as Slurm makes them. */
			weights[rank] =
				same ? weights[rank - 1]
				     : (UINT64_C(1) << 34) - random_in(0, heaviest);
		}
		compare(&machine, &shape, weights);
	}
	assert_true(reached_all(RANDOM_CASES(5)));
}

/* Shapes most of whose sides are as long as some axis, or 1 or 2. */
static torus_shape_t random_closed_shape(const torus_geometry_t *geometry)
{
	torus_shape_t shape = {.dims = geometry->dims, .closed = true};

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		uint32_t other = random_in(0, (uint32_t)geometry->dims - 1);

		shape.side[axis] = axis >= shape.dims ? 1
				   : random_in(0, 2)  ? geometry->length[other]
						      : (int32_t)random_in(1, 3);
	}
	return shape;
}

/* With `closed`, and whether it could ever be, against the free machine. */
static void closed_boxes(void **state)
{
	static machine_t machine;
	static uint64_t weights[MOST_RANKS];

	(void)state;
	for (int round = 0; round < RANDOM_CASES(4000); round++) {
		oracle_box_t best;
		torus_shape_t shape;
		int32_t side[TORUS_MAX_DIMS];
		bool several, may;

		random_machine(&machine);
		shape = random_closed_shape(&machine.geometry);
		several = random_in(0, 1);
		for (uint32_t rank = 0; rank < machine.ranks; rank++) {
			weights[rank] = random_in(1, 3);
			if (several && random_in(0, 9))
				torus_bit_set(machine.usable, rank);
		}
		compare(&machine, &shape, round % 4 ? NULL : weights);
		torus_bitmap_set_range(machine.usable, 0, machine.ranks);
		oracle_box_place(&(oracle_machine_t){machine.geometry, machine.ranks,
						     machine.cell_of_rank, machine.usable,
						     NULL},
				 &shape, &best);
		may = torus_shape_may_close(&machine.geometry, &shape);
		assert_true(!best.found || may); /* not all cells have nodes */
		torus_shape_sides(&shape, TORUS_MAX_DIMS, side);
		reached("a closed box longer than 2",
			best.found && side[TORUS_MAX_DIMS - 1] > 2);
		reached("a closed box of sides up to 2",
			best.found && side[TORUS_MAX_DIMS - 1] == 2);
		reached("no closed box ever", !may);
	}
	assert_true(reached_all(RANDOM_CASES(2)));
}

/* Every box of random machines, against the hops between its routers. */
static void closed_is_a_torus_of_its_own(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 150);
		int32_t side[TORUS_MAX_DIMS];
		bool closed;

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			side[axis] =
				random_in(0, 1)
					? geometry.length[axis]
					: (int32_t)random_in(
						  1, (uint32_t)geometry.length[axis]);
		closed = torus_box_is_closed(&geometry, side);
		assert_int_equal(closed, oracle_is_closed(&geometry, side));
		reached("closed", closed);
		reached("open", !closed);
	}
	assert_true(reached_all(RANDOM_CASES(300)));
}

static void names_sides_that_close(void **state)
{
	static const struct {
		const char *dims, *wrap, *sides;
	} table[] = {
		{"8x8x8", "all", "1, 2 or 8"},
		{"16x12x24", "xz", "1, 2, 16 or 24"},
		{"8x4", "none", "1 or 2"},
		{"2x1x3", "all", "1, 2 or 3"},
		{"6x5x4x3x8x7", "all", "1, 2, 3, 4, 5, 6, 7 or 8"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char text[TORUS_CLOSED_SIDES_TEXT];
		torus_geometry_t geometry;

		assert_int_equal(torus_geometry_parse(table[i].dims, table[i].wrap,
						      &geometry, NULL),
				 0);
		assert_string_equal(torus_closed_sides_format(&geometry, text),
				    table[i].sides);
	}
}

/* Six dimensions of 2 to 4 cells, as many as there may be: up to 720 rotations. */
static void six_dimensions(void **state)
{
	static machine_t machine;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(150); round++) {
		torus_shape_t shape = {.dims = TORUS_MAX_DIMS};
		uint32_t cells = 1, taken = random_in(0, round % 2 ? 3 : 80);

		memset(&machine, 0, sizeof(machine));
		machine.geometry.dims = TORUS_MAX_DIMS;
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			uint32_t length = random_in(2, 4);

			while (cells * length << (TORUS_MAX_DIMS - 1 - axis) > 300)
				length--;
			cells *= length;
			machine.geometry.length[axis] = (int32_t)length;
			machine.geometry.wrap[axis] = random_in(0, 1);
			shape.side[axis] = (int32_t)random_in(1, random_in(1, length));
		}
		/* Sides that fit, in another order of the axes. */
		for (uint32_t axis = 1; axis < TORUS_MAX_DIMS; axis++) {
			uint32_t other = random_in(0, axis);
			int32_t side = shape.side[axis];

			shape.side[axis] = shape.side[other];
			shape.side[other] = side;
		}
		machine.ranks = cells;
		for (uint32_t rank = 0; rank < cells; rank++) {
			machine.cell_of_rank[rank] =
				round % 2 ? rank : (uint32_t)(rank * 1021) % cells;
			if (random_in(1, 100) > taken)
				torus_bit_set(machine.usable, rank);
		}
		/* 1021 is a prime number: a permutation. */
		compare(&machine, &shape, NULL);
	}
	assert_true(reached_all(RANDOM_CASES(1)));
}

/* The lowest minimum of a box. */
#define EVERY_BOX (TORUS_SWEEP_NO_BOX + 1)

/* What a sweep has shown of a machine of few cells. */
typedef struct shown {
	const torus_geometry_t *geometry;
	const torus_sweep_values_t *cells;
	uint32_t whole; /* rotations */
	int32_t rotation[720][TORUS_MAX_DIMS];
	uint64_t boxes; /* of them, but for those that would leave a mesh */
	int32_t least;	/* a box with a lower minimum is not wanted */
} shown_t;

/* The minimum and the sum of the box at [corner]; false: it leaves a mesh. */
static bool box_values(const shown_t *shown, const int32_t *side, uint32_t corner,
		       int32_t *minimum, uint64_t *sum)
{
	const torus_geometry_t *geometry = shown->geometry;
	int32_t first[TORUS_MAX_DIMS], coord[TORUS_MAX_DIMS];

	*minimum = INT32_MAX;
	*sum = 0;
	torus_cell_to_coord(geometry, corner, first);
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (!geometry->wrap[axis] &&
		    first[axis] + side[axis] > geometry->length[axis])
			return false;
	}
	for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++) {
		bool inside = true;

		torus_cell_to_coord(geometry, cell, coord);
		for (int axis = 0; axis < geometry->dims; axis++) {
			int32_t length = geometry->length[axis];

			inside &= (coord[axis] - first[axis] + length) % length <
				  side[axis];
		}
		if (!inside)
			continue;
		if (shown->cells->minimum[1][cell] < *minimum)
			*minimum = shown->cells->minimum[1][cell];
		*sum += shown->cells->sum[1][cell];
	}
	return true;
}

/* A rotation that has not been shown yet; its blocks are shown one after the other. */
static void note_rotation(shown_t *shown, const int32_t *side)
{
	size_t size = sizeof(shown->rotation[0]);

	if (shown->whole && !memcmp(shown->rotation[shown->whole - 1], side, size))
		return;
	for (uint32_t i = 0; i < shown->whole; i++)
		assert_memory_not_equal(shown->rotation[i], side, size);
	memcpy(shown->rotation[shown->whole++], side, size);
}

static bool check_values(const torus_sweep_block_t *block, void *context)
{
	shown_t *shown = context;
	bool wanted = false;

	for (uint32_t i = 0; i < block->count; i++) {
		uint32_t cell = block->first + i;
		int32_t minimum;
		uint64_t sum;

		if (!box_values(shown, block->side, cell, &minimum, &sum)) {
			minimum = TORUS_SWEEP_NO_BOX;
			sum = 0;
		}
		wanted |= minimum >= shown->least;
		shown->boxes += block->whole && minimum >= shown->least;
		assert_int_equal(block->values->minimum[1][cell], minimum);
		if (block->whole)
			assert_int_equal(block->values->sum[1][cell], sum);
	}
	if (block->whole)
		note_rotation(shown, block->side);
	return wanted;
}

/* What a sweep has to show of the ascending [sides]: every rotation that fits, and the
 * boxes that are wanted in each. */
static void expect_rotations(shown_t *expected, const int32_t *sides, uint32_t placed,
			     int32_t *side, int axis)
{
	if (axis == expected->geometry->dims) {
		expected->whole++;
		for (uint32_t cell = 0; cell < torus_geometry_cells(expected->geometry);
		     cell++) {
			int32_t minimum;
			uint64_t sum;

			expected->boxes +=
				box_values(expected, side, cell, &minimum, &sum) &&
				minimum >= expected->least;
		}
		return;
	}
	for (int i = 0; i < expected->geometry->dims; i++) {
		bool again = i && sides[i] == sides[i - 1] && !(placed >> (i - 1) & 1);

		if (placed >> i & 1 || again ||
		    sides[i] > expected->geometry->length[axis])
			continue;
		side[axis] = sides[i];
		expect_rotations(expected, sides, placed | 1u << i, side, axis + 1);
	}
}

/* Each rotation once, and what is shown of every box of each, begun or whole. */
static void compare_sweep(const torus_geometry_t *geometry,
			  const torus_sweep_values_t *cells, torus_shape_t *shape,
			  int32_t least)
{
	static shown_t shown, expected;
	int32_t side[TORUS_MAX_DIMS];

	shown = (shown_t){.geometry = geometry, .cells = cells, .least = least};
	expected = shown;
	assert_int_equal(
		torus_box_sweep(geometry, shape, cells, check_values, &shown, NULL), 0);
	qsort(shape->side, (size_t)geometry->dims, sizeof(shape->side[0]),
	      oracle_compare_sides);
	expect_rotations(&expected, shape->side, 0, side, 0);
	assert_int_equal(shown.boxes, expected.boxes);
	if (least == EVERY_BOX)
		assert_int_equal(shown.whole, expected.whole);
	reached("some rotations left out", shown.whole && shown.whole < expected.whole);
	reached("some boxes wanted of several blocks",
		shown.boxes && least > EVERY_BOX && torus_geometry_cells(geometry) > 100);
}

static void values_of_all_boxes(void **state)
{
	static int32_t minimum[2][300];
	static uint64_t sum[2][300];

	(void)state;
	for (int round = 0; round < RANDOM_CASES(300); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 200);
		torus_sweep_values_t cells = {.minimums = 2, .sums = 2};
		torus_shape_t shape = {.dims = geometry.dims};
		int32_t longest = round % 2 ? 9 : 3;

		for (int i = 0; i < 2; i++) {
			cells.minimum[i] = minimum[i];
			cells.sum[i] = sum[i];
			for (int cell = 0; cell < 300; cell++) {
				minimum[i][cell] = (int32_t)random_in(0, 2000) - 1000;
				sum[i][cell] = random_next();
			}
		}
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			int32_t length = geometry.length[axis];

			shape.side[axis] = (int32_t)random_in(
				1, (uint32_t)(length < longest ? length : longest));
		}
		compare_sweep(&geometry, &cells, &shape,
			      round % 4 > 1
				      ? (int32_t)random_in(0, 200 << random_in(0, 3)) -
						1000
				      : EVERY_BOX);
	}
	assert_true(reached_all(RANDOM_CASES(3)));
}

/* Work of the worst shape, as its header promises. */
typedef struct steps {
	uint32_t begun;
	uint32_t whole;
} steps_t;

static bool count_steps(const torus_sweep_block_t *block, void *context)
{
	steps_t *steps = context;

	if (block->first)
		return true;
	steps->begun += !block->whole;
	steps->whole += block->whole;
	return true;
}

/* Boxes that are not whole are shown once a step at most. */
static void few_steps(void **state)
{
	static const struct {
		const char *dims, *shape;
		uint32_t steps, whole;
	} table[] = {
		{"7x7x7", "2x3x4", 14, 6},
		{"7x7x7", "2x2x4", 8, 3},
		{"7x7x7", "7x7x7", 9, 1},
		{"7x7x7x7x7x7", "2x3x4x5x6x7", 1700, 720},
	};
	static int32_t minimum[117649];
	torus_sweep_values_t cells = {.minimums = 1, .minimum = {minimum}};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		steps_t steps = {0};
		torus_geometry_t geometry;
		torus_shape_t shape;

		assert_int_equal(
			torus_geometry_parse(table[i].dims, "all", &geometry, NULL), 0);
		assert_int_equal(torus_shape_parse(table[i].shape, &shape, NULL), 0);
		assert_int_equal(torus_box_sweep(&geometry, &shape, &cells, count_steps,
						 &steps, NULL),
				 0);
		assert_int_equal(steps.whole, table[i].whole);
		assert_true(steps.begun <= table[i].steps);
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
		assert_int_equal(torus_box_place(&geometry, cell_of_rank, 12, &usable,
						 NULL, &shape, chosen, &count, NULL),
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

/* Texts of shapes as they come back, or what is wrong with them. */
static void reads_several_shapes(void **state)
{
	static const struct {
		const char *text, *shapes, *wrong;
	} table[] = {
		{"any", "any", NULL},
		{"Any", "any", NULL},
		{"4X4x2", "4x4x2", NULL},
		{"4x4x4|8x4x2", "4x4x4|8x4x2", NULL},
		{" 2x1 |\t3 | 0004x1x1 ", "2x1|3|4x1x1", NULL},
		{"1|2|3|4|5|6|7|8", "1|2|3|4|5|6|7|8", NULL},
		{"1|2|3|4|5|6|7|8|9", NULL, "more than 8"},
		{"4x4|", NULL, "''"},
		{"|4x4", NULL, "''"},
		{"4x4||2", NULL, "''"},
		{"any|4x4", NULL, "'any'"},
		{"4x4|any", NULL, "'any'"},
		{"4x2|2x4", NULL, "'2x4' is given twice"},
		{"4|1x4x1", NULL, "'1x4x1' is given twice"},
		{"", NULL, "''"},
		{"4x4,2x2", NULL, "'4x4,2x2'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_shapes_t shapes = {.count = 7};
		torus_error_t err = {""};
		char text[TORUS_SHAPES_TEXT];
		int result = torus_shapes_parse(table[i].text, &shapes, &err);

		assert_int_equal(result, table[i].shapes ? 0 : -1);
		if (table[i].shapes)
			assert_string_equal(torus_shapes_format(&shapes, text),
					    table[i].shapes);
		else
			assert_non_null(strstr(err.text, table[i].wrong));
		assert_true(torus_shapes_asked(&shapes));
		if (result)
			assert_int_equal(shapes.count, 7); /* untouched */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_boxes),
		cmocka_unit_test(reads_shapes),
		cmocka_unit_test(reads_several_shapes),
		cmocka_unit_test(every_rotation_at_every_corner),
		cmocka_unit_test(closed_boxes),
		cmocka_unit_test(closed_is_a_torus_of_its_own),
		cmocka_unit_test(names_sides_that_close),
		cmocka_unit_test(six_dimensions),
		cmocka_unit_test(lowest_weights_first),
		cmocka_unit_test(values_of_all_boxes),
		cmocka_unit_test(few_steps),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
