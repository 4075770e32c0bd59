/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The free nodes nearest to a cell, by hops. Private to place/compact/. */
#ifndef TORUS_PLACE_COMPACT_NEAR_H
#define TORUS_PLACE_COMPACT_NEAR_H

#include "place/compact/set.h"

typedef struct torus_compact_near {
	uint32_t *cell;	 /* [cells] what was found */
	uint32_t *queue; /* [cells] */
	uint32_t *seen;	 /* [cells + 1] the search that last came there */
	uint32_t search; /* its number */
} torus_compact_near_t;

int torus_compact_near_begin(torus_compact_near_t *near, const torus_site_t *site,
			     torus_error_t *err);
void torus_compact_near_end(torus_compact_near_t *near);

/*
 * Find the cells up to some number of hops from [centre] that have free nodes that are
 * not in the set: the smallest number with which these are [nodes], or all there are.
 * They are in near->cell[], those nearer first, and those farthest away ascending.
 * Returns how many. O(cells that are as near).
 */
uint32_t torus_compact_near_find(torus_compact_near_t *near,
				 const torus_compact_set_t *set, uint32_t centre,
				 uint32_t nodes);

#endif
