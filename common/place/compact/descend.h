/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exchange of many nodes at a time. Private to place/compact/.
 *
 * What a node costs depends on the others of the set, so if many are exchanged the costs
 * of all are wrong afterwards. But hops are of negative type: between two sets of n nodes
 * there are at least as many hops as inside both together. So taking the n nodes that are
 * cheapest by the costs of before never leaves the job farther apart in its sum, however
 * many that exchanges. Only the surface, which is no such sum, can make a round bad.
 */
#ifndef TORUS_PLACE_COMPACT_DESCEND_H
#define TORUS_PLACE_COMPACT_DESCEND_H

#include "place/compact/near.h"
#include "place/compact/score.h"

/* A node that a round may take. */
typedef struct torus_compact_choice {
	int64_t cost;
	uint32_t cell;
	uint32_t member; /* its index in member[], or TORUS_COMPACT_OUTSIDE */
} torus_compact_choice_t;

#define TORUS_COMPACT_OUTSIDE UINT32_MAX

typedef struct torus_compact_descent {
	torus_compact_choice_t *choice; /* [ranks] */
	uint32_t *out;			/* [ranks] */
	uint32_t *in;			/* [ranks] */
} torus_compact_descent_t;

int torus_compact_descent_begin(torus_compact_descent_t *descent,
				const torus_site_t *site, torus_error_t *err);
void torus_compact_descent_end(torus_compact_descent_t *descent);

/*
 * In rounds take, of the nodes of the set that are on the cells member[0 .. count-1] and
 * of the free ones on pool[0 .. cells-1], all [count] that would add least to the score,
 * while that lowers it, at most [limit] times; ties: members, then the lowest cell.
 * member[] is updated. Returns how many rounds lowered the score. A round is O(count +
 * free nodes of the pool + sum of lengths) on average.
 */
uint32_t torus_compact_descend(torus_compact_descent_t *descent, torus_compact_set_t *set,
			       const torus_compact_prices_t *prices, uint32_t *member,
			       uint32_t count, const uint32_t *pool, uint32_t cells,
			       uint32_t limit);

#endif
