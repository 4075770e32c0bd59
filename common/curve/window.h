/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A window of consecutive ranks that slides along a curve, and the hops between its
 * cells. Private to this folder.
 */
#ifndef TORUS_CURVE_WINDOW_H
#define TORUS_CURVE_WINDOW_H

#include "base/error.h"
#include "geometry/geometry.h"

/* A position of a dimension, and its hops to all cells of the window. */
typedef struct torus_probe {
	uint32_t at; /* position on the ring */
	uint32_t
		behind; /* cells 0 .. half-1 positions behind: it moves away from these */
	uint64_t sum;	/* of the distances from here to all cells of the window */
} torus_probe_t;

/* One dimension. A mesh of length k is a ring of 2k of which half is never used. */
typedef struct torus_window_ring {
	uint32_t length;
	uint32_t half;	 /* length / 2, rounded down */
	uint32_t *count; /* cells of the window at each position */
	uint32_t cells;	 /* in the window */
	torus_probe_t enter, leave;
} torus_window_ring_t;

typedef struct torus_window {
	int dims;
	uint32_t side[TORUS_MAX_DIMS];
	torus_window_ring_t ring[TORUS_MAX_DIMS];
	uint32_t *counts; /* of all rings */
} torus_window_t;

/*
 * An empty window on [geometry], whose wraps count. 0, or -1 when memory is short: O(sum
 * of sides). torus_window_free() frees it.
 */
int torus_window_init(torus_window_t *window, const torus_geometry_t *geometry);
void torus_window_free(torus_window_t *window);

/* Take all cells out. */
void torus_window_empty(torus_window_t *window);

/*
 * Let [cell] enter the window, or leave it, in which case it must be inside. Both return
 * the sum of its hops to all other cells inside. The time is proportional to the
 * dimensions and to the hops from the cell that entered, or left, last.
 */
uint64_t torus_window_enter(torus_window_t *window, uint32_t cell);
uint64_t torus_window_leave(torus_window_t *window, uint32_t cell);

/* How many windows' lengths 2, 4, 8 ... there are up to [cells], which is not 0. */
static inline int torus_window_lengths(uint32_t cells)
{
	return 31 - __builtin_clz(cells);
}

/*
 * For each length 2 << w up to the cells of [geometry], whose wraps count: the sum, over
 * all windows of so many ranks of order[], of the hops of their pairs, in line[w], and
 * unless it is NULL in around[w], which also counts windows that go around the end.
 * [order] has every cell once. The caller makes sure that the sums stay below 2^64. 0, or
 * -1 when memory is short: O(cells).
 */
int torus_window_hops(const torus_geometry_t *geometry, const uint32_t *order,
		      uint64_t *line, uint64_t *around);

#endif
