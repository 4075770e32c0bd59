/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shapes: the sides of a box of routers or chips, and which cells such a box has. */
#ifndef TORUS_PLACE_SHAPE_H
#define TORUS_PLACE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

typedef struct torus_shape {
	int dims;
	int32_t side[TORUS_MAX_DIMS]; /* in routers; 1 in the dimensions not used */
	bool closed;		      /* only boxes that torus_box_is_closed() will do */
	bool in_chips; /* the sides are in chips: see geometry/chips.h, place/turns.h */
	bool twist;    /* joined to a twisted torus (torus/joined.h): only by machines of
			  cubes */
} torus_shape_t;

/* The boxes that a job may have, as users name them. */
#define TORUS_MOST_SHAPES 8
typedef struct torus_shapes {
	bool any;  /* one of exactly the job's nodes, whichever is most compact
		    * (place/any_box.h); count is 0 */
	int count; /* the first of shape[0 .. count-1] of which there is one */
	torus_shape_t shape[TORUS_MOST_SHAPES];
	bool closed; /* the box, of whichever of them, is to be closed; so is each shape
		      */
} torus_shapes_t;

/* Read "4x4x2"; the rules and errors of torus_lengths_parse(). */
int torus_shape_parse(const char *text, torus_shape_t *shape, torus_error_t *err);

/*
 * Read "any", or one to TORUS_MOST_SHAPES shapes: "4x4x4|8x4x2", blanks (spaces and tabs)
 * allowed around each. Returns 0, or -1 with [err] naming what is wrong: nothing between
 * two bars, too many, no shape, a shape that is the same as one before but for the order
 * of its sides and sides of 1.
 */
int torus_shapes_parse(const char *text, torus_shapes_t *shapes, torus_error_t *err);

/* The same for shapes in chips, of which "any" is none. */
int torus_chip_shapes_parse(const char *text, torus_shapes_t *shapes, torus_error_t *err);

/* Make all of [shapes] closed ones, or none. */
void torus_shapes_close(torus_shapes_t *shapes, bool closed);

/* Make all of [shapes], which are not any, twisted ones, or none. */
void torus_shapes_twist(torus_shapes_t *shapes, bool twist);

/* Room for the text of all shapes. */
#define TORUS_SHAPES_TEXT (TORUS_MOST_SHAPES * TORUS_DIMS_TEXT)
/* Write [shapes] as torus_shapes_parse(), or torus_chip_shapes_parse(), reads them;
 * returns [text]. Whether they are closed does not show. */
char *torus_shapes_format(const torus_shapes_t *shapes, char *text);

/* Whether a box is asked for at all. */
static inline bool torus_shapes_asked(const torus_shapes_t *shapes)
{
	return shapes->any || shapes->count;
}

/* Whether the boxes are in chips: all are, or none. */
static inline bool torus_shapes_in_chips(const torus_shapes_t *shapes)
{
	return shapes->count && shapes->shape[0].in_chips;
}

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

/* Whether no side is longer than its axis. */
bool torus_sides_fit(const torus_geometry_t *geometry, const int32_t *side);

/*
 * Whether a box with sides [side], each 1 to the length of its axis, is closed: the hops
 * between its routers are those of a torus of its own with these sides. A side closes if
 * it goes all the way around a wrapped dimension. Sides of 1 and 2 always do, since
 * between two neighbours a ring has no way that is shorter than a line's.
 */
bool torus_box_is_closed(const torus_geometry_t *geometry, const int32_t *side);
/* Whether some rotation of [shape] fits the machine and is closed. */
bool torus_shape_may_close(const torus_geometry_t *geometry, const torus_shape_t *shape);

/* Room for the text of the sides that close. */
#define TORUS_CLOSED_SIDES_TEXT (12 * (TORUS_MAX_DIMS + 2))
/* Write which sides close on the machine: "1, 2 or 8" on an 8x8x4 torus whose z does not
 * wrap. Returns [text]. */
char *torus_closed_sides_format(const torus_geometry_t *geometry, char *text);

/*
 * Whether the box with sides [side] that begins at [corner], and may go around the ends
 * of wrapped dimensions, contains [cell].
 */
bool torus_box_has(const torus_geometry_t *geometry, const int32_t *corner,
		   const int32_t *side, uint32_t cell);

/* The same, and if it does, offset[0 .. dims-1] is how far from the corner it is along
 * each axis. */
bool torus_box_offset(const torus_geometry_t *geometry, const int32_t *corner,
		      const int32_t *side, uint32_t cell, int32_t *offset);

#endif
