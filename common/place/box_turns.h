/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sweep of box_sweep.h for boxes of many rotations that have sums: rotation by
 * rotation in ascending order of their sides, where those that begin with the same sides
 * share what these come to. A sum then takes one pass over the cells for each rotation,
 * and hardly more, where the other way takes several; but blocks of cells where no box
 * can be wanted are not left out.
 */
#ifndef TORUS_PLACE_BOX_TURNS_H
#define TORUS_PLACE_BOX_TURNS_H

#include "place/box_sweep.h"

/*
 * Visit all boxes of [shape], as torus_box_sweep() does. Boxes that are not whole are
 * visited once for each beginning, whole ones in the order of their rotations
 * (torus_turns()). Time: for each beginning of a rotation that differs a few passes over
 * the cells for each minimum and one for each sum. Memory: 4 bytes a cell for each
 * minimum and dimension and 4 more, and 8 for each sum and dimension.
 */
int torus_box_turns_sweep(const torus_geometry_t *geometry, const torus_shape_t *shape,
			  const torus_sweep_values_t *cells, torus_sweep_visit_t *visit,
			  void *context, torus_error_t *err);

#endif
