/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search that mc1x1 and mm have in common: around each centre free nodes are gathered
 * by growing distance until there are n; the centre for which the sum of the n distances
 * is smallest wins. Private to strategies/.
 */
#ifndef TORUS_STRATEGIES_SHELLS_H
#define TORUS_STRATEGIES_SHELLS_H

#include "place/allocator.h"

/* A measure of distance, and the counts that go with it. */
typedef struct torus_shells {
	bool largest;	  /* the largest of the hops per dimension; else their sum */
	bool free_centre; /* only cells with a free node are centres */
	/*
	 * Fill ball[cell] with the number of free nodes at a distance of up to [radius]
	 * from each cell. Called with 0, 1, 2 and so on. 0, or -1 with [err] filled.
	 */
	int (*count)(void *counts, uint32_t radius, uint32_t *ball, torus_error_t *err);
	void *counts; /* its first argument */
} torus_shells_t;

/*
 * Take the nodes around the best centre: of smallest sum, then the lowest cell. In the
 * last shell, where there may be more than are needed, the lowest ranks. *score is the
 * sum. 1, or -1 with [err] filled. O(cells) a radius and what the counts cost, for as
 * many radii as a centre may still win by.
 */
int torus_shells_place(const torus_ask_t *ask, const torus_shells_t *shells,
		       int64_t *score, torus_error_t *err);

#endif
