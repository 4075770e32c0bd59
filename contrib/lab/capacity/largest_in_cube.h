/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is free on a machine of cubes. */
#ifndef TORUS_CAPACITY_LARGEST_IN_CUBE_H
#define TORUS_CAPACITY_LARGEST_IN_CUBE_H

#include "capacity/largest.h"
#include "torus/cubes.h"

/*
 * torus_largest_box() on a machine of cubes: of the boxes within one cube. Of equal ones
 * that of the lowest cube; its corner is a cell of the machine. With [long_sides] 0 as
 * torus_largest_cube(). Returns 0, or -1 with [err] filled (memory).
 */
int torus_largest_in_cube(const torus_geometry_t *geometry, const uint64_t *usable,
			  int long_sides, torus_largest_t *largest, torus_error_t *err);

/*
 * That box on either kind of machine: on one without cubes torus_largest_box(), with
 * [long_sides] 0 torus_largest_cube(). Returns 0, or -1 with [err] filled (memory).
 */
int torus_largest_room(const torus_geometry_t *geometry, const uint64_t *usable,
		       int long_sides, torus_largest_t *largest, torus_error_t *err);

/* How many cubes are whole: all of their cells are set in [usable]. */
uint32_t torus_whole_cubes(const torus_geometry_t *geometry, const uint64_t *usable);

#endif
