/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes that are boxes of chips: where each chip is, and boxes of chips beside a search
 * that knows chips only.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "geometry/chips.h"
#include "place/box.h"
#include "place/place.h"
#include "place/turns.h"
#include "random.h"

#define MOST_NODES 60

/* A machine with nodes of 1 to 3 chips in each dimension. */
static torus_geometry_t random_chip_geometry(int max_dims, uint32_t max_cells)
{
	torus_geometry_t geometry = random_geometry(max_dims, max_cells);

	for (int axis = 0; axis < geometry.dims; axis++)
		geometry.chips[axis] = (int32_t)random_in(1, 3);
	return geometry;
}

/* Coordinates of chips are those of the node times its sides, plus those within it. */
static void every_chip_has_its_cell(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(1000); round++) {
		torus_geometry_t geometry = random_chip_geometry(TORUS_MAX_DIMS, 100);
		torus_geometry_t machine = torus_chip_machine(&geometry);
		torus_geometry_t node = {.dims = geometry.dims};
		uint32_t cells = torus_geometry_cells(&geometry);
		uint32_t chips = torus_node_chips(&geometry);

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			node.length[axis] =
				axis < geometry.dims ? geometry.chips[axis] : 1;
		assert_int_equal(chips, torus_geometry_cells(&node));
		assert_int_equal(torus_geometry_cells(&machine), cells * chips);
		assert_memory_equal(machine.wrap, geometry.wrap, sizeof(machine.wrap));
		assert_false(torus_has_chips(&machine));
		assert_true(torus_has_chips(&geometry));
		for (uint32_t cell = 0; cell < cells; cell++) {
			for (uint32_t chip = 0; chip < chips; chip++) {
				int32_t at[TORUS_MAX_DIMS], of_node[TORUS_MAX_DIMS];
				int32_t within[TORUS_MAX_DIMS];

				torus_cell_to_coord(&geometry, cell, of_node);
				torus_cell_to_coord(&node, chip, within);
				torus_cell_to_coord(
					&machine, torus_chip_cell(&geometry, cell, chip),
					at);
				for (int axis = 0; axis < geometry.dims; axis++)
					assert_int_equal(
						at[axis],
						of_node[axis] * geometry.chips[axis] +
							within[axis]);
			}
		}
	}
}

/* Without a NodeShape= a node is a chip. */
static void a_node_without_chips_is_one(void **state)
{
	torus_geometry_t geometry = {.dims = 2, .length = {3, 2, 1, 1, 1, 1}};
	torus_geometry_t machine = torus_chip_machine(&geometry);

	(void)state;
	assert_false(torus_has_chips(&geometry));
	assert_int_equal(torus_node_chips(&geometry), 1);
	assert_memory_equal(&machine, &geometry, sizeof(machine));
	for (uint32_t cell = 0; cell < 6; cell++)
		assert_int_equal(torus_chip_cell(&geometry, cell, 0), cell);
}

/* ---- boxes ---- */

/* A machine with holes, and what is free of it. */
typedef struct machine {
	torus_geometry_t geometry, chips;
	uint32_t ranks;
	uint32_t cell_of_rank[MOST_NODES];
	uint32_t rank_of_cell[MOST_NODES]; /* and 1; 0: a hole */
	uint64_t usable[TORUS_WORDS(MOST_NODES)];
	uint64_t weights[MOST_NODES];
	uint32_t node_of_chip[MOST_NODES * 729]; /* the cell of each chip's node */
} machine_t;

static void random_machine(machine_t *machine, bool weighted)
{
	uint32_t holes = random_in(0, 3) ? 0 : 10, taken = random_in(0, 40), cells;
	uint32_t shuffled[MOST_NODES];

	memset(machine, 0, sizeof(*machine));
	do {
		machine->geometry = random_chip_geometry(4, MOST_NODES);
		cells = torus_geometry_cells(&machine->geometry);
	} while (cells * torus_node_chips(&machine->geometry) > 800);
	machine->chips = torus_chip_machine(&machine->geometry);
	for (uint32_t cell = 0; cell < cells; cell++) {
		uint32_t at = random_in(0, cell);

		shuffled[cell] = shuffled[at];
		shuffled[at] = cell;
	}
	for (uint32_t i = 0; i < cells; i++) {
		uint32_t rank = machine->ranks;

		if (i && random_in(1, 100) <= holes)
			continue;
		machine->cell_of_rank[rank] = shuffled[i];
		machine->rank_of_cell[shuffled[i]] = rank + 1;
		if (random_in(1, 100) > taken)
			torus_bit_set(machine->usable, rank);
		machine->weights[rank] = weighted ? random_in(1, 3) : 1;
		machine->ranks++;
	}
	for (uint32_t cell = 0; cell < cells; cell++) {
		for (uint32_t chip = 0; chip < torus_node_chips(&machine->geometry);
		     chip++)
			machine->node_of_chip[torus_chip_cell(&machine->geometry, cell,
							      chip)] = cell;
	}
}

typedef struct slow_box {
	bool found;
	uint64_t weight;
	uint32_t width, lowest, corner;
	int32_t side[TORUS_MAX_DIMS]; /* in nodes */
	uint32_t count;
	uint64_t ranks[TORUS_WORDS(MOST_NODES)];
} slow_box_t;

static bool slow_better(const slow_box_t *a, const slow_box_t *b)
{
	if (!b->found || a->weight != b->weight)
		return !b->found || a->weight < b->weight;
	if (a->width != b->width)
		return a->width < b->width;
	if (a->lowest != b->lowest)
		return a->lowest < b->lowest;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		if (a->side[axis] != b->side[axis])
			return a->side[axis] < b->side[axis];
	}
	return a->corner < b->corner;
}

/* The box of chips with these sides from this chip on, if it is one of whole free nodes,
 * or part of a single free node. */
static bool slow_look(const machine_t *machine, const int32_t *side, uint32_t corner,
		      slow_box_t *box)
{
	uint32_t chips = torus_node_chips(&machine->geometry), volume = 1, highest = 0;
	uint32_t machine_chips = torus_geometry_cells(&machine->chips);
	uint32_t covered[MOST_NODES] = {0}, nodes = 0;
	int32_t first[TORUS_MAX_DIMS];

	*box = (slow_box_t){.found = true, .lowest = UINT32_MAX};
	torus_cell_to_coord(&machine->chips, corner, first);
	for (int axis = 0; axis < machine->geometry.dims; axis++) {
		int32_t length = machine->chips.length[axis];

		volume *= (uint32_t)side[axis];
		if (side[axis] > length ||
		    (!machine->chips.wrap[axis] && first[axis] + side[axis] > length))
			return false;
	}
	for (uint32_t chip = 0; chip < machine_chips; chip++) {
		uint32_t cell = machine->node_of_chip[chip];
		uint32_t rank = machine->rank_of_cell[cell];

		if (!torus_box_has(&machine->chips, first, side, chip))
			continue;
		if (!rank || !torus_bit_test(machine->usable, rank - 1))
			return false;
		nodes += !covered[cell]++;
	}
	for (uint32_t cell = 0; cell < torus_geometry_cells(&machine->geometry); cell++) {
		uint32_t rank = machine->rank_of_cell[cell] - 1;

		if (!covered[cell])
			continue;
		if (covered[cell] < chips && nodes > 1)
			return false;
		torus_bit_set(box->ranks, rank);
		box->count++;
		box->weight += machine->weights[rank];
		if (rank < box->lowest)
			box->lowest = rank;
		if (rank > highest)
			highest = rank;
	}
	/* Part of a node around a ring of one node may be split: it is part all the same.
	 */
	box->width = highest - box->lowest;
	box->corner = machine->node_of_chip[corner];
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		int32_t of_node = torus_node_side(&machine->geometry, axis);
		bool used = axis < machine->geometry.dims;

		box->side[axis] = used && volume >= chips ? side[axis] / of_node : 1;
	}
	return true;
}

/* Every arrangement of the sides not yet placed, at every chip. */
static void slow_turns(const machine_t *machine, const int32_t *sides, uint32_t placed,
		       int32_t *side, int axis, slow_box_t *best)
{
	if (axis == machine->geometry.dims) {
		for (uint32_t chip = 0; chip < torus_geometry_cells(&machine->chips);
		     chip++) {
			slow_box_t box;

			if (slow_look(machine, side, chip, &box) &&
			    slow_better(&box, best))
				*best = box;
		}
		return;
	}
	for (int i = 0; i < machine->geometry.dims; i++) {
		if (placed >> i & 1)
			continue;
		side[axis] = sides[i];
		slow_turns(machine, sides, placed | 1u << i, side, axis + 1, best);
	}
}

/* Sides of 1 to a few chips, of whole nodes more often than chance would have it. */
static torus_shape_t random_shape(const machine_t *machine)
{
	torus_shape_t shape = {.dims = machine->geometry.dims, .in_chips = true};
	uint32_t turn = random_in(0, 5);

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		shape.side[axis] = 1;
	for (int axis = 0; axis < shape.dims; axis++) {
		int at = (axis + (int)turn) % shape.dims;
		uint32_t of_node = (uint32_t)machine->geometry.chips[axis];
		uint32_t nodes =
			random_in(1, (uint32_t)machine->geometry.length[axis] > 3
					     ? 3
					     : (uint32_t)machine->geometry.length[axis]);

		shape.side[at] = (int32_t)(random_in(0, 3) ? of_node * nodes
							   : random_in(1, of_node));
	}
	return shape;
}

static void check_chosen(const slow_box_t *slow, int found, const uint32_t *chosen,
			 uint32_t count)
{
	assert_int_equal(found, slow->found);
	assert_int_equal(count, slow->count);
	for (uint32_t i = 0; i < count; i++)
		assert_true(torus_bit_test(slow->ranks, chosen[i]));
}

static void boxes_of_chips_are_whole_nodes(void **state)
{
	static machine_t machine;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		bool weighted = round % 2;
		uint32_t chosen[MOST_NODES], count = 0;
		torus_shape_t shape, nearest;
		torus_turn_t turn[TORUS_MOST_TURNS];
		slow_box_t slow = {0};
		int32_t side[TORUS_MAX_DIMS];
		torus_error_t err;
		int found;

		random_machine(&machine, weighted);
		shape = random_shape(&machine);
		slow_turns(&machine, shape.side, 0, side, 0, &slow);
		found = torus_box_place(&machine.geometry, machine.cell_of_rank,
					machine.ranks, machine.usable,
					weighted ? machine.weights : NULL, &shape, chosen,
					&count, &err);
		check_chosen(&slow, found, chosen, count);
		if (found) {
			assert_true(torus_turns(&machine.geometry, &shape, turn) > 0);
			assert_true(
				torus_shape_suits(&machine.geometry, &shape, &nearest));
		}
		reached("a box of several nodes", count > 1);
		reached("a part of a node",
			count == 1 && torus_node_chips(&machine.geometry) >
					      (uint32_t)shape.side[0] * shape.side[1] *
						      shape.side[2] * shape.side[3]);
		reached("no box", !found && torus_turns(&machine.geometry, &shape, turn));
		reached("no rotation of whole nodes",
			!torus_shape_suits(&machine.geometry, &shape, &nearest));
	}
	assert_true(reached_all(RANDOM_CASES(50)));
}

/* No box that is found has fewer nodes than is known beforehand. */
static void the_fewest_nodes_of_a_box_are_known(void **state)
{
	static machine_t machine;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		torus_shapes_t shapes = {.count = 1 + round % 2};
		uint64_t fewest;
		int found_all = 0;
		uint32_t least = UINT32_MAX;
		torus_error_t err;

		random_machine(&machine, false);
		for (int i = 0; i < shapes.count; i++) {
			uint32_t chosen[MOST_NODES], count = 0;

			shapes.shape[i] = random_shape(&machine);
			shapes.shape[i].in_chips = random_in(0, 2);
			if (torus_box_place(&machine.geometry, machine.cell_of_rank,
					    machine.ranks, machine.usable, NULL,
					    &shapes.shape[i], chosen, &count, &err) <= 0)
				continue;
			found_all++;
			least = count < least ? count : least;
		}
		fewest = torus_shapes_fewest_nodes(&machine.geometry, &shapes, 1);
		assert_true(fewest >= 1 && fewest <= least);
		assert_true(torus_shapes_fewest_nodes(&machine.geometry, &shapes, 3) ==
			    3 * fewest);
		reached("as few as that", found_all == shapes.count && fewest == least);
		reached("several", fewest > 1 && found_all);
	}
	assert_true(reached_all(RANDOM_CASES(50)));
}

/* compact takes another of the free boxes than best_fit does, if there is one. */
static void every_strategy_takes_such_a_box(void **state)
{
	static machine_t machine;
	uint64_t others = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(2000); round++) {
		torus_placer_t *placer;
		torus_place_request_t request = {.allocator = &torus_compact};
		uint32_t chosen[MOST_NODES], count = 0, lowest = UINT32_MAX;
		slow_box_t slow = {0}, box;
		torus_turn_t turn[TORUS_MOST_TURNS];
		torus_shape_t shape;
		int32_t side[TORUS_MAX_DIMS];
		torus_error_t err;
		bool one = false;
		int found, turns;

		random_machine(&machine, false);
		shape = random_shape(&machine);
		slow_turns(&machine, shape.side, 0, side, 0, &slow);
		request.geometry = &machine.geometry;
		request.cell_of_rank = machine.cell_of_rank;
		placer = torus_placer_create(machine.ranks);
		assert_non_null(placer);
		found = torus_place_shape(placer, machine.usable, NULL, &request, &shape,
					  chosen, &count, &err);
		torus_placer_destroy(placer);
		assert_int_equal(found, slow.found);
		assert_int_equal(count, slow.count);
		if (!found)
			continue;
		/* It is one of the boxes. */
		turns = torus_turns(&machine.geometry, &shape, turn);
		for (int i = 0; i < turns && !one; i++) {
			for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
				side[axis] = turn[i].side[axis] *
					     torus_node_side(&machine.geometry, axis);
			for (uint32_t chip = 0;
			     chip < torus_geometry_cells(&machine.chips) && !one;
			     chip++) {
				uint32_t same = 0;

				if (!slow_look(&machine, side, chip, &box))
					continue;
				while (same < count &&
				       torus_bit_test(box.ranks, chosen[same]))
					same++;
				one = same == count && count == box.count;
			}
		}
		assert_true(one);
		for (uint32_t i = 0; i < count; i++) {
			if (chosen[i] < lowest)
				lowest = chosen[i];
		}
		others += lowest != slow.lowest;
	}
	assert_true(others > RANDOM_CASES(50));
}

/* The cure: rounded up, no smaller box of whole nodes holds the shape. */
static void the_nearest_box_is_the_smallest(void **state)
{
	uint64_t cured = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		torus_geometry_t geometry = random_chip_geometry(3, 100);
		torus_shape_t shape = {.dims = geometry.dims, .in_chips = true}, nearest;
		uint32_t chips = torus_node_chips(&geometry), fewest = UINT32_MAX;
		int32_t size[3];
		bool suits;

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			shape.side[axis] =
				axis < shape.dims ? (int32_t)random_in(1, 6) : 1;
		suits = torus_shape_suits(&geometry, &shape, &nearest);
		if (suits) {
			assert_int_equal(nearest.dims, 0);
			continue;
		}
		cured++;
		assert_true(nearest.in_chips);
		/* All boxes of whole nodes whose sorted sides hold the sorted shape. */
		for (size[0] = 1; size[0] <= 6; size[0]++)
			for (size[1] = 1; size[1] <= (shape.dims > 1 ? 6 : 1); size[1]++)
				for (size[2] = 1; size[2] <= (shape.dims > 2 ? 6 : 1);
				     size[2]++) {
					torus_shape_t box = shape;
					int32_t inner[TORUS_MAX_DIMS];
					int32_t outer[TORUS_MAX_DIMS];
					uint32_t volume = 1;
					bool holds = true;

					for (int axis = 0; axis < shape.dims; axis++) {
						box.side[axis] =
							size[axis] * geometry.chips[axis];
						volume *= (uint32_t)box.side[axis];
					}
					torus_shape_sides(&shape, shape.dims, inner);
					torus_shape_sides(&box, shape.dims, outer);
					for (int axis = 0; axis < shape.dims; axis++)
						holds &= inner[axis] <= outer[axis];
					if (holds && volume < fewest)
						fewest = volume;
				}
		assert_int_equal(nearest.side[0] * nearest.side[1] * nearest.side[2],
				 fewest);
		assert_int_equal(fewest % chips, 0);
		assert_true(torus_shape_suits(&geometry, &nearest, &shape));
	}
	assert_true(cured > RANDOM_CASES(500));
}

static void table_of_boxes(void **state)
{
	static const struct {
		const char *dims, *node, *shape;
		const char *turns; /* in nodes */
		const char *nearest;
	} table[] = {
		/* A cube of TPU v4 in a pod of 4x4x4 cubes. */
		{"8x8x16", "2x2x1", "4x4x4", "2x2x4 ", ""},
		{"8x8x16", "2x2x1", "4x4x8", "2x2x8 2x4x4 4x2x4 ", ""},
		{"8x8x16", "2x2x1", "8x4x4", "2x2x8 2x4x4 4x2x4 ", ""},
		{"8x8x16", "2x2x1", "2x2x1", "1x1x1 ", ""},
		{"8x8x16", "2x2x1", "2x2x2", "1x1x2 ", ""},
		{"8x8x16", "2x2x1", "4x2", "1x2x1 2x1x1 ", ""},
		{"8x8x16", "2x2x1", "2x1x1", "1x1x1 ", ""},
		{"8x8x16", "2x2x1", "1", "1x1x1 ", ""},
		{"8x8x16", "2x2x1", "3x4x8", "2x4x3 4x2x3 ", ""},
		{"8x8x16", "2x2x1", "3x3x8", "", "4x8x3"},
		{"8x8x16", "2x2x1", "4", "", "2x4x1"},
		{"8x8x16", "2x2x1", "4x4x40", "", ""},
		{"8x8x16", "2x2x1", "2x2x2x2", "", ""},
		{"8x8", "1", "4x2", "2x4 4x2 ", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_geometry_t geometry;
		torus_shapes_t shapes;
		torus_shape_t nearest;
		torus_turn_t turn[TORUS_MOST_TURNS];
		torus_error_t err;
		char text[500] = "", one[TORUS_DIMS_TEXT];
		int turns;

		assert_int_equal(
			torus_geometry_parse(table[i].dims, NULL, &geometry, &err), 0);
		assert_int_equal(torus_node_shape_parse(table[i].node, &geometry, &err),
				 0);
		assert_int_equal(torus_chip_shapes_parse(table[i].shape, &shapes, &err),
				 0);
		assert_true(torus_shapes_in_chips(&shapes));
		turns = torus_turns(&geometry, &shapes.shape[0], turn);
		for (int j = 0; j < turns; j++) {
			strcat(text,
			       torus_lengths_format(geometry.dims, turn[j].side, one));
			strcat(text, " ");
		}
		assert_string_equal(text, table[i].turns);
		*one = '\0';
		if (!torus_shape_suits(&geometry, &shapes.shape[0], &nearest) &&
		    nearest.dims)
			torus_lengths_format(nearest.dims, nearest.side, one);
		assert_string_equal(one, table[i].nearest);
	}
}

static void shapes_in_chips_are_read(void **state)
{
	torus_shapes_t shapes;
	char text[TORUS_SHAPES_TEXT];
	torus_error_t err;

	(void)state;
	assert_int_equal(torus_chip_shapes_parse("4x4x8|8x8", &shapes, &err), 0);
	assert_int_equal(shapes.count, 2);
	assert_true(shapes.shape[0].in_chips && shapes.shape[1].in_chips);
	assert_string_equal(torus_shapes_format(&shapes, text), "4x4x8|8x8");
	assert_int_equal(torus_chip_shapes_parse("ANY", &shapes, &err), -1);
	assert_string_equal(err.text, "'ANY' is no box of chips, such as 4x4x8: a box of "
				      "any sides is asked for as shape any");
	assert_int_equal(torus_chip_shapes_parse("4x4|4x4x1", &shapes, &err), -1);
	assert_int_equal(torus_shapes_parse("4x4", &shapes, &err), 0);
	assert_false(torus_shapes_in_chips(&shapes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_chip_has_its_cell),
		cmocka_unit_test(a_node_without_chips_is_one),
		cmocka_unit_test(boxes_of_chips_are_whole_nodes),
		cmocka_unit_test(every_strategy_takes_such_a_box),
		cmocka_unit_test(the_nearest_box_is_the_smallest),
		cmocka_unit_test(table_of_boxes),
		cmocka_unit_test(the_fewest_nodes_of_a_box_are_known),
		cmocka_unit_test(shapes_in_chips_are_read),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
