/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of a shape on one torus, whatever it is made of. Private to decide/. */
#ifndef TORUS_DECIDE_SHAPE_PLACES_H
#define TORUS_DECIDE_SHAPE_PLACES_H

#include "base/error.h"
#include "decide/places.h"
#include "place/shape.h"

/*
 * Add to [places] those of [shape] on one torus, as it can be had there (torus/fit.h):
 * boxes (torus_boxes_find()), or sets of whole cubes (torus_cube_sets_find()), or none. A
 * shape of 0 dimensions stands for any box of exactly wanted->nodes. What was done is
 * taken off [work]; where that comes to an end, or a list of sets is full, it is not
 * complete. Returns 0, or -1 with [err] filled.
 */
int torus_shape_places_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
			    const torus_shape_t *shape, torus_places_t *places,
			    uint64_t *work, torus_error_t *err);

#endif
