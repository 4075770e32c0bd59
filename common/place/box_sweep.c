/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of every box of a shape: see box_sweep.h. */
#include "place/box_sweep.h"

#include <stdlib.h>
#include <string.h>

/* Four numbers that the compiler compares at once, on whatever processor. */
typedef int32_t lanes_t __attribute__((vector_size(16)));
#define LANES (sizeof(lanes_t) / sizeof(int32_t))

/* Blocks of fewer numbers than this are not worth a loop each. */
#define SMALL_BLOCK 64

typedef struct sweep {
	const torus_geometry_t *geometry;
	size_t cells;
	torus_sweep_visit_t *visit;
	void *context;
	int32_t sides[TORUS_MAX_DIMS]; /* of the shape, ascending */
	int32_t side[TORUS_MAX_DIMS];  /* of the boxes as they are, by axis */
	bool taken[TORUS_MAX_DIMS];    /* has its side for good */
	/* Room for minimums: one more whenever some are needed again afterwards. */
	torus_sweep_values_t level[TORUS_MAX_DIMS];
	/* Sums of boxes with the sides of the axes taken, the first 1, 2 ... of them, the
	 * others 1; at last of whole boxes, in the two arrays by turns. */
	torus_sweep_values_t taken_sums[TORUS_MAX_DIMS];
	torus_sweep_values_t whole_sums[2];
	int32_t *scratch; /* [cells] */
	void *block;	  /* of all of this memory */
} sweep_t;

/* How the cells lie along an axis: blocks of [length] rows of [row] numbers. */
typedef struct rows {
	size_t row;
	size_t length;
	bool wrap;
} rows_t;

static rows_t rows_along(const torus_geometry_t *geometry, int axis)
{
	rows_t rows = {1, (size_t)geometry->length[axis], geometry->wrap[axis]};

	for (int i = 0; i < axis; i++)
		rows.row *= (size_t)geometry->length[i];
	return rows;
}

/* to[i] = the lower of a[i] and b[i]; [to] may be [a]. */
static void lower_of(int32_t *to, const int32_t *a, const int32_t *b, size_t count)
{
	size_t i = 0;

	for (; i + LANES <= count; i += LANES) {
		lanes_t left, right, first;

		memcpy(&left, a + i, sizeof(left));
		memcpy(&right, b + i, sizeof(right));
		first = left < right;
		left = (left & first) | (right & ~first);
		memcpy(to + i, &left, sizeof(left));
	}
	for (; i < count; i++)
		to[i] = a[i] < b[i] ? a[i] : b[i];
}

/* lengthen() for blocks so small that all are worked on at once, as if there were no
 * ends, and the ends then done again. */
static void lengthen_small(const sweep_t *sweep, const rows_t *rows, size_t step,
			   const int32_t *from, int32_t *to)
{
	size_t size = rows->row * rows->length, ahead = rows->row * step;
	const int32_t *before = sweep->scratch;

	memcpy(sweep->scratch, from, sweep->cells * sizeof(*from));
	lower_of(to, before, before + ahead, sweep->cells - ahead);
	for (size_t end = size; end <= sweep->cells; end += size) {
		for (size_t i = end - ahead; i < end; i++) {
			int32_t around = before[i + ahead - size];

			to[i] = !rows->wrap	     ? TORUS_SWEEP_NO_BOX
				: before[i] < around ? before[i]
						     : around;
		}
	}
}

/*
 * Minimums of boxes [step] cells longer than those in [from], which are at least [step]
 * cells long: each such box is two that overlap or touch. [to] may be [from].
 */
static void lengthen(const sweep_t *sweep, const rows_t *rows, size_t step,
		     const int32_t *from, int32_t *to)
{
	size_t size = rows->row * rows->length, ahead = rows->row * step;
	size_t inner = size - ahead;

	if (size < SMALL_BLOCK) {
		lengthen_small(sweep, rows, step, from, to);
		return;
	}
	for (size_t first = 0; first < sweep->cells; first += size) {
		/* The beginning of a ring is needed again at its end. */
		if (rows->wrap)
			memcpy(sweep->scratch, from + first, ahead * sizeof(*to));
		lower_of(to + first, from + first, from + first + ahead, inner);
		if (rows->wrap) {
			lower_of(to + first + inner, from + first + inner, sweep->scratch,
				 ahead);
			continue;
		}
		for (size_t i = first + inner; i < first + size; i++)
			to[i] = TORUS_SWEEP_NO_BOX;
	}
}

/* Grow the boxes in [from], or those in [to] if it is the same, to [side] along [axis].
 */
static void grow(sweep_t *sweep, int axis, int32_t side, const torus_sweep_values_t *from,
		 torus_sweep_values_t *to)
{
	rows_t rows = rows_along(sweep->geometry, axis);

	while (sweep->side[axis] < side) {
		int32_t have = sweep->side[axis];
		int32_t step = side - have < have ? side - have : have;

		for (int i = 0; i < to->minimums; i++)
			lengthen(sweep, &rows, (size_t)step, from->minimum[i],
				 to->minimum[i]);
		sweep->side[axis] += step;
		from = to;
	}
}

/* The sums of the [window] rows on from each row of a block. */
static void slide(const rows_t *rows, size_t window, const uint64_t *from, uint64_t *to)
{
	size_t places = rows->wrap ? rows->length : rows->length - window + 1;

	memset(to, 0, rows->row * rows->length * sizeof(*to));
	for (size_t i = 0; i < window; i++) {
		for (size_t j = 0; j < rows->row; j++)
			to[j] += from[i * rows->row + j];
	}
	for (size_t i = 1; i < places; i++) {
		size_t last = (i - 1 + window) % rows->length;
		const uint64_t *gone = from + (i - 1) * rows->row;
		const uint64_t *come = from + last * rows->row;
		uint64_t *here = to + i * rows->row;
		const uint64_t *before = here - rows->row;

		for (size_t j = 0; j < rows->row; j++)
			here[j] = before[j] - gone[j] + come[j];
	}
}

/* Sums of boxes of [side] cells along [axis], from those of boxes with 1. */
static void add_up(const sweep_t *sweep, int axis, int32_t side,
		   const torus_sweep_values_t *from, torus_sweep_values_t *to)
{
	rows_t rows = rows_along(sweep->geometry, axis);
	size_t size = rows.row * rows.length;

	for (int i = 0; i < to->sums; i++) {
		for (size_t first = 0; first < sweep->cells; first += size)
			slide(&rows, (size_t)side, from->sum[i] + first,
			      to->sum[i] + first);
	}
}

/* Show boxes of the shape. [sums] are those for the axes taken. */
static void show_whole(sweep_t *sweep, const torus_sweep_values_t *boxes,
		       const torus_sweep_values_t *sums)
{
	torus_sweep_values_t values = *boxes;
	int turn = 0;

	for (int axis = 0; axis < sweep->geometry->dims && sums->sums; axis++) {
		if (sweep->taken[axis] || sweep->side[axis] == 1)
			continue;
		add_up(sweep, axis, sweep->side[axis], sums, &sweep->whole_sums[turn]);
		sums = &sweep->whole_sums[turn];
		turn = !turn;
	}
	values.sums = sums->sums;
	memcpy(values.sum, sums->sum, sizeof(values.sum));
	sweep->visit(&values, sweep->side, true, sweep->context);
}

/* Where the choice of axes stands. */
typedef struct choice {
	int32_t side; /* all axes that are not taken are at least so long */
	int left;     /* so many more are to be taken with it, */
	int axis;     /* of those up to this one; the others have grown */
	int number;   /* of axes taken */
	const torus_sweep_values_t *boxes; /* the cells, or some level */
	const torus_sweep_values_t *sums;  /* for the axes taken */
	int level;			   /* the first that may be written to */
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

static bool wanted(sweep_t *sweep, const choice_t *choice)
{
	return sweep->visit(choice->boxes, sweep->side, false, sweep->context);
}

static void grow_axis(sweep_t *sweep, choice_t *choice, int axis, int32_t side)
{
	torus_sweep_values_t *level = &sweep->level[choice->level];

	grow(sweep, axis, side, choice->boxes, level);
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

/* One block for all arrays: sums first, as they are the wider numbers. */
static int begin(sweep_t *sweep, const torus_sweep_values_t *like, torus_error_t *err)
{
	size_t levels = (size_t)sweep->geometry->dims, cells = sweep->cells;
	size_t wide = (levels + 2) * (size_t)like->sums * cells;
	size_t narrow = (levels * (size_t)like->minimums + 1) * cells;
	uint64_t *sums = malloc(wide * sizeof(*sums) + narrow * sizeof(int32_t));
	int32_t *minimums;

	if (!sums)
		return torus_fail(err, "out of memory for the boxes of %zu cells", cells);
	sweep->block = sums;
	minimums = (int32_t *)(sums + wide);
	for (size_t i = 0; i < levels; i++) {
		share_out(&sweep->level[i], like, cells, &minimums, NULL);
		share_out(&sweep->taken_sums[i], like, cells, NULL, &sums);
	}
	share_out(&sweep->whole_sums[0], like, cells, NULL, &sums);
	share_out(&sweep->whole_sums[1], like, cells, NULL, &sums);
	sweep->scratch = minimums;
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
	int count = 0, dims = geometry->dims;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = 1;
	for (int axis = 0; axis < shape->dims; axis++) {
		if (shape->side[axis] == 1)
			continue;
		if (count == dims)
			return false;
		side[count++] = shape->side[axis];
	}
	memcpy(length, geometry->length, sizeof(length));
	torus_first_rotation(dims, side);
	torus_first_rotation(dims, length);
	for (int axis = 0; axis < dims; axis++) {
		if (side[axis] > length[axis])
			return false;
	}
	return true;
}

int torus_box_sweep(const torus_geometry_t *geometry, const torus_shape_t *shape,
		    const torus_sweep_values_t *cells, torus_sweep_visit_t *visit,
		    void *context, torus_error_t *err)
{
	sweep_t sweep = {.geometry = geometry,
			 .cells = torus_geometry_cells(geometry),
			 .visit = visit,
			 .context = context};
	choice_t choice = {.side = 1, .boxes = cells, .sums = cells};

	if (!sides_of(shape, geometry, sweep.sides))
		return 0;
	if (begin(&sweep, cells, err))
		return -1;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		sweep.side[axis] = 1;
	begin_side(&sweep, choice);
	free(sweep.block);
	return 0;
}
