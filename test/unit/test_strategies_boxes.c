/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strategies for boxes: contiguous (Zhu, "Efficient Processor Allocation Strategies for
 * Mesh-Connected Parallel Computers"; Morgenstern, "Methods for Precise Submesh
 * Allocation"), frame_sliding (Chuang, Tzeng, "An Efficient Submesh Allocation Strategy
 * for Mesh Computer Systems") and hybrid, against looking at every cell of every box.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "strategies/wanted_box.h"
#include "box_oracle.h"
#include "strategy_case.h"

#define MOST_TRIED TORUS_FREE_BOXES_PASSES

/* The box that a job wants: unturned sides; all its nodes, or the first n of it. */
typedef struct wanted {
	bool possible;
	int32_t side[TORUS_MAX_DIMS];
	bool all;
	bool closed;
	uint32_t nodes;
} wanted_t;

/* Whether the box may be on [cell]. */
static bool usable(const strategy_case_t *machine, const wanted_t *wanted, uint32_t cell)
{
	uint32_t nodes = case_nodes_on(machine, cell, true);

	if (wanted->all)
		return nodes && nodes == case_nodes_on(machine, cell, false);
	return nodes == machine->most;
}

/* ---- the most cube-like box ---- */

/* Every box of the machine: the best by cube_like.h. */
static void slow_cube_like(const torus_geometry_t *geometry, uint32_t cells,
			   wanted_t *wanted)
{
	uint32_t boxes = torus_geometry_cells(geometry), best_sum = UINT32_MAX,
		 best_volume = 0;
	int32_t best[TORUS_MAX_DIMS] = {0}; /* ascending */

	wanted->possible = false;
	for (uint32_t number = 0; number < boxes; number++) {
		int32_t coord[TORUS_MAX_DIMS], sorted[TORUS_MAX_DIMS];
		uint32_t volume = 1, sum = 0;
		bool better, ascends = true;

		torus_cell_to_coord(geometry, number, coord);
		for (int axis = 0; axis < geometry->dims; axis++) {
			int at = axis;

			volume *= (uint32_t)++coord[axis];
			sum += (uint32_t)coord[axis];
			for (; at > 0 && sorted[at - 1] > coord[axis]; at--)
				sorted[at] = sorted[at - 1];
			sorted[at] = coord[axis];
		}
		/* Longer sides along longer axes, of equal ones along the later. */
		for (int a = 0; a < geometry->dims; a++) {
			for (int b = 0; b < geometry->dims; b++) {
				bool longer =
					geometry->length[b] > geometry->length[a] ||
					(geometry->length[b] == geometry->length[a] &&
					 b > a);

				ascends &= !longer || coord[b] >= coord[a];
			}
		}
		if (volume < cells || !ascends)
			continue;
		better = !wanted->possible || sum < best_sum ||
			 (sum == best_sum && volume < best_volume);
		if (wanted->possible && sum == best_sum && volume == best_volume) {
			int axis = 0;

			while (axis < geometry->dims && sorted[axis] == best[axis])
				axis++;
			better = axis < geometry->dims && sorted[axis] > best[axis];
		}
		if (!better)
			continue;
		wanted->possible = true;
		best_sum = sum;
		best_volume = volume;
		memcpy(best, sorted, sizeof(int32_t) * (size_t)geometry->dims);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			wanted->side[axis] = axis < geometry->dims ? coord[axis] : 1;
	}
}

static void most_cube_like(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 900);
		uint32_t cells = random_in(1, torus_geometry_cells(&geometry) + 2);
		int32_t side[TORUS_MAX_DIMS];
		wanted_t wanted;
		bool found = torus_cube_like(&geometry, cells, side);

		slow_cube_like(&geometry, cells, &wanted);
		assert_int_equal(found, wanted.possible);
		if (found)
			assert_memory_equal(side, wanted.side, sizeof(side));
	}
}

static void known_cubes(void **state)
{
	static const struct {
		const char *dims;
		uint32_t cells;
		int32_t side[3];
	} table[] = {
		{"16x16", 12, {3, 4, 1}},   {"16x16", 13, {3, 5, 1}},
		{"16x16", 16, {4, 4, 1}},   {"2x100", 30, {2, 15, 1}},
		{"100x2", 30, {15, 2, 1}},  {"10x10x10", 6, {1, 2, 3}},
		{"10x10x10", 8, {2, 2, 2}}, {"1000x1000", 1000000, {1000, 1000, 1}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_geometry_t geometry;
		int32_t side[TORUS_MAX_DIMS];

		assert_int_equal(
			torus_geometry_parse(table[i].dims, "none", &geometry, NULL), 0);
		assert_true(torus_cube_like(&geometry, table[i].cells, side));
		assert_memory_equal(side, table[i].side, sizeof(table[i].side));
	}
}

/* ---- boxes ---- */

/*
 * Walk through the cells of the box: whether it is inside and free; and add its nodes to
 * [set], the first n or all, unless NULL.
 */
static bool walk_box(const strategy_case_t *machine, const wanted_t *wanted,
		     const int32_t *corner, const int32_t *side, bool *set)
{
	const torus_geometry_t *geometry = &machine->geometry;
	uint32_t volume = 1, left = wanted->all ? UINT32_MAX : wanted->nodes;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] > geometry->length[axis] ||
		    (!geometry->wrap[axis] &&
		     corner[axis] + side[axis] > geometry->length[axis]))
			return false;
		volume *= (uint32_t)side[axis];
	}
	if (wanted->closed && !oracle_is_closed(geometry, side))
		return false;
	for (uint32_t i = 0; i < volume; i++) {
		int32_t coord[TORUS_MAX_DIMS] = {0};
		uint32_t number = i, cell;

		for (int axis = 0; axis < geometry->dims; axis++) {
			coord[axis] =
				corner[axis] + (int32_t)(number % (uint32_t)side[axis]);
			coord[axis] %= geometry->length[axis];
			number /= (uint32_t)side[axis];
		}
		cell = torus_coord_to_cell(geometry, coord);
		if (!usable(machine, wanted, cell))
			return false;
		if (set)
			left -= case_add(machine, cell, left, set);
	}
	return true;
}

static bool in_box(const torus_geometry_t *geometry, const int32_t *corner,
		   const int32_t *side, const int32_t *coord)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];

		if ((coord[axis] - corner[axis] + length) % length >= side[axis])
			return false;
	}
	return true;
}

/* Faces of the box's cells that are against usable cells not in the box. */
static uint32_t slow_open(const strategy_case_t *machine, const wanted_t *wanted,
			  const int32_t *corner, const int32_t *side)
{
	const torus_geometry_t *geometry = &machine->geometry;
	uint32_t open = 0;

	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(geometry, cell, coord);
		if (!in_box(geometry, corner, side, coord))
			continue;
		for (int way = 0; way < 2 * geometry->dims; way++) {
			int axis = way / 2;
			int32_t length = geometry->length[axis], kept = coord[axis];

			coord[axis] += way % 2 ? 1 : -1;
			if (geometry->wrap[axis])
				coord[axis] = (coord[axis] + length) % length;
			if (coord[axis] >= 0 && coord[axis] < length &&
			    !in_box(geometry, corner, side, coord))
				open += usable(machine, wanted,
					       torus_coord_to_cell(geometry, coord));
			coord[axis] = kept;
		}
	}
	return open;
}

typedef struct best_box {
	bool found;
	uint32_t open;
	int32_t corner[TORUS_MAX_DIMS];
	int32_t side[TORUS_MAX_DIMS];
	int tried; /* rotations of which there is a free box, */
	int32_t tried_side[MOST_TRIED][TORUS_MAX_DIMS]; /* and which */
} best_box_t;

/* Whether the rotation is one of the first with a free box, and a new one. */
static bool may_be_tried(const strategy_case_t *machine, const int32_t *side,
			 best_box_t *best)
{
	int dims = machine->geometry.dims;
	int most = TORUS_FREE_BOXES_PASSES / (dims * (dims + 3));

	for (int i = 0; i < best->tried; i++) {
		if (!memcmp(best->tried_side[i], side, (size_t)dims * sizeof(*side)))
			return false;
	}
	if (best->tried == (most < MOST_TRIED ? most : MOST_TRIED))
		return false;
	memcpy(best->tried_side[best->tried++], side, (size_t)dims * sizeof(*side));
	return true;
}

static void try_corners(const strategy_case_t *machine, const wanted_t *wanted,
			const int32_t *side, bool best_fit, best_box_t *best)
{
	bool tried = !best_fit;

	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		int32_t corner[TORUS_MAX_DIMS];
		uint32_t open = 0;

		torus_cell_to_coord(&machine->geometry, cell, corner);
		if (!walk_box(machine, wanted, corner, side, NULL))
			continue;
		if (!tried && !may_be_tried(machine, side, best))
			return;
		tried = true;
		if (best_fit)
			open = slow_open(machine, wanted, corner, side);
		if (best->found && open >= best->open)
			continue;
		best->found = true;
		best->open = open;
		memcpy(best->corner, corner, sizeof(corner));
		memcpy(best->side, side, sizeof(best->side));
	}
}

/* All other orders of the sides, ascending; one that comes again finds nothing better. */
static void try_turns(const strategy_case_t *machine, const wanted_t *wanted,
		      int32_t *sorted, uint32_t placed, int32_t *turned, int axis,
		      bool best_fit, best_box_t *best)
{
	if (axis == machine->geometry.dims) {
		try_corners(machine, wanted, turned, best_fit, best);
		return;
	}
	for (int i = 0; i < machine->geometry.dims; i++) {
		if (placed >> i & 1)
			continue;
		turned[axis] = sorted[i];
		try_turns(machine, wanted, sorted, placed | 1u << i, turned, axis + 1,
			  best_fit, best);
	}
}

static int compare_sides(const void *a, const void *b)
{
	return *(const int32_t *)a - *(const int32_t *)b;
}

/* Fills [set]; false: no box. */
static bool slow_contiguous(const strategy_case_t *machine, const wanted_t *wanted,
			    bool best_fit, bool turns, bool *set)
{
	int32_t sorted[TORUS_MAX_DIMS], turned[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	best_box_t best = {.found = false};

	memset(set, 0, CASE_RANKS * sizeof(*set));
	if (!wanted->possible)
		return false;
	memcpy(sorted, wanted->side, sizeof(sorted));
	qsort(sorted, (size_t)machine->geometry.dims, sizeof(*sorted), compare_sides);
	try_corners(machine, wanted, wanted->side, best_fit, &best);
	if (turns && (best_fit || !best.found))
		try_turns(machine, wanted, sorted, 0, turned, 0, best_fit, &best);
	if (best.found)
		walk_box(machine, wanted, best.corner, best.side, set);
	return best.found;
}

/*
 * Step by step from the first usable cell: back to the edge of a mesh in steps of the
 * side, up from there; on a ring upwards for as many frames as it has room for.
 */
static bool slow_frame_sliding(const strategy_case_t *machine, const wanted_t *wanted,
			       bool *set)
{
	const torus_geometry_t *geometry = &machine->geometry;
	bool lattice[TORUS_MAX_DIMS][CASE_RANKS] = {{false}};
	int32_t first[TORUS_MAX_DIMS];
	uint32_t cell = 0;

	memset(set, 0, CASE_RANKS * sizeof(*set));
	while (cell < machine->cells && !usable(machine, wanted, cell))
		cell++;
	if (!wanted->possible || cell == machine->cells)
		return false;
	torus_cell_to_coord(geometry, cell, first);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t side = wanted->side[axis], length = geometry->length[axis];

		if (geometry->wrap[axis]) {
			for (int32_t frame = 0; frame < length / side; frame++)
				lattice[axis][(first[axis] + frame * side) % length] =
					true;
			continue;
		}
		for (int32_t at = first[axis]; at >= 0; at -= side)
			lattice[axis][at] = true;
		for (int32_t at = first[axis]; at < length; at += side)
			lattice[axis][at] = true;
	}
	for (cell = 0; cell < machine->cells; cell++) {
		int32_t corner[TORUS_MAX_DIMS];
		bool on_step = true;

		torus_cell_to_coord(geometry, cell, corner);
		for (int axis = 0; axis < geometry->dims; axis++)
			on_step &= lattice[axis][corner[axis]];
		if (!on_step || !walk_box(machine, wanted, corner, wanted->side, NULL))
			continue;
		walk_box(machine, wanted, corner, wanted->side, set);
		return true;
	}
	return false;
}

/* How often each came up. */
static uint32_t seen_found, seen_none, seen_turned, seen_missed, seen_line;

static void compare_all(const strategy_case_t *machine, const wanted_t *wanted,
			const torus_shape_t *shape)
{
	static const struct {
		const char *name;
		bool best_fit, turns;
	} table[] = {
		{"contiguous", false, true},
		{"contiguous:first_fit", false, true},
		{"contiguous:best_fit", true, true},
		{"contiguous:first_fit:fixed", false, false},
		{"contiguous:best_fit:fixed", true, false},
	};
	static strategy_choice_t choice, line;
	static bool expected[CASE_RANKS];
	bool found[5], slid;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		found[i] = slow_contiguous(machine, wanted, table[i].best_fit,
					   table[i].turns, expected);
		case_place(machine, table[i].name, wanted->nodes, shape, &choice);
		case_compare(machine, &choice, found[i] ? expected : NULL);
	}
	seen_turned += found[0] && !found[3];
	*(found[0] ? &seen_found : &seen_none) += 1;

	found[2] = slow_contiguous(machine, wanted, true, true, expected);
	case_place(machine, "hybrid", wanted->nodes, shape, &choice);
	if (found[2] || shape) {
		case_compare(machine, &choice, found[2] ? expected : NULL);
	} else {
		case_place(machine, "best_fit", wanted->nodes, NULL, &line);
		assert_int_equal(choice.placed, line.placed);
		assert_memory_equal(choice.chosen, line.chosen, sizeof(line.chosen));
		assert_memory_equal(&choice.placement, &line.placement,
				    sizeof(line.placement));
		seen_line += line.placed;
	}

	slid = slow_frame_sliding(machine, wanted, expected);
	case_place(machine, "frame_sliding", wanted->nodes, shape, &choice);
	case_compare(machine, &choice, slid ? expected : NULL);
	assert_true(!slid || found[3]);
	seen_missed += found[3] && !slid;
}

/* A shape as asked for: one more dimension than the machine has no box. */
static torus_shape_t random_shape(const strategy_case_t *machine, wanted_t *wanted)
{
	torus_shape_t shape = {.dims = (int)random_in(1, 4), .closed = !random_in(0, 3)};

	*wanted = (wanted_t){.possible = true, .all = true, .closed = shape.closed};
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		shape.side[axis] = axis < shape.dims && !random_in(0, 2)
					   ? (int32_t)random_in(1, 4)
					   : 1;
		wanted->side[axis] = shape.side[axis];
		if (axis >= machine->geometry.dims && shape.side[axis] > 1)
			wanted->possible = false;
	}
	return shape;
}

static void every_box_of_every_machine(void **state)
{
	static strategy_case_t machine;

	(void)state;
	for (int round = 0; round < 700; round++) {
		wanted_t wanted = {.all = false};
		torus_shape_t shape;

		case_random(&machine, random_in(0, 2) ? 3 : TORUS_MAX_DIMS,
			    random_in(10, 100));
		/* Boxes are seldom free by chance: most of a machine is, too. */
		for (uint32_t rank = 0; round % 2 && rank < machine.ranks; rank++)
			machine.usable[rank] |= random_in(0, 3) > 0;
		wanted.nodes = case_random_size(&machine);
		if (random_in(0, 1))
			wanted.nodes = random_in(1, wanted.nodes < 9 ? wanted.nodes : 9);
		slow_cube_like(&machine.geometry,
			       (wanted.nodes + machine.most - 1) / machine.most, &wanted);
		if (case_free_ranks(&machine) >= wanted.nodes)
			compare_all(&machine, &wanted, NULL);
		shape = random_shape(&machine, &wanted);
		compare_all(&machine, &wanted, &shape);
	}
	print_message(
		"# boxes found %u, none %u, only turned %u, missed by frame_sliding "
		"%u, hybrid on the line %u\n",
		seen_found, seen_none, seen_turned, seen_missed, seen_line);
	assert_true(seen_found > 300 && seen_none > 100 && seen_turned > 10);
	assert_true(seen_missed > 10 && seen_line > 50);
}

/* ---- listed_boxes ---- */

/* A box somewhere: which cells it has, by walking over all of them. */
typedef struct slow_box {
	int32_t side[TORUS_MAX_DIMS];
	uint64_t distance;
	bool cell[CASE_RANKS];
} slow_box_t;

/* The box with sides [side] at [corner]; false: it goes beyond an end. */
static bool slow_box_at(const torus_geometry_t *geometry, uint32_t corner,
			slow_box_t *box)
{
	uint32_t cells = torus_geometry_cells(geometry);
	int32_t first[TORUS_MAX_DIMS];

	torus_cell_to_coord(geometry, corner, first);
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (!geometry->wrap[axis] &&
		    first[axis] + box->side[axis] > geometry->length[axis])
			return false;
	}
	for (uint32_t cell = 0; cell < cells; cell++)
		box->cell[cell] = torus_box_has(geometry, first, box->side, cell);
	return true;
}

/* The list of the boxes of [volume] cells, most compact first; returns how many. */
static int slow_list(const torus_geometry_t *geometry, uint32_t volume, slow_box_t *list)
{
	uint32_t cells = torus_geometry_cells(geometry);
	int count = 0, kept = 0;

	for (uint32_t last = 0; last < cells; last++) {
		slow_box_t box = {.distance = 0};
		uint32_t has = 1;
		int at = count;

		torus_cell_to_coord(geometry, last, box.side);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			has *= (uint32_t)++box.side[axis];
		if (has != volume)
			continue;
		slow_box_at(geometry, 0, &box);
		for (uint32_t a = 0; a < cells; a++) {
			for (uint32_t b = 0; box.cell[a] && b < cells; b++) {
				if (box.cell[b])
					box.distance += torus_hops_cells(geometry, a, b);
			}
		}
		/* By insertion: distance, then sides, x first. */
		for (; at; at--) {
			int order = 0;

			for (int axis = TORUS_MAX_DIMS - 1; axis >= 0; axis--)
				order = list[at - 1].side[axis] == box.side[axis]
						? order
						: list[at - 1].side[axis] -
							  box.side[axis];
			if (list[at - 1].distance < box.distance ||
			    (list[at - 1].distance == box.distance && order < 0))
				break;
			list[at] = list[at - 1];
		}
		list[at] = box;
		count++;
	}
	while (kept < count && list[kept].distance * 8 <= list[0].distance * 9)
		kept++;
	return kept;
}

static bool slow_is_free(const strategy_case_t *machine, const slow_box_t *box)
{
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		if (box->cell[cell] && !case_whole(machine, cell))
			return false;
	}
	return true;
}

/* How many free boxes of the sides of [next] have a cell of [box]. */
static uint32_t slow_touched(const strategy_case_t *machine, const slow_box_t *box,
			     slow_box_t *next)
{
	uint32_t touched = 0;

	for (uint32_t corner = 0; corner < machine->cells; corner++) {
		bool touches = false;

		if (!slow_box_at(&machine->geometry, corner, next) ||
		    !slow_is_free(machine, next))
			continue;
		for (uint32_t cell = 0; cell < machine->cells; cell++)
			touches |= box->cell[cell] && next->cell[cell];
		touched += touches;
	}
	return touched;
}

static bool slow_listed_boxes(const strategy_case_t *machine, uint32_t nodes, bool *set)
{
	static slow_box_t list[CASE_RANKS], next[CASE_RANKS], box;
	uint32_t volume = nodes / machine->most, larger = volume, fewest = UINT32_MAX;
	int count, nexts = 0;

	memset(set, 0, CASE_RANKS * sizeof(*set));
	if (nodes % machine->most)
		return false;
	count = slow_list(&machine->geometry, volume, list);
	while (!nexts && larger++ < machine->cells)
		nexts = slow_list(&machine->geometry, larger, next);
	for (int i = 0; i < count && fewest == UINT32_MAX; i++) {
		box = list[i];
		for (uint32_t corner = 0; corner < machine->cells; corner++) {
			uint32_t touched;

			if (!slow_box_at(&machine->geometry, corner, &box) ||
			    !slow_is_free(machine, &box))
				continue;
			touched = nexts ? slow_touched(machine, &box, next) : 0;
			if (touched >= fewest)
				continue;
			fewest = touched;
			for (uint32_t rank = 0; rank < machine->ranks; rank++)
				set[rank] = box.cell[machine->cell_of_rank[rank]];
		}
	}
	return fewest < UINT32_MAX;
}

static void boxes_that_are_listed(void **state)
{
	static strategy_case_t machine;
	uint32_t found = 0, none = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		bool set[CASE_RANKS];
		strategy_choice_t choice;
		uint32_t nodes;

		case_random(&machine, random_in(0, 2) ? 3 : TORUS_MAX_DIMS,
			    random_in(4, 40));
		for (uint32_t rank = 0; round % 2 && rank < machine.ranks; rank++)
			machine.usable[rank] |= random_in(0, 3) > 0;
		nodes = random_in(1, random_in(0, 1) ? machine.ranks
						     : (machine.ranks + 3) / 4);
		if (case_free_ranks(&machine) < nodes)
			continue;
		case_place(&machine, "listed_boxes", nodes, NULL, &choice);
		if (slow_listed_boxes(&machine, nodes, set)) {
			found++;
			case_compare(&machine, &choice, set);
		} else {
			none++;
			case_compare(&machine, &choice, NULL);
		}
	}
	assert_true(found > RANDOM_CASES(100) && none > RANDOM_CASES(100));
}

/* Weights that differ come before what a strategy says of boxes. */
static void lightest_box_of_a_shape(void **state)
{
	static strategy_case_t machine;
	static const char *const names[] = {"contiguous", "hybrid", "frame_sliding",
					    "mbs"};
	uint32_t found = 0;

	(void)state;
	for (int round = 0; round < 300; round++) {
		uint64_t usable[TORUS_WORDS(CASE_RANKS)], weights[CASE_RANKS];
		uint32_t chosen[CASE_RANKS] = {0}, expected[CASE_RANKS] = {0};
		uint32_t count = 0, expected_count = 0;
		torus_place_request_t request;
		torus_placer_t *placer;
		torus_shape_t shape;
		wanted_t wanted;
		int placed;

		case_random(&machine, 3, 60);
		for (uint32_t rank = 0; rank < machine.ranks; rank++) {
			machine.usable[rank] |= random_in(0, 1);
			weights[rank] = rank % 7;
		}
		shape = random_shape(&machine, &wanted);
		case_bitmap(machine.usable, machine.ranks, usable);
		request = case_request(&machine, names[round % 4], 1);
		placer = torus_placer_create(machine.ranks);
		assert_non_null(placer);
		placed = torus_place_shape(placer, usable, weights, &request, &shape,
					   chosen, &count, NULL);
		torus_placer_destroy(placer);
		if (case_free_ranks(&machine) < 8)
			continue; /* their weights may be the same */
		assert_int_equal(placed,
				 torus_box_place(&machine.geometry, machine.cell_of_rank,
						 machine.ranks, usable, weights, &shape,
						 expected, &expected_count, NULL));
		assert_int_equal(count, expected_count);
		assert_memory_equal(chosen, expected, sizeof(expected));
		found += placed > 0;
	}
	assert_true(found > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_cubes),
		cmocka_unit_test(most_cube_like),
		cmocka_unit_test(every_box_of_every_machine),
		cmocka_unit_test(lightest_box_of_a_shape),
		cmocka_unit_test(boxes_that_are_listed),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
