/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boxes of a shape that have enough in all: in any rotation, anywhere, around the ends of
 * wrapped dimensions.
 */
#ifndef TORUS_DECIDE_BOXES_H
#define TORUS_DECIDE_BOXES_H

#include "base/error.h"
#include "decide/places.h"
#include "place/box.h"

/*
 * Add to [places] the boxes of [shape] on one torus all of whose cells have nodes, and
 * these are candidates, as many as are wanted (which number is liked best matters with
 * [by_distance] only), with all required nodes and enough in all; each set of nodes once.
 * On a machine of cubes these are the boxes inside one cube. Their order is that of
 * torus_box_place(), or [by_distance] that of torus_any_box_place(), but for ties and for
 * what routers with more nodes than others change in the distance. What was done is taken
 * off [work]; where that comes to an end, the list is no longer complete. Returns 0, or
 * -1 with [err] filled. Time and memory as torus_box_sweep() with three minimums and a
 * sum for each kind and three more.
 */
int torus_boxes_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
		     const torus_shape_t *shape, bool by_distance, torus_places_t *places,
		     uint64_t *work, torus_error_t *err);

#endif
