/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The set of nodes that `compact` is trying: hops between its nodes, hops from them to
 * all free nodes, and how many free neighbours it has. All are updated as single nodes
 * come and go. Private to place/compact/.
 *
 * Hop distance is a sum over dimensions, so the sum over pairs needs, of each dimension,
 * only how far each coordinate is from all nodes of the set together. Neighbours are
 * nodes on the same router or on routers one hop apart.
 */
#ifndef TORUS_PLACE_COMPACT_SET_H
#define TORUS_PLACE_COMPACT_SET_H

#include "geometry/projection.h"
#include "place/site.h"

/* Numbers are processed so many at a time, so each array has room for so many more. */
#define TORUS_COMPACT_LANES 4

typedef struct torus_compact_set {
	const torus_site_t *site;
	uint32_t lengths; /* sum over the axes */
	uint32_t *beside; /* [cells * 2 * dims] neighbours of each cell, or `cells` */
	/* Of each axis, all in one block: */
	uint32_t *hops[TORUS_MAX_DIMS];	 /* [2 * length] at length - a + b from a to b */
	uint64_t *total[TORUS_MAX_DIMS]; /* [length] hops from there to all free nodes */
	uint32_t *far[TORUS_MAX_DIMS];	 /* [length] and to those of the set */
	uint64_t *sums;			 /* [the longest length] scratch memory */
	/*
	 * [cells + 1] free nodes that are not in the set minus nodes of the set; the last
	 * is always 0
	 */
	int32_t *balance;
	/* Of the decision: */
	uint32_t *open;	 /* [cells] those with free nodes, in the set or not, ascending */
	uint32_t cells;	 /* how many these are */
	uint32_t free;	 /* nodes on them */
	int64_t between; /* hops between all pairs of free nodes */
	/* Of the set: */
	torus_projection_t held; /* its nodes, and where they are */
	int64_t pairs;		 /* hops between all its pairs */
	int64_t reach; /* hops between each of its nodes and each free one, in it or not
			*/
	int64_t edge;  /* pairs of neighbours, one in the set, the other free and not */
} torus_compact_set_t;

/* Hops between all pairs of free nodes that are not in the set. */
static inline int64_t torus_compact_set_rest(const torus_compact_set_t *set)
{
	return set->between - set->reach + set->pairs;
}

/*
 * Make the tables for the machine of [site]. The set must be reset before it is used.
 * Returns 0, or -1 with [err] filled (memory). Must be ended in both cases.
 */
int torus_compact_set_begin(torus_compact_set_t *set, const torus_site_t *site,
			    torus_error_t *err);
void torus_compact_set_end(torus_compact_set_t *set);

/*
 * Empty the set and count the free nodes of the decision that the site has begun. O(cells
 * + free nodes).
 */
void torus_compact_set_reset(torus_compact_set_t *set);

/*
 * Add a node on [cell], which must have a free one not in the set; or remove one of the
 * set from there. O(sum of lengths).
 */
void torus_compact_set_add(torus_compact_set_t *set, uint32_t cell);
void torus_compact_set_remove(torus_compact_set_t *set, uint32_t cell);

/* Remove a node on [out] and add one on [in], in less time than the two above. */
void torus_compact_set_exchange(torus_compact_set_t *set, uint32_t out, uint32_t in);

/*
 * Remove a node on each of out[0 .. outs-1] and add one on each of in[0 .. ins-1]. O(outs
 * + ins + sum of lengths), so less than one by one if these are many.
 */
void torus_compact_set_change(torus_compact_set_t *set, const uint32_t *out,
			      uint32_t outs, const uint32_t *in, uint32_t ins);

/* Hops from [cell] to all nodes of the set together. */
static inline int64_t torus_compact_set_hops(const torus_compact_set_t *set,
					     uint32_t cell)
{
	const int32_t *coord = torus_site_coord(set->site, cell);
	uint64_t hops = 0;

	for (int axis = 0; axis < set->site->geometry.dims; axis++)
		hops += set->far[axis][coord[axis]];
	return (int64_t)hops;
}

/* Hops from [cell] to all free nodes together. */
static inline int64_t torus_compact_set_total(const torus_compact_set_t *set,
					      uint32_t cell)
{
	const int32_t *coord = torus_site_coord(set->site, cell);
	uint64_t hops = 0;

	for (int axis = 0; axis < set->site->geometry.dims; axis++)
		hops += set->total[axis][coord[axis]];
	return (int64_t)hops;
}

/*
 * The sum of the balance over the cell and its neighbours. Adding a node on [cell] adds
 * this minus one to `edge`; removing one subtracts this plus one.
 */
static inline int64_t torus_compact_set_balance(const torus_compact_set_t *set,
						uint32_t cell)
{
	int sides = 2 * set->site->geometry.dims;
	const uint32_t *beside = set->beside + (size_t)cell * (size_t)sides;
	int64_t balance = set->balance[cell];

	for (int i = 0; i < sides; i++)
		balance += set->balance[beside[i]];
	return balance;
}

/* Nodes of the set on [cell]. */
static inline uint32_t torus_compact_set_held(const torus_compact_set_t *set,
					      uint32_t cell)
{
	return (uint32_t)((int32_t)set->site->free_on[cell] - set->balance[cell]) / 2;
}

/* Free nodes on [cell] that are not in the set. */
static inline uint32_t torus_compact_set_left(const torus_compact_set_t *set,
					      uint32_t cell)
{
	return (uint32_t)((int32_t)set->site->free_on[cell] + set->balance[cell]) / 2;
}

#endif
