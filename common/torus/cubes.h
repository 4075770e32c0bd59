/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines of cubes: boxes of routers whose faces optical switches join at will, as TPU
 * v4 has 64 cubes of 4x4x4 chips. After "TPU v4: An Optically Reconfigurable
 * Supercomputer for Machine Learning with Hardware Support for Embeddings" (Jouppi et
 * al., 2023) and "Resiliency at Scale: Managing Google's TPUv4 Machine Learning
 * Supercomputer" (Zu et al., 2024).
 *
 * The routers of the machine keep the coordinates of a grid, geometry->length, that
 * geometry->cube cuts into cubes. Cubes are numbered x fastest, as cells are; a cell has
 * a number within its cube, x fastest, too. The functions below but the first need a
 * machine of cubes.
 */
#ifndef TORUS_TORUS_CUBES_H
#define TORUS_TORUS_CUBES_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/*
 * Make [geometry] a machine of cubes with the sides [text], such as "4x4x4". Returns 0,
 * or -1 with [err] filled: not of that form, as many sides as the machine has dimensions,
 * a side that does not divide the machine's, a machine that wraps.
 */
int torus_cubes_parse(const char *text, torus_geometry_t *geometry, torus_error_t *err);

/* The geometry of one cube, a mesh. */
torus_geometry_t torus_cubes_one(const torus_geometry_t *geometry);
/* The grid of cubes, a mesh: its cells are the cubes' numbers. */
torus_geometry_t torus_cubes_grid(const torus_geometry_t *geometry);

/* The cube that has [cell], and unless it is NULL the cell's number within it. */
uint32_t torus_cube_of(const torus_geometry_t *geometry, uint32_t cell, uint32_t *inner);
/* The inverse. */
uint32_t torus_cube_cell(const torus_geometry_t *geometry, uint32_t cube, uint32_t inner);

/* How many cubes a torus with these sides takes. */
uint32_t torus_cubes_needed(const torus_geometry_t *geometry, const int32_t *side);

/*
 * The sides of the torus that [cubes] (>= 1) cubes are joined to when nothing is said of
 * its shape: the one with the smallest summed distance; ties: the shorter sides first.
 */
void torus_cubes_compact(const torus_geometry_t *geometry, uint32_t cubes, int32_t *side);

/*
 * Whether a torus with these sides can be twisted: each is k or 2k, at least one of them
 * each, where nodes are boxes of chips in chips. Returns the axes of 2k, axis i as bit i;
 * 0: it cannot.
 */
unsigned torus_sides_twist(const torus_geometry_t *geometry, const int32_t *side);

#endif
