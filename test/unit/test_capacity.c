/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine has room for: against every box at every corner, and every packing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "capacity/holders.h"
#include "capacity/largest.h"
#include "capacity/largest_in_cube.h"
#include "capacity/packing.h"
#include "capacity/turns.h"
#include "torus/fit.h"
#include "random.h"

#define MOST 300

typedef struct machine {
	torus_geometry_t geometry;
	uint32_t cells;
	uint64_t usable[TORUS_WORDS(MOST)];
} machine_t;

static void random_machine(machine_t *machine, uint32_t most_cells)
{
	uint32_t taken = random_in(0, 5), slab;

	memset(machine, 0, sizeof(*machine));
	machine->geometry =
		random_geometry(random_in(0, 1) ? 3 : TORUS_MAX_DIMS, most_cells);
	machine->cells = torus_geometry_cells(&machine->geometry);
	slab = random_in(0, 3) ? 1 : random_in(1, machine->cells);
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		bool as_before = cell % slab;

		if (as_before ? torus_bit_test(machine->usable, cell - 1)
			      : random_in(0, 9) >= taken)
			torus_bit_set(machine->usable, cell);
	}
}

/* Whether the box lies in the machine. */
static bool inside(const torus_geometry_t *geometry, const int32_t *side, uint32_t cell)
{
	int32_t corner[TORUS_MAX_DIMS];

	torus_cell_to_coord(geometry, cell, corner);
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] > geometry->length[axis] ||
		    (!geometry->wrap[axis] &&
		     corner[axis] + side[axis] > geometry->length[axis]))
			return false;
	}
	return true;
}

static bool box_is_free(const machine_t *machine, const int32_t *side, uint32_t cell)
{
	int32_t corner[TORUS_MAX_DIMS];

	if (!inside(&machine->geometry, side, cell))
		return false;
	torus_cell_to_coord(&machine->geometry, cell, corner);
	for (uint32_t other = 0; other < machine->cells; other++) {
		if (!torus_bit_test(machine->usable, other) &&
		    torus_box_has(&machine->geometry, corner, side, other))
			return false;
	}
	return true;
}

static uint64_t slow_distance(const torus_geometry_t *geometry, const int32_t *side)
{
	int32_t corner[TORUS_MAX_DIMS] = {0};
	uint32_t cells = torus_geometry_cells(geometry);
	uint64_t sum = 0;

	for (uint32_t a = 0; a < cells; a++) {
		for (uint32_t b = 0; b < cells; b++) {
			if (torus_box_has(geometry, corner, side, a) &&
			    torus_box_has(geometry, corner, side, b))
				sum += torus_hops_cells(geometry, a, b);
		}
	}
	return sum;
}

typedef struct slow_largest {
	torus_largest_t box;
	uint64_t distance;
	int long_sides;
	bool cube;
} slow_largest_t;

static bool is_wanted(const machine_t *machine, const int32_t *side,
		      const slow_largest_t *slow)
{
	int32_t equal = 0;
	int long_sides = 0;

	for (int axis = 0; axis < machine->geometry.dims; axis++) {
		long_sides += side[axis] > 1;
		if (!slow->cube || machine->geometry.length[axis] == 1)
			continue;
		if (equal && side[axis] != equal)
			return false;
		equal = side[axis];
	}
	return slow->cube || long_sides <= slow->long_sides;
}

/* All sides, x slowest and ascending, so that of equals the first stays. */
static void slow_sides(const machine_t *machine, int32_t *side, int axis,
		       slow_largest_t *slow)
{
	const torus_geometry_t *geometry = &machine->geometry;
	uint32_t volume = 1;
	uint64_t distance;

	if (axis < geometry->dims) {
		for (side[axis] = 1; side[axis] <= geometry->length[axis]; side[axis]++)
			slow_sides(machine, side, axis + 1, slow);
		return;
	}
	for (int i = 0; i < geometry->dims; i++)
		volume *= (uint32_t)side[i];
	if (volume < slow->box.volume || !is_wanted(machine, side, slow))
		return;
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		if (!box_is_free(machine, side, cell))
			continue;
		distance = slow_distance(geometry, side);
		if (volume == slow->box.volume && distance >= slow->distance)
			return;
		slow->box.volume = volume;
		slow->box.corner = cell;
		slow->distance = distance;
		memcpy(slow->box.side, side, sizeof(slow->box.side));
		return;
	}
}

static void check_largest(const machine_t *machine, int long_sides, bool cube)
{
	int32_t side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	slow_largest_t slow = {.long_sides = long_sides, .cube = cube};
	torus_largest_t largest;
	torus_error_t err;

	slow_sides(machine, side, 0, &slow);
	if (cube)
		assert_int_equal(torus_largest_cube(&machine->geometry, machine->usable,
						    &largest, &err),
				 0);
	else
		assert_int_equal(torus_largest_box(&machine->geometry, machine->usable,
						   long_sides, &largest, &err),
				 0);
	assert_int_equal(largest.volume, slow.box.volume);
	if (!largest.volume)
		return;
	assert_memory_equal(largest.side, slow.box.side, sizeof(largest.side));
	assert_int_equal(largest.corner, slow.box.corner);
	reached("a box of several cells", largest.volume > 1);
	reached("not the whole machine", largest.volume < machine->cells);
	reached("a cube of several cells", cube && largest.volume > 1);
	reached("four dimensions or more, sides longer than 1 in three",
		machine->geometry.dims > 3 && largest.volume > 4);
	reached("around an end", !torus_bit_test(machine->usable, 0) &&
					 largest.volume > 1 &&
					 torus_geometry_wraps(&machine->geometry));
}

static void largest_against_every_box(void **state)
{
	static machine_t machine;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		random_machine(&machine, random_in(1, 60));
		check_largest(&machine, machine.geometry.dims, false);
		check_largest(&machine, (int)random_in(1, 3), false);
		check_largest(&machine, 0, true);
	}
	assert_true(reached_all(50));
}

/* ---- packings ---- */

/* Boxes as sets of cells: all that are free, in all rotations. */
static struct {
	uint64_t cells[4000];
	uint32_t count;
} boxes;

static uint32_t most_packed(const machine_t *machine, uint64_t left, uint32_t cell)
{
	uint32_t most, here;

	while (cell < machine->cells && !(left >> cell & 1))
		cell++;
	if (cell == machine->cells)
		return 0;
	most = most_packed(machine, left & ~(UINT64_C(1) << cell), cell + 1);
	for (uint32_t i = 0; i < boxes.count; i++) {
		if ((boxes.cells[i] >> cell & 1) && (boxes.cells[i] & ~left) == 0) {
			here = 1 + most_packed(machine, left & ~boxes.cells[i], cell + 1);
			most = here > most ? here : most;
		}
	}
	return most;
}

/* Note a box, unless it is there: around a ring it may begin anywhere. */
static void list_box(uint64_t cells)
{
	for (uint32_t i = 0; i < boxes.count; i++) {
		if (boxes.cells[i] == cells) {
			reached("a box that begins in several places", true);
			return;
		}
	}
	boxes.cells[boxes.count++] = cells;
}

static void list_boxes(const machine_t *machine, const torus_shape_t *shape)
{
	static torus_turn_t turn[TORUS_MOST_TURNS];
	int turns = torus_turns(&machine->geometry, shape, turn);

	boxes.count = 0;
	for (int i = 0; i < turns; i++) {
		for (uint32_t cell = 0; cell < machine->cells; cell++) {
			int32_t corner[TORUS_MAX_DIMS];
			uint64_t cells = 0;

			if (!box_is_free(machine, turn[i].side, cell))
				continue;
			torus_cell_to_coord(&machine->geometry, cell, corner);
			for (uint32_t other = 0; other < machine->cells; other++) {
				if (torus_box_has(&machine->geometry, corner,
						  turn[i].side, other))
					cells |= UINT64_C(1) << other;
			}
			list_box(cells);
		}
	}
}

static torus_shape_t random_shape(const torus_geometry_t *geometry, uint32_t longest)
{
	torus_shape_t shape = {.dims = geometry->dims, .side = {1, 1, 1, 1, 1, 1}};

	for (int axis = 0; axis < geometry->dims; axis++)
		shape.side[axis] = (int32_t)random_in(1, longest);
	return shape;
}

/* Make the nodes boxes of chips now and then, and the shape one in chips. */
static void count_in_chips(torus_geometry_t *geometry, torus_shape_t *shape)
{
	if (random_in(0, 2))
		return;
	shape->in_chips = true;
	for (int axis = 0; axis < geometry->dims; axis++) {
		geometry->chips[axis] = (int32_t)random_in(1, 2);
		shape->side[axis] *= (int32_t)random_in(1, 2);
	}
}

static void packing_against_every_packing(void **state)
{
	static machine_t machine;

	(void)state;
	for (int round = 0; round < 4000; round++) {
		torus_packing_t packing, greedy;
		torus_shape_t shape;
		torus_error_t err;
		uint32_t most;

		random_machine(&machine, random_in(1, 24));
		shape = random_shape(&machine.geometry, 3);
		count_in_chips(&machine.geometry, &shape);
		list_boxes(&machine, &shape);
		most = most_packed(&machine, machine.usable[0], 0);
		assert_int_equal(torus_packing(&machine.geometry, machine.usable, &shape,
					       1000000, &packing, &err),
				 0);
		assert_int_equal(packing.boxes, boxes.count);
		assert_int_equal(packing.least, most);
		assert_int_equal(packing.most, most);
		assert_int_equal(torus_packing(&machine.geometry, machine.usable, &shape,
					       0, &greedy, &err),
				 0);
		assert_in_range(greedy.least, 0, most);
		assert_in_range(greedy.most, most, machine.cells);
		reached("several boxes", most > 1);
		reached("bounds that differ", greedy.least < greedy.most);
		reached("a greedy packing that is not the best", greedy.least < most);
		reached("a bound that is not reached", greedy.most > most);
	}
	assert_true(reached_all(2));
}

/* Where sides do not divide the machine, the grids know: 8 cubes of 3 in 8x8x8. */
static void grids_bound(void **state)
{
	uint64_t usable[TORUS_WORDS(512)];
	torus_packing_t packing;
	torus_geometry_t geometry;
	torus_shape_t shape;
	torus_error_t err;

	(void)state;
	memset(usable, 0xff, sizeof(usable));
	assert_int_equal(torus_geometry_parse("8x8x8", "xyz", &geometry, &err), 0);
	assert_int_equal(torus_shape_parse("4x2x4", &shape, &err), 0);
	assert_int_equal(torus_packing(&geometry, usable, &shape, 0, &packing, &err), 0);
	assert_int_equal(packing.least, 16);
	assert_int_equal(packing.most, 16);
	assert_int_equal(torus_shape_parse("8x8x8", &shape, &err), 0);
	assert_int_equal(torus_packing(&geometry, usable, &shape, 0, &packing, &err), 0);
	assert_int_equal(packing.boxes, 1);
	assert_int_equal(torus_geometry_parse("8x8x8", NULL, &geometry, &err), 0);
	assert_int_equal(torus_shape_parse("3x3x3", &shape, &err), 0);
	assert_int_equal(torus_packing(&geometry, usable, &shape, 0, &packing, &err), 0);
	assert_int_equal(packing.boxes, 216);
	assert_int_equal(packing.least, 8);
	assert_int_equal(packing.most, 8);
	assert_int_equal(torus_shape_parse("9x1x1", &shape, &err), 0);
	assert_int_equal(torus_packing(&geometry, usable, &shape, 0, &packing, &err), 0);
	assert_int_equal(packing.boxes + packing.least + packing.most, 0);
	assert_int_equal(torus_geometry_parse("4x4x4", "xyz", &geometry, &err), 0);
	assert_int_equal(torus_shape_parse("4x4x1", &shape, &err), 0);
	assert_int_equal(torus_packing(&geometry, usable, &shape, 0, &packing, &err), 0);
	assert_int_equal(packing.boxes, 12);
	assert_int_equal(packing.most, 4);
}

/* ---- holders ---- */

#define HOLDERS 8

/* At most two holders a cell. */
typedef struct held {
	machine_t machine; /* usable: not in never */
	uint64_t never[TORUS_WORDS(MOST)];
	uint32_t first[MOST + 1], holder[2 * MOST];
	bool dear[HOLDERS];
	int64_t end[HOLDERS];
	torus_holders_t holders;
} held_t;

static void random_held(held_t *held, uint32_t most_cells)
{
	uint32_t count = 0, holder = 0;

	random_machine(&held->machine, most_cells);
	for (uint32_t i = 0; i < HOLDERS; i++) {
		held->dear[i] = random_in(0, 1);
		held->end[i] = random_in(0, 3) ? random_in(100, 104) : TORUS_NEVER;
	}
	for (uint32_t cell = 0; cell < held->machine.cells; cell++) {
		held->first[cell] = count;
		if (!random_in(0, 2))
			holder = random_in(0, HOLDERS - 1);
		if (random_in(0, 2))
			held->holder[count++] = holder;
		if (!random_in(0, 9))
			held->holder[count++] = random_in(0, HOLDERS - 1);
	}
	held->first[held->machine.cells] = count;
	memset(held->never, 0, sizeof(held->never));
	for (uint32_t cell = 0; cell < held->machine.cells; cell++) {
		if (!torus_bit_test(held->machine.usable, cell))
			torus_bit_set(held->never, cell);
	}
	held->holders = (torus_holders_t){
		.holders = HOLDERS,
		.dear = random_in(0, 3) ? held->dear : NULL,
		.end = held->end,
		.first = held->first,
		.holder = held->holder,
		.never = held->never,
	};
}

typedef struct slow_way {
	bool found;
	uint32_t dear, other;
	uint64_t distance;
	int64_t when; /* all are gone */
	int32_t side[TORUS_MAX_DIMS];
	uint32_t corner;
	bool ever;
	int64_t first; /* of all boxes */
} slow_way_t;

static void slow_box(const held_t *held, const torus_turn_t *turn, uint32_t corner,
		     uint64_t distance, slow_way_t *best)
{
	const torus_geometry_t *geometry = &held->machine.geometry;
	int32_t coord[TORUS_MAX_DIMS];
	bool in[HOLDERS] = {false};
	uint32_t dear = 0, other = 0;
	int64_t when = INT64_MIN;

	torus_cell_to_coord(geometry, corner, coord);
	for (uint32_t cell = 0; cell < held->machine.cells; cell++) {
		if (!torus_box_has(geometry, coord, turn->side, cell))
			continue;
		for (uint32_t i = held->first[cell]; i < held->first[cell + 1]; i++)
			in[held->holder[i]] = true;
	}
	for (uint32_t i = 0; i < HOLDERS; i++) {
		if (!in[i])
			continue;
		if (held->holders.dear && held->dear[i])
			dear++;
		else
			other++;
		when = held->end[i] > when ? held->end[i] : when;
	}
	if (when != TORUS_NEVER && (!best->ever || when < best->first)) {
		best->ever = true;
		best->first = when;
	}
	if (best->found && (dear != best->dear		 ? dear > best->dear
			    : other != best->other	 ? other > best->other
			    : distance != best->distance ? distance > best->distance
							 : true))
		return;
	best->found = true;
	best->dear = dear;
	best->other = other;
	best->distance = distance;
	best->corner = corner;
	memcpy(best->side, turn->side, sizeof(best->side));
}

static void holders_against_every_box(void **state)
{
	static torus_turn_t turn[TORUS_MOST_TURNS];
	static held_t held;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		const torus_geometry_t *geometry = &held.machine.geometry;
		torus_in_the_way_t box = {.dear = 0};
		slow_way_t slow = {.found = false};
		torus_shape_t shape;
		torus_error_t err;
		int64_t when = 0;
		int turns;

		random_held(&held, random_in(1, 120));
		shape = random_shape(geometry, 4);
		count_in_chips(&held.machine.geometry, &shape);
		turns = torus_turns(geometry, &shape, turn);
		for (int i = 0; i < turns; i++) {
			uint64_t distance = slow_distance(geometry, turn[i].side);

			for (uint32_t cell = 0; cell < held.machine.cells; cell++) {
				if (box_is_free(&held.machine, turn[i].side, cell))
					slow_box(&held, &turn[i], cell, distance, &slow);
			}
		}
		assert_int_equal(torus_fewest_holders(geometry, &held.holders, &shape,
						      &box, NULL, &err),
				 slow.found);
		if (slow.found) {
			assert_int_equal(box.dear, slow.dear);
			assert_int_equal(box.other, slow.other);
			assert_memory_equal(box.side, slow.side, sizeof(box.side));
			assert_int_equal(box.corner, slow.corner);
		}
		assert_int_equal(
			torus_first_time(geometry, &held.holders, &shape, &when, &err),
			slow.ever);
		if (slow.ever)
			assert_true(when == slow.first);
		reached("no box", !slow.found);
		reached("a free box", slow.found && !slow.dear && !slow.other);
		reached("several holders", slow.dear + slow.other > 1);
		reached("a box at a later time", slow.ever && slow.first > 0);
		reached("a box that is never free", slow.found && !slow.ever);
	}
	assert_true(reached_all(20));
}

/* ---- closures ---- */

#define CLOSURES 3

typedef struct closed {
	held_t held;
	torus_closure_t closure[CLOSURES];
	uint64_t cells[CLOSURES][TORUS_WORDS(MOST)];
} closed_t;

static void random_closed(closed_t *closed)
{
	torus_holders_t *holders = &closed->held.holders;

	random_held(&closed->held, random_in(1, 30));
	memset(closed->cells, 0, sizeof(closed->cells));
	for (uint32_t c = 0; c < CLOSURES; c++) {
		int64_t start = random_in(90, 112);

		closed->closure[c] = (torus_closure_t){
			.start = start,
			.end = random_in(0, 9) ? start + random_in(1, 8) : TORUS_NEVER,
			.cells = closed->cells[c],
		};
		if (closed->closure[c].end != TORUS_NEVER && random_in(0, 1))
			closed->closure[c].period = random_in(0, 1) ? 6 : 12;
		for (uint32_t cell = 0; cell < closed->held.machine.cells; cell++) {
			if (random_in(0, 2))
				torus_bit_set(closed->cells[c], cell);
		}
	}
	holders->now = random_in(95, 108);
	holders->seconds = random_in(1, 4);
	holders->closures = random_in(0, CLOSURES);
	holders->closure = closed->closure;
}

static bool slow_closed(const closed_t *closed, uint32_t cell, int64_t second)
{
	for (uint32_t c = 0; c < closed->held.holders.closures; c++) {
		const torus_closure_t *closure = &closed->closure[c];
		int64_t most = closure->period ? 1000 : 0;

		if (!torus_bit_test(closure->cells, cell))
			continue;
		for (int64_t skip = 0; skip <= most; skip += closure->period) {
			if (closure->start + skip <= second &&
			    second < closure->end + skip)
				return true;
			if (!closure->period)
				break;
		}
	}
	return false;
}

/* Fill the machine with the cells that are free from [when] on for so many seconds. */
static void slow_usable(closed_t *closed, int64_t when)
{
	const held_t *held = &closed->held;
	int64_t from = when < held->holders.now ? held->holders.now : when;

	for (uint32_t cell = 0; cell < held->machine.cells; cell++) {
		bool is_free = !torus_bit_test(held->never, cell);

		for (uint32_t i = held->first[cell]; i < held->first[cell + 1]; i++)
			is_free = is_free && held->end[held->holder[i]] <= when;
		for (int64_t s = 0; s < held->holders.seconds; s++)
			is_free = is_free && !slow_closed(closed, cell, from + s);
		if (is_free)
			torus_bit_set(closed->held.machine.usable, cell);
		else
			torus_bit_clear(closed->held.machine.usable, cell);
	}
}

static bool any_box_is_free(const machine_t *machine, const torus_turn_t *turn, int turns)
{
	for (int i = 0; i < turns; i++) {
		for (uint32_t cell = 0; cell < machine->cells; cell++) {
			if (box_is_free(machine, turn[i].side, cell))
				return true;
		}
	}
	return false;
}

/* Every second until long after the last end. */
static void first_time_against_every_second(void **state)
{
	static torus_turn_t turn[TORUS_MOST_TURNS];
	static closed_t closed;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		const torus_geometry_t *geometry = &closed.held.machine.geometry;
		const torus_holders_t *holders = &closed.held.holders;
		int64_t when = 0, first = 89;
		torus_shape_t shape;
		torus_error_t err;
		int found, turns;

		random_closed(&closed);
		shape = random_shape(geometry, 3);
		count_in_chips(&closed.held.machine.geometry, &shape);
		turns = torus_turns(geometry, &shape, turn);
		found = torus_first_time(geometry, holders, &shape, &when, &err);
		slow_usable(&closed, INT64_MIN);
		if (any_box_is_free(&closed.held.machine, turn, turns)) {
			first = INT64_MIN;
		} else {
			do {
				slow_usable(&closed, ++first);
			} while (first < 160 &&
				 !any_box_is_free(&closed.held.machine, turn, turns));
		}
		assert_int_equal(found, first < 160);
		if (found)
			assert_true(when == first);
		reached("free now", first == INT64_MIN);
		reached("never free", !found);
		reached("free when the last job has ended long ago",
			found && first > 105);
		reached("free between two closures",
			found && first > holders->now && first < 105);
	}
	assert_true(reached_all(20));
}

/* So many cells are to be usable; no more, unless it grows. */
typedef struct number {
	uint64_t usable[TORUS_WORDS(MOST)];
	uint32_t cells, least;
	bool grows;
} number_t;

static bool has_number(void *data)
{
	const number_t *number = data;
	uint32_t count = torus_bitmap_count(number->usable, number->cells);

	return number->grows ? count >= number->least : count == number->least;
}

/* What is no box, and what need not stay: the same, every second. */
static void other_wants_against_every_second(void **state)
{
	static closed_t closed;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		const torus_geometry_t *geometry = &closed.held.machine.geometry;
		const torus_holders_t *holders = &closed.held.holders;
		number_t number = {.grows = round % 2};
		const torus_want_t want = {.suits = has_number,
					   .data = &number,
					   .usable = number.usable,
					   .grows = number.grows};
		int64_t when = 0, first = 89;
		torus_error_t err;
		int found;
		bool suits;

		random_closed(&closed);
		number.cells = closed.held.machine.cells;
		number.least = random_in(1, number.cells);
		found = torus_first_time_of(geometry, holders, &want, &when, &err);
		for (bool now = true;; now = false) {
			slow_usable(&closed, now ? INT64_MIN : ++first);
			memcpy(number.usable, closed.held.machine.usable,
			       sizeof(number.usable));
			suits = has_number(&number);
			if (now && suits)
				first = INT64_MIN;
			if (suits || first >= 160)
				break;
		}
		assert_int_equal(found, suits);
		if (found)
			assert_true(when == first);
		reached("wanted now", first == INT64_MIN);
		reached("never", !found);
		reached("later, and more need not do",
			found && first > 95 && !number.grows);
		reached("later, and more will do", found && first > 95 && number.grows);
	}
	assert_true(reached_all(20));
}

/* Whether the box with these sides at cell [corner] is within one cube, and usable. */
static bool cube_has(const torus_geometry_t *geometry, const uint64_t *usable,
		     uint32_t corner, const int32_t *side)
{
	int32_t first[TORUS_MAX_DIMS], coord[TORUS_MAX_DIMS];

	torus_cell_to_coord(geometry, corner, first);
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (first[axis] % geometry->cube[axis] + side[axis] >
		    geometry->cube[axis])
			return false;
	}
	for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++) {
		bool in = true;

		torus_cell_to_coord(geometry, cell, coord);
		for (int axis = 0; axis < geometry->dims; axis++)
			in = in && coord[axis] >= first[axis] &&
			     coord[axis] < first[axis] + side[axis];
		if (in && !torus_bit_test(usable, cell))
			return false;
	}
	return true;
}

/* On a machine of cubes: the largest box within one, against all boxes. */
static void finds_largest_in_cubes(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < RANDOM_CASES(500); i++) {
		torus_geometry_t geometry = {.dims = 2, .length = {1, 1, 1, 1, 1, 1}};
		uint64_t usable[TORUS_WORDS(256)] = {0};
		uint32_t cells, best = 0, whole = 0, taken = random_in(0, 4);
		torus_largest_t largest;
		torus_error_t err;

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			geometry.cube[axis] = axis < 2 ? (int32_t)random_in(1, 4) : 1;
			geometry.length[axis] =
				axis < 2 ? geometry.cube[axis] * (int32_t)random_in(1, 3)
					 : 1;
		}
		cells = torus_geometry_cells(&geometry);
		for (uint32_t cell = 0; cell < cells; cell++) {
			if (random_in(1, 12) > taken)
				torus_bit_set(usable, cell);
		}
		for (uint32_t corner = 0; corner < cells; corner++) {
			for (int32_t x = 1; x <= geometry.cube[0]; x++) {
				for (int32_t y = 1; y <= geometry.cube[1]; y++) {
					const int32_t side[TORUS_MAX_DIMS] = {x, y};

					if (!cube_has(&geometry, usable, corner, side))
						continue;
					if ((uint32_t)(x * y) > best)
						best = (uint32_t)(x * y);
					whole += x == geometry.cube[0] &&
						 y == geometry.cube[1];
				}
			}
		}
		assert_int_equal(
			torus_largest_in_cube(&geometry, usable, 2, &largest, &err), 0);
		assert_int_equal(largest.volume, best);
		assert_true(!best ||
			    cube_has(&geometry, usable, largest.corner, largest.side));
		assert_int_equal(torus_whole_cubes(&geometry, usable), whole);
	}
}

/* ---- machines of cubes ---- */

/* A random machine of at most [most] cubes, with holders and what will never be free. */
static void random_cubes(closed_t *closed, uint32_t most)
{
	held_t *held = &closed->held;
	torus_geometry_t *geometry = &held->machine.geometry;
	uint32_t room = most;

	random_closed(closed);
	*geometry = (torus_geometry_t){.dims = (int)random_in(1, 3)};
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		bool is_axis = axis < geometry->dims;
		uint32_t along = is_axis ? random_in(1, room) : 1;

		geometry->cube[axis] = is_axis ? (int32_t)random_in(1, 3) : 1;
		geometry->length[axis] = geometry->cube[axis] * (int32_t)along;
		room /= along;
	}
	held->machine.cells = torus_geometry_cells(geometry);
	assert_true(held->machine.cells <= MOST);
}

/* Let the holders have cells again, as the machine is another one, cube by cube. */
static void hold_cubes(closed_t *closed)
{
	held_t *held = &closed->held;
	const torus_geometry_t *geometry = &held->machine.geometry;
	uint32_t count = 0, cube = UINT32_MAX, holder = 0, rare = random_in(1, 3);

	memset(held->never, 0, sizeof(held->never));
	memset(held->machine.usable, 0, sizeof(held->machine.usable));
	for (uint32_t cell = 0; cell < held->machine.cells; cell++) {
		uint32_t here = torus_cube_of(geometry, cell, NULL);

		held->first[cell] = count;
		if (here != cube && !random_in(0, 1))
			holder = random_in(0, HOLDERS - 1);
		cube = here;
		if (!random_in(0, rare))
			held->holder[count++] = holder;
		if (!random_in(0, 19))
			held->holder[count++] = random_in(0, HOLDERS - 1);
		if (!random_in(0, 29))
			torus_bit_set(held->never, cell);
		else
			torus_bit_set(held->machine.usable, cell);
	}
	held->first[held->machine.cells] = count;
	for (uint32_t c = 0; c < CLOSURES; c++) {
		for (uint32_t cell = 0; cell < held->machine.cells; cell++) {
			if (random_in(0, 1))
				torus_bit_set(closed->cells[c], cell);
			else
				torus_bit_clear(closed->cells[c], cell);
		}
	}
}

/* All places of a shape as sets of cells: choices of cubes, or boxes within one. */
typedef uint64_t cells_t[TORUS_WORDS(MOST)];
static struct {
	cells_t cells[2000];
	uint32_t count;
} places;

static void add_choice(const torus_geometry_t *geometry, uint32_t choice)
{
	uint64_t *cells = places.cells[places.count++];

	assert_true(places.count < 2000);
	memset(cells, 0, sizeof(cells_t));
	for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++) {
		if (choice >> torus_cube_of(geometry, cell, NULL) & 1)
			torus_bit_set(cells, cell);
	}
}

static void add_box(const torus_geometry_t *geometry, uint32_t corner,
		    const int32_t *side)
{
	uint64_t *cells = places.cells[places.count++];
	int32_t first[TORUS_MAX_DIMS];

	assert_true(places.count < 2000);
	memset(cells, 0, sizeof(cells_t));
	torus_cell_to_coord(geometry, corner, first);
	for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++) {
		if (torus_box_has(geometry, first, side, cell))
			torus_bit_set(cells, cell);
	}
}

static void list_places(const torus_geometry_t *geometry, const torus_shape_t *shape)
{
	static torus_turn_t turn[TORUS_MOST_TURNS];
	const torus_geometry_t grid = torus_cubes_grid(geometry);
	cells_t all;
	int32_t side[TORUS_MAX_DIMS];
	torus_fit_t fit = torus_shape_fit(geometry, shape, side);
	int turns;

	places.count = 0;
	if (fit == TORUS_FIT_JOINED) {
		for (uint32_t choice = 0; choice < 1u << torus_geometry_cells(&grid);
		     choice++) {
			if ((uint32_t)__builtin_popcount(choice) ==
			    torus_cubes_needed(geometry, side))
				add_choice(geometry, choice);
		}
		return;
	}
	memset(all, 0xff, sizeof(all));
	turns = fit == TORUS_FIT_BOX ? torus_turns(geometry, shape, turn) : 0;
	for (int i = 0; i < turns; i++) {
		for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++) {
			if (cube_has(geometry, all, cell, turn[i].side))
				add_box(geometry, cell, turn[i].side);
		}
	}
}

static bool is_within(const machine_t *machine, const uint64_t *cells)
{
	for (size_t i = 0; i < TORUS_WORDS(machine->cells); i++) {
		if (cells[i] & ~machine->usable[i])
			return false;
	}
	return true;
}

/* Whether places that are free and apart from each other are as many as [count]. */
static bool packs(const machine_t *machine, uint32_t from, uint32_t count)
{
	machine_t left;

	if (!count)
		return true;
	for (uint32_t i = from; i < places.count; i++) {
		if (!is_within(machine, places.cells[i]))
			continue;
		left = *machine;
		for (size_t word = 0; word < TORUS_WORDS(left.cells); word++)
			left.usable[word] &= ~places.cells[i][word];
		if (packs(&left, i + 1, count - 1))
			return true;
	}
	return false;
}

/* The holders on [cells]: dear ones and others. */
static void count_holders(const held_t *held, const uint64_t *cells, uint32_t *dear,
			  uint32_t *other)
{
	bool in[HOLDERS] = {false};

	*dear = *other = 0;
	for (uint32_t cell = 0; cell < held->machine.cells; cell++) {
		for (uint32_t i = held->first[cell];
		     torus_bit_test(cells, cell) && i < held->first[cell + 1]; i++)
			in[held->holder[i]] = true;
	}
	for (uint32_t i = 0; i < HOLDERS; i++) {
		bool is_dear = held->holders.dear && held->dear[i];

		*dear += in[i] && is_dear;
		*other += in[i] && !is_dear;
	}
}

static void check_packing(const machine_t *machine, const torus_shape_t *shape)
{
	torus_packing_t packing;
	torus_error_t err;
	uint64_t is_free = 0;

	for (uint32_t i = 0; i < places.count; i++)
		is_free += is_within(machine, places.cells[i]);
	assert_int_equal(torus_packing(&machine->geometry, machine->usable, shape,
				       1000000, &packing, &err),
			 0);
	assert_true(packing.boxes == is_free);
	assert_true(packing.least <= packing.most);
	if (machine->cells > 24)
		return;
	assert_int_equal(packing.least, packing.most);
	assert_true(packs(machine, 0, packing.least));
	assert_false(packs(machine, 0, packing.least + 1));
	reached("several places at once", packing.least > 1);
}

static void check_fewest(const held_t *held, const torus_shape_t *shape)
{
	torus_in_the_way_t box = {.dear = 0};
	torus_error_t err;
	cells_t cells;
	uint32_t best_dear = UINT32_MAX, best_other = 0, dear, other;
	bool is_place = false;

	for (uint32_t i = 0; i < places.count; i++) {
		if (!is_within(&held->machine, places.cells[i]))
			continue;
		count_holders(held, places.cells[i], &dear, &other);
		if (dear < best_dear || (dear == best_dear && other < best_other)) {
			best_dear = dear;
			best_other = other;
		}
	}
	assert_int_equal(torus_fewest_holders(&held->machine.geometry, &held->holders,
					      shape, &box, cells, &err),
			 best_dear != UINT32_MAX);
	reached("no place", best_dear == UINT32_MAX);
	if (best_dear == UINT32_MAX)
		return;
	assert_int_equal(box.dear, best_dear);
	assert_int_equal(box.other, best_other);
	for (uint32_t i = 0; i < places.count && !is_place; i++)
		is_place = !memcmp(cells, places.cells[i],
				   TORUS_WORDS(held->machine.cells) * sizeof(*cells));
	assert_true(is_place && is_within(&held->machine, cells));
	count_holders(held, cells, &dear, &other);
	assert_true(dear == best_dear && other == best_other);
	reached("dear holders", dear > 0);
	reached("several holders of several cubes", box.dear + box.other > 1);
}

/* Fill in the next time at which a place is free, second by second. */
static void check_first_time(closed_t *closed, const torus_shape_t *shape)
{
	const torus_holders_t *holders = &closed->held.holders;
	int64_t when = 0, first = 89;
	torus_error_t err;
	bool is_free = false;
	int found = torus_first_time(&closed->held.machine.geometry, holders, shape,
				     &when, &err);

	for (int64_t second = INT64_MIN; second < 160 && !is_free;
	     second = second == INT64_MIN ? 90 : second + 1) {
		slow_usable(closed, second);
		first = second;
		for (uint32_t i = 0; i < places.count && !is_free; i++)
			is_free = is_within(&closed->held.machine, places.cells[i]);
	}
	assert_int_equal(found, is_free);
	assert_true(!is_free || when == first);
	reached("a place at a later time", is_free && first > 90);
}

/* What there is room for on a machine of cubes, against all choices of cubes and all
 * boxes within one. */
static void cubes_against_every_place(void **state)
{
	static closed_t closed;

	(void)state;
	for (uint32_t i = 0; i < RANDOM_CASES(2000); i++) {
		const torus_geometry_t *geometry = &closed.held.machine.geometry;
		torus_shape_t shape;

		random_cubes(&closed, 8);
		hold_cubes(&closed);
		shape = random_shape(geometry, 3);
		for (int axis = 0; axis < geometry->dims && i % 2; axis++)
			shape.side[axis] =
				geometry->cube[axis] *
				(int32_t)(random_in(0, 1) ? 1 : random_in(1, 3));
		count_in_chips(&closed.held.machine.geometry, &shape);
		list_places(geometry, &shape);
		reached("whole cubes",
			torus_shape_fit(geometry, &shape, NULL) == TORUS_FIT_JOINED);
		reached("inside",
			torus_shape_fit(geometry, &shape, NULL) == TORUS_FIT_BOX);
		check_packing(&closed.held.machine, &shape);
		check_fewest(&closed.held, &shape);
		check_first_time(&closed, &shape);
	}
	assert_true(reached_all(20));
}

/* Many holders in many cubes: not exact, but a place, with what it says of it. */
static void many_shared_holders(void **state)
{
	uint32_t first[65], holder[128];
	const uint64_t never = 0;
	torus_geometry_t geometry;
	torus_in_the_way_t box;
	torus_holders_t holders = {
		.holders = 64, .first = first, .holder = holder, .never = &never};
	torus_shape_t shape;
	torus_error_t err;
	uint64_t cells;

	(void)state;
	assert_int_equal(torus_geometry_parse("64", NULL, &geometry, &err), 0);
	assert_int_equal(torus_cubes_parse("2", &geometry, &err), 0);
	assert_int_equal(torus_shape_parse("8", &shape, &err), 0);
	/* a chain: holder i has a cell of cube i and one of the next */
	for (uint32_t cell = 0; cell <= 64; cell++) {
		first[cell] = cell;
		holder[cell] = (cell + 1) / 2;
	}
	assert_int_equal(
		torus_fewest_holders(&geometry, &holders, &shape, &box, &cells, &err), 1);
	assert_int_equal(box.other, 5);
	assert_int_equal(__builtin_popcountll(cells), 8);
}

static void choices_do_not_overflow(void **state)
{
	torus_geometry_t geometry;
	torus_packing_t packing;
	torus_shape_t shape;
	torus_error_t err;
	uint64_t usable[TORUS_WORDS(68)];

	(void)state;
	memset(usable, 0xff, sizeof(usable));
	assert_int_equal(torus_geometry_parse("67", NULL, &geometry, &err), 0);
	assert_int_equal(torus_cubes_parse("1", &geometry, &err), 0);
	assert_int_equal(torus_shape_parse("33", &shape, &err), 0);
	assert_int_equal(torus_packing(&geometry, usable, &shape, 0, &packing, &err), 0);
	assert_true(packing.boxes == UINT64_C(14226520737620288370));
	assert_int_equal(torus_geometry_parse("68", NULL, &geometry, &err), 0);
	assert_int_equal(torus_cubes_parse("1", &geometry, &err), 0);
	assert_int_equal(torus_shape_parse("34", &shape, &err), 0);
	assert_int_equal(torus_packing(&geometry, usable, &shape, 0, &packing, &err), 0);
	assert_true(packing.boxes == UINT64_MAX);
	assert_int_equal(packing.least, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_largest_in_cubes),
		cmocka_unit_test(largest_against_every_box),
		cmocka_unit_test(packing_against_every_packing),
		cmocka_unit_test(grids_bound),
		cmocka_unit_test(holders_against_every_box),
		cmocka_unit_test(first_time_against_every_second),
		cmocka_unit_test(other_wants_against_every_second),
		cmocka_unit_test(cubes_against_every_place),
		cmocka_unit_test(many_shared_holders),
		cmocka_unit_test(choices_do_not_overflow),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
