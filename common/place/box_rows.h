/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of cells taken together along an axis: a part of box_sweep.h. */
#ifndef TORUS_PLACE_BOX_ROWS_H
#define TORUS_PLACE_BOX_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/geometry.h"

/* How the cells lie along an axis: rings or lines of [length] rows of [row] cells. */
typedef struct torus_rows {
	size_t row;
	size_t length;
	bool wrap;
} torus_rows_t;

torus_rows_t torus_rows_along(const torus_geometry_t *geometry, int axis);

/* to[i] = the lower of a[i] and b[i]; [to] may be [a]. */
void torus_lower_of(int32_t *to, const int32_t *a, const int32_t *b, size_t count);

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

/* Whether any of the numbers is at most [most]. */
bool torus_any_at_most(const uint64_t *numbers, size_t count, uint64_t most);

#endif
