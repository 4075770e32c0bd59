/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places found for a strict job, the best ones in order: what the searches of
 * decide/intervals.h and decide/boxes.h fill.
 */
#ifndef TORUS_DECIDE_PLACES_H
#define TORUS_DECIDE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "decide/need.h"
#include "machine/candidates.h"
#include "machine/map.h"

/* An interval of the curve of a torus, a box of its cells, or a set of ranks that are
 * joined. */
typedef struct torus_place {
	int torus;
	uint32_t nodes;
	uint32_t first; /* rank of an interval; the cell at a box's corner, from which it
			 * goes upwards, around the end */
	int32_t side[TORUS_MAX_DIMS]; /* of a box, or of the torus that a set is joined
				       * to; all 0: an interval */
	uint64_t *ranks;	      /* bitmap: of a set, owned by the list; else NULL */
	/* What is better, in this order, the smaller the better; then the torus. */
	uint32_t distance; /* of its number of nodes from the number wanted */
	uint64_t weight;   /* sum of the nodes' weights */
	uint64_t hops;	   /* a box of any sides: summed distance of its routers; or 0 */
	uint64_t waste; /* an interval: what it has of the first kind; a box: highest rank
			 * less lowest */
	uint32_t lowest; /* rank; of an interval the first */
} torus_place_t;

typedef struct torus_places {
	torus_place_t **place; /* [count], the best first */
	torus_place_t *slot;   /* [room]: the first [count] of them hold the places */
	int count, room;       /* room >= 1 */
	bool complete; /* there are no others; otherwise some were not looked at, or did
			* not find room */
} torus_places_t;

/* What the candidates of one torus have. Borrowed. */
typedef struct torus_supply {
	int torus;
	const torus_map_t *map;
	const torus_candidates_t *candidates;
	const uint64_t *has; /* [nodes * kinds] by rank, read for candidates only */
} torus_supply_t;

/* What is looked for: the conditions that a place has to meet. */
typedef struct torus_wanted {
	uint32_t min_nodes, max_nodes; /* 1 <= min_nodes <= max_nodes */
	uint32_t nodes;		       /* the number liked best, in this range */
	const torus_need_t *need; /* its [each] is what all candidates have already */
	uint32_t required;	  /* nodes required, on all tori together */
} torus_wanted_t;

/*
 * How far [nodes] are from the number wanted: the most that are not more come first, then
 * the fewest that are more.
 */
static inline uint32_t torus_wanted_distance(const torus_wanted_t *wanted, uint32_t nodes)
{
	return nodes <= wanted->nodes ? wanted->nodes - nodes : nodes;
}

/* A list without places, complete; 0, or -1: out of memory. To be closed in either case.
 */
int torus_places_open(torus_places_t *places, int room);
void torus_places_close(torus_places_t *places);

/* Whether [place] would come before the last of a list that is full. */
bool torus_places_takes(const torus_places_t *places, const torus_place_t *place);

/*
 * Add a place, behind those that are as good; the last one of a full list is lost, and
 * the list no longer complete. The list takes over its set. O(log room) comparisons.
 */
void torus_places_add(torus_places_t *places, const torus_place_t *place);

/* Take all places out of the list: it is as when opened. */
void torus_places_clear(torus_places_t *places);

/*
 * The ranks of [place] on its map: of an interval in the order of the line, of others
 * ascending. [ranks] has room for them. Returns their number. O(ranks of the place), of a
 * box O(ranks of the map).
 */
uint32_t torus_place_ranks(const torus_place_t *place, const torus_map_t *map,
			   uint32_t *ranks);

#endif
