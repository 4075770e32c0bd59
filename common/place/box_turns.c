/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes of many rotations: see box_turns.h. */
#include "place/box_turns.h"

#include <stdlib.h>
#include <string.h>

#include "place/box_rows.h"
#include "place/turns.h"

/* Cells shown at once. */
#define SHOWN 256

typedef struct sweep {
	const torus_geometry_t *geometry;
	size_t cells;
	torus_sweep_visit_t *visit;
	void *context;
	/* Level i has the boxes with the sides of the present rotation along the first i
	 * axes, and 1 along the others. A side of 1 needs no arrays of its own. */
	torus_sweep_values_t level[TORUS_MAX_DIMS + 1];
	torus_sweep_values_t own[TORUS_MAX_DIMS]; /* of each level but the first */
	int summed;	  /* levels up to this one have their sums, too */
	int32_t *scratch; /* [cells] */
	void *block;	  /* of all of this memory */
} sweep_t;

static int begin(sweep_t *sweep, const torus_sweep_values_t *cells, torus_error_t *err)
{
	size_t levels = (size_t)sweep->geometry->dims, count = sweep->cells;
	size_t wide = levels * (size_t)cells->sums * count;
	size_t narrow = (levels * (size_t)cells->minimums + 1) * count;
	uint64_t *sums = malloc(wide * sizeof(*sums) + narrow * sizeof(int32_t));
	int32_t *minimums;

	if (!sums)
		return torus_fail(err, "out of memory for the boxes of %zu cells", count);
	sweep->block = sums;
	minimums = (int32_t *)(sums + wide);
	for (size_t i = 0; i < levels; i++) {
		torus_sweep_values_t *own = &sweep->own[i];

		*own = (torus_sweep_values_t){.minimums = cells->minimums,
					      .sums = cells->sums};
		for (int k = 0; k < own->minimums; k++, minimums += count)
			own->minimum[k] = minimums;
		for (int k = 0; k < own->sums; k++, sums += count)
			own->sum[k] = sums;
	}
	sweep->scratch = minimums;
	sweep->level[0] = *cells;
	return 0;
}

/* Make level axis + 1 of the one before, with [side] along [axis], but for its sums. */
static void lengthen(sweep_t *sweep, int axis, int32_t side)
{
	const torus_sweep_values_t *from = &sweep->level[axis];
	torus_sweep_values_t *to = &sweep->level[axis + 1];
	torus_rows_t rows = torus_rows_along(sweep->geometry, axis);

	if (side == 1) {
		*to = *from;
		return;
	}
	*to = sweep->own[axis];
	for (int i = 0; i < to->minimums; i++)
		torus_rows_minimums(&rows, sweep->cells, (size_t)side, from->minimum[i],
				    to->minimum[i], sweep->scratch);
}

/* Make the sums of the levels that have none yet, with the sides side[]. */
static void sum_up(sweep_t *sweep, const int32_t *side)
{
	for (; sweep->summed < sweep->geometry->dims; sweep->summed++) {
		int axis = sweep->summed;
		const torus_sweep_values_t *from = &sweep->level[axis];
		const torus_sweep_values_t *to = &sweep->level[axis + 1];
		torus_rows_t rows = torus_rows_along(sweep->geometry, axis);

		for (int i = 0; i < to->sums && side[axis] > 1; i++)
			torus_rows_sums(&rows, sweep->cells, (size_t)side[axis],
					from->sum[i], to->sum[i]);
	}
}

/* Show the boxes of a level; whether any of them is wanted. */
static bool show(const sweep_t *sweep, int level, const int32_t *side, bool whole)
{
	torus_sweep_block_t block = {
		.values = &sweep->level[level], .side = side, .whole = whole};
	bool any = false;

	for (size_t first = 0; first < sweep->cells; first += SHOWN) {
		size_t left = sweep->cells - first;

		block.first = (uint32_t)first;
		block.count = (uint32_t)(left < SHOWN ? left : SHOWN);
		any |= sweep->visit(&block, sweep->context);
		if (any && !whole)
			break;
	}
	return any;
}

/* How many sides the rotations begin with that are the same. */
static int same_sides(const torus_geometry_t *geometry, const torus_turn_t *a,
		      const torus_turn_t *b)
{
	int axis = 0;

	while (axis < geometry->dims && a->side[axis] == b->side[axis])
		axis++;
	return axis;
}

/* Go through the boxes of a rotation, of which levels up to [level] are made. Returns how
 * many levels are then; fewer than all of them: no box that begins so is wanted. */
static int sweep_turn(sweep_t *sweep, const torus_turn_t *turn, int level)
{
	int dims = sweep->geometry->dims;
	int32_t side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

	memcpy(side, turn->side, (size_t)level * sizeof(*side));
	if (sweep->summed > level)
		sweep->summed = level;
	for (int axis = level; axis < dims; axis++) {
		side[axis] = turn->side[axis];
		lengthen(sweep, axis, side[axis]);
		if (side[axis] > 1 && !show(sweep, axis + 1, side, false))
			return axis + 1;
	}
	/* Nothing is added up where no box is wanted. */
	sum_up(sweep, side);
	show(sweep, dims, side, true);
	return dims;
}

int torus_box_turns_sweep(const torus_geometry_t *geometry, const torus_shape_t *shape,
			  const torus_sweep_values_t *cells, torus_sweep_visit_t *visit,
			  void *context, torus_error_t *err)
{
	sweep_t sweep = {.geometry = geometry,
			 .cells = torus_geometry_cells(geometry),
			 .visit = visit,
			 .context = context};
	torus_turn_t *turn = malloc(TORUS_MOST_TURNS * sizeof(*turn));
	int turns = turn ? torus_turns(geometry, shape, turn) : 0, before = -1;
	int made = 0;
	bool empty = false; /* no box is wanted that has the sides of the levels made */

	if (!turn || begin(&sweep, cells, err)) {
		free(turn);
		return turn ? -1
			    : torus_fail(err,
					 "out of memory for the rotations of a shape");
	}
	for (int i = 0; i < turns; i++) {
		int same;

		if (shape->closed && !torus_turn_is_closed(geometry, shape, turn[i].side))
			continue;
		same = before < 0 ? 0 : same_sides(geometry, &turn[i], &turn[before]);
		if (empty && same >= made)
			continue;
		made = sweep_turn(&sweep, &turn[i], same < made ? same : made);
		empty = made < geometry->dims;
		before = i;
	}
	free(sweep.block);
	free(turn);
	return 0;
}
