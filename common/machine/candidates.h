/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes of one place - a torus, or those on no torus - that a job may have, and what
 * they weigh.
 */
#ifndef TORUS_MACHINE_CANDIDATES_H
#define TORUS_MACHINE_CANDIDATES_H

#include <stdint.h>

/*
 * On a torus nodes are numbered by rank, elsewhere as the caller likes. Borrowed.
 */
typedef struct torus_candidates {
	const uint64_t *free;	  /* bitmap */
	const uint64_t *required; /* bitmap of those that must be chosen, or NULL: none */
	const uint64_t *weights;  /* of the nodes that are free, each below 2^35 so that
				   * sums fit; the smaller the earlier. NULL: all 0 */
} torus_candidates_t;

/* What the free node [number] weighs. */
static inline uint64_t torus_candidates_weight(const torus_candidates_t *candidates,
					       uint32_t number)
{
	return candidates->weights ? candidates->weights[number] : 0;
}

/* How many free ones of the [nodes] weigh less than [limit], and how many just that. */
void torus_candidates_count(const torus_candidates_t *candidates, uint32_t nodes,
			    uint64_t limit, uint32_t *lighter, uint32_t *equal);

/*
 * Put the weights of those of the [nodes] that are free and not required into [list],
 * which has room for them. Returns their number.
 */
uint32_t torus_candidates_weights(const torus_candidates_t *candidates, uint32_t nodes,
				  uint64_t *list);

/* Sort weights, the lightest first. */
void torus_weights_sort(uint64_t *list, uint32_t count);

#endif
