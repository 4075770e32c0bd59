/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many boxes fit at once: see packing.h. */
#include "capacity/packing.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "capacity/largest_in_cube.h"
#include "capacity/turns.h"
#include "capacity/whole_cubes.h"
#include "place/windows.h"
#include "torus/fit.h"

/* Rotations that a greedy packing begins with, of the first so many. */
#define GREEDY_TURNS 24
/* Looks at cells after which no more greedy packing is begun. */
#define GREEDY_LOOKS 3000000
/* Machines on which all packings are searched have at most so many cells in free boxes,
 * as the search is as deep. */
#define SEARCH_CELLS 4096

typedef struct packer {
	const torus_geometry_t *geometry;
	uint32_t cells;
	size_t words;
	uint32_t volume; /* of a box */
	torus_turn_t *turn;
	int turns;
	uint64_t *corners; /* [turns] bitmaps: where free boxes begin */
	uint64_t *left;	   /* bitmap: cells in some free box, not taken yet */
	uint64_t *covered; /* the same at the start */
	uint64_t *scratch;
	uint32_t *counts[2]; /* [cells] */
	uint64_t looks;	     /* at cells so far */
	uint64_t steps;	     /* the search may make so many more */
	torus_packing_t *packing;
} packer_t;

static uint64_t *corners_of(const packer_t *packer, int turn)
{
	return packer->corners + (size_t)turn * packer->words;
}

static int allocate(packer_t *packer, torus_error_t *err)
{
	size_t maps = (size_t)packer->turns + 3;

	packer->corners = malloc(maps * packer->words * sizeof(*packer->corners));
	packer->counts[0] = malloc(packer->cells * sizeof(uint32_t));
	packer->counts[1] = malloc(packer->cells * sizeof(uint32_t));
	if (!packer->corners || !packer->counts[0] || !packer->counts[1])
		return torus_fail(err, "out of memory for the boxes of %u cells",
				  packer->cells);
	packer->left = corners_of(packer, packer->turns);
	packer->covered = packer->left + packer->words;
	packer->scratch = packer->covered + packer->words;
	return 0;
}

/* ---- what is free ---- */

/* Add the cells that are in a free box of this rotation to those covered. */
static void cover(packer_t *packer, int number)
{
	const uint64_t *corners = corners_of(packer, number);
	uint32_t *in = packer->counts[0], *out = packer->counts[1];

	for (uint32_t cell = 0; cell < packer->cells; cell++)
		in[cell] = torus_bit_test(corners, cell);
	for (int axis = 0; axis < packer->geometry->dims; axis++) {
		uint32_t side = (uint32_t)packer->turn[number].side[axis];
		uint32_t *swap = in;

		if (side == 1)
			continue;
		torus_window_sums(packer->geometry, axis, side - 1, side, in, out);
		in = out;
		out = swap;
		/* Only whether there are any matters, and sums stay small. */
		for (uint32_t cell = 0; cell < packer->cells; cell++)
			in[cell] = in[cell] > 0;
	}
	for (uint32_t cell = 0; cell < packer->cells; cell++) {
		if (in[cell])
			torus_bit_set(packer->covered, cell);
	}
}

static void find_boxes(packer_t *packer, const uint64_t *usable)
{
	memset(packer->covered, 0, packer->words * sizeof(*packer->covered));
	for (int i = 0; i < packer->turns; i++) {
		torus_turn_corners(packer->geometry, &packer->turn[i], usable,
				   corners_of(packer, i), packer->scratch);
		packer->packing->boxes +=
			torus_bitmap_count(corners_of(packer, i), packer->cells);
		cover(packer, i);
	}
}

/* ---- bounds ---- */

/*
 * How many positions along [axis] a grid has that begins at [offset] and goes on in steps
 * of [apart], so that no stretch of [apart] positions is without one. Around a ring the
 * last step may be shorter.
 */
static int32_t grid_positions(const torus_geometry_t *geometry, int axis, int32_t apart,
			      int32_t offset)
{
	int32_t length = geometry->length[axis];

	return geometry->wrap[axis] ? (length - 1) / apart + 1
				    : (length - 1 - offset) / apart + 1;
}

/* Cells in free boxes that are on the grid with steps of [apart] from [offset] on. */
static uint32_t count_grid(const packer_t *packer, int32_t apart, const int32_t *offset)
{
	const torus_geometry_t *geometry = packer->geometry;
	int32_t number[TORUS_MAX_DIMS] = {0}, coord[TORUS_MAX_DIMS] = {0};
	uint32_t count = 0;
	int axis = 0;

	while (axis < geometry->dims) {
		for (int i = 0; i < geometry->dims; i++)
			coord[i] = (offset[i] + number[i] * apart) % geometry->length[i];
		count += torus_bit_test(packer->covered,
					torus_coord_to_cell(geometry, coord));
		for (axis = 0; axis < geometry->dims; axis++) {
			if (++number[axis] <
			    grid_positions(geometry, axis, apart, offset[axis]))
				break;
			number[axis] = 0;
		}
	}
	return count;
}

/* A side of a cells holds at least a / m positions of a grid whose steps are m. */
static void bound_by_grids(packer_t *packer, int32_t apart)
{
	const int dims = packer->geometry->dims;
	int32_t offset[TORUS_MAX_DIMS] = {0};
	uint32_t each = UINT32_MAX;
	int axis = 0;

	/* Of a shape in chips rotations may have other sides in nodes. */
	for (int i = 0; i < packer->turns; i++) {
		uint32_t here = 1;

		for (int side = 0; side < dims; side++)
			here *= (uint32_t)(packer->turn[i].side[side] / apart);
		each = here < each ? here : each;
	}
	while (each && axis < dims) {
		uint32_t most = count_grid(packer, apart, offset) / each;

		if (most < packer->packing->most)
			packer->packing->most = most;
		for (axis = 0; axis < dims; axis++) {
			if (++offset[axis] < apart)
				break;
			offset[axis] = 0;
		}
	}
}

static void bound(packer_t *packer)
{
	int32_t shortest = packer->turn[0].side[0];

	for (int axis = 0; axis < packer->geometry->dims; axis++) {
		if (packer->turn[0].side[axis] < shortest)
			shortest = packer->turn[0].side[axis];
	}
	packer->packing->most =
		torus_bitmap_count(packer->covered, packer->cells) / packer->volume;
	for (int32_t apart = 2; apart <= shortest; apart++)
		bound_by_grids(packer, apart);
}

/* ---- packings ---- */

static bool is_left(packer_t *packer, int number, uint32_t corner)
{
	torus_walk_t walk;

	torus_walk_begin(&walk, packer->geometry, &packer->turn[number], corner);
	do {
		packer->looks++;
		if (!torus_bit_test(packer->left, walk.cell))
			return false;
	} while (torus_walk_next(&walk));
	return true;
}

static void take(packer_t *packer, int number, uint32_t corner, bool taken)
{
	torus_walk_t walk;

	torus_walk_begin(&walk, packer->geometry, &packer->turn[number], corner);
	do {
		if (taken)
			torus_bit_clear(packer->left, walk.cell);
		else
			torus_bit_set(packer->left, walk.cell);
	} while (torus_walk_next(&walk));
}

static void restart(packer_t *packer)
{
	memcpy(packer->left, packer->covered, packer->words * sizeof(*packer->left));
}

static void note(packer_t *packer, uint32_t count)
{
	if (count > packer->packing->least)
		packer->packing->least = count;
}

/* Take boxes of one rotation that begin in one word of the bitmaps, the lowest first. */
static uint32_t pack_word(packer_t *packer, int number, size_t word)
{
	uint64_t corners = corners_of(packer, number)[word] & packer->left[word];
	uint32_t count = 0;

	while (corners) {
		uint32_t corner =
			(uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(corners);

		corners &= corners - 1;
		if (!is_left(packer, number, corner))
			continue;
		take(packer, number, corner, true);
		count++;
		corners &= packer->left[word];
	}
	return count;
}

/* One rotation after the other, beginning with [first]: each at the lowest corners. */
static void pack_by_turns(packer_t *packer, int first)
{
	uint32_t count = 0;

	restart(packer);
	for (int i = 0; i < packer->turns; i++) {
		for (size_t word = 0; word < packer->words; word++)
			count += pack_word(packer, (first + i) % packer->turns, word);
	}
	note(packer, count);
}

/* One corner after the other: each with the first rotation that is free there. */
static void pack_by_corners(packer_t *packer)
{
	uint32_t count = 0;

	restart(packer);
	for (uint32_t cell = 0; cell < packer->cells; cell++) {
		for (int i = 0; i < packer->turns && torus_bit_test(packer->left, cell);
		     i++) {
			if (!torus_bit_test(corners_of(packer, i), cell) ||
			    !is_left(packer, i, cell))
				continue;
			take(packer, i, cell, true);
			count++;
		}
	}
	note(packer, count);
}

/* ---- all packings ---- */

static void search_from(packer_t *packer, uint32_t count, uint32_t cell, uint32_t left);

/* Whether the box is free and left. What is looked at counts as steps. */
static bool may_take(packer_t *packer, int number, uint32_t corner)
{
	uint64_t before = packer->looks, looks;
	bool may = torus_bit_test(corners_of(packer, number), corner) &&
		   is_left(packer, number, corner);

	looks = 1 + packer->looks - before;
	packer->steps -= looks < packer->steps ? looks : packer->steps;
	return may;
}

/* Try every box of one rotation that contains [cell]. */
static void search_boxes(packer_t *packer, int number, uint32_t count, uint32_t cell,
			 uint32_t left)
{
	const torus_geometry_t *geometry = packer->geometry;
	const int32_t *side = packer->turn[number].side;
	int32_t at[TORUS_MAX_DIMS], back[TORUS_MAX_DIMS] = {0};
	int axis = 0;

	torus_cell_to_coord(geometry, cell, at);
	while (axis < geometry->dims && packer->steps) {
		int32_t coord[TORUS_MAX_DIMS] = {0};
		uint32_t corner;

		for (int i = 0; i < geometry->dims; i++)
			coord[i] = (at[i] - back[i] + geometry->length[i]) %
				   geometry->length[i];
		corner = torus_coord_to_cell(geometry, coord);
		if (may_take(packer, number, corner)) {
			take(packer, number, corner, true);
			search_from(packer, count + 1, cell, left - packer->volume);
			take(packer, number, corner, false);
		}
		for (axis = 0; axis < geometry->dims; axis++) {
			if (++back[axis] < side[axis])
				break;
			back[axis] = 0;
		}
	}
}

/*
 * Every packing of the cells from [cell] on, of which [left] are left: the first of them
 * is in one of the boxes, or in none.
 */
static void search_from(packer_t *packer, uint32_t count, uint32_t cell, uint32_t left)
{
	torus_packing_t *packing = packer->packing;

	note(packer, count);
	if (!packer->steps || packing->least == packing->most ||
	    count + left / packer->volume <= packing->least)
		return;
	packer->steps--;
	cell = torus_bitmap_next_set(packer->left, packer->cells, cell);
	if (cell == packer->cells)
		return;
	for (int i = 0; i < packer->turns; i++)
		search_boxes(packer, i, count, cell, left);
	torus_bit_clear(packer->left, cell);
	search_from(packer, count, cell, left - 1);
	torus_bit_set(packer->left, cell);
}

static void search(packer_t *packer)
{
	uint32_t covered = torus_bitmap_count(packer->covered, packer->cells);

	if (covered > SEARCH_CELLS || !packer->steps)
		return;
	restart(packer);
	search_from(packer, 0, 0, covered);
	if (packer->steps)
		packer->packing->most = packer->packing->least;
}

static void pack(packer_t *packer)
{
	torus_packing_t *packing = packer->packing;

	pack_by_corners(packer);
	for (int i = 0; i < packer->turns && i < GREEDY_TURNS; i++) {
		if (packing->least < packing->most && packer->looks < GREEDY_LOOKS)
			pack_by_turns(packer, i);
	}
	if (packing->least < packing->most)
		search(packer);
}

/* Of whole cubes any fit. */
static void pack_cubes(const torus_geometry_t *geometry, const uint64_t *usable,
		       uint32_t needed, torus_packing_t *packing)
{
	uint32_t whole = torus_whole_cubes(geometry, usable);

	packing->boxes = torus_choices(whole, needed);
	packing->least = packing->most = whole / needed;
}

int torus_packing(const torus_geometry_t *geometry, const uint64_t *usable,
		  const torus_shape_t *shape, uint64_t steps, torus_packing_t *packing,
		  torus_error_t *err)
{
	packer_t packer = {
		.geometry = geometry,
		.cells = torus_geometry_cells(geometry),
		.volume = 1,
		.steps = steps,
		.packing = packing,
	};
	uint32_t needed = torus_whole_needed(geometry, shape);
	int result = -1;

	*packing = (torus_packing_t){0};
	if (needed) {
		pack_cubes(geometry, usable, needed, packing);
		return 0;
	}
	packer.words = TORUS_WORDS(packer.cells);
	packer.turn = malloc(TORUS_MOST_TURNS * sizeof(*packer.turn));
	if (!packer.turn)
		return torus_fail(err, "out of memory for the rotations of a shape");
	packer.turns = torus_wired_turns(geometry, shape, packer.turn);
	if (packer.turns && allocate(&packer, err))
		goto done;
	result = 0;
	if (!packer.turns)
		goto done;
	for (int axis = 0; axis < geometry->dims; axis++)
		packer.volume *= (uint32_t)packer.turn[0].side[axis];
	find_boxes(&packer, usable);
	bound(&packer);
	pack(&packer);
done:
	free(packer.turn);
	free(packer.corners);
	free(packer.counts[0]);
	free(packer.counts[1]);
	return result;
}
