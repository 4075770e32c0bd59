/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which boxes a job could ask for instead of one that the machine never has. */
#ifndef TORUS_TORUS_OTHER_BOXES_H
#define TORUS_TORUS_OTHER_BOXES_H

#include <stdint.h>

#include "geometry/geometry.h"
#include "place/shape.h"

/* Room for the text. */
#define TORUS_OTHER_BOXES_TEXT (TORUS_DIMS_TEXT + 64)

/*
 * If the machine [geometry] with [per_router] nodes on each router (0: they differ), with
 * nothing on it and no hole in it, has none of the boxes of [shapes], write into [text]
 * what it has: "8x8x4 has as many nodes", of all boxes with as many nodes as the first
 * shape the most compact (place/box_sizes.h); or, where there is none, "the next sizes
 * are 56 and 60", the numbers of nodes next to it of which there are boxes, or "the next
 * size is 512". For any box (shapes->any) only the latter, next to [nodes], of closed
 * ones if they are to be closed.
 *
 * Returns [text]. It is empty where the machine has such a box, and where that is not
 * told by the sides alone: routers with different numbers of nodes, cubes that are
 * joined, shapes in chips (machine/chip_boxes.h) and closed ones, no memory.
 */
char *torus_other_boxes(const torus_geometry_t *geometry, uint32_t per_router,
			const torus_shapes_t *shapes, uint64_t nodes, char *text);

#endif
