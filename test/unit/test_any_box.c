/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any box of so many nodes: against every box of all sides at every corner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "box_oracle.h"
#include "place/any_box.h"
#include "place/box_sizes.h"
#include "place/box_bits.h"
#include "place/box_distance.h"
#include "place/box_volumes.h"
#include "random.h"

#define MOST ORACLE_BOX_RANKS

typedef struct machine {
	torus_geometry_t geometry;
	uint32_t ranks;
	uint32_t cell_of_rank[MOST];
	uint64_t usable[TORUS_WORDS(MOST)];
	uint64_t weights[MOST];
	torus_router_nodes_t on_router;
	bool weighted;
	bool even;   /* all routers with nodes have equally many */
	bool closed; /* only closed boxes are asked for */
} machine_t;

/* The best box, by the rules of any_box.h. */
typedef struct best {
	oracle_box_t box;
	uint64_t distance;
} best_t;

static void shuffle(machine_t *machine)
{
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		uint32_t other = random_in(rank, machine->ranks - 1);
		uint32_t cell = machine->cell_of_rank[rank];

		machine->cell_of_rank[rank] = machine->cell_of_rank[other];
		machine->cell_of_rank[other] = cell;
	}
}

static void random_machine(machine_t *machine, uint32_t most_cells)
{
	uint32_t cells, taken = random_in(0, 8), per_router = random_in(1, 3);
	uint32_t odd = random_in(0, 1) ? 0 : 9; /* of so many and one more another */
	uint32_t nodes_on[MOST];
	bool holes = random_in(0, 1), shuffled = random_in(0, 1);

	memset(machine, 0, sizeof(*machine));
	machine->geometry =
		random_geometry(random_in(0, 1) ? 3 : TORUS_MAX_DIMS, most_cells);
	machine->even = random_in(0, 2);
	machine->weighted = !random_in(0, 3);
	machine->closed = !random_in(0, 2);
	cells = torus_geometry_cells(&machine->geometry);
	for (uint32_t cell = 0; cell < cells; cell++) {
		uint32_t nodes =
			machine->even || random_in(0, odd) ? per_router : random_in(1, 3);

		if (holes && !random_in(0, 20))
			nodes = 0;
		while (nodes--)
			machine->cell_of_rank[machine->ranks++] = cell;
	}
	if (!machine->ranks)
		machine->cell_of_rank[machine->ranks++] = 0;
	if (shuffled)
		shuffle(machine);
	machine->on_router = torus_router_nodes(&machine->geometry, machine->cell_of_rank,
						machine->ranks, nodes_on);
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		machine->weights[rank] = random_in(1, 3);
		if (random_in(1, 40) > taken)
			torus_bit_set(machine->usable, rank);
	}
}

static uint64_t slow_distance(const machine_t *machine, const oracle_box_t *box)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < box->count; i++) {
		for (uint32_t j = 0; j < box->count; j++)
			sum += torus_hops_cells(&machine->geometry,
						machine->cell_of_rank[box->ranks[i]],
						machine->cell_of_rank[box->ranks[j]]);
	}
	return sum;
}

/* What is said of all full boxes of these sides holds for this one. */
static void check_bounds(const machine_t *machine, const int32_t *side,
			 const oracle_box_t *box)
{
	uint64_t distance = slow_distance(machine, box), least, volume = 1;

	for (int axis = 0; axis < machine->geometry.dims; axis++)
		volume *= (uint64_t)side[axis];
	least = torus_box_distance_at_least(&machine->geometry, side, machine->on_router,
					    box->count);
	assert_true(least <= distance);
	if (machine->on_router.fewest == machine->on_router.most)
		assert_true(least == distance);
	assert_true(torus_fewest_in_box(machine->on_router, volume) <= box->count);
	assert_true(torus_most_in_box(machine->on_router, volume) >= box->count);
}

static void try_corner(const machine_t *machine, const int32_t *side, uint32_t cell,
		       uint32_t nodes, best_t *best)
{
	const torus_geometry_t *geometry = &machine->geometry;
	const oracle_machine_t slow = {*geometry, machine->ranks, machine->cell_of_rank,
				       machine->usable,
				       machine->weighted ? machine->weights : NULL};
	int32_t corner[TORUS_MAX_DIMS];
	best_t here;

	torus_cell_to_coord(geometry, cell, corner);
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (!geometry->wrap[axis] &&
		    corner[axis] + side[axis] > geometry->length[axis])
			return;
	}
	if (!oracle_box_ranks(&slow, corner, side, &here.box))
		return;
	check_bounds(machine, side, &here.box);
	if (here.box.count != nodes)
		return;
	here.distance = slow_distance(machine, &here.box);
	if (best->box.found) {
		if (here.box.weight != best->box.weight) {
			if (here.box.weight > best->box.weight)
				return;
		} else if (here.distance != best->distance) {
			if (here.distance > best->distance)
				return;
		} else if (!oracle_box_better(&here.box, &best->box)) {
			return;
		}
	}
	*best = here;
}

/* Every side from 1 to the machine's length along every axis, x slowest. */
static void try_sides(const machine_t *machine, int32_t *side, int axis, uint32_t nodes,
		      best_t *best)
{
	const torus_geometry_t *geometry = &machine->geometry;
	uint32_t volume = 1;

	if (axis < geometry->dims) {
		for (side[axis] = 1; side[axis] <= geometry->length[axis]; side[axis]++)
			try_sides(machine, side, axis + 1, nodes, best);
		return;
	}
	for (int i = 0; i < geometry->dims; i++)
		volume *= (uint32_t)side[i];
	if (volume > nodes || volume * 3 < nodes ||
	    (machine->closed && !oracle_is_closed(geometry, side)))
		return;
	for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++)
		try_corner(machine, side, cell, nodes, best);
}

static void compare(const machine_t *machine, uint32_t nodes)
{
	int32_t side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	uint32_t chosen[MOST];
	uint64_t distance = 0;
	best_t best = {.distance = 0};
	torus_error_t err;
	int found;

	try_sides(machine, side, 0, nodes, &best);
	found = torus_any_box_place(&machine->geometry, machine->cell_of_rank,
				    machine->ranks, machine->usable,
				    machine->weighted ? machine->weights : NULL, nodes,
				    machine->closed, chosen, &distance, &err);
	assert_int_equal(found, best.box.found);
	if (found) {
		assert_int_equal(best.box.count, nodes);
		assert_int_equal(distance, best.distance);
		assert_memory_equal(chosen, best.box.ranks, nodes * sizeof(*chosen));
	}
	reached("a box of several nodes", found && nodes > 1);
	reached("no box", !found);
	reached("routers that differ", found && !machine->even);
	reached("weights", found && machine->weighted);
	reached("closed", found && machine->closed && nodes > 2);
	reached("none that is closed", !found && machine->closed);
	reached("four dimensions or more", found && machine->geometry.dims > 3);
}

static void every_box_at_every_corner(void **state)
{
	static machine_t machine;

	(void)state;
	for (int round = 0; round < 4000; round++) {
		uint32_t most;

		random_machine(&machine, random_in(1, 90));
		most = random_in(0, 1) ? 12 : machine.ranks;
		compare(&machine,
			random_in(1, most < machine.ranks ? most : machine.ranks));
	}
	assert_true(reached_all(50));
}

/* The closed form against adding up pairs. */
static void distance_of_full_boxes(void **state)
{
	static machine_t machine;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 200);
		int32_t side[TORUS_MAX_DIMS], corner[TORUS_MAX_DIMS] = {0};
		oracle_box_t box = {.found = true};

		machine.geometry = geometry;
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			side[axis] =
				(int32_t)random_in(1, (uint32_t)geometry.length[axis]);
		for (uint32_t cell = 0; cell < torus_geometry_cells(&geometry); cell++) {
			machine.cell_of_rank[cell] = cell;
			if (torus_box_has(&geometry, corner, side, cell))
				box.ranks[box.count++] = cell;
		}
		assert_int_equal(torus_box_distance(&geometry, side),
				 slow_distance(&machine, &box));
	}
}

/* A line of two million cells still has its sum, a longer one says that it has none. */
static void distance_beyond_64_bits(void **state)
{
	torus_geometry_t geometry;
	torus_error_t err;
	int32_t side[TORUS_MAX_DIMS] = {2000000, 1, 1, 1, 1, 1};

	(void)state;
	assert_int_equal(torus_geometry_parse("3000000x64", NULL, &geometry, &err), 0);
	assert_true(torus_box_distance(&geometry, side) == UINT64_C(2666666666666000000));
	side[1] = 64;
	assert_true(torus_box_distance(&geometry, side) == UINT64_MAX);
	side[0] = 2000001;
	side[1] = 1;
	assert_true(torus_box_distance(&geometry, side) == UINT64_MAX);
}

/* Bits that were grown in steps, against looking at every cell of every box. */
static void bits_of_boxes(void **state)
{
	(void)state;
	for (int round = 0; round < 2000; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 400);
		uint32_t cells = torus_geometry_cells(&geometry);
		uint64_t usable[TORUS_WORDS(400)] = {0}, boxes[TORUS_WORDS(400)];
		uint64_t scratch[TORUS_WORDS(400)];
		int32_t side[TORUS_MAX_DIMS];
		uint32_t taken = random_in(0, 3);

		for (uint32_t cell = 0; cell < cells; cell++) {
			if (random_in(0, 19) >= taken)
				torus_bit_set(usable, cell);
		}
		memcpy(boxes, usable, sizeof(boxes));
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			side[axis] =
				(int32_t)random_in(1, (uint32_t)geometry.length[axis]);
		for (int axis = 0; axis < geometry.dims; axis++) {
			int32_t between = (int32_t)random_in(1, (uint32_t)side[axis]);

			torus_box_bits_grow(&geometry, axis, 1, between, boxes, scratch);
			torus_box_bits_grow(&geometry, axis, between, side[axis], boxes,
					    scratch);
		}
		for (uint32_t cell = 0; cell < cells; cell++) {
			int32_t corner[TORUS_MAX_DIMS];
			bool is_free = true;

			torus_cell_to_coord(&geometry, cell, corner);
			for (int axis = 0; axis < geometry.dims; axis++)
				is_free &= geometry.wrap[axis] ||
					   corner[axis] + side[axis] <=
						   geometry.length[axis];
			for (uint32_t other = 0; is_free && other < cells; other++)
				is_free = torus_bit_test(usable, other) ||
					  !torus_box_has(&geometry, corner, side, other);
			assert_int_equal(torus_bit_test(boxes, cell), is_free);
		}
	}
}

static void sizes_that_are_possible(void **state)
{
	torus_geometry_t geometry;
	torus_error_t err;

	(void)state;
	assert_int_equal(torus_geometry_parse("2x6x4", "xy", &geometry, &err), 0);
	for (uint32_t volume = 0; volume < 60; volume++) {
		bool possible = false, closed = false;

		for (int32_t x = 1; x <= 2; x++) {
			for (int32_t y = 1; y <= 6; y++) {
				for (int32_t z = 1; z <= 4; z++) {
					const int32_t side[TORUS_MAX_DIMS] = {x, y, z,
									      1, 1, 1};
					bool here = (uint32_t)(x * y * z) == volume;

					possible |= here;
					closed |=
						here && oracle_is_closed(&geometry, side);
				}
			}
		}
		assert_int_equal(torus_any_box_possible(&geometry, volume, false),
				 possible);
		assert_int_equal(torus_any_box_possible(&geometry, volume, true), closed);
	}
}

/* The volumes of all free boxes at once, against looking for a box of each. */
static void volumes_of_boxes(void **state)
{
	(void)state;
	for (int i = 0; i < RANDOM_CASES(1500); i++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 120);
		uint32_t cells = torus_geometry_cells(&geometry), rank[120], chosen[120];
		uint64_t usable[2] = {0}, volumes[2] = {0}, distance;
		uint32_t busy = random_in(0, 6), least = random_in(1, cells);
		uint32_t most = random_in(0, 1) ? cells : random_in(least, cells);
		bool closed = random_in(0, 1) == 0;

		for (uint32_t cell = 0; cell < cells; cell++) {
			rank[cell] = cell;
			if (random_in(0, 9) >= busy)
				torus_bit_set(usable, cell);
		}
		assert_int_equal(torus_box_volumes(&geometry, usable, closed, least, most,
						   volumes, NULL),
				 0);
		for (uint32_t volume = 1; volume <= cells; volume++) {
			bool found = volume >= least && volume <= most &&
				     torus_any_box_place(&geometry, rank, cells, usable,
							 NULL, volume, closed, chosen,
							 &distance, NULL) == 1;

			assert_int_equal(torus_bit_test(volumes, volume), found);
			reached("a box", found);
			reached("a closed box of 5 and more",
				found && closed && volume > 4);
			reached("no box", !found);
		}
	}
	assert_true(reached_all(RANDOM_CASES(25)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_box_at_every_corner),
		cmocka_unit_test(distance_of_full_boxes),
		cmocka_unit_test(distance_beyond_64_bits),
		cmocka_unit_test(bits_of_boxes),
		cmocka_unit_test(volumes_of_boxes),
		cmocka_unit_test(sizes_that_are_possible),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
