/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders that a machine can only have because some of its dimensions wrap. */
#ifndef TORUS_CURVE_HILBERT_RINGS_H
#define TORUS_CURVE_HILBERT_RINGS_H

#include "curve/hilbert/plan.h"

/*
 * A machine with wraps gets another order than the mesh of its lengths only if that saves
 * half a percent of its windows' hops: less is not worth a change of ranks. This is
 * log2(200 / 199) in units of 2^-16.
 */
#define HILBERT_GAIN 474

/* Of an order, over window lengths 2, 4, 8 ... up to all cells: */
typedef struct hilbert_means {
	/*
	 * The mean of the mean hops between two cells of a window, of all windows from
	 * the first rank to the last: the curve's score, in units of 2^-16 hops, rounded
	 * down for each length.
	 */
	int64_t score;
	/*
	 * The mean of the logarithms to the base 2 of those means, and of the same means
	 * of windows that may go on at the first rank, in units of 2^-16.
	 */
	int64_t log;
} hilbert_means_t;

/*
 * [order] holds the order of the mesh of [box], which has no axis of length 1: replace it
 * by the best that its wraps allow. Jobs are placed on the line or, by default where a
 * dimension wraps, on the ring (Span=), and jobs of all sizes are to gain: so the best is
 * the one whose mean of logarithms is lowest. It has to gain enough, and its score must
 * not be above that of the mesh's order. 0, or -1 when memory is short.
 */
int torus_hilbert_rings(hilbert_book_t *book, const torus_geometry_t *box,
			uint32_t *order);

/* The means of an order of at most HILBERT_RINGS_CELLS cells. 0, or -1: no memory. */
int torus_hilbert_means(const torus_geometry_t *box, const uint32_t *order,
			hilbert_means_t *means);

#endif
