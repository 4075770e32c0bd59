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

/*
 * The sum, over all windows of [length] ranks of order[0 .. count-1], of the hops of
 * their pairs. With [around] also over windows that go around the end. The caller makes
 * sure that it stays below 2^64. Empties the window first.
 */
uint64_t torus_window_hops(torus_window_t *window, const uint32_t *order, uint32_t count,
			   uint32_t length, bool around);

#endif
