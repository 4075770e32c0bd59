/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way of a message: by dimension, x first, in each the shorter way round. */
#ifndef CONTEND_ROUTE_H
#define CONTEND_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/geometry.h"

/* Hops of the longest route. */
uint32_t contend_longest_route(const torus_geometry_t *geometry);

/*
 * Fill route[0 ..] with the hops from one cell to another, of which there are at most
 * contend_longest_route(), and return how many. A hop that leaves a cell along an axis has
 * the number 4 * (cell * dims + axis) + 2 * down + crossed; crossed: the route has been over
 * this dimension's wrap before. Where both ways round a ring are equally long it goes
 * upwards; with [as_simgrid] downwards from the middle to 0, as SimGrid's tori do.
 */
uint32_t contend_route(const torus_geometry_t *geometry, uint32_t from, uint32_t to,
		       bool as_simgrid, uint32_t *route);

#endif
