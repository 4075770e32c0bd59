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
#include "place/box_sizes.h"

/* What is known of the boxes of one torus as long as its candidates and what is needed
 * stay as they are: what one shape had to be added up for serves the next. */
typedef struct torus_boxes torus_boxes_t;

/* NULL with [err] filled: memory. [supply] and [need] are borrowed until the end, which
 * takes NULL. */
torus_boxes_t *torus_boxes_open(const torus_supply_t *supply, const torus_need_t *need,
				torus_error_t *err);
void torus_boxes_close(torus_boxes_t *boxes);

/* How many nodes the routers of the torus have. */
torus_router_nodes_t torus_boxes_on_router(const torus_boxes_t *boxes);

/*
 * Add to [places] the boxes of [shape] on one torus all of whose cells have nodes, and
 * these are candidates, as many as are wanted (which number is liked best matters with
 * [by_distance] only), with all required nodes and enough in all; each set of nodes once.
 * [wanted] has the need that [boxes] was opened with. The boxes are wired
 * (torus_box_is_wired()). Their order is that of torus_box_place(), or [by_distance] that
 * of torus_any_box_place(), but for ties and for what routers with more nodes than others
 * change in the distance. What was done is taken off [work]; where that comes to an end,
 * the list is no longer complete. Returns 0, or -1 with [err] filled. Time and memory as
 * torus_box_sweep() with two minimums and a sum for the weights and for as much else as
 * goes into 64 bits.
 */
int torus_boxes_find(torus_boxes_t *boxes, const torus_wanted_t *wanted,
		     const torus_shape_t *shape, bool by_distance, torus_places_t *places,
		     uint64_t *work, torus_error_t *err);

/* The same for one shape only, not by distance. */
int torus_boxes_find_once(const torus_supply_t *supply, const torus_wanted_t *wanted,
			  const torus_shape_t *shape, torus_places_t *places,
			  uint64_t *work, torus_error_t *err);

#endif
