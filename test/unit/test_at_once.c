/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The box that a job could have at once: against every box at every corner, and on
 * machines of cubes against every box within a cube and every number of whole ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "box_oracle.h"
#include "place/box_bits.h"
#include "random.h"
#include "storus/show/at_once.h"
#include "torus/cubes.h"
#include "torus/joined.h"

#define MOST_CELLS 100
#define MOST_NODES (3 * MOST_CELLS)

typedef struct machine {
	torus_geometry_t geometry;
	uint32_t cells, nodes;
	uint32_t cell_of_node[MOST_NODES];
	uint32_t nodes_on[MOST_CELLS];
	uint32_t fullest; /* nodes on the router that has most */
	torus_map_t *map;
	uint64_t free[TORUS_WORDS(MOST_NODES)]; /* ranks */
} machine_t;

static torus_geometry_t random_cubes(void)
{
	torus_geometry_t geometry = {.dims = 3};

	do {
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			bool used = axis < geometry.dims;

			geometry.cube[axis] = used ? (int32_t)random_in(1, 3) : 1;
			geometry.length[axis] =
				used ? geometry.cube[axis] * (int32_t)random_in(1, 3) : 1;
		}
	} while (torus_geometry_cells(&geometry) > MOST_CELLS);
	return geometry;
}

static void random_machine(machine_t *machine)
{
	uint32_t per_router = random_in(1, 2), taken = random_in(0, 4);
	bool uneven = random_in(0, 1), holes = random_in(0, 1);
	torus_error_t error;

	memset(machine, 0, sizeof(*machine));
	machine->geometry =
		random_in(0, 1) ? random_cubes()
				: random_geometry(random_in(0, 1) ? 3 : TORUS_MAX_DIMS,
						  MOST_CELLS);
	machine->cells = torus_geometry_cells(&machine->geometry);
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		uint32_t *nodes = &machine->nodes_on[cell];

		*nodes = uneven && !random_in(0, 4) ? random_in(1, 3) : per_router;
		/* There is one node at least. */
		if (holes && cell && !random_in(0, 20))
			*nodes = 0;
		machine->fullest = *nodes > machine->fullest ? *nodes : machine->fullest;
		for (uint32_t i = 0; i < *nodes; i++)
			machine->cell_of_node[machine->nodes++] = cell;
	}
	machine->map = torus_map_create_nodes(
		"main", &machine->geometry,
		random_in(0, 1) ? TORUS_CURVE_HILBERT : TORUS_CURVE_ROW_MAJOR,
		machine->cell_of_node, machine->nodes, NULL, NULL, &error);
	assert_non_null(machine->map);
	for (uint32_t rank = 0; rank < machine->nodes; rank++) {
		if (random_in(1, 20) > taken)
			torus_bit_set(machine->free, rank);
	}
}

/* ---- the slow twin ---- */

/* Whether a job could have the box whose first cell is at [corner]. */
static bool may_have(const machine_t *machine, const int32_t *corner, const int32_t *side,
		     uint32_t *nodes)
{
	const torus_geometry_t *geometry = &machine->geometry;
	const oracle_machine_t slow = {*geometry, machine->nodes,
				       machine->map->cell_of_rank, machine->free, NULL};
	oracle_box_t box;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (!geometry->wrap[axis] &&
		    corner[axis] + side[axis] > geometry->length[axis])
			return false;
		if (torus_has_cubes(geometry) &&
		    corner[axis] % geometry->cube[axis] + side[axis] >
			    geometry->cube[axis])
			return false;
	}
	if (!oracle_box_ranks(&slow, corner, side, &box))
		return false;
	*nodes = box.count;
	if (!torus_has_cubes(geometry))
		return true;
	/* Of cubes only routers with as many nodes as the fullest count. */
	for (uint32_t i = 0; i < box.count; i++) {
		if (machine->nodes_on[machine->map->cell_of_rank[box.ranks[i]]] <
		    machine->fullest)
			return false;
	}
	return true;
}

/* The most nodes, at most [most], of a box with sides[0 .. dims-1]; 0: none. *places
 * receives how many such boxes there are. */
static uint32_t largest_of(const machine_t *machine, const int32_t *side, uint32_t most,
			   uint32_t *places)
{
	uint32_t largest = 0, nodes;

	*places = 0;
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		int32_t corner[TORUS_MAX_DIMS];

		torus_cell_to_coord(&machine->geometry, cell, corner);
		if (!may_have(machine, corner, side, &nodes))
			continue;
		++*places;
		if (nodes <= most && nodes > largest)
			largest = nodes;
	}
	return largest;
}

static void sides_of(const torus_geometry_t *geometry, uint32_t number, int32_t *side)
{
	torus_cell_to_coord(geometry, number, side);
	for (int axis = 0; axis < geometry->dims; axis++)
		side[axis]++;
}

static uint32_t slow_whole_cubes(const machine_t *machine, uint32_t most)
{
	const torus_geometry_t cube = torus_cubes_one(&machine->geometry);
	uint32_t nodes = torus_geometry_cells(&cube) * machine->fullest, places, count;

	largest_of(machine, cube.length, most, &places);
	count = most / nodes;
	return (count < places ? count : places) * nodes;
}

static uint32_t slow_at_once(const machine_t *machine, uint32_t most)
{
	uint32_t largest =
		torus_has_cubes(&machine->geometry) ? slow_whole_cubes(machine, most) : 0;

	for (uint32_t number = 0; number < machine->cells; number++) {
		int32_t side[TORUS_MAX_DIMS];
		uint32_t places, nodes;

		sides_of(&machine->geometry, number, side);
		nodes = largest_of(machine, side, most, &places);
		largest = nodes > largest ? nodes : largest;
	}
	return largest;
}

/* ---- the tests ---- */

/* Whether so many nodes are a box of the sides that are said. */
static void check_sides(const machine_t *machine, const storus_at_once_t *box)
{
	const torus_geometry_t *geometry = &machine->geometry;
	int32_t side[TORUS_MAX_DIMS];
	const char *text = box->sides;
	uint32_t routers = 1, places;

	for (int axis = 0; axis < geometry->dims; axis++) {
		side[axis] = (int32_t)strtol(text, (char **)&text, 10);
		assert_int_equal(*text++, axis + 1 < geometry->dims ? 'x' : '\0');
		routers *= (uint32_t)side[axis];
	}
	if (torus_has_cubes(geometry)) {
		assert_int_equal(routers * machine->fullest, box->nodes);
		return;
	}
	/* The largest at most that large has that size. */
	assert_int_equal(largest_of(machine, side, box->nodes, &places), box->nodes);
}

static void check_machine(machine_t *machine)
{
	const torus_cluster_t cluster = {.maps = 1, .map = &machine->map};
	const storus_jobs_t jobs = {.count = 0};
	const storus_when_t when = {.seconds = 1};
	torus_error_t error;
	storus_room_t room;

	assert_int_equal(
		storus_room_open(&room, &cluster, 0, &jobs, "all", &when, &error), 0);
	memcpy(room.free, machine->free, TORUS_WORDS(machine->nodes) * sizeof(uint64_t));
	torus_box_bits_usable(&machine->geometry, machine->map->cell_of_rank,
			      machine->nodes, room.free, room.usable);
	for (int i = 0; i < 6; i++) {
		uint32_t most = i ? random_in(1, machine->nodes) : machine->nodes;
		storus_at_once_t box = {.nodes = 0};

		assert_int_equal(storus_at_once(&room, most, &box, &error), 0);
		assert_int_equal(box.nodes, slow_at_once(machine, most));
		if (box.nodes)
			check_sides(machine, &box);
	}
	storus_room_clear(&room);
}

static void random_machines(void **state)
{
	(void)state;
	for (int i = 0; i < RANDOM_CASES(400); i++) {
		machine_t machine;

		random_machine(&machine);
		check_machine(&machine);
		torus_map_destroy(machine.map);
	}
}

static void only_a_larger_one_counts(void **state)
{
	torus_geometry_t geometry = {
		.dims = 3, .length = {3, 2, 2, 1, 1, 1}, .wrap = {true}};
	torus_error_t error;
	torus_map_t *map =
		torus_map_create("main", &geometry, TORUS_CURVE_ROW_MAJOR, 1, &error);
	const torus_cluster_t cluster = {.maps = 1, .map = &map};
	const storus_jobs_t jobs = {.count = 0};
	const storus_when_t when = {.seconds = 1};
	storus_at_once_t box = {.nodes = 6, .sides = "as before"};
	storus_room_t room;

	(void)state;
	assert_int_equal(
		storus_room_open(&room, &cluster, 0, &jobs, "0-3", &when, &error), 0);
	assert_int_equal(storus_at_once(&room, 12, &box, &error), 0);
	assert_int_equal(box.nodes, 6);
	assert_string_equal(box.sides, "as before");
	storus_room_clear(&room);
	assert_int_equal(
		storus_room_open(&room, &cluster, 0, &jobs, "all", &when, &error), 0);
	assert_int_equal(storus_at_once(&room, 11, &box, &error), 0);
	assert_int_equal(box.nodes, 8);
	assert_string_equal(box.sides, "2x2x2");
	storus_room_clear(&room);
	torus_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_machines),
		cmocka_unit_test(only_a_larger_one_counts),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
