/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measure by which plans of the Hilbert curve are compared. All arithmetic is on
 * integers, so that every compiler and library makes the same choice.
 */
#ifndef TORUS_CURVE_HILBERT_LOOSENESS_H
#define TORUS_CURVE_HILBERT_LOOSENESS_H

#include <stdint.h>

#include "curve/hilbert/plan.h"

/* Logarithms to the base 2 and loosenesses are in units of 1 / HILBERT_ONE. */
#define HILBERT_ONE (INT32_C(1) << 16)

/* The logarithm of [value] > 0, rounded down. */
int32_t torus_hilbert_log2(uint64_t value);

/*
 * How far from compact a path's pieces are: the mean, over window lengths 2, 4, 8 ...,
 * of the logarithm of how much larger the mean square distance of two cells of a window
 * is than length^(2/dims), to which it is proportional in cubes. In boxes of which an
 * axis closes to a ring it is the square of the mean of the hops instead, by a factor
 * that makes both the same in large cubes. [path] holds the cell numbers of the [task]'s
 * box, x fastest. 0, or -1 when memory is short.
 */
int torus_hilbert_looseness(int dims, const hilbert_task_t *task, const uint32_t *path,
			    int32_t *looseness);

/* The same of a straight line of [length] cells in [dims] dimensions, or a ring. */
int32_t torus_hilbert_line_looseness(int dims, int32_t length, bool ring);

/*
 * Lay out [plan], which is in [book] and has its parts, and set its looseness; the work
 * is counted. 0, or -1 when memory is short (book->no_memory).
 */
int torus_hilbert_measure(hilbert_book_t *book, hilbert_plan_t *plan);

/* The work of torus_hilbert_looseness(), in the units of plan.h. */
uint64_t torus_hilbert_looseness_work(int dims, const hilbert_task_t *task);

#endif
