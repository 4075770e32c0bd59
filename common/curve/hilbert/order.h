/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Hilbert curve on a box of any shape: private to curve.c. */
#ifndef TORUS_CURVE_HILBERT_ORDER_H
#define TORUS_CURVE_HILBERT_ORDER_H

#include "base/error.h"
#include "geometry/geometry.h"

/* See torus_curve_order() in curve.h. */
int torus_hilbert_order(const torus_geometry_t *geometry, uint32_t *order,
			torus_error_t *err);

#endif
