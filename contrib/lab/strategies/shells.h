/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search of mc1x1 and mm: around each centre, the n free nodes at the smallest
 * distances are counted; the centre with the smallest sum of these distances wins.
 * Private to strategies/.
 */
#ifndef TORUS_STRATEGIES_SHELLS_H
#define TORUS_STRATEGIES_SHELLS_H

#include "place/allocator.h"

/* A measure of distance, and the counts that go with it. */
typedef struct torus_shells {
	bool largest; /* distance is the largest of the hops per dimension, not their sum
		       */
	bool free_centre; /* only cells with a free node are centres */
	/*
	 * Fill ball[cell] with the number of free nodes at a distance of up to [radius]
	 * from each cell. Called with 0, 1, 2 and so on. 0, or -1 with [err] filled.
	 */
	int (*count)(void *counts, uint32_t radius, uint32_t *ball, torus_error_t *err);
	void *counts; /* its first argument */
} torus_shells_t;

/*
 * Take the n nodes around the centre with the smallest sum; ties: the lowest cell. Of the
 * last shell, which may have more than are needed, the lowest ranks. *score is the sum.
 * Returns 1, or -1 with [err] filled (memory). Time O(cells) and one count for each
 * radius, until no other centre can win.
 */
int torus_shells_place(const torus_ask_t *ask, const torus_shells_t *shells,
		       int64_t *score, torus_error_t *err);

#endif
