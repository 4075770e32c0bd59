/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of every box of a shape: see box_sweep.h. */
#include "place/box_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/box_blocks.h"
#include "place/box_turns.h"
#include "place/turns.h"

/* Up to so many dimensions there are few rotations, each for itself. */
#define FEW_DIMS 3

typedef struct sweep {
	const torus_geometry_t *geometry;
	size_t cells;
	torus_sweep_visit_t *visit;
	void *context;
	int32_t sides[TORUS_MAX_DIMS]; /* of the shape, ascending */
	int32_t side[TORUS_MAX_DIMS];  /* of the boxes as they are, by axis */
	bool taken[TORUS_MAX_DIMS];    /* has its side for good */
	const torus_shape_t *shape;    /* of which, if closed, only such are shown */
	torus_blocks_t blocks;
	torus_boxes_t cells_alone; /* boxes of one cell */
	/* Room for minimums: one more whenever some are needed again afterwards. */
	torus_boxes_t level[TORUS_MAX_DIMS];
	/* Sums of boxes with the sides of the axes taken, the first 1, 2 ... of them, the
	 * others 1; at last of whole boxes, in the two arrays by turns. */
	torus_sweep_values_t taken_sums[TORUS_MAX_DIMS];
	torus_sweep_values_t whole_sums[2];
	void *block; /* of all of this memory */
} sweep_t;

/* Sums of boxes of [side] cells along [axis], from those of boxes with 1. */
static void add_up(const sweep_t *sweep, int axis, int32_t side,
		   const torus_sweep_values_t *from, torus_sweep_values_t *to)
{
	torus_rows_t rows = torus_rows_along(sweep->geometry, axis);

	for (int i = 0; i < to->sums; i++)
		torus_rows_sums(&rows, sweep->cells, (size_t)side, from->sum[i],
				to->sum[i]);
}

/* Show the live blocks. Boxes that are not whole stay live if they are wanted; whether
 * any are. */
static bool show(sweep_t *sweep, const torus_sweep_values_t *values, uint64_t *live,
		 bool whole)
{
	uint32_t size = (uint32_t)sweep->blocks.block, count = sweep->blocks.count;
	torus_sweep_block_t block = {
		.values = values, .side = sweep->side, .whole = whole, .count = size};
	bool any = false;

	for (uint32_t i = torus_bitmap_next_set(live, count, 0); i < count;
	     i = torus_bitmap_next_set(live, count, i + 1)) {
		block.first = i * size;
		if (sweep->visit(&block, sweep->context))
			any = true;
		else if (!whole)
			torus_bit_clear(live, i);
	}
	return any;
}

/* Show boxes of the shape. [sums] are those for the axes taken. */
static void show_whole(sweep_t *sweep, torus_boxes_t *boxes,
		       const torus_sweep_values_t *sums)
{
	torus_sweep_values_t values = boxes->values;
	int turn = 0;

	if (sweep->shape->closed &&
	    !torus_turn_is_closed(sweep->geometry, sweep->shape, sweep->side))
		return;
	/* Nothing is added up where no box is wanted. */
	if (sums->sums && !show(sweep, &boxes->values, boxes->live, false))
		return;
	for (int axis = 0; axis < sweep->geometry->dims && sums->sums; axis++) {
		if (sweep->taken[axis] || sweep->side[axis] == 1)
			continue;
		add_up(sweep, axis, sweep->side[axis], sums, &sweep->whole_sums[turn]);
		sums = &sweep->whole_sums[turn];
		turn = !turn;
	}
	values.sums = sums->sums;
	memcpy(values.sum, sums->sum, sizeof(values.sum));
	show(sweep, &values, boxes->live, true);
}

/* Where the choice of axes stands. */
typedef struct choice {
	int32_t side;	      /* all axes that are not taken are at least so long */
	int left;	      /* so many more are to be taken with it, */
	int axis;	      /* of those up to this one; the others have grown */
	int number;	      /* of axes taken */
	torus_boxes_t *boxes; /* the cells, or some level */
	const torus_sweep_values_t *sums; /* for the axes taken */
	int level;			  /* the first that may be written to */
} choice_t;

static void choose(sweep_t *sweep, choice_t choice);

static int32_t longest_side(const sweep_t *sweep)
{
	return sweep->sides[sweep->geometry->dims - 1];
}

static int32_t next_longer(const sweep_t *sweep, int32_t side)
{
	int i = 0;

	while (sweep->sides[i] <= side)
		i++;
	return sweep->sides[i];
}

/* Whether some larger boxes may be wanted; blocks of which none is are left out from here
 * on. */
static bool wanted(sweep_t *sweep, const choice_t *choice)
{
	return show(sweep, &choice->boxes->values, choice->boxes->live, false);
}

static void grow_axis(sweep_t *sweep, choice_t *choice, int axis, int32_t side)
{
	torus_boxes_t *level = &sweep->level[choice->level];

	torus_blocks_grow(&sweep->blocks, axis, sweep->side[axis], side, choice->boxes,
			  level);
	sweep->side[axis] = side;
	choice->boxes = level;
}

/* The boxes have choice.side along all axes that are not taken. */
static void begin_side(sweep_t *sweep, choice_t choice)
{
	if (choice.side == longest_side(sweep)) {
		show_whole(sweep, choice.boxes, choice.sums);
		return;
	}
	choice.left = 0;
	choice.axis = sweep->geometry->dims - 1;
	for (int i = 0; i <= choice.axis; i++)
		choice.left += sweep->sides[i] == choice.side;
	if (wanted(sweep, &choice))
		choose(sweep, choice);
}

/* No more axes take this side: those that have not grown do, up to the next side. */
static void end_side(sweep_t *sweep, choice_t choice)
{
	int32_t longer = next_longer(sweep, choice.side);
	bool grown = false;

	for (int axis = choice.axis; axis >= 0; axis--) {
		if (!sweep->taken[axis] && sweep->geometry->length[axis] < longer)
			return;
	}
	for (int axis = choice.axis; axis >= 0; axis--) {
		if (sweep->taken[axis])
			continue;
		if (grown && !wanted(sweep, &choice))
			return;
		grow_axis(sweep, &choice, axis, longer);
		grown = true;
	}
	choice.side = longer;
	begin_side(sweep, choice);
}

/* [axis] takes the side that it has. */
static void take(sweep_t *sweep, choice_t choice, int axis)
{
	if (choice.sums->sums && choice.side > 1) {
		torus_sweep_values_t *sums = &sweep->taken_sums[choice.number];

		add_up(sweep, axis, choice.side, choice.sums, sums);
		choice.sums = sums;
	}
	choice.number++;
	choice.left--;
	choice.axis = axis - 1;
	sweep->taken[axis] = true;
	choose(sweep, choice);
	sweep->taken[axis] = false;
}

/* Every choice of axes for this side: an axis takes it, or grows. The last axis comes
 * first: on curves that go through one dimension after the other long sides cost most
 * there, and the first box of all is a good one. */
static void choose(sweep_t *sweep, choice_t choice)
{
	int32_t kept[TORUS_MAX_DIMS], longer = next_longer(sweep, choice.side);
	int open = 0;

	memcpy(kept, sweep->side, sizeof(kept));
	if (!choice.left)
		end_side(sweep, choice);
	for (int axis = choice.axis; axis >= 0; axis--)
		open += !sweep->taken[axis];
	for (int axis = choice.axis; choice.left && open >= choice.left; axis--) {
		choice_t next = choice;

		if (sweep->taken[axis])
			continue;
		/* These boxes are needed again if this axis may grow, too. */
		next.level += open > choice.left;
		take(sweep, next, axis);
		if (open-- == choice.left || sweep->geometry->length[axis] < longer)
			break;
		grow_axis(sweep, &choice, axis, longer);
		if (!wanted(sweep, &choice))
			break;
	}
	memcpy(sweep->side, kept, sizeof(kept));
}

/* Hand out arrays of so many cells from [block]. */
static void share_out(torus_sweep_values_t *values, const torus_sweep_values_t *like,
		      size_t cells, int32_t **minimums, uint64_t **sums)
{
	*values = (torus_sweep_values_t){0};
	values->minimums = minimums ? like->minimums : 0;
	values->sums = sums ? like->sums : 0;
	for (int i = 0; i < values->minimums; i++, *minimums += cells)
		values->minimum[i] = *minimums;
	for (int i = 0; i < values->sums; i++, *sums += cells)
		values->sum[i] = *sums;
}

/* One block for all arrays: sums and bits first, as they are wider than minimums. */
static int begin(sweep_t *sweep, const torus_sweep_values_t *like, torus_error_t *err)
{
	size_t levels = (size_t)sweep->geometry->dims, cells = sweep->cells;
	size_t words = TORUS_WORDS(sweep->blocks.count);
	size_t wide = (levels + 2) * ((size_t)like->sums * cells + words);
	size_t narrow = (levels * (size_t)like->minimums + 1) * cells;
	uint64_t *sums = malloc(wide * sizeof(*sums) + narrow * sizeof(int32_t)), *bits;
	int32_t *minimums;

	if (!sums)
		return torus_fail(err, "out of memory for the boxes of %zu cells", cells);
	sweep->block = sums;
	minimums = (int32_t *)(sums + wide);
	bits = sums + wide - (levels + 2) * words;
	for (size_t i = 0; i < levels; i++, bits += words) {
		share_out(&sweep->level[i].values, like, cells, &minimums, NULL);
		share_out(&sweep->taken_sums[i], like, cells, NULL, &sums);
		sweep->level[i].live = bits;
	}
	share_out(&sweep->whole_sums[0], like, cells, NULL, &sums);
	share_out(&sweep->whole_sums[1], like, cells, NULL, &sums);
	sweep->cells_alone = (torus_boxes_t){*like, bits};
	memset(bits, 0, words * sizeof(*bits));
	torus_bitmap_set_range(bits, 0, sweep->blocks.count);
	sweep->blocks.before = bits + words;
	sweep->blocks.scratch = minimums;
	return 0;
}

/*
 * Fill [side] with as many sides as the machine has dimensions, ascending. False: the
 * shape has more, or they do not fit in any rotation, the longest along the longest axis
 * and so on.
 */
static bool sides_of(const torus_shape_t *shape, const torus_geometry_t *geometry,
		     int32_t *side)
{
	int32_t length[TORUS_MAX_DIMS];

	if (!torus_shape_sides(shape, geometry->dims, side))
		return false;
	memcpy(length, geometry->length, sizeof(length));
	torus_first_rotation(geometry->dims, length);
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] > length[axis])
			return false;
	}
	return true;
}

/* The boxes of one rotation: all axes grow together as far as they have to. */
static void sweep_turn(sweep_t *sweep, const torus_turn_t *turn, choice_t choice)
{
	int dims = sweep->geometry->dims;

	memcpy(sweep->sides, turn->side, sizeof(sweep->sides));
	torus_first_rotation(dims, sweep->sides);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		sweep->side[axis] = 1;
	for (int i = 0; i < dims; i++) {
		for (int axis = 0; axis < dims; axis++) {
			if (sweep->side[axis] >= sweep->sides[i] ||
			    turn->side[axis] < sweep->sides[i])
				continue;
			if (!wanted(sweep, &choice))
				return;
			grow_axis(sweep, &choice, axis, sweep->sides[i]);
		}
	}
	show_whole(sweep, choice.boxes, choice.sums);
}

/* A shape in chips has other sides in each rotation. */
static int sweep_turns(sweep_t *sweep, const torus_shape_t *shape,
		       const torus_sweep_values_t *cells, torus_error_t *err)
{
	choice_t choice = {.side = 1, .boxes = &sweep->cells_alone, .sums = cells};
	torus_turn_t *turn = malloc(TORUS_MOST_TURNS * sizeof(*turn));
	int turns = turn ? torus_turns(sweep->geometry, shape, turn) : 0, result = 0;

	if (!turn)
		return torus_fail(err, "out of memory for the rotations of a shape");
	torus_blocks_divide(&sweep->blocks, sweep->geometry);
	if (turns)
		result = begin(sweep, cells, err);
	for (int i = 0; i < turns && !result; i++)
		sweep_turn(sweep, &turn[i], choice);
	free(sweep->block);
	free(turn);
	return result;
}

int torus_box_sweep(const torus_geometry_t *geometry, const torus_shape_t *shape,
		    const torus_sweep_values_t *cells, torus_sweep_visit_t *visit,
		    void *context, torus_error_t *err)
{
	sweep_t sweep = {.geometry = geometry,
			 .cells = torus_geometry_cells(geometry),
			 .visit = visit,
			 .context = context,
			 .shape = shape};
	choice_t choice = {.side = 1, .boxes = &sweep.cells_alone, .sums = cells};

	if (cells->sums && geometry->dims > FEW_DIMS)
		return torus_box_turns_sweep(geometry, shape, cells, visit, context, err);
	if (torus_turns_change_sides(geometry, shape))
		return sweep_turns(&sweep, shape, cells, err);
	if (!sides_of(shape, geometry, sweep.sides))
		return 0;
	torus_blocks_divide(&sweep.blocks, geometry);
	if (begin(&sweep, cells, err))
		return -1;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		sweep.side[axis] = 1;
	begin_side(&sweep, choice);
	free(sweep.block);
	return 0;
}
