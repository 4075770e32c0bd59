/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The box with fewest holders: see holders.h. */
#include "capacity/holders.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "capacity/turns.h"
#include "capacity/whole_cubes.h"
#include "place/box_distance.h"
#include "torus/fit.h"

typedef struct window {
	const torus_geometry_t *geometry;
	const torus_holders_t *holders;
	uint32_t *times; /* [holders] how often each is in the box */
	uint32_t *slab; /* the cells of a box at position 0 of the axis it slides along */
	uint32_t slab_cells;
	uint32_t dear, other; /* distinct holders in the box */
	uint32_t never;	      /* cells in the box that are never usable */
	bool found;
	torus_in_the_way_t best;
	uint64_t distance; /* of the best */
} window_t;

static void come(window_t *window, uint32_t cell)
{
	const torus_holders_t *holders = window->holders;

	window->never += torus_bit_test(holders->never, cell);
	for (uint32_t i = holders->first[cell]; i < holders->first[cell + 1]; i++) {
		uint32_t holder = holders->holder[i];

		if (window->times[holder]++)
			continue;
		if (holders->dear && holders->dear[holder])
			window->dear++;
		else
			window->other++;
	}
}

static void go(window_t *window, uint32_t cell)
{
	const torus_holders_t *holders = window->holders;

	window->never -= torus_bit_test(holders->never, cell);
	for (uint32_t i = holders->first[cell]; i < holders->first[cell + 1]; i++) {
		uint32_t holder = holders->holder[i];

		if (--window->times[holder])
			continue;
		if (holders->dear && holders->dear[holder])
			window->dear--;
		else
			window->other--;
	}
}

/* Whether the box in the window is better than the best, whose distance is another. */
static bool better(const window_t *window, const torus_turn_t *turn, uint32_t corner,
		   uint64_t distance)
{
	const torus_in_the_way_t *best = &window->best;

	if (!window->found)
		return true;
	if (window->dear != best->dear)
		return window->dear < best->dear;
	if (window->other != best->other)
		return window->other < best->other;
	if (distance != window->distance)
		return distance < window->distance;
	/* Rotations come in the order of their sides. */
	return memcmp(turn->side, best->side, sizeof(best->side)) == 0 &&
	       corner < best->corner;
}

static void look(window_t *window, const torus_turn_t *turn, uint32_t corner,
		 uint64_t distance)
{
	if (window->never || !better(window, turn, corner, distance) ||
	    !torus_box_is_wired(window->geometry, turn->side, corner))
		return;
	window->found = true;
	window->best = (torus_in_the_way_t){
		.dear = window->dear,
		.other = window->other,
		.corner = corner,
	};
	memcpy(window->best.side, turn->side, sizeof(turn->side));
	window->distance = distance;
}

/* The line of boxes that begin at [corner], at position 0 of [axis], and further on. */
static void slide(window_t *window, const torus_turn_t *turn, int axis, uint32_t row,
		  uint32_t corner, uint64_t distance)
{
	const torus_geometry_t *geometry = window->geometry;
	uint32_t length = (uint32_t)geometry->length[axis];
	uint32_t side = (uint32_t)turn->side[axis];
	uint32_t places =
		geometry->wrap[axis] && side < length ? length : length - side + 1;
	torus_turn_t flat = *turn;
	torus_walk_t walk;

	flat.side[axis] = 1;
	window->slab_cells = 0;
	torus_walk_begin(&walk, geometry, &flat, corner);
	do {
		window->slab[window->slab_cells++] = walk.cell;
	} while (torus_walk_next(&walk));

	for (uint32_t at = 0; at < side; at++) {
		for (uint32_t i = 0; i < window->slab_cells; i++)
			come(window, window->slab[i] + at * row);
	}
	look(window, turn, corner, distance);
	for (uint32_t at = 1; at < places; at++) {
		uint32_t gone = (at - 1) * row, new = (at - 1 + side) % length *row;

		for (uint32_t i = 0; i < window->slab_cells; i++) {
			go(window, window->slab[i] + gone);
			come(window, window->slab[i] + new);
		}
		look(window, turn, corner + at * row, distance);
	}
	for (uint32_t at = places - 1; at < places - 1 + side; at++) {
		for (uint32_t i = 0; i < window->slab_cells; i++)
			go(window, window->slab[i] + at % length * row);
	}
}

/* All boxes of one rotation. */
static void sweep(window_t *window, const torus_turn_t *turn)
{
	const torus_geometry_t *geometry = window->geometry;
	uint64_t distance = torus_box_distance(geometry, turn->side);
	uint32_t cells = torus_geometry_cells(geometry), row = 1;
	int axis = 0;

	for (int i = 1; i < geometry->dims; i++) {
		if (turn->side[i] > turn->side[axis])
			axis = i;
	}
	for (int i = 0; i < axis; i++)
		row *= (uint32_t)geometry->length[i];
	for (uint32_t cell = 0; cell < cells; cell++) {
		int32_t coord[TORUS_MAX_DIMS];
		bool begins = true;

		torus_cell_to_coord(geometry, cell, coord);
		for (int i = 0; i < geometry->dims; i++)
			begins &= i == axis ? coord[i] == 0
					    : geometry->wrap[i] ||
						      coord[i] + turn->side[i] <=
							      geometry->length[i];
		if (begins)
			slide(window, turn, axis, row, cell, distance);
	}
}

/* The cells of a box, as a bitmap. */
static void fill_cells(const torus_geometry_t *geometry, const torus_in_the_way_t *box,
		       uint64_t *cells)
{
	torus_turn_t turn;
	torus_walk_t walk;

	memset(cells, 0, TORUS_WORDS(torus_geometry_cells(geometry)) * sizeof(*cells));
	memcpy(turn.side, box->side, sizeof(turn.side));
	torus_walk_begin(&walk, geometry, &turn, box->corner);
	do
		torus_bit_set(cells, walk.cell);
	while (torus_walk_next(&walk));
}

int torus_fewest_holders(const torus_geometry_t *geometry, const torus_holders_t *holders,
			 const torus_shape_t *shape, torus_in_the_way_t *box,
			 uint64_t *cells, torus_error_t *err)
{
	window_t window = {.geometry = geometry, .holders = holders};
	uint32_t cubes = torus_whole_needed(geometry, shape);
	torus_turn_t *turn;
	int turns, result = -1;

	if (cubes)
		return torus_fewest_cubes(geometry, holders, cubes, box, cells, err);
	turn = malloc(TORUS_MOST_TURNS * sizeof(*turn));
	window.times = calloc((size_t)holders->holders + 1, sizeof(*window.times));
	window.slab = malloc(torus_geometry_cells(geometry) * sizeof(*window.slab));
	if (!turn || !window.times || !window.slab) {
		torus_fail(err, "out of memory for the holders of boxes");
		goto done;
	}
	turns = torus_wired_turns(geometry, shape, turn);
	for (int i = 0; i < turns; i++)
		sweep(&window, &turn[i]);
	result = window.found;
	if (window.found) {
		*box = window.best;
		if (cells)
			fill_cells(geometry, box, cells);
	}
done:
	free(turn);
	free(window.times);
	free(window.slab);
	return result;
}
