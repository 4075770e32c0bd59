/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Hilbert curve on a box of any shape, in 1 to 6 dimensions.
 *
 * Hilbert's curve goes through a cube octant by octant; in each it starts in one corner
 * and ends in another, from where it is one hop to the next. That works for any box if
 * the boxes it is cut into may differ in size, and if for each the corners at which the
 * path enters and leaves are chosen well. So the path through a box from corner to corner
 * (a *task*) is made of smaller tasks of the same kind, down to single lines of cells,
 * and the way of cutting it, the order of its parts and their corners are its *plan*:
 *
 *  - A path alternates between the colours of a chequerboard. A box with an even side
 *    therefore has a path only between corners that differ in an odd number of its even
 *    sides, one with only odd sides between any two corners.
 *  - Cubes with sides 2^k get the plan of "Compact Hilbert Indices" (Hamilton, 2006):
 *    cube.c.
 *  - For other boxes, ways of cutting one or two sides near the middle, with the corners
 *    that parity allows, are listed (cuttings.c); the most promising are measured
 *    (looseness.c), and the most compact is kept: search.c.
 *  - A box that is too large to be searched is cut as a small box of like proportions and
 *    the same parities is: scale.c.
 *
 * Equal tasks recur all over a machine (most parts of a level are alike up to rotation
 * and reflection), so each is planned once: plan.c keeps the book. Here the
 * travel of the whole machine is chosen, and the curve is written down.
 *
 * Where dimensions wrap, parts that have all of such a dimension are tasks of their own:
 * measured by hops with the wrap, with paths that may step over the seam, and also cut
 * into layers (layers.c). Orders made of these, and snakes, compete with the order of the
 * mesh: rings.c.
 */
#include "curve/hilbert/order.h"

#include <string.h>

#include "curve/hilbert/looseness.h"
#include "curve/hilbert/rings.h"
#include "curve/hilbert/rules.h"

static bool is_power_cube(const hilbert_task_t *task, int dims)
{
	int32_t side = task->side[0];

	return side == task->side[dims - 1] && (side & (side - 1)) == 0 &&
	       task->travel == 1 && !task->wrap;
}

/* Make the plan by the rule for its box. */
static void make(hilbert_book_t *book, uint32_t index)
{
	hilbert_task_t task = book->plans[index].task;

	if (book->dims == 1 || task.side[1] == 1) {
		book->plans[index].status = HILBERT_LINE;
		book->plans[index].looseness = torus_hilbert_line_looseness(
			book->dims, task.side[0], task.wrap & 1);
		return;
	}
	if (is_power_cube(&task, book->dims))
		torus_hilbert_plan_cube(book, index);
	else if (!torus_hilbert_plan_scale(book, index))
		torus_hilbert_plan_search(book, index);
	if (book->plans[index].parts)
		book->plans[index].status = HILBERT_PLANNED;
}

/* Index of the plan of the most compact path through the box, over all travels; or -1. */
static int64_t choose(hilbert_book_t *book, hilbert_task_t task,
		      uint8_t axis[TORUS_MAX_DIMS])
{
	int64_t best = -1;

	for (task.travel = 0; task.travel < 1u << book->dims; task.travel++) {
		uint8_t turned[TORUS_MAX_DIMS];
		int64_t index;

		if (__builtin_popcount(task.travel) > HILBERT_TRAVEL_MAX)
			continue;
		index = torus_hilbert_book_find(book, &task, turned);
		if (index < 0 || (best >= 0 && book->plans[index].looseness >=
						       book->plans[best].looseness))
			continue;
		best = index;
		memcpy(axis, turned, sizeof(turned));
	}
	return best;
}

/* The machine without its axes of length 1, which play no part; the cells' numbers stay.
 */
static torus_geometry_t box_of(const torus_geometry_t *geometry)
{
	torus_geometry_t box = {.dims = 0, .length = {1, 1, 1, 1, 1, 1}};

	for (int i = 0; i < geometry->dims; i++) {
		if (geometry->length[i] == 1)
			continue;
		box.wrap[box.dims] = geometry->wrap[i] && geometry->length[i] > 2;
		box.length[box.dims++] = geometry->length[i];
	}
	box.dims += !box.dims;
	return box;
}

int torus_hilbert_order(const torus_geometry_t *geometry, uint32_t *order, uint64_t *work,
			torus_error_t *err)
{
	torus_geometry_t box = box_of(geometry);
	hilbert_task_t mesh = torus_hilbert_task(&box);
	char text[TORUS_DIMS_TEXT];
	uint8_t axis[TORUS_MAX_DIMS];
	hilbert_book_t book;
	int64_t index;
	int rv = 0;

	mesh.wrap = 0;
	torus_hilbert_book_init(&book, box.dims, make);
	index = choose(&book, mesh, axis);
	if (index >= 0) {
		torus_hilbert_write_whole(&book, (uint32_t)index, axis, &box, order);
		if (torus_geometry_wraps(&box))
			rv = torus_hilbert_rings(&book, &box, order);
	}
	torus_lengths_format(geometry->dims, geometry->length, text);
	if (book.no_memory || rv)
		rv = torus_fail(err, "no memory to plan a Hilbert curve on %s", text);
	else if (index < 0)
		rv = torus_fail(err,
				"found no Hilbert curve on %s: choose the curve snake",
				text);
	else if (work)
		*work = book.work;
	torus_hilbert_book_free(&book);
	return rv;
}
