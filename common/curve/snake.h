/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boustrophedon orders: private to this folder. */
#ifndef TORUS_CURVE_SNAKE_H
#define TORUS_CURVE_SNAKE_H

#include "geometry/geometry.h"

/* The axes of [geometry] by length, the shortest first, ties in axis order. */
void torus_snake_axes(const torus_geometry_t *geometry, int axes[TORUS_MAX_DIMS]);

/* Fill [order] with the cells: along axes[0] first, which turns back at its ends. */
void torus_snake_along(const torus_geometry_t *geometry, const int *axes,
		       uint32_t *order);

#endif
