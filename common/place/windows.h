/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over parts of lines of cells, for all cells at once: what strategies need that
 * look at the box or ball around every cell. For strategies only.
 */
#ifndef TORUS_PLACE_WINDOWS_H
#define TORUS_PLACE_WINDOWS_H

#include <stdint.h>

#include "geometry/geometry.h"

/*
 * out[c] = sum of in[] over [length] cells of the line through c along [axis], the first
 * of them [before] cells before c. The line goes around where the dimension wraps; cells
 * beyond the end of a mesh count as 0. length >= 1, at most the axis's own where that
 * wraps; before < length. [in] and [out] have as many numbers as there are cells and do
 * not overlap. O(cells).
 */
void torus_window_sums(const torus_geometry_t *geometry, int axis, uint32_t before,
		       uint32_t length, const uint32_t *in, uint32_t *out);

/*
 * out[c] += in[d], or -= if [minus], where d is the cell [steps] after c along [axis], or
 * before it if [backwards]; 0 <= steps <= length of the axis. Ends as above. O(cells).
 */
void torus_add_shifted(const torus_geometry_t *geometry, int axis, uint32_t steps,
		       bool backwards, bool minus, const uint32_t *in, uint32_t *out);

#endif
