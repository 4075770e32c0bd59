/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The free nodes nearest to a cell, by hops. Private to place/compact/. */
#ifndef TORUS_PLACE_COMPACT_NEAR_H
#define TORUS_PLACE_COMPACT_NEAR_H

#include "place/compact/set.h"

typedef struct torus_compact_near {
	uint32_t *cell;	 /* [cells] what was found */
	uint32_t *queue; /* [cells] */
	uint32_t *seen;	 /* [cells + 1] number of the search that last reached the cell */
	uint32_t search; /* its number */
} torus_compact_near_t;

int torus_compact_near_begin(torus_compact_near_t *near, const torus_site_t *site,
			     torus_error_t *err);
void torus_compact_near_end(torus_compact_near_t *near);

/*
 * Find the nearest cells to [centre] that have free nodes not in the set: all within the
 * smallest number of hops that yields [nodes] such nodes, or all there are. Fills
 * near->cell[], nearer cells first, the farthest ones ascending. Returns how many.
 * O(cells within that distance).
 */
uint32_t torus_compact_near_find(torus_compact_near_t *near,
				 const torus_compact_set_t *set, uint32_t centre,
				 uint32_t nodes);

#endif
