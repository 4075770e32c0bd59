/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The candidate nodes of one place (a torus, or the nodes that are on no torus) and their
 * weights.
 */
#ifndef TORUS_MACHINE_CANDIDATES_H
#define TORUS_MACHINE_CANDIDATES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * On a torus, nodes are numbered by rank; elsewhere as the caller likes. Bitmaps and
 * weights are borrowed.
 */
typedef struct torus_candidates {
	const uint64_t *free;	  /* bitmap */
	const uint64_t *required; /* bitmap of nodes that must be chosen; NULL: none */
	/* [nodes] read for free nodes only, each below 2^35 so that sums fit; the lowest
	 * weight is taken first. NULL: all 0 */
	const uint64_t *weights;
	uint32_t free_count; /* bits set in .free; 0: not known, they are counted */
} torus_candidates_t;

/* The weight of the free node [number]. */
static inline uint64_t torus_candidates_weight(const torus_candidates_t *candidates,
					       uint32_t number)
{
	return candidates->weights ? candidates->weights[number] : 0;
}

/*
 * Count the free ones of the [nodes] whose weight is below [limit], and those whose
 * weight is [limit].
 */
void torus_candidates_count(const torus_candidates_t *candidates, uint32_t nodes,
			    uint64_t limit, uint32_t *lighter, uint32_t *equal);

/*
 * List the weights of the free nodes that are not required in [list], which has room for
 * [nodes]. Returns how many these are.
 */
uint32_t torus_candidates_weights(const torus_candidates_t *candidates, uint32_t nodes,
				  uint64_t *list);

/* Sort weights, the lightest first. */
void torus_weights_sort(uint64_t *list, uint32_t count);

#endif
