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
 *    curve/hilbert/cube.c.
 *  - For other boxes, ways to cut up to three sides near the middle, orders of the parts
 *    and corners that parity allows are listed (curve/hilbert/cuttings.c,
 * curve/hilbert/ways.c); the most promising are measured by the average pairwise distance
 * of the path's windows (curve/hilbert/looseness.c), and the most compact is kept:
 * curve/hilbert/search.c.
 *  - A box that is too large to be measured is cut as a small box of like proportions
 *    and the same parities is: curve/hilbert/enlarge.c.
 *
 * Equal tasks recur all over a machine (most parts of a level are alike up to rotation
 * and reflection), so each is planned once: curve/hilbert/plan.c keeps the book. Here the
 * travel of the whole machine is chosen, and the curve is written down.
 */
#include "curve/hilbert/order.h"

#include <string.h>

#include "curve/hilbert/plan.h"

void torus_hilbert_emit(const hilbert_book_t *book, uint32_t index, int64_t base,
			const int64_t stride[TORUS_MAX_DIMS], uint32_t *path,
			int64_t step)
{
	const hilbert_plan_t *plan = &book->plans[index];

	if (plan->status == HILBERT_LINE) {
		for (int32_t i = 0; i < plan->task.side[0]; i++, path += step)
			*path = (uint32_t)(base + i * stride[0]);
		return;
	}
	for (int p = 0; p < plan->part_count; p++) {
		const hilbert_part_t *part = &plan->parts[p];
		const hilbert_plan_t *below = &book->plans[part->plan];
		int64_t entry = base, strides[TORUS_MAX_DIMS] = {0};

		for (int i = 0; i < book->dims; i++) {
			entry += part->entry[i] * stride[i];
			strides[i] = part->sign[part->axis[i]] * stride[part->axis[i]];
		}
		if (!part->reversed) {
			torus_hilbert_emit(book, part->plan, entry, strides, path, step);
			path += below->cells * step;
			continue;
		}
		/* The reversed path starts where the plan, seen from there, ends. */
		for (int i = 0; i < book->dims; i++) {
			if (!(below->task.travel >> i & 1))
				continue;
			entry += (below->task.side[i] - 1) * strides[i];
			strides[i] = -strides[i];
		}
		path += below->cells * step;
		torus_hilbert_emit(book, part->plan, entry, strides, path - step, -step);
	}
}

/* Index of the plan of the most compact path through the box, over all travels; or -1. */
static int64_t choose(hilbert_book_t *book, const int32_t side[TORUS_MAX_DIMS],
		      uint8_t axis[TORUS_MAX_DIMS])
{
	/* Along two axes is seldom better, and doubles the time where it is long. */
	int most = book->effort < 1 ? 1 : HILBERT_TRAVEL_MAX;
	int64_t best = -1;

	for (uint32_t travel = 0; travel < 1u << book->dims; travel++) {
		uint8_t turned[TORUS_MAX_DIMS];
		int64_t index;

		if (__builtin_popcount(travel) > most ||
		    !torus_hilbert_parity_allows(side, travel))
			continue;
		index = torus_hilbert_book_enter(book, side, travel, turned);
		if (index < 0 || !torus_hilbert_solve(book, (uint32_t)index))
			continue;
		if (best >= 0 &&
		    book->plans[index].looseness >= book->plans[best].looseness)
			continue;
		best = index;
		memcpy(axis, turned, sizeof(turned));
	}
	return best;
}

int torus_hilbert_order(const torus_geometry_t *geometry, uint32_t *order,
			torus_error_t *err)
{
	char text[TORUS_DIMS_TEXT];
	int32_t side[TORUS_MAX_DIMS] = {1};
	uint8_t axis[TORUS_MAX_DIMS];
	int64_t cells = 1, along[TORUS_MAX_DIMS] = {0}, stride[TORUS_MAX_DIMS] = {0};
	hilbert_book_t book;
	int64_t index;
	int dims = 0, rv = -1;

	/* Axes of length 1 play no part. */
	for (int i = 0; i < geometry->dims; i++) {
		if (geometry->length[i] > 1) {
			side[dims] = geometry->length[i];
			along[dims++] = cells;
		}
		cells *= geometry->length[i];
	}
	torus_hilbert_book_init(&book, dims ? dims : 1, side);
	index = choose(&book, side, axis);
	torus_lengths_format(geometry->dims, geometry->length, text);
	if (book.no_memory) {
		torus_fail(err, "no memory to plan a Hilbert curve on %s", text);
		goto done;
	}
	if (index < 0) {
		torus_fail(err, "found no Hilbert curve on %s: choose the curve snake",
			   text);
		goto done;
	}
	for (int i = 0; i < book.dims; i++)
		stride[i] = along[axis[i]];
	torus_hilbert_emit(&book, (uint32_t)index, 0, stride, order, 1);
	rv = 0;
done:
	torus_hilbert_book_free(&book);
	return rv;
}
