/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of cells taken together along an axis: a part of box_sweep.h. */
#ifndef TORUS_PLACE_BOX_ROWS_H
#define TORUS_PLACE_BOX_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/geometry.h"
#include "place/box_sweep.h"

/* How the cells lie along an axis: rings or lines of [length] rows of [row] cells. */
typedef struct torus_rows {
	size_t row;
	size_t length;
	bool wrap;
} torus_rows_t;

torus_rows_t torus_rows_along(const torus_geometry_t *geometry, int axis);

/* to[i] = the lower of a[i] and b[i]; [to] may be [a]. */
void torus_lower_of(int32_t *to, const int32_t *a, const int32_t *b, size_t count);

/* to[i] += more[i] */
void torus_add_to(uint64_t *to, const uint64_t *more, size_t count);

/*
 * Of each of [cells] cells the minimum of the [window] rows from it on;
 * TORUS_SWEEP_NO_BOX where they would leave a line. [scratch] has room for all cells; 2
 * <= window <= length.
 */
void torus_rows_minimums(const torus_rows_t *rows, size_t cells, size_t window,
			 const int32_t *from, int32_t *to, int32_t *scratch);

/* The same for sums; 0 where rows would leave a line. 1 <= window <= length. */
void torus_rows_sums(const torus_rows_t *rows, size_t cells, size_t window,
		     const uint64_t *from, uint64_t *to);

/* Whether any of these minimums of boxes is that of a box: is not TORUS_SWEEP_NO_BOX. */
bool torus_any_begins(const int32_t *minimums, size_t count);

/*
 * Let the cells that no box may have, whose minimum is TORUS_SWEEP_NO_BOX, weigh more
 * than all others together, if that leaves the sums within 64 bits: boxes with one are
 * heavier than any box then.
 */
void torus_outweigh(const int32_t *minimums, uint64_t *weight, size_t cells);

/* Whether a box begins at the cell that weighs at most [most]; [weight] NULL: whatever it
 * weighs. */
static inline bool torus_may_begin(const int32_t *minimums, const uint64_t *weight,
				   uint64_t most, uint32_t cell)
{
	return minimums[cell] != TORUS_SWEEP_NO_BOX && (!weight || weight[cell] <= most);
}

/*
 * The next cell from [cell] on, below [end], where one does; [end]: there is none. The
 * first looks at several cells at once, the second at the next one before.
 */
uint32_t torus_search_box(const int32_t *minimums, const uint64_t *weight, uint64_t most,
			  uint32_t cell, uint32_t end);
static inline uint32_t torus_next_box(const int32_t *minimums, const uint64_t *weight,
				      uint64_t most, uint32_t cell, uint32_t end)
{
	return cell < end && torus_may_begin(minimums, weight, most, cell)
		       ? cell
		       : torus_search_box(minimums, weight, most, cell, end);
}

/*
 * Whether all of these boxes, from rank low[] to minus minus_high[], are wider than
 * [width], or not free: the sums of those are far below any others.
 */
bool torus_all_wider(const int32_t *low, const int32_t *minus_high, size_t count,
		     int32_t width);

#endif
