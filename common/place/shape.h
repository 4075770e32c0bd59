/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shapes: the sides of a box of routers, and which cells such a box has. */
#ifndef TORUS_PLACE_SHAPE_H
#define TORUS_PLACE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

typedef struct torus_shape {
	int dims;
	int32_t side[TORUS_MAX_DIMS]; /* in routers; 1 in the dimensions not used */
} torus_shape_t;

/* How users ask for a box of exactly their nodes, whichever is most compact
 * (place/any_box.h). No shape that torus_shape_parse() reads. */
#define TORUS_ANY_SHAPE "any"

/* Read "4x4x2"; the rules and errors of torus_lengths_parse(). */
int torus_shape_parse(const char *text, torus_shape_t *shape, torus_error_t *err);

/*
 * The sides of [shape] for a machine of [dims] dimensions, ascending: what it has beyond
 * that must be 1, what it has not is 1. Fills side[0 .. TORUS_MAX_DIMS-1], those from
 * [dims] on with 1. Returns false if it has more.
 */
bool torus_shape_sides(const torus_shape_t *shape, int dims, int32_t *side);

/* Sort side[0 .. dims-1] ascending: the first rotation of a box. */
void torus_first_rotation(int dims, int32_t *side);
/*
 * Go to the next distinct rotation in lexicographic order. Returns false, with [side]
 * untouched, after the last one.
 */
bool torus_next_rotation(int dims, int32_t *side);

/*
 * Whether the box with sides [side] that begins at [corner], and may go around the ends
 * of wrapped dimensions, contains [cell].
 */
bool torus_box_has(const torus_geometry_t *geometry, const int32_t *corner,
		   const int32_t *side, uint32_t cell);

#endif
