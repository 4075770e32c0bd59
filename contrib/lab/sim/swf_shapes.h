/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The boxes that jobs of a log ask for, which the Standard Workload Format does not have:
 * comments `; Shape: NUMBER AxBxC` as swf_write.h writes them, the numbers being 1, 2, 3
 * ... in this order. A job has the number of its box as its executable number.
 */
#ifndef TORUS_SIM_SWF_SHAPES_H
#define TORUS_SIM_SWF_SHAPES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "place/box.h"

/* Of a log without boxes: {0}. */
typedef struct torus_swf_shapes {
	torus_shape_t *shape; /* [count], owned; by number, from 1 */
	size_t count;
} torus_swf_shapes_t;

/*
 * Take a box from the comment that begins with the `;` at [comment] and ends before
 * [end], if it names the next one; other comments are passed over. Returns 0, or -1 with
 * [err] filled (memory).
 */
int torus_swf_shapes_add(torus_swf_shapes_t *shapes, const char *comment, const char *end,
			 torus_error_t *err);

/* Box [number], NULL if there is none. */
const torus_shape_t *torus_swf_shape(const torus_swf_shapes_t *shapes, int64_t number);

/* Free the boxes. None are left. */
void torus_swf_shapes_clear(torus_swf_shapes_t *shapes);

#endif
