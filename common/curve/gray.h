/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * k-ary n-cubes, n dimensions of k >= 2 cells each, and their reflected Gray code: from
 * one code to the next a single coordinate changes, by one. The first dimension is the
 * fastest. For k = 2 the i-th code is i XOR i / 2, as in "Processor Allocation in an
 * N-Cube Multiprocessor Using Gray Codes" (Chen, Shin, 1987).
 */
#ifndef TORUS_CURVE_GRAY_H
#define TORUS_CURVE_GRAY_H

#include "base/error.h"
#include "geometry/geometry.h"

/*
 * The k of the k-ary n-cube [geometry], or -1 with [err] saying that [what] is for these
 * only.
 */
int torus_cube_base(const torus_geometry_t *geometry, const char *what,
		    torus_error_t *err);

/* The cell of the [i]-th code of a k-ary n-cube; [i] is below the number of cells. */
uint32_t torus_gray_cell(const torus_geometry_t *geometry, uint32_t i);

#endif
