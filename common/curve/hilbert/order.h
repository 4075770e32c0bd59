/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Hilbert curve on a box of any shape: private to curve.c and its tests. */
#ifndef TORUS_CURVE_HILBERT_ORDER_H
#define TORUS_CURVE_HILBERT_ORDER_H

#include "base/error.h"
#include "geometry/geometry.h"

/*
 * See torus_curve_order() in curve.h. [work], unless NULL, receives the work of planning
 * the curve, in the units of plan.h; it never exceeds HILBERT_WORK_MAX, with wraps
 * HILBERT_WORK_MAX_RINGS.
 */
int torus_hilbert_order(const torus_geometry_t *geometry, uint32_t *order, uint64_t *work,
			torus_error_t *err);

#endif
