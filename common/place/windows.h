/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over parts of the lines of cells, for all cells at once, as strategies need them
 * that look at boxes and balls around every cell. Private to place/.
 */
#ifndef TORUS_PLACE_WINDOWS_H
#define TORUS_PLACE_WINDOWS_H

#include <stdint.h>

#include "geometry/geometry.h"

/*
 * out[c] = sum of in[] over the [length] cells of the line through c along [axis] that
 * begin [before] cells before c. It goes around where the dimension wraps; cells beyond
 * the end of a mesh count as 0. 1 <= length <= that of the axis where it wraps, before <
 * length. [in] and [out], of as many numbers as there are cells, do not overlap.
 * O(cells).
 */
void torus_window_sums(const torus_geometry_t *geometry, int axis, uint32_t before,
		       uint32_t length, const uint32_t *in, uint32_t *out);

/*
 * out[c] += in[] of the cell [steps] (>= 0) further along [axis], or before c if
 * [backwards]; subtracted if [minus]. Goes around and beyond the end as above, steps at
 * most the length of the axis. O(cells).
 */
void torus_add_shifted(const torus_geometry_t *geometry, int axis, uint32_t steps,
		       bool backwards, bool minus, const uint32_t *in, uint32_t *out);

#endif
