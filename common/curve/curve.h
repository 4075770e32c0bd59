/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Curves: total orders of the cells of a machine.
 *
 * The idea of numbering nodes along a space-filling curve and allocating on that line is
 * from "Processor Allocation on Cplant: Achieving General Processor Locality Using
 * One-Dimensional Allocation Strategies" (Leung et al., 2002).
 */
#ifndef TORUS_CURVE_H
#define TORUS_CURVE_H

#include "base/error.h"
#include "geometry/geometry.h"

typedef enum torus_curve {
	TORUS_CURVE_ROW_MAJOR,	  /* x fastest, then y, then z ... */
	TORUS_CURVE_COLUMN_MAJOR, /* y fastest, then x, then z ... */
	TORUS_CURVE_SNAKE,	  /* boustrophedon, the shortest dimension first */
	TORUS_CURVE_Z_ORDER,	  /* Morton; cells outside the box skipped */
	TORUS_CURVE_HILBERT,	  /* generalised to any box; the default */
	TORUS_CURVE_GRAY,	  /* reflected Gray code, of k-ary n-cubes only */
	TORUS_CURVE_FILE,	  /* the site's own order of node names */
} torus_curve_t;

/*
 * Read a curve's name in any case: "row_major", "column_major", "snake", "z_order",
 * "hilbert", "gray" or "file:PATH". [path] receives for the last a pointer into [text],
 * just behind the colon, and NULL for the others. Returns 0, or -1 with [err] naming the
 * known curves.
 */
int torus_curve_parse(const char *text, torus_curve_t *curve, const char **path,
		      torus_error_t *err);

/* The curve's name as above ("file" for TORUS_CURVE_FILE). A constant string. */
const char *torus_curve_name(torus_curve_t curve);

/*
 * Fill order[0 .. cells-1] with the cells of [geometry] along [curve] (any but
 * TORUS_CURVE_FILE, which orders nodes and is read by map.h). Each cell appears exactly
 * once. Wrap matters to the order of hilbert only.
 *
 * gray: of k-ary n-cubes (2x2x2, 8x8x8 and so on) only; see gray.h.
 *
 * snake: axes sorted by length, the shortest fastest, ties in axis order; every step is
 * one hop. z_order: of equal bits the last axis's counts most.
 *
 * hilbert: on boxes of any shape in 1 to 6 dimensions every step is one hop, counted with
 * the wraps (tested: all boxes up to 24x24 and 10x10x10, samples of others up to a
 * million cells; see hilbert/order.c). On cubes with sides 2^k that wrap in no dimension
 * or in all (tested up to 32x32, 16x16x16, 8x8x8x8) it is Hilbert's own curve: each
 * aligned sub-cube with sides 2^j is one run of ranks. A machine with wraps gets another
 * order than the same mesh only if that is more compact (hilbert/rings.h). The order
 * depends only on lengths and wraps, and is the same with every compiler and library.
 *
 * Time and memory: proportional to the cells, for hilbert plus the search for its plan,
 * which takes about half a second at most on any box (hilbert/plan.h, docs/curves.md).
 *
 * Returns 0, or -1 with [err] filled when memory is short, the curve is TORUS_CURVE_FILE,
 * lengths differ with TORUS_CURVE_GRAY, or no Hilbert curve was found (no such box is
 * known).
 */
int torus_curve_order(const torus_geometry_t *geometry, torus_curve_t curve,
		      uint32_t *order, torus_error_t *err);

#endif
