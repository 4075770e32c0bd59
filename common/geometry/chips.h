/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes that hold a piece of the torus: each cell of a machine is a box of chips, and the
 * chips of all cells are a torus or mesh themselves.
 *
 * On a machine of cells X x Y x Z whose nodes have A x B x C chips that is one of AX x BY
 * x CZ chips; a dimension of chips wraps where the cells' does. The chip (a, b, c) of the
 * node at (x, y, z) is at (Ax + a, By + b, Cz + c). Within a node chips are numbered a
 * fastest: a + Ab + ABc. Where nodes are no boxes of chips, each counts as one chip.
 */
#ifndef TORUS_GEOMETRY_CHIPS_H
#define TORUS_GEOMETRY_CHIPS_H

#include "geometry/geometry.h"

/* Chips of a node along [axis], at least 1. */
static inline int32_t torus_node_side(const torus_geometry_t *geometry, int axis)
{
	return geometry->chips[axis] ? geometry->chips[axis] : 1;
}

/* Whether nodes are boxes of chips, be it of one. */
bool torus_has_chips(const torus_geometry_t *geometry);

/* Chips of each node, 1 .. TORUS_MAX_CELLS. */
uint32_t torus_node_chips(const torus_geometry_t *geometry);

/*
 * Make the nodes of [geometry] boxes of chips: [text] is such as "2x2x1", 1 in the
 * dimensions that it leaves out. Returns 0, or -1 with [err] filled and nothing changed:
 * the text is not of that form, has sides above 1 beyond the machine's dimensions, or
 * makes more than TORUS_MAX_CELLS chips in all.
 */
int torus_node_shape_parse(const char *text, torus_geometry_t *geometry,
			   torus_error_t *err);

/* The machine of the chips, on which each cell is one chip. Its chords are borrowed from
 * [geometry]. */
torus_geometry_t torus_chip_machine(const torus_geometry_t *geometry);

/* The cell on the machine of the chips of chip [chip] (below torus_node_chips()) of the
 * node on [cell]. */
uint32_t torus_chip_cell(const torus_geometry_t *geometry, uint32_t cell, uint32_t chip);

#endif
